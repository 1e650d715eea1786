// Options to the core's plan. Types are checked here, ranges by the core.
// Invariant: an option that cannot be used raises an error that names the option, the rule and the value.
import { check, FIELD_RULES, FIELDS, requiredError, ruleError } from './errors.js';
import { readOptions } from './given.js';
import type { Kind } from './kind.js';
import type { GrowEvent } from './observe/stats.js';
import type { Bindings, BindingsOf, SavedCalls } from './wasm/bindings.js';
import type { Instance } from './wasm/instance.js';
import { isBytes } from './wasm/bytes.js';
import { bytesOf } from './wasm/key.js';
import type { Handle } from './wasm/owned.js';

/** The formula for a key's alternate bucket: `reflect` works with any bucket count, `xor` (the paper's) with powers of two. */
export type Addressing = 'reflect' | 'xor';

/** What the planner aims for: the fewest bits, or the least time. */
export type Preference = 'space' | 'speed';

/** The options of a filter. Only `capacity` is required; the rest have defaults or are planned. */
export interface CuckooFilterOptions {
  /**
   * Number of entries that must fit: an integer from 1 to 2^34, if memory allows. A key that is added twice takes two.
   */
  readonly capacity: number;
  /**
   * Lets the filter grow up to this many entries: an integer from `capacity` to 2^34. Default: it does not grow.
   *
   * The first table has room for `capacity` keys, usually for at most twice as many. A small `capacity` may get more room
   * (10 that grow to 10,000 begin with room for 156), and so may long fingerprints, which leave bits for few doublings. When
   * the room is used up, the table doubles in place, without the keys. The rate asked for holds at every size. The last
   * table takes as much memory as a filter made for `maxCapacity`; earlier tables take one bit more per slot for each
   * doubling to come. CuckooFilter and ScalableCuckooFilter double a large table little by little: see `maxPause`.
   */
  readonly maxCapacity?: number | undefined;
  /**
   * Approximate milliseconds, from 0, that doubling the table may add to one call. They are converted to work at 10,000 buckets
   * per millisecond, two to three times the measured time. The calls that add and delete keys share the work, and until it is done,
   * the old table stays in memory beside the new one. Everything else is as if the table had doubled at once.
   * `Infinity` doubles it at once: 41 ms on the way to ten million keys. Default 0.1.
   */
  readonly maxPause?: number | undefined;
  /**
   * Called after a call that doubled the table, once for each doubling. If it throws, the error goes to the caller; the
   * keys are in the filter. Clones and loaded filters have no `onGrow`.
   */
  readonly onGrow?: ((event: GrowEvent) => void) | undefined;
  /**
   * The probability that an absent key is reported present when the filter holds `maxCapacity` keys, or else `capacity`
   * keys: > 0 and < 1. Default 0.001.
   */
  readonly falsePositiveRate?: number | undefined;
  /** Slots per bucket, 1 to 8. Default: planned for the fewest bits. */
  readonly bucketSize?: number | undefined;
  /**
   * Bits of a fingerprint: an integer from 2 to 32, or with `semiSort: true` a multiple of 0.25 from 5.25 to 24. Default:
   * planned from the rate.
   */
  readonly fingerprintBits?: number | undefined;
  /** Number of buckets before any growth: an integer from 1 to 2^32. Default: planned from the capacity. */
  readonly bucketCount?: number | undefined;
  /** Default `reflect`. `xor` needs a power-of-two `bucketCount`. */
  readonly addressing?: Addressing | undefined;
  /**
   * Keeps each bucket sorted, which saves one bit per slot and makes inserts and deletes slower. Only with four slots per
   * bucket and fingerprints of at least 5 bits. Default: planned for the fewest bits.
   */
  readonly semiSort?: boolean | undefined;
  /**
   * `space` plans the fewest bits. `speed` plans the fewest bits among the fastest layouts: plain buckets of at most 64 bits,
   * if any meets the rate. Default: the fewest bits with buckets of at most 64 bits, unless larger ones save 5 %.
   * `CuckooFilter.plan` shows what either takes.
   */
  readonly prefer?: Preference | undefined;
  /** Number of entries that an insert may move before it gives up: an integer from 0 to 65,535. Default 500. */
  readonly maxKicks?: number | undefined;
  /**
   * Seed of the hash: an integer from 0 to 2^64 - 1, or `'random'`, which draws one for this filter; `filter.seed` tells
   * it. Default 0. An unpredictable seed makes short keys useless that were prepared to collide under a known seed. It does
   * not help against people who have the saved bytes, which hold the seed, or against longer keys that collide under every
   * seed: use `hash` against those.
   */
  readonly seed?: number | bigint | 'random' | undefined;
  /**
   * The hash function. Default `xxh64`, which is fast, and which everyone can compute. Use `siphash-1-3` with a key of 16
   * secret bytes from `crypto.getRandomValues` if people you do not trust choose the keys, and could gain by making the
   * filter refuse keys or give wrong answers. The secret key is copied and never saved; give it again to load the filter.
   * Calls then take about a quarter longer for texts of up to 40 characters, and three times as long for 2,000.
   */
  readonly hash?: HashOption | undefined;
  /**
   * Also keeps a hash of 64 bits of each key, and throws AuditError at the first `delete` of a key that was never added, at the first
   * key that is lost, and at a `delete` of a key that may share its entry with another key because of `addIfAbsent`. For
   * development and tests only, because it takes the memory of a Map of all keys. Loaded filters have no audit. Default false.
   */
  readonly audit?: boolean | undefined;
}

