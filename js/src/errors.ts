// Error classes, and the core's names of fields.
// Invariant: the fields here are those of cpp/include/cuckoo/error.h, in its order (a test compares the two), and every
// message names the field, the rule and the value that was given.
import { argumentError, FormatError, InvalidKeyError, type FormatErrorCode } from './basic-errors.js';
import { kindOf, type Kind } from './class-names.js';

export { argumentError, FormatError, InvalidKeyError, type FormatErrorCode };

/** Why a key was refused. */
export type FullReason = 'full' | 'too-many-copies';

/** A key does not fit. The filter is unchanged since the key before it. */
export class FilterFullError extends Error {
  /** @internal */
  static override readonly name: string = 'FilterFullError';
  override readonly name: string = 'FilterFullError';
  readonly code = 'filter-full';
  /**
   * `full`: no room was found for the key, or the key's buckets are full of copies of a few keys.
   * `too-many-copies`: the key's two candidate buckets hold nothing but its own fingerprint; other keys still fit.
   */
  readonly reason: FullReason;
  /** Number of keys that this call added before the refused one. */
  readonly added: number;
  /**
   * Only from `addManyIfAbsent` and `areNew`: 1 or 0 for each key before the refused one, in order. The refused key has
   * the index `answers.length`.
   */
  declare readonly answers?: Uint8Array;

  constructor(message: string, reason: FullReason, added: number) {
    super(message);
    this.reason = reason;
    this.added = added;
  }
}

/** There was not enough memory. The call changed nothing. */
export class OutOfMemoryError extends RangeError {
  /** @internal */
  static override readonly name: string = 'OutOfMemoryError';
  override readonly name = 'OutOfMemoryError';
  readonly code = 'out-of-memory';
}

/** The filter was used after `dispose`. */
export class DisposedError extends Error {
  /** @internal */
  static override readonly name: string = 'DisposedError';
  override readonly name = 'DisposedError';
  readonly code = 'disposed';
}

/** What every use of a filter after `dispose` throws. */
export function disposedError(): DisposedError {
  return new DisposedError('the filter was used after dispose(): dispose later, or use a clone()');
}

/** The core's fields, in the order of error.h, by the options that set them. */
export const FIELDS = [
  'none',
  'capacity',
  'falsePositiveRate',
  'bucketSize',
  'fingerprintBits',
  'bucketCount',
  'semiSort',
  'seed',
  'addressing',
  'hashAlgorithm',
  'maxCapacity',
  'valueBits',
  'periods',
  'currentPeriod',
] as const;

/** `value` as messages show it: short, with the quotes or the n of a literal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'function') return 'a function';
  if (typeof value !== 'object' || value === null) return String(value);
  const kind = kindOf(value);
  if (kind !== undefined) return withArticle(kind);
  const text = Object.prototype.toString.call(value);
  return { '[object Array]': 'an array', '[object Object]': 'an object' }[text] ?? text;
}

/** `value` as messages show it where people may put a secret: no text, and no number that could be a key. */
export function shownKind(value: unknown): string {
  return /string|symbol|bigint/.test(typeof value) ? `a ${typeof value}` : shown(value);
}

export function withArticle(kind: Kind): string {
  return `${kind === 'ExpiringFilter' ? 'an' : 'a'} ${kind}`;
}

export function ruleError(
  name: string,
  rule: string,
  value: unknown,
  Kind: typeof TypeError | typeof RangeError = TypeError,
): Error {
  return argumentError(`${name} must be ${rule}, got ${shown(value)}`, Kind);
}

/** Throws TypeError unless `value` of `name` has the type of `rule`, RangeError unless it is in its range. */
export function check(name: string, rule: string, value: unknown, isType: boolean, isInRange = true): void {
  if (!isType || !isInRange) throw ruleError(name, rule, value, isType ? RangeError : TypeError);
}

export function requiredError(name: string, rule: string): Error {
  return argumentError(`${name} is required: ${rule}`);
}

export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
