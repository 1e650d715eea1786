// Tells the class of an object of this package, whichever copy of the package made it. A program that both imports and
// requires the package, or has two versions installed, has two copies, and `instanceof` knows only its own.
// Invariant: all copies use the same symbol and the same names.

/** The classes that own memory. */
export type Kind =
  | 'CuckooFilter'
  | 'ScalableCuckooFilter'
  | 'SharedCuckooFilter'
  | 'ExpiringFilter'
  | 'CuckooValues'
  | 'CuckooCounter'
  | 'Deduper';

export const KIND: unique symbol = Symbol.for('cuckoofilter-wasm.kind');

/** Marks `target`, an object or a prototype. */
export function setKind(target: object, kind: Kind): void {
  Object.defineProperty(target, KIND, { value: kind, configurable: true });
}

/** The class of `value`; undefined for anything that is not of this package. */
export function kindOf(value: unknown): Kind | undefined {
  return typeof value === 'object' && value !== null ? (value as { [KIND]?: Kind })[KIND] : undefined;
}

/** Whether `value` has the methods of a CuckooFilter. */
export function isAnyFilter(value: unknown): boolean {
  const kind = kindOf(value);
  return kind === 'CuckooFilter' || kind === 'ScalableCuckooFilter';
}

/** Whether `value` has the method `addIfAbsent`, by which a Deduper works. */
export function isForDeduper(value: unknown): boolean {
  return isAnyFilter(value) || kindOf(value) === 'SharedCuckooFilter';
}

/** The name of the property that holds the filter inside an audited one. */
export const AUDITED: unique symbol = Symbol.for('cuckoofilter-wasm.audited');

/** The filter inside, if `value` is an audited one. */
export function unaudited(value: unknown): unknown {
  return (kindOf(value) && (value as { [AUDITED]?: unknown })[AUDITED]) ?? value;
}
