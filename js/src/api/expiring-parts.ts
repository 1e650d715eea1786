// What an expiring filter is made of: its options, its place in the core, and its clock.
// Invariant: the clock, which is code of the user, runs before the core is told anything.
import { check, FIELD_RULES, requiredError, ruleError } from '../errors.js';
import { readOptions } from '../given.js';
import { tellGrowth } from '../observe/growth.js';
import type { CuckooFilterStats, GrowEvent } from '../observe/stats.js';
import { FIXED_OPTIONS, type CuckooFilterOptions, type HashOption } from '../options.js';
import { plan, plannedSizes, secretOf, tryPlan } from '../planning.js';
import type { Address, ExpiringCalls } from '../wasm/bindings.js';
import { CORE } from '../wasm/core.js';
import { EXPIRING } from '../wasm/expiring.js';
import { Handle, inUse } from '../wasm/owned.js';
import { giveSecret, outOfMemory } from '../wasm/saved.js';
import { clockOf, type Clock, type ClockOptions } from './clock.js';
import { Handover } from './handover.js';

/** What happens to a new key for which there is no room. */
interface FullOptions {
  /**
   * What happens when a new key does not fit. `'throw'`: FilterFullError. `'forget-oldest'`: the oldest periods are
   * forgotten, one after the other, until the key fits; `remembers` says how many are left. The current period is never
   * forgotten: if its keys alone leave no room, FilterFullError is thrown all the same. Default `'throw'`.
   */
  readonly whenFull?: 'throw' | 'forget-oldest' | undefined;
}

/** The options of an expiring filter. `capacity` and `maxCapacity` count the distinct keys of all periods together. */
export interface ExpiringFilterOptions
  extends Omit<CuckooFilterOptions, 'audit' | 'maxPause'>, ClockOptions, FullOptions {
  /** Number of periods for which a key is remembered, including the one it was seen in: an integer from 1 to 256. */
  readonly periods: number;
}

/** Limits for loading, the secret key if the filter has one, and what is not saved with a filter. */
export interface ExpiringLoadOptions extends ClockOptions, FullOptions {
  /** Largest size of the table, in bytes. Default: no limit. */
  readonly maxBytes?: number | undefined;
  /** The hash that the filter was made with. Needed only if it has a secret key. */
  readonly hash?: HashOption | undefined;
}

/** Where a filter lies, and its clock. */
export class ExpiringHandle extends Handle<ExpiringCalls> {
  constructor(
    address: Address,
    readonly clock: Clock | undefined,
    readonly forgetsOldest: boolean,
  ) {
    super(EXPIRING, EXPIRING.bindings.filter, address);
    if (forgetsOldest) this.calls.forgetWhenFull(address);
    if (clock !== undefined) this.calls.setClock(address, clock.began);
  }
}

/** Begins the periods that are due; returns how many entries are forgotten. */
export function catchUp(handle: ExpiringHandle, clock: Clock): number {
  const passed = clock.passed(); // Code of the user, which may use or dispose of the filter.
  const { calls, address } = inUse(handle);
  if (passed === 0) return 0;
  const dropped = calls.advance(address, passed);
  calls.setClock(address, clock.began);
  return dropped;
}

/** A new filter, of options as a caller gave them. */
export function begin(given: unknown): Handover {
  const names = [...FIXED_OPTIONS, 'maxCapacity', 'onGrow', 'periods', 'every', 'now', 'whenFull'];
  const { periods, every, now, whenFull, ...rest } = readOptions<ExpiringFilterOptions>(
    given,
    names,
    'options',
    '{ capacity: 1000, periods: 24 }',
  );
  const forgetsOldest = isForgetting(whenFull);
  const clock = clockOf({ every, now });
  planPeriods(rest, periods); // After the clock, which is code of the user that may plan other filters.
  const address = EXPIRING.bindings.filter.create(giveSecret(EXPIRING, secretOf(rest.hash, 'hash')), periods);
  if (address === 0) throw outOfMemory(EXPIRING, plannedSizes(EXPIRING));
  const handle = new ExpiringHandle(address, clock, forgetsOldest);
  return new Handover(handle, (filter: { stats(): CuckooFilterStats }) => {
    const { onGrow } = rest as { onGrow?: (event: GrowEvent) => void };
    if (onGrow !== undefined) tellGrowth(filter, handle, onGrow, ['isNew', 'areNew', 'merge']);
  });
}

/** Plans for `options` with that many periods. Throws as the constructor does. */
function planPeriods(options: CuckooFilterOptions, periods: unknown): void {
  const rule = FIELD_RULES.periods;
  if (periods === undefined) throw requiredError('periods', rule);
  const isInRange = Number.isInteger(periods) && (periods as number) >= 1 && (periods as number) <= 256;
  check('periods', rule, periods, typeof periods === 'number', isInRange);
  if (tryPlan(EXPIRING, { ...options, valueBits: periods as number })) return;
  plan(CORE, options);
  const { fingerprintBits, doublings } = plannedSizes(CORE);
  const most = 2 ** Math.floor(32 - fingerprintBits - doublings);
  const shorter = `at most ${most} with fingerprints of ${fingerprintBits} bits, which a larger falsePositiveRate shortens`;
  throw ruleError('periods', shorter, periods, RangeError);
}

export function isForgetting(whenFull: unknown, prefix = ''): boolean {
  const isKnown = [undefined, 'throw', 'forget-oldest'].includes(whenFull as string);
  const rule = "'throw' or 'forget-oldest'";
  check(`${prefix}whenFull`, rule, whenFull, isKnown || typeof whenFull === 'string', isKnown);
  return whenFull === 'forget-oldest';
}
