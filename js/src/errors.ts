// Error classes and the mapping from the core's codes to them.
// Invariant: the codes here are those of cpp/include/cuckoo/error.h, in its order (a test compares the two),
// and every message names the field, the rule and the value that was given.
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
   * `full`: no room was found within `maxKicks` kicks. `too-many-copies`: the key's two candidate buckets hold nothing
   * but its own fingerprint; other keys still fit.
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

/** Memory was refused. The call changed nothing. */
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

/** The core's codes, in the order of error.h, with what the message says about a saved filter that has the error. */
const FORMAT_PROBLEMS = {
  none: '',
  'out-of-range': '',
  'out-of-memory': '',
  'not-a-filter': 'not a saved filter',
  'unsupported-version': 'this is a newer format; update cuckoofilter-wasm',
  'cut-short': 'the bytes are cut short, or go on after the end of the filter',
  damaged: 'the checksum does not match: the bytes are damaged',
  inconsistent: 'the bytes are damaged, or were not made by this package. Make the filter again',
  'too-large': 'the table is larger than maxBytes',
  'wrong-key': 'the filter has a secret key; give it in hash',
};
type ErrorCode = keyof typeof FORMAT_PROBLEMS;
export const ERROR_CODES = Object.keys(FORMAT_PROBLEMS) as readonly ErrorCode[];

/** The core's fields, in the order of error.h, by the options that set them. */
export const FIELDS = [
  'none',
  'capacity',
  'falsePositiveRate',
  'bucketSize',
  'fingerprintBits',
  'bucketCount',
  'maxKicks',
  'semiSort',
  'seed',
  'addressing',
  'hashAlgorithm',
  'maxCapacity',
  'valueBits',
  'periods',
  'currentPeriod',
] as const;

/** The class and entry whose saved form has these letters in its magic, or this kind of values. */
const OWNERS: Partial<Record<string, readonly [Kind, entry: string]>> = {
  CKF: ['CuckooFilter', ''],
  CKS: ['ScalableCuckooFilter', '/scalable'],
  1: ['CuckooValues', '/values'],
  2: ['CuckooCounter', '/counter'],
  3: ['ExpiringFilter', '/expiring'],
};

/** `value` as messages show it: short, with the quotes or the n of a literal. */
export function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value !== 'object' || value === null) return String(value);
  const kind = kindOf(value);
  if (kind !== undefined) return withArticle(kind);
  const text = Object.prototype.toString.call(value);
  return { '[object Array]': 'an array', '[object Object]': 'an object' }[text] ?? text;
}

function withArticle(kind: Kind): string {
  return `${kind === 'ExpiringFilter' ? 'an' : 'a'} ${kind}`;
}

/** The error for a `value` of `name` that breaks `rule`. */
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

/** The error for an option that is missing. */
export function requiredError(name: string, rule: string): Error {
  return argumentError(`${name} is required: ${rule}`);
}

/** The message that `what` failed because a filter of `size` keys has no room, and what to do about it. */
export function noRoomMessage(what: string, size: number, maxCapacity: number, advice: string): string {
  return `${what}: it was made for ${counted(maxCapacity, 'key')} and has ${size}. ${advice}`;
}

/** The error for a method that was called without its filter: on nothing, or on a copy or a Proxy of one. */
export function wrongReceiver(): Error {
  return argumentError(
    'a method was called without its filter: write filter.method(...), or bind it. Copies and Proxies of a filter do not work: in a store, keep the filter itself, for example with ref(filter) in Valtio',
  );
}

/**
 * The error for `other` if it is not a filter of this class. Saved bytes are not loaded automatically, because they may
 * need a secret key.
 */
export function notAFilter(other: unknown, kind: Kind): Error {
  const advice = ArrayBuffer.isView(other) ? ` (load the bytes with ${kind}.deserialize)` : '';
  return ruleError('other', `${withArticle(kind)}${advice}`, other);
}

/** A number of things, in words. */
export function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}

/** What is to be loaded: the bytes, the most bytes that a table may take, and the secret key if one was given. */
export interface LoadRequest {
  readonly bytes: Uint8Array;
  readonly maxBytes: number;
  readonly secret: Uint8Array | null;
}

/** The class that saved such bytes, and its entry; undefined if that is none of them. */
export function ownerOf(bytes: Uint8Array): readonly [Kind, entry: string] | undefined {
  const letters = String.fromCharCode(...bytes.subarray(1, 4));
  // In a later version, the bytes after it may mean something else.
  const hasValues = letters === 'CKF' && bytes[8] === 1 && (bytes[16] as number) & 2;
  return OWNERS[hasValues ? String(bytes[72]) : letters];
}

/** Why saved bytes cannot be loaded as a `kind`, by the core's code. */
export function formatError(
  code: ErrorCode,
  kind: Kind,
  { bytes, maxBytes, secret }: LoadRequest,
): FormatError {
  const [owner, entry] = ownerOf(bytes) ?? [kind];
  const isOther = owner !== kind && (code === 'not-a-filter' || code === 'unsupported-version');
  // The byte that says XXH64, in the first layer if there are layers.
  const isUnkeyed = bytes[kind === 'ScalableCuckooFilter' ? 36 : 12] === 1;
  const begin = bytes.subarray(0, 9);
  const advice =
    code === 'too-large'
      ? ` (${maxBytes})`
      : code === 'not-a-filter' && begin.length > 0
        ? notAFilterAdvice(bytes, begin)
        : '';
  const problem = isOther
    ? `this is a saved ${owner}; use ${owner}.deserialize of cuckoofilter-wasm${entry}`
    : code === 'wrong-key' && secret !== null
      ? isUnkeyed
        ? 'the filter has no secret key; leave out hash'
        : 'the filter was made with a different secret key than the one in hash'
      : FORMAT_PROBLEMS[code] + advice;
  const these = bytes.length === 1 ? 'this' : 'these';
  return new FormatError(
    `cannot load ${these} ${counted(bytes.length, 'byte')}: ${problem}`,
    isOther ? 'not-a-filter' : (code as FormatErrorCode),
  );
}

/** What such bytes are, as far as can be told. */
function notAFilterAdvice(bytes: Uint8Array, begin: Uint8Array): string {
  // The first byte of a saved filter is not valid UTF-8, and becomes U+FFFD if it is read as text.
  if (begin[0] === 0xef && begin[1] === 0xbf)
    return '; they were read as text, which damages them: read bytes';
  // Before the search for magic bytes, because gzip stores a short filter almost uncompressed.
  if (begin[0] === 0x1f && begin[1] === 0x8b) return '; they are compressed with gzip: decompress them first';
  const isMagic = (at: number): boolean =>
    bytes[at] === 0x43 && bytes[at + 1] === 0x4b && bytes[at + 3] === 0x0d;
  const at = bytes.subarray(0, 2 ** 16).findIndex((_, i) => i > 1 && isMagic(i));
  return at > 0
    ? `; one begins at byte ${at - 1}: pass the Buffer itself, not its buffer`
    : `; they begin with ${shown(String.fromCharCode(...begin))}`;
}