/** The name of a hash function. */
export type HashAlgorithm = 'xxh64' | 'siphash-1-3';

/** A hash function, with its secret key if it needs one. */
export type HashOption =
  | 'xxh64'
  | { readonly algorithm: 'xxh64' }
  | { readonly algorithm: 'siphash-1-3'; readonly key: ArrayBufferView | ArrayBuffer };

/** The sizes of a filter, or of one that could be built. */
export interface Sizes {
  /** Number of keys that fit; if the table may still grow, that fit before it doubles. */
  readonly capacity: number;
  /** Number of keys that fit once the table has grown; the same as `capacity` if it does not grow. */
  readonly maxCapacity: number;
  /** How many times the table may still double. */
  readonly doublings: number;
  /** Number of buckets. */
  readonly bucketCount: number;
  /** Slots per bucket. */
  readonly bucketSize: number;
  /** An integer; if `semiSorted`, a multiple of 0.25, and a slot takes one bit less. */
  readonly fingerprintBits: number;
  /** The formula for a key's alternate bucket. */
  readonly addressing: Addressing;
  /** Whether each bucket is kept sorted, which saves one bit per slot. */
  readonly semiSorted: boolean;
  /** Number of entries that an insert may move before it gives up. */
  readonly maxKicks: number;
  /** The hash function. */
  readonly hashAlgorithm: HashAlgorithm;
  /** Seed of the hash; 0 if the hash has a secret key. */
  readonly seed: bigint;
  /** Bytes of the table. */
  readonly byteLength: number;
  /** Bytes of the table once it has grown. */
  readonly maxByteLength: number;
  /** 8 maxByteLength / maxCapacity. */
  readonly bitsPerKey: number;
  /** capacity / (bucketCount bucketSize). */
  readonly loadFactor: number;
  /** Expected when `maxCapacity` keys are stored. At most the rate asked for, unless the sizes given do not allow it. */
  readonly falsePositiveRate: number;
}

/** Sizes, and what calls cost with them. */
export interface PlannedSizes extends Sizes {
  /**
   * Time per key of `containsMany`, relative to the fastest layout, plain buckets of at most 64 bits: measured by
   * `npm run bench -- layouts`, for tables of the same number of keys.
   */
  readonly lookupCost: number;
  /** The same for `addMany`, from an empty filter to a full one. */
  readonly insertCost: number;
}

type NumberOption =
  'capacity' | 'maxCapacity' | 'bucketSize' | 'fingerprintBits' | 'bucketCount' | 'maxKicks';

/** Stands for "not given" where the core takes a number. */
const NOT_GIVEN = -1;

/** The options that every class has, even one whose filter does not grow. */
export const FIXED_OPTIONS = [
  'capacity',
  'falsePositiveRate',
  'bucketSize',
  'fingerprintBits',
  'bucketCount',
  'addressing',
  'semiSort',
  'prefer',
  'maxKicks',
  'seed',
  'hash',
] as const satisfies readonly (keyof CuckooFilterOptions)[];

export const FILTER_OPTIONS = [
  ...FIXED_OPTIONS,
  'maxCapacity',
  'maxPause',
  'onGrow',
  'audit',
] as const satisfies readonly (keyof CuckooFilterOptions)[];

/** The options of a CuckooFilter as they were given, each read once. Throws TypeError. */
export function optionsOf(given: unknown): CuckooFilterOptions {
  return readOptions(given, FILTER_OPTIONS);
}

