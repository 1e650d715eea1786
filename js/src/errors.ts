// Error classes and the mapping from the core's codes to them.
// Invariant: the codes here are those of cpp/include/cuckoo/error.h, in its order (a test compares the two),
// and every message names the field, the rule and the value that was given.

/** Codes of `FormatError`: why bytes are not a filter that can be loaded. */
export type FormatErrorCode =
  | 'not-a-filter'
  | 'unsupported-version'
  | 'cut-short'
  | 'damaged'
  | 'inconsistent'
  | 'too-large'
  | 'wrong-key';

/** Why an insert was refused. */
export type FullReason = 'full' | 'too-many-copies';

/** The filter cannot take a key. It is then as it was before that key. */
export class FilterFullError extends Error {
  /** @internal */
  static override readonly name: string = 'FilterFullError';
  override readonly name = 'FilterFullError';
  /**
   * `full`: no room was found within `maxKicks` kicks. `too-many-copies`: every slot of the key's two
   * buckets holds this very fingerprint already; other keys still go in.
   */
  readonly reason: FullReason;
  /** Keys that this call added before the one that was refused. */
  readonly added: number;

  constructor(message: string, reason: FullReason, added: number) {
    super(message);
    this.reason = reason;
    this.added = added;
  }
}

/** The bytes given are not a filter that can be loaded; `code` says why. */
export class FormatError extends Error {
  /** @internal */
  static override readonly name: string = 'FormatError';
  override readonly name = 'FormatError';
  readonly code: FormatErrorCode;

  constructor(message: string, code: FormatErrorCode) {
    super(message);
    this.code = code;
  }
}

/** The filter was used after `dispose`. */
export class DisposedError extends Error {
  /** @internal */
  static override readonly name: string = 'DisposedError';
  override readonly name = 'DisposedError';
}

/** The core's codes, in the order of error.h. */
export const ERROR_CODES = [
  'none',
  'out_of_range',
  'out_of_memory',
  'not_a_filter',
  'unsupported_version',
  'cut_short',
  'damaged',
  'inconsistent',
  'too_large',
  'wrong_key',
] as const;

/** The core's fields, in the order of error.h, with the option each is set by and the rule it breaks. */
export const FIELD_RULES = [
  { field: 'none', option: '', rule: '' },
  {
    field: 'capacity',
    option: 'capacity',
    rule: 'an integer from 1 to bucketCount x bucketSize, at most 2^34',
  },
  {
    field: 'false_positive_rate',
    option: 'falsePositiveRate',
    rule: '> 0 and < 1, and need at most 32 bits',
  },
  { field: 'bucket_size', option: 'bucketSize', rule: 'an integer from 1 to 8' },
  {
    field: 'fingerprint_bits',
    option: 'fingerprintBits',
    rule: 'an integer from 2 to 32; with semiSort: true, quarters from 5.25 to 24 too',
  },
  {
    field: 'bucket_count',
    option: 'bucketCount',
    rule: "an integer from 1 to 2^32, and a power of two where addressing is 'xor'",
  },
  { field: 'max_kicks', option: 'maxKicks', rule: 'an integer from 0 to 65,535' },
  {
    field: 'semi_sort',
    option: 'semiSort',
    rule: 'false unless bucketSize is 4 and fingerprintBits at least 5',
  },
  { field: 'seed', option: 'seed', rule: 'left out, or 0, where hash has a key' },
  { field: 'addressing', option: 'addressing', rule: "'reflect' or 'xor'" },
  { field: 'hash', option: 'hashAlgorithm', rule: '' },
  {
    field: 'max_capacity',
    option: 'maxCapacity',
    rule: 'an integer from capacity to 2^34, within 32 - fingerprintBits doublings of bucketCount',
  },
] as const;

const FORMAT_MESSAGES: Record<FormatErrorCode, string> = {
  'not-a-filter': 'bytes must begin with the magic of a saved filter',
  'unsupported-version': 'bytes must be of format version 1 without unknown features',
  'cut-short': 'bytes must be as long as their header declares',
  damaged: 'bytes must match their checksum',
  inconsistent: 'bytes must keep the rules of the format',
  'too-large': 'bytes must declare a table of at most limits.maxBytes',
  'wrong-key': 'bytes must be loaded with the key in limits.hash that they were made with, or with none',
};

/** `value` as it appears in a message: short, with the quotes and the n of a literal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'symbol' || typeof value !== 'object' || value === null) return String(value);
  return Object.prototype.toString.call(value);
}

/** The message that `name` breaks `rule` with `value`. */
export function ruleMessage(name: string, rule: string, value: unknown): string {
  return `${name} must be ${rule}, got ${shown(value)}`;
}

/** The error for a code of the core that concerns bytes. `length` is theirs. */
export function formatError(error: number, length: number): FormatError | RangeError {
  const name = ERROR_CODES[error] ?? 'none';
  if (name === 'out_of_memory')
    return new RangeError(`bytes must declare a table that fits in memory, got ${length} bytes`);
  const code = name.replaceAll('_', '-') as FormatErrorCode;
  return new FormatError(`${FORMAT_MESSAGES[code]}, got ${length} bytes`, code);
}
