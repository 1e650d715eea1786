// Errors of calls, with what became of each key; and of strings that are not the filter that was opened.
import { argumentError, FilterFullError, type FullReason } from '../src/errors.js';
import { FormatError } from '../src/basic-errors.js';
import { messageOf } from './server/server-errors.js';

/**
 * What became of a key. `done`: added or deleted. `nothing`: it was already there, or there was nothing to
 * delete. `refused`: definitely not done, because the server refused it or was not asked. Try again. `unknown`: the
 * server was asked, but did not answer, so it may or may not be done.
 */
export type KeyOutcome = 'done' | FullReason | 'nothing' | 'refused' | 'unknown';

/** By the digits that the program answers. */
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

/** The server did not answer within `callMs`. */
export class RedisTimeoutError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisTimeoutError';
  override readonly name = 'RedisTimeoutError';
  readonly code = 'timeout';

  constructor(callMs: number) {
    super(`the server did not answer within ${callMs} ms (option callMs)`);
  }
}

/**
 * A shard has lost changes that this process has seen: the server went back to an earlier state. Calls throw this until
 * the filter is opened with `acceptRollback: true`.
 */
export class RedisRollbackError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisRollbackError';
  override readonly name = 'RedisRollbackError';
  readonly code = 'rollback';
  /** The Redis key of the shard. */
  readonly key: string;
  /** The number of changes that this process has seen, and the one that the server has. */
  readonly seen: number;
  readonly found: number;

  constructor(key: string, seen: number, found: number) {
    super(
      `${key} on the server went back from change ${seen} to change ${found}, as after a restart from an older snapshot: keys ` +
        'added since are lost. Restore or publish a newer copy; or open the filter with acceptRollback: true, and add those keys again',
    );
    this.key = key;
    this.seen = seen;
    this.found = found;
  }
}

/** A shard is due to double, and cannot; `cause` says why. Keys are added while they fit. */
export class RedisGrowthError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisGrowthError';
  override readonly name = 'RedisGrowthError';
  readonly code = 'growth-failed';

  constructor(key: string, cause: unknown) {
    super(`${key} is due to double, which failed: ${messageOf(cause)}`, { cause });
  }
}

/** The error if the filter was only to be made, but exists. */
export function alreadyThere(name: string): Error {
  return argumentError(
    `${name} is on the server already. Leave out create to use it, or choose another name`,
    RangeError,
  );
}

/** What to do about a filter that has lost a part of itself. */
const REPAIR =
  'Restore it from a backup; or delete all its strings, open it again (without identity), and add all keys again';

/** The error for a filter that has lost the shard `key`; `first` is the key of its first shard. */
export function lostShard(key: string, first: string): FormatError {
  return new FormatError(
    `${key === first ? key : `${key}, a shard of ${first},`} is gone from the server with its keys: it was deleted, has expired, or was evicted. ${REPAIR}`,
    'not-a-filter',
  );
}

/** The error if the string `key` is not a shard of the filter `first`, but of another filter. */
export function foreignShard(key: string, first: string): FormatError {
  return new FormatError(
    `${key} on the server is a shard of another filter than ${first}: it was renamed, restored or overwritten. ${REPAIR}`,
    'inconsistent',
  );
}

/** The error if the filter on the server has another identity than the option says; `found` is undefined if there is none. */
export function otherIdentity(name: string, wanted: string, found: string | undefined): FormatError {
  const what =
    found === undefined
      ? 'is gone from the server'
      : `on the server has the identity ${found}: it was made again`;
  return new FormatError(
    `the filter ${name} with the identity ${wanted} ${what}. Restore it from a backup; or open it without identity, and add all keys again`,
    found === undefined ? 'not-a-filter' : 'inconsistent',
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

const NOT_MEANT = {
  differs: ' on the server is not the filter that was opened',
  remade:
    ' on the server is not the filter that was opened: that was deleted and made again, or another was put in its place. ' +
    'Open it again to use the one that is there',
  'no string': ' on the server is not a string',
  'never made': ' on the server is no filter. Leave out create to make it, or look for its name',
};

/** The error for the string `key`. */
export function notMeant(key: string, what: keyof typeof NOT_MEANT): FormatError {
  const isOther = what === 'differs' || what === 'remade';
  return new FormatError(key + NOT_MEANT[what], isOther ? 'inconsistent' : 'not-a-filter');
}