/** Options as read, and the bits that each entry has besides. */
export type PlanOptions = CuckooFilterOptions & { readonly valueBits?: number };

/** What plans, and makes filters that can be saved. */
export type Planner = Instance<BindingsOf<SavedCalls>>;

/** Plans for `options`, as read; the core keeps the result. Throws TypeError or RangeError. */
export function plan(instance: Planner, options: PlanOptions): void {
  if (!tryPlan(instance, options)) throw rangeErrorOf(instance, options);
}

/** The same; false instead of a RangeError where a range is broken. Throws TypeError. */
export function tryPlan(instance: Planner, options: PlanOptions): boolean {
  booleanOf(options.audit, 'audit');
  check('onGrow', 'a function', options.onGrow, ['undefined', 'function'].includes(typeof options.onGrow));
  const seed = seedOf(options.seed);
  const isPlanned = instance.bindings.filter.plan(
    numberOf(options, 'capacity', undefined),
    numberOf(options, 'maxCapacity', NOT_GIVEN),
    rateOf(options.falsePositiveRate),
    numberOf(options, 'bucketSize', NOT_GIVEN),
    numberOf(options, 'fingerprintBits', NOT_GIVEN),
    numberOf(options, 'bucketCount', NOT_GIVEN),
    Number(booleanOf(options.semiSort, 'semiSort') ?? NOT_GIVEN),
    isXor(options.addressing),
    numberOf(options, 'maxKicks', NOT_GIVEN),
    secretOf(options.hash, 'hash') !== null,
    Number(BigInt.asUintN(32, seed)),
    Number(seed >> 32n),
    preferenceOf(options.prefer),
    options.valueBits ?? 0,
    pauseOf(options.maxPause),
  );
  return isPlanned !== 0;
}

/** The sizes of the last plan. */
export function plannedSizes(instance: Instance<Bindings>): PlannedSizes {
  instance.bindings.plan.describe();
  return describedSizes(instance);
}

/** The sizes of a filter. */
export function sizesOf({ instance, calls, address }: Handle<SavedCalls>): Sizes {
  calls.describe(address);
  return describedSizes(instance);
}

/** The sizes that the core has just described. */
export function describedSizes(instance: Instance<Bindings>): PlannedSizes {
  const { isXor, isSemiSorted, isKeyed, seedLow, seedHigh, ...sizes } = instance.results(
    instance.bindings.sizes,
  );
  return Object.freeze({
    ...sizes,
    addressing: isXor === 1 ? 'xor' : 'reflect',
    semiSorted: isSemiSorted === 1,
    hashAlgorithm: isKeyed === 1 ? 'siphash-1-3' : 'xxh64',
    seed: (BigInt(seedHigh) << 32n) | BigInt(seedLow),
    bitsPerKey: (8 * sizes.maxByteLength) / sizes.maxCapacity,
    loadFactor: sizes.capacity / (sizes.bucketCount * sizes.bucketSize),
  } as const);
}

/** The error for the field that the core's plan found out of range. */
function rangeErrorOf(instance: Planner, options: PlanOptions): RangeError {
  const field = FIELDS[instance.bindings.failure.field()] ?? 'none';
  // The core blames the capacity even if that would be fine without a small value of another option.
  const small =
    field === 'capacity'
      ? (['bucketCount', 'bucketSize', 'maxKicks'] as const).find(
          (name) => options[name] !== undefined && tryPlan(instance, { ...options, [name]: undefined }),
        )
      : undefined;
  const value = options[(small ?? field) as NumberOption | 'falsePositiveRate' | 'semiSort' | 'seed'];
  return small === undefined
    ? ruleError(field, ruleOf(field, options, instance.kind), value, RangeError)
    : // The plan without it is the last one.
      ruleError(
        small,
        `large enough for capacity, such as ${plannedSizes(instance)[small]}`,
        value,
        RangeError,
      );
}

/** The rule that the option broke, where there are several. */
function ruleOf(option: keyof typeof FIELD_RULES, options: PlanOptions, kind: Kind): string {
  const { capacity, maxCapacity = 0, falsePositiveRate = 0 } = options;
  const { bucketCount = 0, bucketSize = 4, fingerprintBits = 0 } = options;
  if (option === 'falsePositiveRate' && falsePositiveRate > 0 && falsePositiveRate < 1)
    return 'large enough for fingerprints of 32 bits';
  if (option === 'maxCapacity' && maxCapacity < capacity) return 'at least capacity';
  if (option === 'maxCapacity' && maxCapacity <= 2 ** 34)
    return 'smaller, or bucketCount larger, because a table doubles at most 32 - fingerprintBits times';
  if (option === 'bucketCount' && bucketCount > 0 && bucketCount <= 2 ** 32)
    return kind === 'ScalableCuckooFilter' ? 'a power of two' : "a power of two if addressing is 'xor'";
  if (option === 'fingerprintBits' && fingerprintBits % 1 !== 0)
    return options.semiSort
      ? 'an integer, or a multiple of 0.25 from 5.25 to 24'
      : 'an integer unless semiSort is true';
  if (option === 'semiSort' && bucketSize === 4) return 'false unless fingerprintBits is at least 5';
  return FIELD_RULES[option];
}

