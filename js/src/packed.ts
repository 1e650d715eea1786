// Many byte keys in one array, one behind the other: the fastest way in for keys that come as bytes, such as lines.
// Invariant: nothing is allocated per key, and a bad end is found before any byte of its key is read.
import { ruleMessage } from './errors.js';
import { core, exchange } from './module.js';

/**
 * Keys that lie one behind the other: key i is the part of `bytes` from `ends[i - 1]` (from 0 for the first) up to
 * `ends[i]`. Goes wherever many keys go, and takes less than half the time of an array of as many `Uint8Array`s.
 * The arrays are read during the call and never kept, so they can be filled anew for the next one.
 */
export class PackedKeys implements Iterable<Uint8Array> {
  readonly bytes: Uint8Array;
  /** Never falling, and at most `bytes.length`: a call that meets another end throws RangeError with its index. */
  readonly ends: Uint32Array;

  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
  }

  /** How many keys there are. */
  get length(): number {
    return this.ends.length;
  }

  /** Each key, as a view of `bytes`. */
  *[Symbol.iterator](): Generator<Uint8Array, void, undefined> {
    for (let i = 0; i < this.length; ++i) yield this.bytes.subarray(beginOf(this, i), endOf(this, i));
  }
}

/**
 * Calls `use(count)` for each run of keys whose hashes stand in the exchange's words, and `useLong` with a key that
 * does not fit into the exchange. Throws RangeError at a bad end; the keys before it are used.
 */
export function hashPacked(
  filter: number,
  keys: PackedKeys,
  use: (count: number) => void,
  useLong: (key: Uint8Array) => void,
): void {
  for (let first = 0; first < keys.length;) {
    const begin = beginOf(keys, first);
    const count = writeEnds(keys, first, begin);
    if (count === 0) {
      useLong(keys.bytes.subarray(begin, endOf(keys, first)));
      ++first;
      continue;
    }
    first += count;
    exchange().bytes.set(keys.bytes.subarray(begin, beginOf(keys, first)));
    core().hash_keys(filter, count);
    use(count);
  }
}

/** Writes the ends of the keys from `first` on, as many as fit, and returns how many that are. */
function writeEnds(keys: PackedKeys, first: number, begin: number): number {
  const { bytes, ends } = exchange();
  const most = Math.min(ends.length, keys.length - first);
  for (let i = 0; i < most; ++i) {
    if (isBad(keys, first + i) && i > 0) return i;
    const end = endOf(keys, first + i) - begin;
    if (end > bytes.length) return i;
    ends[i] = end;
  }
  return most;
}

function beginOf({ ends }: PackedKeys, i: number): number {
  return i === 0 ? 0 : (ends[i - 1] as number);
}

function isBad(keys: PackedKeys, i: number): boolean {
  const end = keys.ends[i] as number;
  return end < beginOf(keys, i) || end > keys.bytes.length;
}

function endOf(keys: PackedKeys, i: number): number {
  const end = keys.ends[i] as number;
  if (!isBad(keys, i)) return end;
  const rule = `from ${beginOf(keys, i)} to ${keys.bytes.length}`;
  throw new RangeError(`key ${i}: ${ruleMessage('its end', rule, end)}`);
}
