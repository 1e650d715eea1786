// From options, checked one by one, to the core's plan, which checks them together.
// Invariant: nothing is allocated here, and an option that cannot be used raises an error that names the option, the rule
// and the value.
import { argumentError, FIELDS, requiredError, ruleError, shown } from '../errors.js';
import type { Kind } from '../class-names.js';
import type { CuckooFilterOptions, FilterPlan, PlannedSizes, Preference, Sizes } from './options.js';
import { FILTER_OPTIONS } from './rules.js';
import { secretOf } from './secret.js';
import { withJson } from './with-json.js';
import type { Bindings, BindingsOf, SavedCalls } from '../engine/bindings.js';
import type { Instance } from '../engine/instance.js';
import type { Handle } from '../engine/handle.js';
import { putFields, resultsOf } from '../engine/scratch.js';

/** Stands for "not given" where the core takes a number. */
const NOT_GIVEN = -1;

/** Rates that errors advise. Every table that can be planned at all can have the last one. */
const RATES = [1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 0.001, 0.01, 0.1];

/** Options as read, and the bits of the value in each entry. */
export type PlanOptions = CuckooFilterOptions & { readonly valueBits?: number };

/** An instance that plans filters that can be saved. */
export type Planner = Instance<BindingsOf<SavedCalls>>;

/** Plans for `options`, as read; the core keeps the result. Throws TypeError or RangeError. */
export function plan(instance: Planner, options: PlanOptions): void {
  if (!canPlan(instance, options)) throw rangeErrorOf(instance, options);
}

/** The same, but returns false instead of throwing RangeError. Throws TypeError. */
export function canPlan(instance: Planner, given: PlanOptions): boolean {
  const options = ownOf(given);
  const { capacity, semiSort, prefer = '' } = options;
  if ((capacity as unknown) === undefined) throw requiredError('capacity', FILTER_OPTIONS.capacity.rule);
  const seed = seedOf(options.seed);
  const isKeyed = secretOf(options.hash) !== null;
  putFields(instance.scratch, instance.bindings.wanted, {
    capacity,
    maxCapacity: options.maxCapacity ?? NOT_GIVEN,
    falsePositiveRate: options.falsePositiveRate ?? 0.001,
    bucketSize: options.bucketSize ?? NOT_GIVEN,
    fingerprintBits: options.fingerprintBits ?? NOT_GIVEN,
    bucketCount: options.bucketCount ?? NOT_GIVEN,
    semiSort: semiSort === undefined ? NOT_GIVEN : Number(semiSort),
    isXor: Number(options.addressing === 'xor'),
    isKeyed: Number(isKeyed),
    seedLow: Number(BigInt.asUintN(32, seed)),
    seedHigh: Number(seed >> 32n),
    prefer: ['', 'space', 'speed'].indexOf(prefer),
    valueBits: options.valueBits ?? 0,
    maxPause: options.maxPause ?? 0.1,
  });
  return instance.bindings.filter.plan() !== 0;
}

/** The same options, without what a program has put on `Object.prototype`. */
export function ownOf<Options extends PlanOptions>(options: Options): Options {
  return { __proto__: null, ...options };
}

export function sizesOfPlan(instance: Instance<Bindings>): PlannedSizes {
  instance.bindings.plan.describe();
  return readSizes(instance);
}

/** The options that lead to these sizes. */
export function optionsBySizes({ semiSorted, ...sizes }: Sizes): Omit<CuckooFilterOptions, 'capacity'> {
  const { bucketCount, bucketSize, fingerprintBits, addressing, seed } = sizes;
  return { bucketCount, bucketSize, fingerprintBits, addressing, seed, semiSort: semiSorted };
}

/** The plan for `options`, as read, and options that make the same filter. Throws as `plan` does. */
export function planFor<Options extends CuckooFilterOptions>(
  instance: Planner,
  options: Options & PlanOptions,
): FilterPlan<Options> {
  plan(instance, options);
  const sizes = sizesOfPlan(instance);
  const rest: PlanOptions & { prefer?: Preference | undefined } = { ...options };
  delete rest.prefer; // What it chose is there.
  const all = { ...rest, ...optionsBySizes(sizes) };
  // If the number of buckets were given, a growable table might begin with another size; likewise layers, if the
  // fingerprint were given.
  const growing = { ...all, bucketCount: options.bucketCount };
  const same = [all, growing].find(
    (some) => canPlan(instance, some) && isSame(sizesOfPlan(instance), sizes),
  ) ?? { ...options, seed: sizes.seed };
  plan(instance, same); // The core keeps the last plan.
  return withJson({ ...sizes, capacity: options.capacity, options: withJson(same) as unknown as Options });
}

/** `plan` for a class that calls the bits of a value `name`. */
export function withNamedBits<Options>(plan: FilterPlan<PlanOptions>, name: string): FilterPlan<Options> {
  const { valueBits, ...options } = plan.options;
  return withJson({ ...plan, options: withJson({ ...options, [name]: valueBits }) as unknown as Options });
}

