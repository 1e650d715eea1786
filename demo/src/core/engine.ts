// The filter behind the page.
// Invariant: everything the page shows comes from the events that this filter's WebAssembly core reports. An operation
// whose events are not complete raises an error instead of being shown in part.
import { CuckooFilter, preload, type TraceCallback, type TraceEvent } from 'cuckoofilter-wasm/trace';
import type { Settings } from '../model/settings';
import type { Operation, OperationName } from '../model/trace/state';

export interface Engine {
  /** Runs an operation and gives its events. `clear` takes no key. */
  run(name: OperationName, key: string): readonly TraceEvent[];
  /** The events of looking a key up, which changes nothing. */
  lookUp(key: string): readonly TraceEvent[];
  /** The events of inserting a key into a copy, which finds room in its own way or another. */
  tryInsert(key: string, search?: Settings['search']): readonly TraceEvent[];
  /** The events of these operations, one after the other, on a copy. */
  tryAll(operations: readonly Operation[]): (readonly TraceEvent[])[];
  /** Which of these keys lookups would find, told without events. */
  found(keys: readonly string[]): boolean[];
  /** How many entries it holds, and the rate that this load gives. */
  size(): number;
  rate(): number;
  save(): Uint8Array<ArrayBuffer>;
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
  const run: Engine['run'] = (name, key) => {
    if (name === 'insert') filter.tryAdd(key);
    else if (name === 'contains') filter.contains(key);
    else if (name === 'erase') filter.delete(key);
    else filter.clear();
    return latest;
  };
  const tryAll = (operations: readonly Operation[], way = search): (readonly TraceEvent[])[] => {
    const copy = engineOf(filter.clone() as CuckooFilter, { ...settings, search: way });
    try {
      return operations.map(({ name, key }) => copy.run(name, key));
    } finally {
      copy.dispose();
    }
  };
  return {
    run,
    lookUp: (key) => run('contains', key),
    tryInsert: (key, way) => tryAll([{ name: 'insert', key }], way)[0] ?? [],
    tryAll: (operations) => tryAll(operations),
    found(keys) {
      const silent = filter.clone();
      try {
        return Array.from(silent.containsMany(keys), (found) => found === 1);
      } finally {
        silent.dispose();
      }
    },
    size: () => filter.size,
    rate: () => filter.expectedFalsePositiveRate,
    save: () => filter.serialize(),
    dispose: () => filter.dispose(),
  };
}
