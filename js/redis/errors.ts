// Errors of calls, with what became of each key; and of strings that are not the filter that was opened.
import { argumentError, FilterFullError, FormatError } from '../src/errors.js';
import type { FormatErrorCode, FullReason } from '../src/errors.js';
import { messageOf } from './server/server-errors.js';
import { placesOf, SEED, type Places } from './shard/places.js';
import type { Found, Shard } from './shard/shard.js';

/**
 * What became of a key. `done`: added or deleted. `nothing`: it was already there, there was nothing to delete, or
 * it was only looked up. `refused`: definitely not done, because the server refused it or was not asked. Try again.
 * `unknown`: the server was asked, but did not answer, so it may or may not be done.
 */
export type KeyOutcome = 'done' | FullReason | 'nothing' | 'refused' | 'unknown';

/** What is no answer of the server, in place of one. */
export const REFUSED = 254;
export const UNKNOWN = 255;

/** What became of a key, by the digit that the program answered. */
export function outcomeOf(answer: number): KeyOutcome {
  if (answer >= REFUSED) return answer === REFUSED ? 'refused' : 'unknown';
  return (['done', 'full', 'too-many-copies', 'nothing'] as const)[answer] as KeyOutcome;
}

/** Some keys of a batch do not fit; the others were added. */
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

/**
 * `error` with the property `outcomes`. If it takes no property, or has this one with other outcomes from another call (calls that
 * were sent together share an error), it becomes the `cause` of a new error that carries the property.
 */
export function errorWith(error: unknown, outcomes: readonly KeyOutcome[]): unknown {
  const { outcomes: told } = Object(error) as { outcomes?: unknown };
  if (Array.isArray(told) && String(told) === String(outcomes)) return error;
  const isFit = Object.isExtensible(error) && told === undefined;
  const carrier = isFit ? (error as object) : new Error(String(error), { cause: error });
  // The new error keeps the name and the code.
  for (const kept of isFit ? [] : ['name', 'code']) {
    const { [kept]: text } = Object(error) as Record<string, unknown>;
    if (typeof text === 'string') Object.defineProperty(carrier, kept, { value: text });
  }
  return Object.defineProperty(carrier, 'outcomes', { value: outcomes, configurable: true });
}

/** What a call waited for in vain, and what to do. */
export const LATE = {
  server: ['the server did not answer', 'check the server'],
  sending: ['the client could not send the command', 'check its connection and the server'],
  doubling: ['the shard did not double', 'try again'],
} as const;

/** The server did not answer within `callMs`, the client could not send the command, or a shard that must double first took longer. */
export class RedisTimeoutError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisTimeoutError';
  override readonly name = 'RedisTimeoutError';
  readonly code = 'timeout';

  constructor(callMs: number, [what, advice]: readonly [what: string, advice: string] = LATE.server) {
    super(`${what} within ${callMs} ms: ${advice}, or raise callMs`);
  }
}

/**
 * A shard has lost changes that this process has seen: the server went back to an earlier state. Calls go on throwing
 * this, even after another process has repaired the filter, until this process opens it again or calls `publish`.
 */
export class RedisRollbackError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisRollbackError';
  override readonly name = 'RedisRollbackError';
  readonly code = 'rollback';
  /** The Redis key of the shard. */
  readonly key: string;
  /** The number of changes that this process has seen, and the number that the server has. */
  readonly seen: number;
  readonly found: number;

  constructor(key: string, seen: number, found: number) {
    super(
      `${key} on the server lost its last changes (it is at change ${found}, this process has seen change ${seen}). ` +
        'Restore or publish a newer copy, then open the filter again, without epochs, in every process that threw ' +
        'this; or open it with acceptRollback: true, and add the lost keys again',
    );
    this.key = key;
    this.seen = seen;
    this.found = found;
  }
}

/** A shard must double but cannot; `cause` says why. Keys are still added while they fit. */
export class RedisGrowthError extends Error {
  /** @internal */
  static override readonly name: string = 'RedisGrowthError';
  override readonly name = 'RedisGrowthError';
  readonly code = 'growth-failed';

  constructor(key: string, cause: unknown) {
    const advice =
      'Keys are still added while they fit. Mend the cause; the next add that finds no room tries again';
    super(`${key} must double, but that failed. ${advice}. The cause: ${messageOf(cause)}`, { cause });
  }
}

/** What to do about a filter that has lost a part of itself. */
const REPAIR =
  'To repair the filter, restore it from a backup; or delete all its strings (STRINGS) with ' +
  'RedisCuckooFilter.drop(options), or DEL if that throws, open it again (without identity), and add all keys again';