function isSame(one: PlannedSizes, other: PlannedSizes): boolean {
  return Object.entries(one).every(([name, value]) => other[name as keyof PlannedSizes] === value);
}

export function sizesOf(handle: Handle<SavedCalls>): Sizes {
  handle.call('describe');
  return readSizes(handle.instance);
}

/** The sizes that the core has just described. */
export function readSizes(instance: Instance<Bindings>): PlannedSizes {
  const {
    isXor,
    isSemiSorted,
    isKeyed,
    seedLow,
    seedHigh,
    capacity: currentCapacity,
    falsePositiveRate: expectedFalsePositiveRate,
    ...sizes
  } = resultsOf(instance.scratch, instance.bindings.sizes);
  return Object.freeze({
    ...sizes,
    currentCapacity,
    expectedFalsePositiveRate,
    addressing: isXor === 1 ? 'xor' : 'reflect',
    semiSorted: isSemiSorted === 1,
    hashAlgorithm: isKeyed === 1 ? 'siphash-1-3' : 'xxh64',
    seed: (BigInt(seedHigh) << 32n) | BigInt(seedLow),
    bitsPerKey: (8 * sizes.maxByteLength) / sizes.maxCapacity,
    loadFactor: currentCapacity / (sizes.bucketCount * sizes.bucketSize),
  } as const);
}

/** The error for the field that the core's plan found out of range. What it advises can be planned. */
function rangeErrorOf(instance: Planner, options: PlanOptions): Error {
  const field = FIELDS[instance.bindings.failure.field()] ?? 'none';
  const plans = (change: Partial<PlanOptions>): boolean => canPlan(instance, { ...options, ...change });
  let change: Partial<PlanOptions> | undefined;
  if (field === 'capacity') {
    // The core blames the capacity even if only a small value of another option is the reason.
    const given = (['bucketCount', 'bucketSize'] as const).filter((name) => options[name] !== undefined);
    const small = given.find((name) => plans({ [name]: undefined }));
    if (small !== undefined) {
      const enough = sizesOfPlan(instance)[small];
      const use = plans({ [small]: enough }) ? `, or use ${enough}` : '';
      const what = `${small} ${options[small]} is too small for capacity ${options.capacity}`;
      return argumentError(`${what}. Leave it out${use}`, RangeError);
    }
    if (given[0] !== undefined) change = { [given[0]]: undefined };
  }
  if (field === 'falsePositiveRate') {
    const enough = RATES.find((rate) => plans({ falsePositiveRate: rate }));
    if (enough !== undefined)
      return argumentError(
        `${field} ${options.falsePositiveRate} is too low. Use ${enough} or more`,
        RangeError,
      );
    change = { falsePositiveRate: RATES.at(-1) };
  }
  // If no value of one option is enough, the error is about what is wrong besides.
  if (change !== undefined && !plans(change)) return rangeErrorOf(instance, { ...options, ...change });
  const value = options[field as keyof CuckooFilterOptions];
  return ruleError(field, ruleOf(field, options, instance.kind), value, RangeError);
}

/** The rule of several options that `field` broke. */
function ruleOf(field: (typeof FIELDS)[number], options: PlanOptions, kind: Kind): string {
  const { capacity, maxCapacity = 0, bucketSize = 4, semiSort } = options;
  switch (field) {
    case 'maxCapacity':
      return maxCapacity < capacity
        ? `at least capacity (${capacity})`
        : 'smaller, or bucketCount larger (at most 32 - fingerprintBits doublings)';
    case 'bucketCount':
      return kind === 'ScalableCuckooFilter' ? 'a power of two' : "a power of two if addressing is 'xor'";
    case 'fingerprintBits':
      return semiSort
        ? 'an integer, or a multiple of 0.25 from 5.25 to 24'
        : 'an integer unless semiSort is true';
    case 'semiSort':
      return `false unless ${bucketSize === 4 ? 'fingerprintBits is at least 5' : 'bucketSize is 4'}`;
    case 'seed':
      return 'left out (or 0) if hash has a key';
    default:
      return FILTER_OPTIONS[field as 'capacity'].rule;
  }
}

/** The value of the option `seed`, or a random one if it says so. Throws TypeError and RangeError. */
function seedOf(value: unknown = 0n): bigint {
  // Not into a BigUint64Array, which older browsers refuse.
  if (value === 'random')
    return new BigUint64Array(crypto.getRandomValues(new Uint32Array(2)).buffer)[0] ?? 0n;
  const isBigint = typeof value === 'bigint';
  const seed = isBigint || Number.isSafeInteger(value) ? BigInt(value as bigint | number) : -1n;
  if (BigInt.asUintN(64, seed) === seed) return seed;
  const isType = isBigint || typeof value === 'number';
  throw argumentError(
    `seed must be 'random' or an integer from 0 to 2^64 - 1, got ${shownSeed(value)}`,
    isType ? RangeError : TypeError,
  );
}

/** A wrong seed as messages show it: a text of its own may be a secret. */
export function shownSeed(seed: unknown): string {
  return typeof seed === 'string' && !/^(\d+|random)$/.test(seed) ? 'a string' : shown(seed);
}
