// The class CuckooFilter: the ways to make one. Its methods are in base.ts and mergeable.ts.
// Invariant: whatever made the filter, its class owns it, or an error was thrown and it is freed.
import { optionsOf, type CuckooFilterOptions } from '../options.js';
import { CORE } from '../wasm/core.js';
import type { Keys } from '../wasm/keys.js';
import { checkedForm, load, type LoadLimits } from '../wasm/saved.js';
import { begin } from './begin.js';
import type { AsyncKeys } from './chunks.js';
import { filled, filledAsync } from './filled.js';
import { Handover } from './handover.js';
import { MergeableFilter } from './mergeable.js';
import { explainedPlan, type CuckooFilterPlan } from './plan.js';
import { adopt } from './sized.js';

/**
 * A set of keys that answers "definitely not" or "probably", takes few bits per key, and can delete keys.
 *
 * @example
 * const seen = new CuckooFilter({ capacity: 1_000_000, falsePositiveRate: 0.001 });
 * seen.add('alice');
 * seen.contains('alice'); // true
 * seen.contains('bob'); // false; true for one absent key in a thousand
 * seen.delete('alice');
 *
 * `clone`, `from` and `deserialize` also call the constructor of a subclass, with one opaque argument in place of options. It
 * must pass that on to `super` unchanged. Otherwise they free the memory and throw TypeError.
 *
 * @example
 * class Named extends CuckooFilter {
 *   name = 'unnamed';
 *   constructor(first: number | CuckooFilterOptions) {
 *     super(typeof first === 'number' ? { capacity: first } : first);
 *   }
 * }
 *
 * All entry points of the package share this class and its errors. But if one part of a program imports the package and
 * another part requires it, there are two copies, one as ES module and one as CommonJS, each with its own classes, errors
 * and memory. Then `instanceof` is false for objects of the other copy, and a `catch` has to compare `error.name`. `merge`,
 * `equals` and `new Deduper(filter)` take filters of both copies.
 */
export class CuckooFilter extends MergeableFilter {
  /** As written here, whatever a minifier makes of the class. @internal */
  static override readonly name: string = 'CuckooFilter';

  /**
   * An empty filter for `capacity` distinct keys, or with `maxCapacity` one that grows up to that many. When it holds them,
   * its false positive rate is at most `falsePositiveRate`. Throws TypeError if `options` are not a plain object, or if an
   * option is unknown or has the wrong type; RangeError if an option is out of range or memory is refused.
   */
  constructor(options: CuckooFilterOptions) {
    super(options, (given) => begin(CORE, given));
  }

  /**
   * A filter that holds `keys`. `capacity` defaults to the number of keys, which leaves no room for more: to go on adding, set
   * `capacity`, or `maxCapacity` to let the filter grow. Throws as the constructor and `addMany` do. Keys should be distinct:
   * each copy takes a slot, and a filter has room for few copies of one key (FilterFullError).
   */
  static from(keys: Keys, options: Partial<CuckooFilterOptions> = {}): CuckooFilter {
    return filled(this, (given) => begin(CORE, given), keys, options);
  }

  /**
   * `from` for keys that arrive over time: an async iterable such as a stream, or any iterable, also of promises. Without the
   * option `capacity` it gathers all keys first, to count them; with it, up to 1,024 at a time. Rejects as `from` and
   * `addManyAsync` do, and then the filter is freed and the source closed.
   */
  static fromAsync(keys: AsyncKeys, options: Partial<CuckooFilterOptions> = {}): Promise<CuckooFilter> {
    return filledAsync(this, (given) => begin(CORE, given), keys, options);
  }

  /**
   * The filter that `serialize` saved. Throws FormatError for any other bytes, whose `code` says what is wrong, and
   * RangeError if memory is refused. Memory is allocated only after the header was found valid, and never more than
   * `limits.maxBytes` for the table. If the filter has a secret key, `limits.hash` must have the same key; if it has none,
   * `limits.hash` must have none.
   */
  static deserialize(bytes: Uint8Array | ArrayBuffer, limits: LoadLimits = {}): CuckooFilter {
    return adopt(this, new Handover(load(CORE, ...checkedForm(bytes, limits))));
  }

  /**
   * The sizes that the constructor would choose for `options`, why, and what other layouts would take. Builds nothing.
   * Throws as the constructor does. Takes less than a millisecond.
   */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return explainedPlan(CORE, optionsOf(options));
  }
}
