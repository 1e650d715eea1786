// FormatError: why saved bytes cannot be used. In a file of its own, so that the reader loads no other error.
// Invariant: it is one class for all entries of the package; and the code here is valid ES2020, as all that the reader loads.

/** Codes of `FormatError`: why bytes are not a filter that can be loaded. */
export type FormatErrorCode =
  | 'not-a-filter'
  | 'unsupported-version'
  | 'cut-short'
  | 'damaged'
  | 'inconsistent'
  | 'too-large'
  | 'wrong-key';

/** The bytes are not a filter that can be loaded; `code` says why. */
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
