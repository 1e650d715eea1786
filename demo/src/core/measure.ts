// Long measurements on filters of their own: filling to the first refusal, and asking absent keys.
// Invariant: work is done in pieces of a few milliseconds between frames, so that the page stays alive and every run
// can be stopped; what is counted comes from the core's own ends of operations and answers.
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm/trace';
import type { EventOf } from '../model/trace/state';
import { Zipf } from '../model/zipf';

/** Milliseconds of work between two frames: the rest of the 16 is for drawing. */
const SLICE_MS = 2;
/** Keys handed over at once. */
const BATCH = 1024;

/** Which entry is kicked: a random one with XOR, as in the paper and in the scenes, or one that finds room. */
export const WALKS = ['random', 'ahead'] as const;
export type Walk = (typeof WALKS)[number];

export interface TableSizes {
  readonly bucketCount: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly maxKicks: number;
}

/** Keys that all differ; keys of Zipf's law, of which every copy goes in; the same, each only if it is new. */
export const MIXES = ['distinct', 'copies', 'new'] as const;
export type Mix = (typeof MIXES)[number];
/** Zipf's ranks for each slot: enough that a table fills. */
const RANKS_A_SLOT = 4;

/** Kicks of the inserts between two loads. */
export interface LoadBin {
  /** From 0 to 1: the middle of the bin. */
  readonly load: number;
  inserts: number;
  kicks: number;
  most: number;
}

export const LOAD_BINS = 50;

/** A table that is filled piece by piece, until it refuses a key. */
export class Filling {
  readonly sizes: TableSizes;
  readonly slotCount: number;
  readonly bins: LoadBin[];
  isFull = false;
  /** Keys tried so far: those inserted, and the one refused. The same number gives the same table. */
  tried = 0;
  /** Of those: copies beyond the most that a table takes of a key, keys taken for known, and new ones among these. */
  refusedCopies = 0;
  known = 0;
  mistaken = 0;
  readonly #filter: CuckooFilter;
  readonly #mix: Mix;
  readonly #zipf: Zipf | null;
  /** Keys that came before, for the mix that asks. */
  readonly #seen = new Set<number>();
  #nextKey: number;

  /**
   * Keys are the numbers from `firstKey` on, or Zipf's ranks. XOR needs a power of two, so other tables reflect. Throws
   * RangeError if the core refuses the sizes.
   */
  constructor(sizes: TableSizes, firstKey = 0, mix: Mix = 'distinct', walk: Walk = 'random') {
    this.sizes = sizes;
    this.slotCount = sizes.bucketCount * sizes.bucketSize;
    this.bins = Array.from({ length: LOAD_BINS }, (_, i) => ({
      load: (i + 0.5) / LOAD_BINS,
      inserts: 0,
      kicks: 0,
      most: 0,
    }));
    const isXor = walk === 'random' && Number.isInteger(Math.log2(sizes.bucketCount));
    const addressing = isXor ? 'xor' : 'reflect';
    const lookAhead = walk === 'ahead';
    this.#filter = new CuckooFilter({ capacity: 1, semiSort: false, addressing, ...sizes }).trace(1, BATCH, {
      lookAhead,
    });
    this.#nextKey = firstKey;
    this.#mix = mix;
    this.#zipf = mix === 'distinct' ? null : new Zipf(RANKS_A_SLOT * this.slotCount, 1);
  }

  get size(): number {
    return this.#filter.size;
  }
  get load(): number {
    return this.#filter.loadFactor;
  }
  /** Expected now, by the core's exact formula. */
  get falsePositiveRate(): number {
    return this.#filter.expectedFalsePositiveRate;
  }
  /** A copy of the slots; 0 is empty. */
  slots(): Uint32Array {
    return this.#filter.slots();
  }

  /** Tries up to `count` keys, at most BATCH; stops for good at the first for which there is no room. */
  advance(count = BATCH): void {
    if (this.isFull) return;
    const keys = Uint32Array.from(
      { length: Math.min(BATCH, count) },
      () => this.#zipf?.next() ?? this.#nextKey++,
    );
    this.#insert(keys);
    const ends = this.#filter.takeEvents().events.filter((event) => event.kind === 'end');
    ends.forEach((event, i) => this.#count(event, keys[i] ?? 0));
  }

  #insert(keys: Uint32Array): void {
    try {
      if (this.#mix === 'new') this.#filter.addManyIfAbsent(keys);
      else this.#filter.addMany(keys);
    } catch (error) {
      if (!(error instanceof FilterFullError)) throw error;
      if (this.#mix === 'copies' && error.reason === 'too-many-copies')
        this.#insert(keys.subarray(error.added + 1));
      else this.isFull = true;
    }
  }

  #count(event: EventOf<'end'>, key: number): void {
    this.tried += 1;
    if (event.result === 'too-many-copies') this.refusedCopies += 1;
    if (event.result === 'present') {
      this.known += 1;
      this.mistaken += Number(!this.#seen.has(key));
    }
    if (this.#mix === 'new') this.#seen.add(key);
    const bin =
      this.bins[Math.min(LOAD_BINS - 1, Math.floor((LOAD_BINS * (event.size - 1)) / this.slotCount))];
    if (event.result !== 'added' || bin === undefined) return;
    bin.inserts += 1;
    bin.kicks += event.kicks;
    bin.most = Math.max(bin.most, event.kicks);
  }

  /** Inserts keys until the table holds `size`, or is full. */
  fillTo(size: number): void {
    while (!this.isFull && this.size < size) this.advance(size - this.size);
  }

  /** How many of `count` keys that were never inserted are found; they are the numbers from `first` on. */
  falsePositives(first: number, count: number): number {
    const keys = Uint32Array.from({ length: count }, (_, i) => 2 ** 32 - 1 - first - i);
    return this.#filter.containsMany(keys).reduce((sum, found) => sum + found, 0);
  }

  dispose(): void {
    this.#filter.dispose();
  }
}

/** The sizes of a table's slots at a capacity, as the core plans them, and the rate to expect at that many keys. */
export function expectedRate(sizes: Omit<TableSizes, 'maxKicks'>, keys: number): number {
  return CuckooFilter.plan({ capacity: keys, semiSort: false, ...sizes }).expectedFalsePositiveRate;
}

/** Bits a key of the table that the core plans for a million keys at this rate. */
export function plannedBits(rate: number): number {
  return CuckooFilter.plan({ capacity: 1_000_000, falsePositiveRate: rate }).bitsPerKey;
}

/**
 * Calls `work` in slices until it says that it is done, `show` after each slice, and resolves to whether it got there
 * before `signal` stopped it.
 */
export async function inSlices(work: () => boolean, show: () => void, signal: AbortSignal): Promise<boolean> {
  for (;;) {
    const end = performance.now() + SLICE_MS;
    let isDone = false;
    while (!isDone && performance.now() < end) isDone = work();
    show();
    if (isDone) return true;
    await frame();
    if (signal.aborted) return false;
  }
}

/** The next frame, or a moment later where frames do not come, as on a hidden page. */
function frame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 100);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
