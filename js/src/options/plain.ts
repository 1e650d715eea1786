// What callers give: options, keys, and bytes that a database gave them as text. A file of its own, so that the reader need
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

/** The name of a typed array's class, of any realm and whatever its properties say; undefined for anything else. */
export function arrayNameOf(value: unknown): unknown {
  return Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag, value);
}

/** Whether `value` is a string or bytes: iterating it gives characters or numbers, which nobody means as keys. */
export function isOneKey(value: unknown): boolean {
  const isText = Object.prototype.toString.call(value) === '[object String]';
  return isText || (ArrayBuffer.isView(value) && !/16|32|64/.test(String(arrayNameOf(value))));
}
