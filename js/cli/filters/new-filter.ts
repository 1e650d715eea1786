// The options of a new filter.
// Invariant: saved filters that were made with the same --rate and --max-capacity can be merged, whatever their inputs.
// They have the same number of buckets once fully grown, because each is planned as the same small table after some
// doublings.
import { CuckooFilter, OutOfMemoryError, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { Failure } from '../words/failure.js';
import { count, sized } from '../words/figures.js';

/** What is known of the keys to come. */
export interface Wanted {
  readonly capacity?: number | undefined;
  readonly maxCapacity?: number | undefined;
  readonly rate?: number | undefined;
  /** The number of lines, if the size of the input tells it. */
  readonly lines?: number | undefined;
  /** Whether it must be able to grow with later inputs, and to merge. */
  readonly isSaved: boolean;
}

/** The default rate. */
export const RATE = 0.001;

/** Below this rate, how far a saved filter grows depends on the lines of its first input, so they are counted. */
export const LOW_RATE = 1e-5;

/** The smallest table begins with room for about this many keys. */
const FIRST = 1000;

/** The default limit of growth: a table for more keys hardly fits into WebAssembly's 4 GB. */
const MAXIMUM = 1_000_000_000;

/**
 * Long fingerprints leave bits for only a few doublings, so a filter with a low rate that grows far begins large. It
 * grows to the first of these limits for which its first table is small.
 */
const MAXIMA = [MAXIMUM, 64_000_000, 4_000_000, 250_000];
const SMALL_TABLE_BYTES = 4e6;

/** The most keys that a filter can be planned for. */
const LARGEST = 2 ** 34;

/** A filter must have room for this many times the expected keys, so that it does not soon become full. */
const SPARE = 4;

/** A new filter. Throws Failure if the numbers make no sense, or there is no memory. */
export function newFilter(wanted: Wanted): CuckooFilter {
  const options = newFilterOptions(wanted);
  try {
    return new CuckooFilter(options);
  } catch (error) {
    if (!(error instanceof OutOfMemoryError)) throw error;
    const bytes = sized(CuckooFilter.plan(options).byteLength);
    throw new Failure(
      `no memory for a filter of ${bytes}: lower --capacity and --max-capacity, or raise --rate`,
    );
  }
}

/** The options of a new filter, which can be planned. Throws Failure if the numbers make no sense. */
export function newFilterOptions(wanted: Wanted): CuckooFilterOptions {
  check(wanted);
  const options = plannedOptions(wanted);
  if (options !== undefined) return options;
  // With more than 2^32 keys, 1e-9 may be too low as well.
  const enough = plannedOptions({ ...wanted, rate: 1e-9 }) === undefined ? 1e-8 : 1e-9;
  throw new Failure(`--rate ${wanted.rate} is too low. Use ${enough} or more`);
}

/** Undefined if the rate is too low for a plan. */
function plannedOptions(wanted: Wanted): CuckooFilterOptions | undefined {
  try {
    const options = optionsFor(wanted);
    CuckooFilter.plan(options);
    return options;
  } catch (error) {
    // The other numbers were checked.
    if (error instanceof RangeError && wanted.rate !== undefined) return undefined;
    throw error;
  }
}

function check({ capacity, maxCapacity, rate }: Wanted): void {
  for (const [name, value] of Object.entries({ '--capacity': capacity, '--max-capacity': maxCapacity })) {
    if (value !== undefined && !(Number.isInteger(value) && value >= 1 && value <= LARGEST))
      throw new Failure(`${name} must be a whole number from 1 to ${count(LARGEST)}, got ${value}`);
  }
  if (capacity !== undefined && maxCapacity !== undefined && capacity > maxCapacity)
    throw new Failure(`--capacity must be at most --max-capacity, got ${capacity} and ${maxCapacity}`);
  if (rate !== undefined && !(rate > 0 && rate < 1))
    throw new Failure(`--rate must be > 0 and < 1, got ${rate}`);
}

function optionsFor(wanted: Wanted): CuckooFilterOptions {
  const { capacity, maxCapacity, rate: falsePositiveRate, lines } = wanted;
  const expected = capacity ?? lines;
  if (maxCapacity !== undefined) {
    if (capacity === maxCapacity) return { capacity, falsePositiveRate };
    return begun({ capacity: Math.min(FIRST, maxCapacity), maxCapacity, falsePositiveRate }, expected);
  }
  // With the fewest bits per key, because the filter is not needed again.
  if (isForLines(wanted)) return own(wanted.lines, falsePositiveRate);
  const family = familyFor(falsePositiveRate, expected);
  return family === undefined ? own(expected ?? FIRST, falsePositiveRate) : begun(family, expected);
}

/** Whether a filter is made for the lines of its input and for nothing else. */
export function isForLines(wanted: Wanted): wanted is Wanted & { readonly lines: number } {
  const { capacity, maxCapacity, lines, isSaved } = wanted;
  return !isSaved && capacity === undefined && maxCapacity === undefined && lines !== undefined;
}

/** A filter that need not merge with others. */
function own(expected: number, falsePositiveRate: number | undefined): CuckooFilterOptions {
  return { capacity: expected, maxCapacity: Math.min(SPARE * expected, LARGEST), falsePositiveRate };
}

/**
 * The smallest of the filters that can be merged; undefined if it would take far more memory than `expected` keys need.
 */
function familyFor(
  falsePositiveRate: number | undefined,
  expected = 0,
): (CuckooFilterOptions & { maxCapacity: number }) | undefined {
  const families = MAXIMA.filter((most) => Math.min(SPARE * expected, MAXIMUM) <= most && expected <= most)
    .map((maxCapacity) => ({ capacity: FIRST, maxCapacity, falsePositiveRate }))
    .map((options) => ({ options, plan: CuckooFilter.plan(options) }));
  // If possible, the rate alone decides.
  return (
    families.find(({ plan }) => plan.byteLength <= SMALL_TABLE_BYTES) ??
    families.find(({ plan }) => plan.currentCapacity <= 2 * expected)
  )?.options;
}

/** The filter for `options` after enough doublings to have room for `expected` keys. */
function begun(options: CuckooFilterOptions & { maxCapacity: number }, expected = 0): CuckooFilterOptions {
  const first = CuckooFilter.plan(options);
  const times = Math.max(1, Math.min(expected, options.maxCapacity) / first.currentCapacity);
  const doublings = Math.min(first.doublings, Math.ceil(Math.log2(times)));
  if (doublings === 0) return options;
  const { bucketSize, fingerprintBits, semiSorted: semiSort } = first;
  const bucketCount = first.bucketCount * 2 ** doublings;
  const capacity = Math.min(expected, options.maxCapacity);
  return { ...options, capacity, bucketCount, bucketSize, fingerprintBits, semiSort };
}
