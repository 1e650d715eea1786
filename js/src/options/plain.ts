// Which objects count as options: a file of its own, so that the reader need not load more.

/**
 * Whether `value` is a plain object of any realm: its prototype is null or an `Object.prototype`, so that it inherits
 * no options. Only its own enumerable properties count, whatever a program has put on `Object.prototype`.
 */
export function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.prototype.hasOwnProperty.call(prototype, 'isPrototypeOf');
}
