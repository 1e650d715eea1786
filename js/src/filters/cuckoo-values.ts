// The class CuckooValues: an approximate lookup table, which finds values by keys that it does not keep.
// Invariant: `get` finds every value that was set for the key and not deleted.
import { ruleError } from '../errors.js';
import type { CuckooFilterOptions, FilterPlan, FromOptions, LoadOptions } from '../options/options.js';
import type { ValuesCalls } from '../engine/bindings.js';
import type { Key, KeyKind, KeyOf } from '../keys/key.js';
import { hashMany } from '../keys/hashing.js';
import { numberOf, writeKey } from '../keys/write-key.js';
import { Numbers } from '../keys/answers.js';
import { isAsyncSource } from '../keys/chunks.js';
import type { Keys } from '../keys/keys.js';
import { SIGNAL, type AsyncOptions } from '../keys/signals.js';
import type { Handle } from '../engine/handle.js';
import { load } from '../engine/saved.js';
import { loadRequestOf } from '../options/loading.js';
import { bitsOf, eraseValue, insertValue } from '../engine/parts/valued.js';
import { find, VALUES } from '../engine/parts/values.js';
import { answersOf, numberAt, numbersOf, putNumbers } from '../engine/scratch.js';
import { endInsert } from './full-error.js';
import { readOptions } from '../options/read.js';
import { GROWING_OPTIONS, integer, type Rules } from '../options/rules.js';
import { handleOf, make } from './filter.js';
import { filled, filledAsync, type Filling } from './from-keys.js';
import {
  BatchNumbers,
  beginValued,
  checkNumber,
  eraseMany,
  insertMany,
  planValued,
  ValuedFilter,
  type NumberPerKey,
  type NumberSource,
} from './valued-filter.js';

const BITS = { valueBits: /* @__PURE__ */ integer(1, 24) };

/** The options of a CuckooValues: those of a CuckooFilter without `maxPause`, and `valueBits`. */
export interface CuckooValuesOptions extends Omit<CuckooFilterOptions, 'maxPause'> {
  /**
   * Bits of a value: an integer from 1 to 24. Values are integers from 0 to 2^valueBits - 1. A fingerprint and its
   * value share 32 bits, so long values force a high false positive rate: about 0.2 % with 20 bits, 3 % with 24, in a
   * full table.
   */
  readonly valueBits: number;
  /**
   * The probability that a value is found for an absent key when the table holds `maxCapacity` entries, or else
   * `capacity` entries: > 0 and < 1. Default 0.001. If long values make that impossible, or more than double the
   * memory, the default is the lowest rate of a full table.
   */
  readonly falsePositiveRate?: number | undefined;
}

/** A key and one of its values. */
export type KeyValuePair<K extends Key = Key> = readonly [key: KeyOf<K>, value: number];

/** The options of `CuckooValues.from`: only `valueBits` is required. */
export type CuckooValuesFromOptions = FromOptions<CuckooValuesOptions> &
  Pick<CuckooValuesOptions, 'valueBits'>;

/** What `getMany` found: a list of values for each key, in the order of the keys. */
export class FoundValues implements Iterable<Uint32Array> {
  /** @internal */
  static readonly name: string = 'FoundValues';

  /** The values of all keys: those of the first key, then those of the second, and so on, ascending for each key. */
  readonly values: Uint32Array;
  /** Where the values of each key end in `values`. */
  readonly ends: Uint32Array;

  private constructor(values: Uint32Array, ends: Uint32Array) {
    this.values = values;
    this.ends = ends;
  }

  /** @internal */
  static of(values: Uint32Array, ends: Uint32Array): FoundValues {
    return new FoundValues(values, ends);
  }

  /** The number of keys. */
  get length(): number {
    return this.ends.length;
  }

  /** The values of the key at `index`, as a view of `values`; undefined past the last key. */
  at(index: number): Uint32Array | undefined {
    const end = this.ends[index];
    return end === undefined ? undefined : this.values.subarray(this.ends[index - 1] ?? 0, end);
  }

  /** The values of each key, as views of `values`. */
  *[Symbol.iterator](): Generator<Uint32Array, void, undefined> {
    for (let i = 0; i < this.length; ++i) yield this.at(i) as Uint32Array;
  }
}

