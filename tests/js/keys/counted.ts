// Generators of keys that note how they ended, and the calls that take them.
import type { Key } from 'cuckoofilter-wasm';

export const options = { capacity: 20_000, fingerprintBits: 32 } as const;
export const METHODS = ['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const;

/** `count` keys by `keyAt`, from a generator that notes how it ended. */
export function counted(
  count: number,
  keyAt: (i: number) => Key,
): { keys: Generator<Key>; wasClosed: () => boolean } {
  let closed = false;
  function* generate(): Generator<Key> {
    try {
      for (let i = 0; i < count; ++i) yield keyAt(i);
    } finally {
      closed = true;
    }
  }
  return { keys: generate(), wasClosed: () => closed };
}
