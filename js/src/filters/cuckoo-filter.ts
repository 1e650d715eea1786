// The class CuckooFilter: the ways to make one, and to merge two. Its other methods are in filter.ts and table-filter.ts.
// Invariant: either an object owns the new filter, or an error is thrown and the filter is freed.
import { CORE } from '../engine/core.js';
import { load } from '../engine/saved.js';
import { loadRequestOf } from '../options/loading.js';
import type { AsyncKeys } from '../keys/chunks.js';
import { SIGNAL, type AsyncOptions } from '../keys/signals.js';
import type { Key, KeyKind } from '../keys/key.js';
import type { Keys } from '../keys/keys.js';
import {
  filterOptionsOf,
  type CuckooFilterOptions,
  type CuckooFilterPlan,
  type FromOptions,
  type LoadOptions,
} from '../options/options.js';
import { planFor } from '../options/planning.js';
import { make } from './filter.js';
import { filled, filledAsync } from './from-keys.js';
import { begin } from './make.js';
import { mergeTable } from './merge.js';
import { TableFilter } from './table-filter.js';

/**
 * A set of keys that answers "definitely not" or "maybe", takes few bits per key, and can delete. `5` and `'5'` are
 * two keys: with `new CuckooFilter<number>(options)`, the compiler refuses strings. `add` stores a copy each time.
 *
 * A program that imports and requires the package has two copies of this class and its errors: compare `error.code`.
 * `merge`, `equals` and `new Deduper(filter)` take both; TypeScript wants a cast.
 *
 * @example
 * const seen = new CuckooFilter({ capacity: 1_000_000, falsePositiveRate: 0.001 });
 * seen.add('alice');
 * seen.contains('alice'); // true
 * seen.contains('bob'); // false; true for one absent key in a thousand
 * seen.delete('alice');
 */
export class CuckooFilter<K extends Key = Key> extends TableFilter<CuckooFilter<K>, K> {
  /** @internal */
  static override readonly name: string = 'CuckooFilter';

  /**
   * An empty filter for `capacity` entries. With `maxCapacity`, it grows up to that many. When full, its false positive
   * rate is at most `falsePositiveRate`. Throws TypeError if `options` is not a plain object, or if an option is
   * unknown or has the wrong type; RangeError if an option is out of range; and OutOfMemoryError.
   */
  constructor(options: CuckooFilterOptions) {
    super(begin(CORE, options), CuckooFilter);
  }

  /**
   * A filter that holds `keys`. `capacity` defaults to the number of keys, which leaves hardly any room for more: to go
   * on adding, set `capacity` or `maxCapacity`. Pass each key once: every repeat takes a slot, and a filter has room
   * for few copies of one key (FilterFullError). Throws as the constructor and `addMany` do.
   */
  static from<K extends Key>(
    keys: Keys<K>,
    options: FromOptions<CuckooFilterOptions> = {},
  ): CuckooFilter<KeyKind<K>> {
    return filled(keys, filterOptionsOf(options), CuckooFilter);
  }

  /**
   * `from` for keys that arrive over time: an async iterable such as a stream, or an iterable of keys or promises.
   * Without the option `capacity`, it gathers all keys first, to count them; with it, up to 1,024 at a time. Rejects as
   * `from` and `addManyAsync` do; then the filter is freed and the source is closed.
   */
  static async fromAsync<K extends Key>(
    keys: AsyncKeys<K>,
    options: FromOptions<CuckooFilterOptions> & AsyncOptions = {},
  ): Promise<CuckooFilter<KeyKind<K>>> {
    return filledAsync(keys, filterOptionsOf(options, SIGNAL), CuckooFilter);
  }

  /**
   * Loads a filter that `serialize` saved. Throws FormatError for other bytes (its `code` says what is wrong), and
   * OutOfMemoryError. Checks the header before it allocates memory, and allocates at most `options.maxBytes` for the
   * table. If the filter has a secret key, pass the same one in `options.hash`; otherwise pass none.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions = {},
  ): CuckooFilter<K> {
    return make<CuckooFilter<K>>(CuckooFilter, load(CORE, loadRequestOf(bytes, options)));
  }

  /**
   * The sizes that the constructor would choose, without building anything. `new CuckooFilter(plan.options)` makes that
   * filter. Throws as the constructor does. `explainPlan` tells why, and what other layouts would take.
   */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return planFor(CORE, filterOptionsOf(options));
  }

  /**
   * Adds every entry of `other`; copies add up, and keys are not needed. Make both with the same options, and a
   * capacity for all keys together. All or nothing. Throws FilterFullError if an entry does not fit, RangeError if the
   * filters differ in sizes, addressing, seed or hash, and OutOfMemoryError. Takes as long as `addMany`.
   */
  merge(other: CuckooFilter<K>): this {
    return mergeTable(this, other, false);
  }

  /**
   * The same as `merge`, but adds only entries that are not found, as `addIfAbsent` does. For shards that may have seen
   * the same keys. The result finds every key that either filter found. Do not `delete` from it, because keys may share
   * entries.
   */
  mergeIfAbsent(other: CuckooFilter<K>): this {
    return mergeTable(this, other, true);
  }
}
