// What an expiring filter is made of: its options, its place in the core, and its clock.
// Invariant: the clock, which is code of the user, runs before the core is told anything.
import { FIELDS, requiredError, ruleError } from '../../errors.js';
import { readOptions } from '../../options/read.js';
import { BOOLEAN, GROWING_OPTIONS, integer, oneOf } from '../../options/rules.js';
import { callBack } from '../../keys/thrown.js';
import { reportGrowth } from '../make.js';
import { type CuckooFilterOptions, type FilterPlan, type LoadOptions } from '../../options/options.js';
import { withNamedBits, plan, planFor, sizesOfPlan, canPlan } from '../../options/planning.js';
import { secretOf } from '../../options/secret.js';
import type { Address, ExpiringCalls } from '../../engine/bindings.js';
import { CORE } from '../../engine/core.js';
import { Handle } from '../../engine/handle.js';
import { outOfMemory } from '../../engine/saved.js';
import { putSecret } from '../../engine/scratch.js';
import { EXPIRING } from '../../engine/parts/expiring.js';
import { CLOCK_OPTIONS, clockOf, type Clock } from './clock.js';

/** Limits for loading, the secret key if the filter has one, and the options that are not saved with a filter. */
export interface ExpiringLoadOptions extends LoadOptions {
  /**
   * The length of a period: whole milliseconds, or a string such as `'500 ms'`, `'30 s'`, `'10 min'`, `'1 hour'` or
   * `'1 day'`. Periods begin at multiples of this length. N periods remember a key for N - 1 to N of them: for at least
   * 24 hours, give 25 periods of `'1 h'`. Default: you call `advance`.
   */
  readonly every?: number | string | undefined;
  /**
   * The clock: a function that returns milliseconds, from 0 (1970) to 2^53 - 1. Only with `every`. Default `Date.now`.
   */
  readonly now?: (() => number) | undefined;
  /**
   * What happens when a new key does not fit. `'throw'` (the default): FilterFullError. `'forget-oldest'`: the oldest
   * periods are forgotten, one by one, until the key fits; `remembers` says how many are left. The current period is
   * never forgotten: if its keys alone leave no room, FilterFullError is thrown all the same.
   */
  readonly whenFull?: 'throw' | 'forget-oldest' | undefined;
  /**
   * Whether the age of a key begins again each time it occurs. With `false`, its age counts from the first time, so
   * `isNew` is `true` once every `periods` periods, however often the key occurs. Default `true`.
   */
  readonly renew?: boolean | undefined;
}

/** `whenFull` and `renew`, checked. */
interface Own {
  readonly forgetsOldest: boolean;
  readonly renews: boolean;
}

/** The options of an expiring filter. `capacity` and `maxCapacity` count the distinct keys of all periods together. */
export interface ExpiringFilterOptions
  extends Omit<CuckooFilterOptions, 'maxPause'>, Omit<ExpiringLoadOptions, keyof LoadOptions> {
  /** Number of periods for which a key is remembered, including the one it was seen in: an integer from 1 to 256. */
  readonly periods: number;
}

/** The rules of the options that are not saved. */
export const OWN_OPTIONS = {
  ...CLOCK_OPTIONS,
  whenFull: /* @__PURE__ */ oneOf('throw', 'forget-oldest'),
  renew: BOOLEAN,
};

const PERIODS = /* @__PURE__ */ integer(1, 256);

const EXPIRING_OPTIONS = {
  ...GROWING_OPTIONS,
  periods: PERIODS,
  ...OWN_OPTIONS,
};

/** The handle of an expiring filter, with its clock. Before each call it begins the periods that are due. */
export class ExpiringHandle extends Handle<ExpiringCalls> {
  /** How many entries were forgotten when it was last used. */
  forgotten = 0;

  readonly clock: Clock | undefined;

  /** The clock continues from the time that the filter has, if it has one. */
  constructor(
    address: Address,
    capacity: number,
    clock: Clock | undefined,
    readonly own: Own,
  ) {
    super(EXPIRING, EXPIRING.bindings.filter, address, capacity);
    if (own.forgetsOldest) this.call('forgetWhenFull');
    if (!own.renews) this.call('rememberFromFirst');
    const began = this.call('clock');
    this.clock = began < 0 ? clock : clock?.at(began);
    if (this.clock !== undefined) this.call('setClock', this.clock.began);
  }

  override ready(): this {
    super.ready();
    const { clock } = this;
    if (clock === undefined) return this;
    this.forgotten = 0;
    let passed = 0; // Also if the clock throws in a part of a longer call, so that the keys at hand go in first.
    callBack(() => (passed = clock.passed()), true);
    // The clock is code of the user, which may use or dispose of the filter.
    if (passed === 0) return super.ready();
    this.forgotten = this.call('advance', passed);
    this.call('setClock', clock.began);
    return this;
  }

  protected override at(address: Address): ExpiringHandle {
    return new ExpiringHandle(address, this.capacity, this.clock, this.own);
  }
}

/** The options that a caller gave, checked and planned, and the clock. */
function expiringOptionsOf(given: unknown): {
  readonly options: ExpiringFilterOptions;
  readonly clock: Clock | undefined;
} {
  const example = "{ capacity: 1000, periods: 25, every: '1 h' }";
  const options = readOptions<ExpiringFilterOptions>(given, EXPIRING_OPTIONS, 'options', example);
  const clock = clockOf(options.every, options.now);
  planPeriods(options); // After the clock, which is code of the user that may plan other filters.
  return { options, clock };
}

/** The sizes that the constructor would choose. Throws as that does. */
export function planExpiring(given: unknown): FilterPlan<ExpiringFilterOptions> {
  const { options } = expiringOptionsOf(given);
  return withNamedBits(planFor(EXPIRING, { ...options, valueBits: options.periods }), 'periods');
}

/** A new filter, of options as a caller gave them. */
export function beginExpiring(given: unknown): ExpiringHandle {
  const { options, clock } = expiringOptionsOf(given);
  const isKeyed = putSecret(EXPIRING.scratch, secretOf(options.hash));
  const address = EXPIRING.bindings.filter.create(isKeyed, options.periods);
  if (address === 0) throw outOfMemory(EXPIRING, sizesOfPlan(EXPIRING));
  return reportGrowth(new ExpiringHandle(address, options.capacity, clock, ownOf(options)), options);
}

/** Plans for `options`. Throws as the constructor does. */
function planPeriods(options: ExpiringFilterOptions): void {
  const { periods } = options;
  if ((periods as unknown) === undefined) throw requiredError('periods', PERIODS.rule);
  const all = { ...options, valueBits: periods };
  if (canPlan(EXPIRING, all)) return;
  // A rate that is too low anyway: the error advises one that is not, with so many periods.
  if (!canPlan(CORE, options) && FIELDS[CORE.bindings.failure.field()] === 'falsePositiveRate')
    plan(EXPIRING, all);
  plan(CORE, options);
  const { fingerprintBits, doublings } = sizesOfPlan(CORE);
  const most = 2 ** Math.floor(32 - fingerprintBits - doublings);
  const shorter = `at most ${most} with fingerprints of ${fingerprintBits} bits (a larger falsePositiveRate shortens them)`;
  throw ruleError('periods', shorter, periods, RangeError);
}

export function ownOf({ whenFull, renew }: Pick<ExpiringLoadOptions, 'whenFull' | 'renew'>): Own {
  return { forgetsOldest: whenFull === 'forget-oldest', renews: renew !== false };
}