/** The same, for a key that may never have held the filter. */
const ELSEWHERE = `For a new filter, choose another name. ${REPAIR}`;

/** What may be wrong with the string under a key, and the code. */
const WRONG = {
  gone: [
    `is gone from the server, and its keys are lost with it: it was deleted, has expired, was evicted, or was never made whole. ${REPAIR}`,
    'not-a-filter',
  ],
  foreign: [
    'on the server belongs to another filter than the one you opened: it was made again, renamed, restored or overwritten. ' +
      `To use the filter that is there, open it without identity. ${REPAIR}`,
    'inconsistent',
  ],
  other: [`on the server holds something else, not a filter. ${ELSEWHERE}`, 'not-a-filter'],
  cut: [`on the server is not as long as its header says, or half copied. ${ELSEWHERE}`, 'cut-short'],
  'not here': [
    "is not on the server that answered. A server's replica may not have it yet: ask the master, without acceptStale",
    'not-a-filter',
  ],
  'not kept': [
    'on the server vanishes each time that it is made: it is deleted or evicted. Give the server more memory (maxmemory), or a policy that does not evict it',
    'not-a-filter',
  ],
  'never made': [
    'on the server does not exist, or is still being made. To make it, leave out create: false; otherwise check the name',
    'not-a-filter',
  ],
} as const satisfies Record<string, readonly [string, FormatErrorCode]>;

/** What is wrong with the string under a key. */
export type Wrong = keyof typeof WRONG;

/** The error for the string `key`, one of the `strings` of a filter. */
export function wrong(key: string, what: Wrong, strings: string): FormatError {
  const [message, code] = WRONG[what];
  return new FormatError(`${key} ${message.replace('STRINGS', () => strings)}`, code);
}

/** The error if the string that `key` is to double into is something else. */
export function taken(key: string, next: string): FormatError {
  return new FormatError(
    `${next} on the server is something else, but ${key} needs that name to grow. Delete it, or choose another name for the filter`,
    'inconsistent',
  );
}

/** The error if shard `found` of some filter is under the key of shard `wanted`. */
export function swapped(key: string, found: number, wanted: number): FormatError {
  return new FormatError(
    `${key} on the server is shard ${found} of a filter, where shard ${wanted} should be: it was renamed or restored under ` +
      'that name, or two filters use that name. Give each shard, and each filter, its own name',
    'inconsistent',
  );
}

/** The error if the string that was found was not made with the shard's options; undefined if it only lacks bytes or keys. */
export function differs(shard: Shard, { header, index: found }: Found): Error | undefined {
  const { key, index } = shard;
  const wanted = shard.places.stages[(header[15] as number) >> 2] ?? shard.places;
  const sizesOf = ({ shards, table: { parameters } }: Places): Record<string, number> => ({
    shards,
    'capacity (maxCapacity) of a shard': parameters.maxCapacity,
    'bucketSize (falsePositiveRate)': parameters.bucketSize,
    'fingerprintBits (falsePositiveRate)': parameters.fingerprintBits,
    'buckets (capacity)': parameters.bucketCount,
  });
  const here = sizesOf(wanted);
  let there: typeof here;
  try {
    const places = placesOf(header);
    // The name may be that of a shard of another filter.
    if (index === 0 && found > 0 && found < places.shards) return swapped(key, found, index);
    there = sizesOf(places);
  } catch (error) {
    const { code } = error as FormatError;
    const what =
      code === 'not-a-filter'
        ? 'holds something else, not a filter'
        : 'holds a damaged filter, or one of another kind or version';
    return new FormatError(`${key} on the server ${what}. Choose another name`, code);
  }
  const told = Object.keys(here)
    .filter((name) => there[name] !== here[name])
    .map((name) => `${name} ${there[name]} instead of ${here[name]}`);
  // The hash, and what tells its secret key.
  const hashOf = (bytes: Uint8Array): string => String([bytes[12], ...bytes.subarray(SEED + 2, SEED + 8)]);
  if (told.length > 0)
    return argumentError(
      `${key} was made with other options: ${told.join(', ')}. Open it with the options it was made with, or choose another name`,
      RangeError,
    );
  if (hashOf(wanted.header) === hashOf(header)) return undefined;
  return new FormatError(
    `${key} was made with another hash, or another secret key. Open it with the same options.hash, or choose another name`,
    'wrong-key',
  );
}
