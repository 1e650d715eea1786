// The filter behind the page: the only file that runs the library.
// Invariant: everything the page shows comes from the events that this filter's WebAssembly core reports. An operation
// whose events are not complete raises an error instead of being shown in part.
import { CuckooFilter, preload, type TraceCallback, type TraceEvent } from 'cuckoofilter-wasm/trace';
import type { Settings } from '../model/settings';
import type { OperationName } from '../model/trace/operation';

export interface Engine {
  /** Runs an operation and gives its events. `clear` takes no key. */
  run(name: OperationName, key: string): readonly TraceEvent[];
  /** Which of these keys lookups would find, told without events. */
  found(keys: readonly string[]): boolean[];
  /** The false positive rate that the library computes for the filter as it is. */
  rate(): number;
  /** The filter as `serialize` gives it. */
  save(): Uint8Array<ArrayBuffer>;
  /** A separate filter with the same content, which finds room in its own way or another. Its operations are numbered from 1 again. */
  clone(search?: Settings['search']): Engine;
  dispose(): void;
}

/**
 * Room for the longest insert: a search tells at most 256 looks; after each kick of a walk the slots of one bucket are
 * read, and each may be taken back.
 */
function mostEvents({ maxKicks, bucketSize }: Settings): number {
  return 512 + maxKicks * (bucketSize + 2);
}

/** Compiles the WebAssembly module; to be awaited once before `createEngine`. */
export const prepare = preload;

/** An empty filter of these settings. Throws RangeError if the core refuses them. */
export function createEngine(settings: Settings): Engine {
  const { bucketCount, bucketSize, fingerprintBits, addressing, hashSeed: seed } = settings;
  const sizes = { bucketCount, bucketSize, fingerprintBits, addressing, seed, semiSort: false };
  return engineOf(new CuckooFilter({ capacity: bucketCount * bucketSize, ...sizes }), settings);
}

function engineOf(filter: CuckooFilter, settings: Settings): Engine {
  let latest: readonly TraceEvent[] = [];
  const take: TraceCallback = (events, lost) => {
    if (lost) throw new Error('the trace buffer was too small');
    latest = events;
  };
  const { search, maxKicks } = settings;
  filter.trace(take, mostEvents(settings), { search, maxKicks });
  return {
    run(name, key) {
      if (name === 'insert') filter.tryAdd(key);
      else if (name === 'contains') filter.contains(key);
      else if (name === 'erase') filter.delete(key);
      else filter.clear();
      return latest;
    },
    found(keys) {
      const silent = filter.clone();
      try {
        return Array.from(silent.containsMany(keys), (found) => found === 1);
      } finally {
        silent.dispose();
      }
    },
    rate: () => filter.expectedFalsePositiveRate,
    save: () => filter.serialize(),
    clone: (way = search) => engineOf(filter.clone() as CuckooFilter, { ...settings, search: way }),
    dispose: () => filter.dispose(),
  };
}
