// Error classes and the mapping from the core's codes to them.
// Invariant: the codes here are those of cpp/include/cuckoo/error.h, in its order (a test compares the two),
// and every message names the field, the rule and the value that was given.
import { kindOf } from './kind.js';

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

/** The core's codes, in the order of error.h, with what bytes must do that have the error. */
const ERROR_RULES = {
  none: '',
  'out-of-range': '',
  'out-of-memory': 'declare a table that fits in memory',
  'not-a-filter': 'begin with the magic of a saved filter',
  'unsupported-version': 'be of format version 1 without unknown features',
  'cut-short': 'be as long as their header declares',
  damaged: 'match their checksum',
  inconsistent: 'keep the rules of the format',
  'too-large': 'declare a table of at most limits.maxBytes',
  'wrong-key': 'be loaded with the key in limits.hash that they were made with, or with none',
};
export const ERROR_CODES = Object.keys(ERROR_RULES) as readonly (keyof typeof ERROR_RULES)[];

/** The core's fields, in the order of error.h, by the options they are set by, with the rule that each breaks. */
export const FIELD_RULES = {
  none: '',
  capacity: 'an integer from 1 to bucketCount x bucketSize, at most 2^34',
  falsePositiveRate: '> 0 and < 1, and need at most 32 bits',
  bucketSize: 'an integer from 1 to 8',
  fingerprintBits: 'an integer from 2 to 32; with semiSort: true, quarters from 5.25 to 24 too',
  bucketCount: "an integer from 1 to 2^32, and a power of two where addressing is 'xor'",
  maxKicks: 'an integer from 0 to 65,535',
  semiSort: 'false unless bucketSize is 4 and fingerprintBits at least 5',
  seed: 'left out, or 0, where hash has a key',
  addressing: "'reflect' or 'xor'",
  hashAlgorithm: '',
  maxCapacity: 'an integer from capacity to 2^34, within 32 - fingerprintBits doublings of bucketCount',
};
export const FIELDS = Object.keys(FIELD_RULES) as readonly (keyof typeof FIELD_RULES)[];

/** `value` as it appears in a message: short, with the quotes and the n of a literal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  const kind = kindOf(value);
  if (kind !== undefined) return `${kind === 'ExpiringFilter' ? 'an' : 'a'} ${kind}`;
  return Object.prototype.toString.call(value);
}

/** The message that `name` breaks `rule` with `value`. */
export function ruleMessage(name: string, rule: string, value: unknown): string {
  return `${name} must be ${rule}, got ${shown(value)}`;
}

/** The error for a method of `name` that was called on something else. */
export function wrongReceiver(name: string): TypeError {
  return new TypeError(
    `a method of ${name} was called without its object: write object.method(...), or bind it`,
  );
}

/** The error for a code of the core that concerns bytes. `length` is theirs. */
export function formatError(error: number, length: number): FormatError | RangeError {
  const code = ERROR_CODES[error] ?? 'none';
  const message = `bytes must ${ERROR_RULES[code]}, got ${length} bytes`;
  return code === 'out-of-memory'
    ? new RangeError(message)
    : new FormatError(message, code as FormatErrorCode);
}
