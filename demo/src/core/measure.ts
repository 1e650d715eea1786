// Long measurements on filters of their own: filling to the first refusal, and asking absent keys.
// Invariant: work is done in pieces of a few milliseconds between frames, so that the page stays alive and every run
// can be stopped; what is counted comes from the core's own ends of operations and answers.
import { CuckooFilter, FilterFullError, type CuckooFilterPlan } from 'cuckoofilter-wasm/trace';
import type { Settings } from '../model/settings';
import type { EventOf, Shape } from '../model/trace/state';

/** Milliseconds of work between two frames: the rest of the 16 is for drawing. */
const SLICE_MS = 2;
const BATCH = 1024;

export type TableSizes = Shape & Pick<Settings, 'maxKicks'>;

/** Kicks of the inserts between two loads. */
export interface LoadBin {
  /** From 0 to 1: the middle of the bin. */
  readonly load: number;
  inserts: number;
  kicks: number;
}

const LOAD_BINS = 50;

/** A table that is filled piece by piece, until it refuses a key. */
export class Filling {
  readonly slotCount: number;
  readonly bins: LoadBin[];
  isFull = false;
  readonly #filter: CuckooFilter;
  #nextKey: number;

  /**
   * Keys are the numbers from `firstKey` on. XOR needs a power of two, so other tables reflect. Throws
   * RangeError if the core refuses the sizes.
   */
  constructor(sizes: TableSizes, firstKey = 0, search: Settings['search'] = 'random-walk') {
    this.slotCount = sizes.bucketCount * sizes.bucketSize;
    this.bins = Array.from({ length: LOAD_BINS }, (_, i) => ({
      load: (i + 0.5) / LOAD_BINS,
      inserts: 0,
      kicks: 0,
    }));
    const { maxKicks, ...shape } = sizes;
    const isXor = search === 'random-walk' && Number.isInteger(Math.log2(sizes.bucketCount));
    const addressing = isXor ? 'xor' : 'reflect';
    this.#filter = new CuckooFilter({ capacity: 1, semiSort: false, addressing, ...shape });
    this.#filter.trace(1, BATCH, { search, maxKicks });
    this.#nextKey = firstKey;
  }

  get size(): number {
    return this.#filter.size;
  }
  get load(): number {
    return this.#filter.loadFactor;
  }
  get rate(): number {
    return this.#filter.expectedFalsePositiveRate;
  }
  slots(): Uint32Array {
    return this.#filter.slots();
  }

  /** Tries up to `count` keys, at most BATCH; stops for good at the first for which there is no room. */
  advance(count = BATCH): void {
    if (this.isFull) return;
    const keys = Uint32Array.from({ length: Math.min(BATCH, count) }, () => this.#nextKey++);
    try {
      this.#filter.addMany(keys);
    } catch (error) {
      if (!(error instanceof FilterFullError)) throw error;
      this.isFull = true;
    }
    for (const event of this.#filter.takeEvents().events) if (event.kind === 'end') this.#count(event);
  }

  #count(event: EventOf<'end'>): void {
    const bin =
      this.bins[Math.min(LOAD_BINS - 1, Math.floor((LOAD_BINS * (event.size - 1)) / this.slotCount))];
    if (event.result !== 'added' || bin === undefined) return;
    bin.inserts += 1;
    bin.kicks += event.kicks;
  }

  dispose(): void {
    this.#filter.dispose();
  }
}

/** The table that the core plans for a million keys at this rate. */
export function planned(rate: number): CuckooFilterPlan {
  return CuckooFilter.plan({ capacity: 1_000_000, falsePositiveRate: rate });
}

export const plannedBits = (rate: number): number => planned(rate).bitsPerKey;

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
