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

/** How to get the bytes of hexadecimal `text`, which may begin with `\x` (Postgres) or `0x`; undefined for other values. */
export function hexAdvice(text: unknown): string | undefined {
  const begin = typeof text === 'string' ? text.slice(0, 99) : '';
  const [, prefix] = /^(\\x|0x|)[\da-f]{6,}$/i.exec(begin) ?? [];
  if (prefix === undefined) return undefined;
  return ` (from hexadecimal text: Buffer.from(text${prefix && '.slice(2)'}, 'hex'))`;
}
