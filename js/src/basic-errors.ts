// The errors that the reader shares: saved bytes that cannot be used, invalid keys and wrong arguments. They are in a
// file of their own, so that the reader loads no others.
// Invariant: all entries of the package share these classes, and the code here is valid ES2020, like all that the
// reader loads.

/** Codes of `FormatError`: why bytes are not a filter that can be loaded. */
export type FormatErrorCode =
  | 'not-a-filter'
  | 'unsupported-version'
  | 'cut-short'
  | 'damaged'
  | 'inconsistent'
  | 'too-large'
  | 'wrong-key';

/** The bytes are not a filter that can be loaded. `code` says why. */
export class FormatError extends Error {
  /** @internal */
  static override get name(): string {
    return 'FormatError';
  }
  declare readonly name: 'FormatError';
  /** Why the bytes cannot be loaded. */
  declare readonly code: FormatErrorCode;

  constructor(message: string, code: FormatErrorCode) {
    super(message);
    this.name = 'FormatError';
    this.code = code;
  }
}

/** A value is not a valid key. In a batch, earlier keys have been processed. */
export class InvalidKeyError extends TypeError {
  /** @internal */
  static override get name(): string {
    return 'InvalidKeyError';
  }
  declare readonly name: 'InvalidKeyError';
  declare readonly code: 'invalid-key';
  /** Only in batches: the index of the key, from 0. */
  declare readonly index?: number;
  /** Only in batches that answer key by key: the answers for the keys before. */
  declare readonly answers?: Uint8Array;

  constructor(problem: string, index?: number) {
    super(index === undefined ? problem : `key ${index}: ${problem}`);
    this.name = 'InvalidKeyError';
    this.code = 'invalid-key';
    if (index !== undefined) this.index = index;
  }
}

/** `error`, which occurred at the key `index`. An InvalidKeyError becomes one that has this index. */
export function atKey(index: number, error: unknown): unknown {
  if (!(error instanceof InvalidKeyError)) return error;
  return new InvalidKeyError(error.message.replace(/^key \d+: /, ''), index);
}

/** The error for bytes, called `name`, that are no longer there. */
export function lostBuffer(name: string, options?: ErrorOptions): Error {
  const problem = 'has no bytes left: its buffer was transferred or shrunk. Transfer a slice()';
  return argumentError(`${name} ${problem}`, TypeError, options);
}

/**
 * `view`, called `name`. Throws TypeError if its buffer is resizable: one that has shrunk and grown again has zeros in
 * place of the bytes, which nobody could notice.
 */
export function notResizable<View extends ArrayBufferView>(name: string, view: View): View {
  if (!(view.buffer as { resizable?: boolean }).resizable) return view;
  throw argumentError(`${name} must not be in a resizable buffer: pass its slice()`);
}

/** The error for a wrong argument: a TypeError or a RangeError, with the code `invalid-argument`. */
export function argumentError(
  message: string,
  Kind: typeof TypeError | typeof RangeError = TypeError,
  options?: ErrorOptions,
): Error & { readonly code: string } {
  return Object.assign(new Kind(message, options), { code: 'invalid-argument' });
}
