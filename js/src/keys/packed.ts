// Many byte keys in one array, one after the other: the fastest way in for keys that come as bytes, such as lines.
// Invariant: a bad end is found before any byte of its key is read.
import { notResizable } from '../basic-errors.js';
import { ruleError } from '../errors.js';
import { viewOf } from '../engine/bytes.js';
import { HASH, type GivePacked } from './keys.js';
import { putNumber, type Scratch } from '../engine/scratch.js';
import { noteOwn } from './thrown.js';

/**
 * Many byte keys in one array. Key i is the part of `bytes` from `ends[i - 1]` (0 for the first key) up to `ends[i]`.
 * Every call with many keys accepts `PackedKeys`, and takes less than half the time that it takes for an array of
 * `Uint8Array`s. Calls do not keep the arrays, so you can fill them again.
 */
export class PackedKeys implements Iterable<Uint8Array> {
  /** @internal */
  static get name(): string {
    return 'PackedKeys';
  }

  readonly bytes: Uint8Array;
  /**
   * Where each key ends: in ascending order, at most `bytes.length`. If an end is wrong, calls throw a RangeError that
   * names the index of the key; earlier keys have been processed.
   */
  readonly ends: Uint32Array;

  /** Throws TypeError if an array has another type, or if its buffer is resizable or was transferred away. */
  constructor(bytes: Uint8Array, ends: Uint32Array) {
    this.bytes = bytes;
    this.ends = ends;
    partsOf(this);
    // Here and not on the prototype, because bundlers would then keep the class in programs that do not use it.
    Object.defineProperty(this, HASH, { value: hashPacked });
  }

  /** The number of keys. */
  get length(): number {
    return this.ends.length;
  }

  /** Each key, as a view of `bytes`. */
  *[Symbol.iterator](): Generator<Uint8Array, void, undefined> {
    const { length } = partsOf(this).ends;
    for (let i = 0; i < length; ++i) {
      const parts = partsOf(this); // each time, because a buffer may be transferred away meanwhile
      if (isBad(parts, i)) {
        const error = wrongEnd(parts, i);
        noteOwn(error, this);
        throw error;
      }
      yield parts.bytes.subarray(beginOf(parts, i), endOf(parts, i));
    }
  }
}

/** The arrays of packed keys, which anyone may have replaced. */
type Parts = Pick<PackedKeys, 'bytes' | 'ends'>;

/** The two arrays, read once, as views of our own classes. Throws TypeError for another type or a lost buffer. */
function partsOf({ bytes, ends }: Parts): Parts {
  const bytesView = partOf('bytes', 'Uint8Array', bytes);
  const { buffer, byteOffset, byteLength } = partOf('ends', 'Uint32Array', ends);
  return { bytes: bytesView, ends: new Uint32Array(buffer, byteOffset, byteLength / 4) };
}

/** Checks the type by its name, because an array of another realm is no instance of this realm's class. */
function partOf(name: string, type: string, array: Uint8Array | Uint32Array): Uint8Array<ArrayBuffer> {
  const part = `PackedKeys: ${name}`;
  const view = Object.prototype.toString.call(array) === `[object ${type}]` ? viewOf(array, part) : undefined;
  if (view === undefined) throw ruleError(part, `a ${type}`, array);
  return notResizable(part, view);
}

/** As Packed says. Throws RangeError at a bad end; the keys before it are used. */
function hashPacked(this: PackedKeys): GivePacked {
  const keys = partsOf(this);
  return (handle, use, useLong) => {
    const { length } = keys.ends;
    for (let first = 0; first < length;) {
      const begin = beginOf(keys, first);
      const { scratch } = handle.instance;
      const count = writeEnds(scratch, keys, first, begin);
      if (count === 0) {
        useLong(keys.bytes.subarray(begin, endOf(keys, first)));
        ++first;
        continue;
      }
      first += count;
      scratch.bytes.set(keys.bytes.subarray(begin, beginOf(keys, first)));
      handle.call('hashKeys', count);
      use(count);
    }
  };
}

/** Writes the ends of the keys from `first` on, as many as fit, and returns how many that are. */
function writeEnds(scratch: Scratch, keys: Parts, first: number, begin: number): number {
  const most = Math.min(scratch.batchLength, keys.ends.length - first);
  for (let i = 0; i < most; ++i) {
    if (isBad(keys, first + i)) return i; // hashPacked throws when it comes to this key.
    const end = endOf(keys, first + i) - begin;
    if (end > scratch.bytes.length) return i;
    putNumber(scratch, i, end);
  }
  return most;
}

function beginOf({ ends }: Parts, i: number): number {
  return i === 0 ? 0 : (ends[i - 1] as number);
}

function isBad(keys: Parts, i: number): boolean {
  const end = keys.ends[i] as number;
  return end < beginOf(keys, i) || end > keys.bytes.length;
}

function endOf(keys: Parts, i: number): number {
  if (isBad(keys, i)) throw wrongEnd(keys, i);
  return keys.ends[i] as number;
}

function wrongEnd(keys: Parts, i: number): Error {
  const rule = `from ${beginOf(keys, i)} to bytes.length (${keys.bytes.length})`;
  return ruleError(`key ${i}: ends[${i}]`, rule, keys.ends[i], RangeError);
}
