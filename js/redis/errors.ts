// Errors of batches, with what became of each key; and of strings that are not the filter that was opened.
import { argumentError, FilterFullError, type FullReason } from '../src/errors.js';
import { FormatError } from '../src/basic-errors.js';

/**
 * What became of a key of a batch. `done`: added or deleted. `nothing`: it was already there, or there was nothing to
 * delete. `refused`: definitely not done, because the server refused it or was not asked. Try again. `unknown`: the
 * server was asked, but did not answer, so it may or may not be done.
 */
export type KeyOutcome = 'done' | FullReason | 'nothing' | 'refused' | 'unknown';

/** By the digits that the script answers. */
export const OUTCOMES = ['done', 'full', 'too-many-copies', 'nothing', 'refused', 'unknown'] as const;
/** What is no answer. */
export const REFUSED = 4;
export const UNKNOWN = 5;

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

/** The server refused some keys of a batch, or did not answer; `cause` says why. */
export class RedisBatchError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisBatchError';
  override readonly name = 'RedisBatchError';
  readonly code = 'redis-batch';
  /** What became of each key, in order. For an iterable, of the keys that it had yielded. */
  readonly outcomes: readonly KeyOutcome[];

  constructor(message: string, outcomes: readonly KeyOutcome[], cause: unknown) {
    super(message, { cause });
    this.outcomes = outcomes;
  }
}

/** The error if the filter was only to be made, but exists. */
export function alreadyThere(name: string): Error {
  return argumentError(
    `${name} is on the server already. Leave out create to use it, or choose another name`,
    RangeError,
  );
}

/** The error for a filter that has lost the shard `key`; `first` is the key of its first shard. */
export function lostShard(key: string, first: string): FormatError {
  return new FormatError(
    `${key}, a shard of ${first}, is gone from the server with its keys: it was deleted, has expired, or was evicted. ` +
      'Restore it from a backup; or delete all shards, call open, and add all keys again',
    'not-a-filter',
  );
}

/** The error if the string `key` is not a shard of the filter `first`, but of another filter. */
export function foreignShard(key: string, first: string): FormatError {
  return new FormatError(
    `${key} on the server is a shard of another filter than ${first}: it was renamed, restored or overwritten. ` +
      'Restore it from a backup; or delete all shards, call open, and add all keys again',
    'inconsistent',
  );
}

/** The error if shard `found` of the filter `first` is under the key of shard `wanted`. */
export function swappedShard(key: string, first: string, found: number, wanted: number): FormatError {
  return new FormatError(
    `${key} on the server is shard ${found} of the filter ${first}, where shard ${wanted} should be: it was renamed or restored ` +
      'under that name. Give each shard its own name',
    'inconsistent',
  );
}

/** The error if the name of a filter is that of a shard of the filter `owner`. */
export function isShardOf(name: string, owner: string): Error {
  return argumentError(`${name} is a string of the filter ${owner}. Choose another name`, RangeError);
}

/** The error for the string `key`. */
export function notMeant(
  key: string,
  what: 'gone' | 'differs' | 'remade' | 'no string' | 'never made',
): FormatError {
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
  const advice =
    what === 'remade'
      ? ': that was deleted and made again, or another was put in its place. Call open to use the one that is there'
      : '';
  return new FormatError(`${key} on the server is not the filter that was opened${advice}`, 'inconsistent');
}