/**
 * An approximate lookup table: `set(key, value)` stores a value of a few bits, and `get(key)` finds it.
 *
 * `get` returns the values of all entries that match. A key's own value is always among them; with a probability of at
 * most `falsePositiveRate`, so is another key's. `set` adds a value; it does not replace the old one: to change a
 * value, call `delete(key, old)` first.
 *
 * @example
 * const shards = new CuckooValues({ capacity: 1_000_000, valueBits: 6 });
 * shards.set('alice', 17);
 * shards.get('alice'); // [17]; for one key in a thousand, another value as well
 * shards.get('bob'); // []; for one absent key in a thousand, a value of another key
 * shards.delete('alice', 17);
 */
export class CuckooValues<K extends Key = Key> extends ValuedFilter<CuckooValues<K>, K> {
  /** @internal */
  static override readonly name: string = 'CuckooValues';

  /**
   * An empty table. Throws TypeError if `options` is not a plain object, or if an option is unknown or has the wrong
   * type; RangeError if an option is out of range, if the rate is too low for `valueBits`, or if memory is refused.
   */
  constructor(options: CuckooValuesOptions) {
    super(beginValued(VALUES, options, BITS), CuckooValues);
  }

  /**
   * A table of `entries`: pairs of a key and its value, such as a Map. `capacity` defaults to their number, which
   * leaves hardly any room for more. Throws as the constructor and `set` do.
   */
  static from<K extends Key>(
    entries: Iterable<KeyValuePair<K>>,
    options: CuckooValuesFromOptions,
  ): CuckooValues<KeyKind<K>> {
    const read = optionsOf(options);
    checkEntries(entries, false);
    const pairs = new Pairs();
    return filled(pairs.keysOf(entries), read, CuckooValues, pairs);
  }

  /**
   * `from` for pairs that arrive over time: an async iterable, or an iterable of promises of pairs. Without `capacity`,
   * all pairs are collected in memory first, to count them. Option: `signal`.
   */
  static async fromAsync<K extends Key>(
    entries: AsyncIterable<KeyValuePair<K>> | Iterable<KeyValuePair<K> | PromiseLike<KeyValuePair<K>>>,
    options: CuckooValuesFromOptions & AsyncOptions,
  ): Promise<CuckooValues<KeyKind<K>>> {
    const read = optionsOf(options, SIGNAL);
    checkEntries(entries, true);
    return filledAsync(entries as AsyncIterable<never>, read, CuckooValues, new Pairs());
  }

  /**
   * Loads a table that `serialize` saved. Throws FormatError for other bytes (its `code` says what is wrong), and
   * OutOfMemoryError. `options` are as for `CuckooFilter.deserialize`.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions = {},
  ): CuckooValues<K> {
    return make<CuckooValues<K>>(CuckooValues, load(VALUES, loadRequestOf(bytes, options)));
  }

  /** The sizes that the constructor would choose for `options`. Builds nothing. Throws as the constructor does. */
  static plan(options: CuckooValuesOptions): FilterPlan<CuckooValuesOptions> {
    return planValued(VALUES, options, BITS);
  }

  /** Bits of a value. */
  get valueBits(): number {
    return bitsOf(handleOf<ValuesCalls>(this));
  }

  /**
   * Gives `key` one more value, an integer from 0 to 2^valueBits - 1. If the key already has this value, it is
   * stored a second time. Throws FilterFullError if there is no room, or if the key has 2 x bucketSize values;
   * InvalidKeyError for an invalid key, and TypeError or RangeError for an invalid value. The table is then unchanged.
   */
  set(key: KeyOf<K>, value: number): this {
    const handle = handleOf<ValuesCalls>(this);
    checkNumber('value', value, 0, mostOf(handle));
    endInsert(handle, insertValue(handle, writeKey(handle, key), numberOf(key), value), key);
    return this;
  }

  /**
   * The values of `key`, in ascending order, together with those of other keys that have the same fingerprint and
   * buckets. If the array is empty, the key definitely has no value.
   */
  get(key: KeyOf<K>): number[] {
    const handle = handleOf<ValuesCalls>(this);
    const count = find(handle, writeKey(handle, key), numberOf(key));
    if (count === 0) return [];
    const { scratch } = handle.instance;
    return count === 1 ? [numberAt(scratch, 0)] : Array.from(numbersOf(scratch, 0, count));
  }

  /**
   * Removes `value` from `key` once. Without `value`, it removes the smallest one found. Returns `false`, and changes
   * nothing, if there is none. Delete only what you set, and omit `value` only if the key has exactly one: otherwise
   * another key may lose its value.
   */
  delete(key: KeyOf<K>, value?: number): boolean {
    const handle = handleOf<ValuesCalls>(this);
    if (value !== undefined) checkNumber('value', value, 0, mostOf(handle));
    return eraseValue(handle, writeKey(handle, key), numberOf(key), value ?? 0, value === undefined);
  }

