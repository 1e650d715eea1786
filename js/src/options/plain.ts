// What callers give for options, and for bytes that a database gave them as text: a file of its own, so that the reader need
// not load more.

/**
 * Whether `value` is a plain object of any realm: its prototype is null or an `Object.prototype`, so that it inherits
 * no options. Only its own enumerable properties count, whatever a program has put on `Object.prototype`.
 */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.prototype.hasOwnProperty.call(prototype, 'isPrototypeOf');
}

/** How to get the bytes for `text`. Hexadecimal text may begin with `\x` (Postgres) or `0x`. Undefined for other values. */
export function textAdvice(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined;
  const [, prefix] = /^(\\x|0x|)[\da-f]{6,}$/i.exec(text.slice(0, 99)) ?? [];
  return prefix === undefined
    ? ' (from a file: readFileSync(path); from base64: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))'
    : ` (from hexadecimal text: Buffer.from(text${prefix && '.slice(2)'}, 'hex'))`;
}
