// What merging throws where it is refused.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { claim, sameBytes, thrownBy } from '../support/random';

/** What `operate` throws, which must leave all `filters` as they were. */
export function refusal<T extends Error>(
  kind: new (...args: never[]) => T,
  filters: readonly CuckooFilter[],
  operate: () => unknown,
): T {
  const before = filters.map((filter) => filter.serialize());
  const error = thrownBy(kind, operate);
  filters.forEach((filter, i) =>
    claim(sameBytes(filter.serialize(), before[i] as Uint8Array), () => 'changed'),
  );
  return error;
}