  /**
   * `set` for every key, in order. `values` is one value for all keys, or has one for each key. Returns how many were
   * set. Throws FilterFullError (with `added`) or InvalidKeyError (with `index`); earlier keys stay set. Throws
   * RangeError if `values` and `keys` differ in length.
   */
  setMany(keys: Keys<K>, values: NumberPerKey): number {
    const most = mostOf(handleOf<ValuesCalls>(this));
    const numbers = new BatchNumbers('values', values, keys, 0, most);
    return insertMany(this, numbers.keys, numbers);
  }

  /** `get` for every key, in order. Throws InvalidKeyError at the first that is not a valid key. */
  getMany(keys: Keys<K>): FoundValues {
    const handle = handleOf<ValuesCalls>(this);
    const values = new Numbers(keys);
    const ends = new Numbers(keys);
    hashMany(handle, keys, (batch) => {
      for (let first = 0, next: number; first < batch; first = next) {
        next = handle.call('findMany', first, batch);
        const { scratch } = handle.instance;
        let end = values.length;
        const before = end;
        ends.push(Uint32Array.from(answersOf(scratch, first, next), (found) => (end += found)));
        values.push(numbersOf(scratch, 0, end - before));
      }
    });
    return FoundValues.of(values.take(), ends.take());
  }

  /**
   * `delete` for every key, in order, with or without values. Returns how many values were deleted. Throws as `setMany`
   * does.
   */
  deleteMany(keys: Keys<K>, values?: NumberPerKey): number {
    const most = mostOf(handleOf<ValuesCalls>(this));
    const numbers = values === undefined ? undefined : new BatchNumbers('values', values, keys, 0, most);
    return eraseMany(this, keys, numbers);
  }
}

/** Pairs on their way into a table, read as keys. Their values wait here until their keys are hashed. */
class Pairs implements Filling<CuckooValues>, NumberSource {
  #values: unknown[] = [];
  /** How many values came before those that wait. */
  #before = 0;
  #used = 0;
  #wrong: { readonly index: number; readonly entry: unknown } | undefined;

  /** What is wrong with `entry` is told when its turn comes, so that the errors of the source go first. */
  readonly keyOf = (entry: KeyValuePair): Key => {
    const isPair = typeof entry === 'object' && (entry as KeyValuePair | null) !== null;
    if (!isPair) this.#wrong ??= { index: this.#before + this.#values.length, entry };
    const [key, value] = isPair ? [entry[0], entry[1]] : ['', 0];
    this.#values.push(value);
    return key;
  };

  *keysOf(entries: Iterable<KeyValuePair>): Generator<Key, void, undefined> {
    for (const entry of entries) yield this.keyOf(entry);
  }

  readonly add = (table: CuckooValues, keys: Keys): number => insertMany(table, keys, this);

  /** Puts the values of the next `count` keys into the scratch buffer. */
  write(handle: Handle<ValuesCalls>, count: number): void {
    const most = mostOf(handle);
    const run = this.#values.slice(this.#used, this.#used + count);
    const first = this.#before + this.#used;
    const { index, entry } = this.#wrong ?? { index: Infinity };
    const values = Uint32Array.from(run, (value, i) => {
      if (first + i === index) throw ruleError(`entry ${index}`, 'a pair [key, value]', entry);
      return checkNumber(`values[${first + i}]`, value, 0, most);
    });
    putNumbers(handle.instance.scratch, values, count);
    this.#used += count;
    if (this.#used < this.#values.length) return;
    this.#before += this.#used;
    this.#values = [];
    this.#used = 0;
  }
}

/** Throws TypeError unless `entries` can be iterated: at once, or with `orLater` also over time. */
function checkEntries(entries: unknown, orLater: boolean): void {
  const isObject = typeof entries === 'object' && entries !== null;
  if (!isObject || !(Symbol.iterator in entries || (orLater && isAsyncSource(entries))))
    throw ruleError('entries', 'an iterable of pairs [key, value], such as a Map', entries);
}

/** The options of `from` as they were given, each read once and checked, and `more`. */
function optionsOf(given: unknown, more: Rules = {}): CuckooValuesFromOptions & AsyncOptions {
  return readOptions<CuckooValuesFromOptions & AsyncOptions>(
    given,
    { ...GROWING_OPTIONS, ...BITS, ...more },
    'options',
    '{ valueBits: 8 }',
  );
}

function mostOf(handle: Handle<ValuesCalls>): number {
  return 2 ** bitsOf(handle) - 1;
}
