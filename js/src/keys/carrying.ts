// What is known of the keys that are done, on the error that ends a batch.
// Invariant: the error stays what it is where it can: its class, its message and its name.

/**
 * `error` with the property `name`, which tells what was done before it. An error that takes no property, or that has this one
 * already because it comes from another call, becomes the `cause` of one that carries it.
 */
export function carrying(error: unknown, name: 'answers' | 'outcomes', value: unknown): unknown {
  const isFit = Object.isExtensible(error) && !(name in (error as object));
  const carrier = isFit ? (error as object) : new Error(String(error), { cause: error });
  // The reason of a signal that ends several calls still has its name.
  const { name: ofError } = Object(error) as { name?: unknown };
  if (!isFit && typeof ofError === 'string') Object.defineProperty(carrier, 'name', { value: ofError });
  return Object.defineProperty(carrier, name, { value, configurable: true });
}
