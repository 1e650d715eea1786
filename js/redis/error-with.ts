// Attaches what is known about the finished keys to the error that ends a batch.
// Invariant: if possible, the error keeps its class, message, name and code.

/**
 * `error` with the property `outcomes`. If it takes no property, or already has this one from another call, it becomes the
 * `cause` of a new error that carries the property.
 */
export function errorWith(error: unknown, outcomes: readonly unknown[]): unknown {
  const isFit = Object.isExtensible(error) && !('outcomes' in (error as object));
  const carrier = isFit ? (error as object) : new Error(String(error), { cause: error });
  // The new error keeps the name and the code.
  for (const kept of isFit ? [] : ['name', 'code']) {
    const { [kept]: text } = Object(error) as Record<string, unknown>;
    if (typeof text === 'string') Object.defineProperty(carrier, kept, { value: text });
  }
  return Object.defineProperty(carrier, 'outcomes', { value: outcomes, configurable: true });
}
