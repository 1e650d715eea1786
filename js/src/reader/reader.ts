// The class FilterReader: lookups in a saved filter, in JavaScript alone.
// Invariant: it gives the same answers and errors as the class that saved the filter, and copies nothing of the filter.
// The code has no class fields, private names or syntax newer than ES2020, for engines that know no more.
import type { Bytes } from '../engine/bytes.js';
import type { Key, KeyOf } from '../keys/key.js';
import type { Keys } from '../keys/keys.js';
import type { Addressing, HashAlgorithm, LoadOptions } from '../options/options.js';
import { argumentError, atKey, lostBuffer } from '../basic-errors.js';
import { intoOf } from '../options/into.js';
import { isOneKey } from '../options/plain.js';
import { check, viewOf } from './arguments.js';
import { bytesOf, hashKey } from './key.js';
import { open, type Opened } from './open.js';
import { RemoteFilter } from './remote.js';
import type { Table } from './table.js';

/**
 * A read-only view of a saved filter. It needs no WebAssembly, and reads what CuckooFilter, Deduper and
 * ScalableCuckooFilter save with `serialize`.
 *
 * @example
 * const blocked = new FilterReader(await response.arrayBuffer());
 * blocked.has('alice'); // true
 */
export class FilterReader<K extends Key = Key> {
  /** @internal */
  static get name(): string {
    return 'FilterReader';
  }

  /** Vue and lodash leave objects with a tag as they are. @internal */
  get [Symbol.toStringTag](): string {
    return 'FilterReader';
  }

  declare private readonly opened: Opened;

  /** Number of entries stored. Each copy of a key counts. */
  declare readonly size: number;
  /**
   * Number of different keys that the filter was made for. A filter that may still grow does not save it; then it is
   * `currentCapacity`.
   */
  declare readonly capacity: number;
  /** Number of entries that there is room for. */
  declare readonly currentCapacity: number;
  /** Number of entries that fit once the table (of a ScalableCuckooFilter, the first table) has grown. */
  declare readonly maxCapacity: number;
  /**
   * Number of entries that fit once every possible layer is added; the same as `maxCapacity` unless the filter is
   * a ScalableCuckooFilter.
   */
  declare readonly totalCapacity: number;
  /** Number of layers; 1 unless the filter is a ScalableCuckooFilter. */
  declare readonly layers: number;
  /** Number of buckets of all layers. */
  declare readonly bucketCount: number;
  /** Slots per bucket. */
  declare readonly bucketSize: number;
  /** Bits of a fingerprint: an integer, or a multiple of 0.25 if `semiSorted`. */
  declare readonly fingerprintBits: number;
  /** Whether each bucket is kept sorted, which saves one bit per slot. */
  declare readonly semiSorted: boolean;
  /** The formula for a key's alternate bucket. */
  declare readonly addressing: Addressing;
  /** The hash function. */
  declare readonly hashAlgorithm: HashAlgorithm;
  /** size / (bucketCount x bucketSize), from 0 to 1. */
  declare readonly loadFactor: number;
  /** Bytes of the table. */
  declare readonly byteLength: number;
  /** 8 x byteLength / size; NaN if the filter is empty. */
  declare readonly bitsPerKey: number;
  /**
   * The expected probability that an absent key is reported present, if the keys are all different and were added once
   * each.
   */
  declare readonly expectedFalsePositiveRate: number;

  /**
   * Opens the filter saved in `bytes`, and checks the bytes as `deserialize` does. It does not copy them, so do not
   * change them. Throws FormatError, whose `code` says what is wrong. If the filter has a secret key, pass its hash as
   * `options.hash`. Takes time linear in the size of the filter.
   */
  constructor(bytes: ArrayBufferView | ArrayBufferLike, options?: LoadOptions) {
    const opened = open(bytes, options, false);
    // The checksum, so that `toEqual` and `deepEqual` compare content, as for filters (filters/protocols.ts).
    const content = String(opened.bytes.slice(-8));
    Object.assign(this, opened.parameters, { [Symbol.for('cuckoofilter-wasm.content')]: content });
    // Configurable, so that a Proxy may give another object for it.
    Object.defineProperty(this, 'opened', { value: opened, configurable: true });
    this.layers = opened.tables.length;
    this.loadFactor = this.size / (this.bucketCount * this.bucketSize);
    this.bitsPerKey = (8 * this.byteLength) / (this.size || NaN);
  }

  /**
   * A saved filter that is stored elsewhere, for lookups that read only a few of its bytes. `header` is the first
   * REMOTE_HEADER_BYTES bytes of its saved form (with several layers, all bytes up to the end of the last layer's
   * header). Throws as the constructor does, with the code `cut-short` if more bytes are needed. The checksum is not
   * checked.
   */
  static remote<K extends Key = Key>(
    header: ArrayBufferView | ArrayBufferLike,
    options?: LoadOptions,
  ): RemoteFilter<K> {
    return RemoteFilter.of(open(header, options, true));
  }

  /** `false`: `key` is definitely not in the filter. `true`: it may be (see `expectedFalsePositiveRate`). */
  contains(key: KeyOf<K>): boolean {
    return this.count(key) > 0;
  }

  /** The same as `contains`, by the name that `Set` uses. */
  has(key: KeyOf<K>): boolean {
    return this.count(key) > 0;
  }

  /** The number of copies of `key`. Other keys with the same fingerprint and buckets count as well. */
  count(key: KeyOf<K>): number {
    const { bytes, hash, tables, mark } = this.opened;
    const low = hashKey(hash, key, bytesOf);
    if (!(bytes[mark] as number))
      throw bytes[mark] === 0
        ? argumentError('the bytes of the saved filter were changed: pass bytes.slice()')
        : lostBuffer('the saved filter');
    let copies = 0;
    for (const table of tables) copies += table.copies(bytes, low);
    return copies;
  }

  /** `contains` for every key, in order: 1 or 0. Throws InvalidKeyError at the first that is not a valid key. */
  containsMany(keys: Keys<K>): Bytes;
  /** The same, but writes the answers into an array of yours: see `CuckooFilter.containsMany`. */
  containsMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  containsMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    const isMany = Symbol.iterator in (Object(keys) as object) && !isOneKey(keys);
    check('keys', 'iterable (one key: [key])', keys, isMany);
    if (ArrayBuffer.isView(keys)) bytesOf(keys); // throws if the buffer is gone
    const count = Array.isArray(keys) || ArrayBuffer.isView(keys) ? keys.length : 0;
    const target =
      into === undefined
        ? undefined
        : intoOf(into, Uint8Array, keys, count, this.opened.bytes, { check, viewOf });
    const answers: { [index: number]: number } = target ? target.bytes : [];
    let at = 0;
    for (const key of keys as Iterable<KeyOf<K>>) {
      target?.room(at, 1);
      try {
        answers[at] = Number(this.has(key));
      } catch (error) {
        throw atKey(at, error);
      }
      ++at;
    }
    return into ?? Uint8Array.from(answers as number[]);
  }

  /** The same as `containsMany`, as `has` is the same as `contains`. */
  hasMany(keys: Keys<K>): Bytes;
  /** The same as `containsMany` into an array that you keep. */
  hasMany(keys: Keys<K>, into: Uint8Array | undefined): Uint8Array;
  hasMany(keys: Keys<K>, into?: Uint8Array): Uint8Array {
    return this.containsMany(keys, into);
  }

  /** Seed of the hash; 0 if the hash has a secret key. Only this property needs an engine with bigint. */
  get seed(): bigint {
    return (this.opened.tables[0] as Table).seed();
  }
}
