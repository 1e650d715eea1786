// A small filter that grows twice, and what its trace tells of that.
// Invariant: where an entry goes comes from the trace's splits, and the slot it gets from a copy of the doubled table.
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { bitsOf } from '../model/picture/bits';
import { ofKind } from '../model/scenes/read';
import type { EventOf } from '../model/trace/state';
import { sampleKey } from '../model/samples';

export interface Moved {
  readonly fingerprint: number;
  /** Its reserved bits before, highest first: the first one is spent. */
  readonly reserved: readonly number[];
  readonly bucket: number;
  readonly slot: number;
  readonly toBucket: number;
  readonly toSlot: number;
}

export interface Doubling {
  /** Before. */
  readonly bucketCount: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  /** Of false positives, just before. */
  readonly rate: number;
  readonly moved: readonly Moved[];
}

type Split = EventOf<'split'>;

const OPTIONS = {
  ...{ capacity: 12, maxCapacity: 40, bucketCount: 4, bucketSize: 4, fingerprintBits: 6 },
  semiSort: false,
} as const;
const MOST_KEYS = 40;
const DOUBLINGS = 2;

/** The first doublings of a table of four buckets. */
export function doublings(): Doubling[] {
  const filter = new CuckooFilter(OPTIONS).trace(2);
  const all: Doubling[] = [];
  for (let i = 0; i < MOST_KEYS && all.length < DOUBLINGS; ++i) {
    const { bucketCount, expectedFalsePositiveRate: rate } = filter;
    filter.add(sampleKey(1, i));
    const splits = ofKind(filter.takeEvents().events, 'split');
    if (splits.length > 0) all.push({ ...doublingOf(splits, filter.slots()), bucketCount, rate });
  }
  filter.dispose();
  return all;
}

/** `grown`: the slots of the doubled table. */
function doublingOf(splits: readonly Split[], grown: Uint32Array): Omit<Doubling, 'bucketCount' | 'rate'> {
  const { bucketSize, fingerprintBits } = OPTIONS;
  const spent = Math.max(...splits.map(({ before, after }) => before - after));
  const reservedBits = Math.log2(spent) + 1 - fingerprintBits;
  const moved = splits.map(({ bucket, slot, before, after, toBucket }): Moved => {
    const at = grown.indexOf(after, toBucket * bucketSize);
    // Equal entries of one bucket take one slot after the other.
    grown[at] = 0;
    return {
      fingerprint: before % 2 ** fingerprintBits,
      reserved: bitsOf(before >>> fingerprintBits, reservedBits),
      ...{ bucket, slot, toBucket, toSlot: at - toBucket * bucketSize },
    };
  });
  return { bucketSize, fingerprintBits, moved };
}
