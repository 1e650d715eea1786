// The class CuckooFilter: its doors. What it does stands in base.ts and mergeable.ts.
// Invariant: whatever made the filter, its class owns it, or an error was thrown and it is freed.
import { optionsOf, type CuckooFilterOptions } from '../options.js';
import { CORE } from '../wasm/core.js';
import type { Keys } from '../wasm/keys.js';
import { checkedForm, load, type LoadLimits } from '../wasm/saved.js';
import { adopt, filled } from './base.js';
import { begin } from './begin.js';
import { Handover } from './handover.js';
import { MergeableFilter } from './mergeable.js';
import { explainedPlan, type CuckooFilterPlan } from './plan.js';

/**
 * A set of keys that answers "certainly not" or "probably", takes few bits per key, and can forget a key again.
 *
 * @example
 * const seen = new CuckooFilter({ capacity: 1_000_000, falsePositiveRate: 0.001 });
 * seen.add('alice');
 * seen.contains('alice'); // true
 * seen.contains('bob'); // false, but for one absent key in a thousand
 * seen.delete('alice');
 *
 * A subclass's constructor is also called by `clone`, `from` and `deserialize`, with one opaque argument in place of options. It
 * must pass that on to `super` as it is; where it does not, they free the memory and throw TypeError.
 *
 * @example
 * class Named extends CuckooFilter {
 *   name = 'unnamed';
 *   constructor(first: number | CuckooFilterOptions) {
 *     super(typeof first === 'number' ? { capacity: first } : first);
 *   }
 * }
 *
 * All entry points of the package share this class and its errors. But a program in which one part imports the package and
 * another requires it has two copies, as ES module and as CommonJS, each with classes, errors and a memory of its own:
 * `instanceof` is false for what the other copy made, and a `catch` has to compare `error.name`. Filters of both still meet:
 * `merge`, `equals` and `new Deduper(filter)` take either.
 */
export class CuckooFilter extends MergeableFilter {
  /** As written here, whatever a minifier makes of the class. @internal */
  static override readonly name: string = 'CuckooFilter';

  /**
   * An empty filter that takes `capacity` distinct keys and then errs for at most `falsePositiveRate` of absent ones; with
   * `maxCapacity`, it grows to take as many.
   * Throws TypeError for anything but a plain object, an unknown option or one of the wrong type, RangeError for one out of
   * its range, and RangeError if the table cannot be allocated.
   */
  constructor(options: CuckooFilterOptions) {
    super(options, (given) => begin(CORE, given));
  }

  /**
   * A filter that holds `keys`. `capacity` defaults to their number. Throws as the constructor and `addMany` do;
   * FilterFullError above all if keys come more than once: each copy takes a slot, and a filter takes few of one key.
   */
  static from(keys: Keys, options: Partial<CuckooFilterOptions> = {}): CuckooFilter {
    return filled(this, (given) => begin(CORE, given), keys, options);
  }

  /**
   * The filter that `serialize` saved. Throws FormatError, whose `code` says what is wrong, for any other bytes,
   * and RangeError if its table cannot be allocated. Nothing is allocated before the header is found valid, and
   * never more than `limits.maxBytes` for the table. A keyed filter is loaded only with the key it was made with, in
   * `limits.hash`, and any other filter only without one.
   */
  static deserialize(bytes: Uint8Array | ArrayBuffer, limits: LoadLimits = {}): CuckooFilter {
    return adopt(this, new Handover(load(CORE, ...checkedForm(bytes, limits))));
  }

  /**
   * The sizes that a constructor would choose for `options`, why, and what other layouts would take, without building
   * anything. Throws as it does. Takes less than a millisecond.
   */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return explainedPlan(CORE, optionsOf(options));
  }
}
