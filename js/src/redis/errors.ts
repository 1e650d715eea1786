// Errors of batches, with what became of each key.
import { FilterFullError, type FullReason } from '../errors.js';

/**
 * What became of a key of a batch. `done`: added or deleted. `nothing`: it was already there, or nothing was there to delete.
 * `unknown`: the server has not answered, so it may or may not be done.
 */
export type KeyOutcome = 'done' | FullReason | 'nothing' | 'unknown';

/** By the digits that the script answers. */
export const OUTCOMES = ['done', 'full', 'too-many-copies', 'nothing', 'unknown'] as const;

/** Some keys of a batch do not fit; the others are in. */
export class RedisFullError extends FilterFullError {
  /** @internal */
  static override readonly name: string = 'RedisFullError';
  override readonly name = 'RedisFullError';
  /** What became of each key, in the order of the keys. */
  readonly outcomes: readonly KeyOutcome[];

  constructor(message: string, reason: FullReason, outcomes: readonly KeyOutcome[]) {
    super(message, reason, outcomes.filter((outcome) => outcome === 'done').length);
    this.outcomes = outcomes;
  }
}

/** The server did not answer for some keys of a batch; `cause` says why. */
export class RedisBatchError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisBatchError';
  override readonly name = 'RedisBatchError';
  /** What became of each key, in the order of the keys. Keys after the last are `unknown` too. */
  readonly outcomes: readonly KeyOutcome[];

  constructor(message: string, outcomes: readonly KeyOutcome[], cause: unknown) {
    super(message, { cause });
    this.outcomes = outcomes;
  }
}
