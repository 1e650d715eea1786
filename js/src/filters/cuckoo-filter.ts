// The class CuckooFilter: the ways to make one. Its methods are in filter.ts and table-filter.ts.
// Invariant: whatever made the filter, an object owns it, or an error was thrown and it is freed.
import { CORE } from '../engine/core.js';
import { load } from '../engine/saved.js';
import { savedOf } from '../options/loading.js';
import type { AsyncKeys } from '../keys/chunks.js';
import type { AsyncOptions } from '../keys/signals.js';
import type { Keys } from '../keys/keys.js';
import {
  filterOptionsOf,
  type CuckooFilterOptions,
  type CuckooFilterPlan,
  type FromOptions,
  type LoadOptions,
} from '../options/options.js';
import { planned } from '../options/planning.js';
import { make } from './filter.js';
import { filled, filledAsync } from './from-keys.js';
import { begin } from './growth.js';
import { TableFilter } from './table-filter.js';

/**
 * A set of keys that answers "definitely not" or "probably", takes few bits per key, and can delete. `5` and `'5'` are
 * two keys. `add` stores a copy each time.
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
export class CuckooFilter extends TableFilter<CuckooFilter, 'one'> {
  /** @internal */
  static override readonly name: string = 'CuckooFilter';

  /**
   * An empty filter for `capacity` entries, or with `maxCapacity` one that grows up to that many. When it holds them, its
   * false positive rate is at most `falsePositiveRate`. Throws TypeError if `options` are not a plain object, or if an
   * option is unknown or has the wrong type; RangeError if an option is out of range; and OutOfMemoryError.
   */
  constructor(options: CuckooFilterOptions) {
    super(begin(CORE, options), CuckooFilter);
  }

  /**
   * A filter that holds `keys`. `capacity` defaults to the number of keys, which leaves hardly any room for more: to go on
   * adding, set `capacity` or `maxCapacity`. Throws as the constructor and `addMany` do. Keys should be distinct:
   * each copy takes a slot, and a filter has room for few copies of one key (FilterFullError).
   */
  static from(keys: Keys, options: FromOptions<CuckooFilterOptions> = {}): CuckooFilter {
    return filled(keys, filterOptionsOf(options), (complete) => new CuckooFilter(complete));
  }

  /**
   * `from` for keys that arrive over time: an async iterable such as a stream, or any iterable, also of promises. Without the
   * option `capacity` it gathers all keys first, to count them; with it, up to 1,024 at a time. Rejects as `from` and
   * `addManyAsync` do, and then the filter is freed and the source closed.
   */
  static async fromAsync(
    keys: AsyncKeys,
    options: FromOptions<CuckooFilterOptions> & AsyncOptions = {},
  ): Promise<CuckooFilter> {
    return filledAsync(keys, filterOptionsOf(options, 'signal'), (complete) => new CuckooFilter(complete));
  }

  /**
   * The filter that `serialize` saved. Throws FormatError for any other bytes, whose `code` says what is wrong, and
   * OutOfMemoryError. Memory is allocated only after the header was found valid, and never more than
   * `options.maxBytes` for the table. If the filter has a secret key, `options.hash` must have the same key; if it has none,
   * `options.hash` must have none.
   */
  static deserialize(bytes: ArrayBufferView | ArrayBufferLike, options: LoadOptions = {}): CuckooFilter {
    return make<CuckooFilter>(CuckooFilter, load(CORE, savedOf(bytes, options)));
  }

  /**
   * The sizes that the constructor would choose; `new CuckooFilter(plan.options)` makes the filter. Builds nothing. Throws as
   * the constructor does. `explainPlan` tells why, and what other layouts would take.
   */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return planned(CORE, filterOptionsOf(options));
  }
}