/** A number as the core takes it: an integer, except for the width of a fingerprint. The core checks its range. */
function numberOf(
  options: CuckooFilterOptions,
  option: NumberOption,
  whenMissing: number | undefined,
): number {
  const value: unknown = options[option];
  if (value === undefined && whenMissing !== undefined) return whenMissing;
  const rule = FIELD_RULES[option];
  if (value === undefined) throw requiredError(option, rule);
  const isNumber = typeof value === 'number';
  const isWhole = option === 'fingerprintBits' || Number.isInteger(value);
  check(option, rule, value, isNumber, isNumber && value >= 0 && isWhole);
  return value as number;
}

function pauseOf(value: unknown): number {
  if (value === undefined) return 0.1;
  check(
    'maxPause',
    'a number of milliseconds from 0',
    value,
    typeof value === 'number',
    (value as number) >= 0,
  );
  return value as number;
}

function rateOf(value: unknown): number {
  if (value === undefined) return 0.001;
  check('falsePositiveRate', FIELD_RULES.falsePositiveRate, value, typeof value === 'number');
  return value as number;
}

function isXor(value: unknown): boolean {
  const isReflect = value === undefined || value === 'reflect';
  const isText = isReflect || typeof value === 'string';
  check('addressing', FIELD_RULES.addressing, value, isText, isReflect || value === 'xor');
  return !isReflect;
}

/** The core's Preference. */
function preferenceOf(value: unknown): number {
  const preference = ([undefined, 'space', 'speed'] as unknown[]).indexOf(value);
  check('prefer', "'space' or 'speed'", value, preference >= 0 || typeof value === 'string', preference >= 0);
  return preference;
}

function booleanOf(value: unknown, option: string): boolean | undefined {
  check(option, 'a boolean', value, value === undefined || typeof value === 'boolean');
  return value as boolean | undefined;
}

function seedOf(value: unknown): bigint {
  if (value === undefined) return 0n;
  if (value === 'random') return crypto.getRandomValues(new BigUint64Array(1))[0] ?? 0n;
  const isBigint = typeof value === 'bigint';
  const seed = isBigint || Number.isSafeInteger(value) ? BigInt(value as bigint | number) : -1n;
  const rule = "'random' or an integer from 0 to 2^64 - 1";
  check('seed', rule, value, isBigint || typeof value === 'number', BigInt.asUintN(64, seed) === seed);
  return seed;
}

/**
 * The secret key in the option `hash`, called `name`; null if the algorithm takes none. Throws TypeError and RangeError,
 * whose messages tell the length of a key, never its bytes.
 */
export function secretOf(hash: unknown, name: string): Uint8Array | null {
  if (hash === undefined) return null;
  const isObject = typeof hash === 'object' && hash !== null;
  const { algorithm, key } = (isObject ? hash : { algorithm: hash }) as { algorithm: unknown; key?: unknown };
  const isKnown = algorithm === 'xxh64' || algorithm === 'siphash-1-3';
  const rule = "'xxh64', or 'siphash-1-3' with a key";
  check(isObject ? `${name}.algorithm` : name, rule, algorithm, typeof algorithm === 'string', isKnown);
  if (algorithm === 'xxh64' && key === undefined) return null;
  if (!isObject) throw new TypeError(`${name} has no key: write ${name}: { algorithm: '${algorithm}', key }`);
  const bytes = isBytes(key) ? bytesOf(key) : null;
  if (algorithm === 'siphash-1-3' && bytes?.length === 16) return bytes;
  const Kind = algorithm === 'xxh64' || bytes === null ? TypeError : RangeError;
  const wanted = algorithm === 'xxh64' ? "left out for 'xxh64'" : '16 bytes';
  throw new Kind(
    `${name}.key must be ${wanted}, got ${bytes === null ? typeof key : `${bytes.length} bytes`}`,
  );
}
