// Errors of batches, with what became of each key; and of strings that are not the filter that was opened.
import { argumentError, FilterFullError, type FullReason } from '../errors.js';
import { FormatError } from '../basic-errors.js';

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
  readonly code = 'redis-batch';
  /** What became of each key, in the order of the keys. Of an iterable without a length, keys after the last are `unknown` too. */
  readonly outcomes: readonly KeyOutcome[];

  constructor(message: string, outcomes: readonly KeyOutcome[], cause: unknown) {
    super(message, { cause });
    this.outcomes = outcomes;
  }
}

/** A shard was being doubled by other processes for ten times as long as that may take. The change was not made: try it again. */
export class RedisLockedError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisLockedError';
  override readonly name = 'RedisLockedError';
  readonly code = 'redis-locked';

  constructor(
    shard: string,
    /** The key of the lock. */
    readonly lock: string,
  ) {
    super(
      `${shard} is still locked by a process that was doubling it: try again; if none is running, delete ${lock} from the server`,
    );
  }
}

/** The error for a filter that was only to be made. */
export function alreadyThere(name: string): Error {
  return argumentError(
    `${name} is on the server already. Leave out create to use it, or choose another name`,
    RangeError,
  );
}

/** The error for a filter of which the shard `key` is lost; `first` is the key of its first. */
export function lostShard(key: string, first: string): FormatError {
  return new FormatError(
    `${key}, a shard of ${first}, is gone from the server with its keys: it was deleted, has expired, or was evicted. ` +
      'Delete the other shards too, call open, and add all keys again',
    'not-a-filter',
  );
}

/** The error for the string `key`. */
export function notMeant(key: string, what: 'gone' | 'differs' | 'no string' | 'never made'): FormatError {
  if (what === 'gone')
    return new FormatError(
      `${key} is gone from the server: it was deleted, has expired, or was evicted. Call open, and add its keys again`,
      'not-a-filter',
    );
  if (what === 'never made')
    return new FormatError(
      `there is no filter ${key} on the server. Leave out create to make it, or look for its name`,
      'not-a-filter',
    );
  if (what === 'no string') return new FormatError(`${key} on the server is not a string`, 'not-a-filter');
  return new FormatError(`${key} on the server is not the filter that was opened`, 'inconsistent');
}
