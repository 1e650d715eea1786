// The options of a RedisCuckooFilter, and what they must be.
import { check, requiredError } from '../src/errors.js';
import { checkedSignal, type AsyncOptions } from '../src/keys/signals.js';
import type { HashOption } from '../src/options/options.js';
import { readOptions } from '../src/options/read.js';
import { BOOLEAN, checkOption, FILTER_OPTIONS, FUNCTION, integer } from '../src/options/rules.js';
import { secretOf } from '../src/options/secret.js';
import { MOST_SHARDS, placesFor, shardsFor, type Places } from './shard/places.js';
import type { RedisGrowthError, RedisRollbackError } from './errors.js';
import type { Send } from './server/line.js';

/** Where the filter is, and what it must hold. All processes must pass the same options. */
export interface RedisFilterOptions extends AsyncOptions {
  /**
   * A function that sends one command (an array whose first word is its name) and returns the server's answer, with
   * bytes as Buffers: `fromNodeRedis(client)`, `fromIoRedis(client)`, or your own. It must reject with the server's
   * errors, with their messages unchanged (they begin with a code), and must not send a command twice.
   */
  readonly send: Send;
  /** The Redis key of the first shard. The others add `:1`, `:2` and so on. */
  readonly name: string;
  /** Number of entries that must fit: an integer from 1 to 2^34. A key added twice counts twice. */
  readonly capacity: number;
  /**
   * Number of entries that must fit once the filter has grown: an integer from `capacity` to 2^34. Default `capacity`,
   * so the filter does not grow. Until it has grown fully, it takes one more bit per key for each doubling to come.
   */
  readonly maxCapacity?: number | undefined;
  /**
   * The probability that an absent key is reported present when the filter is full: at least 2.01e-7 and less than 1.
   * Default 0.001.
   */
  readonly falsePositiveRate?: number | undefined;
  /**
   * The hash function. If strangers choose the keys, use `siphash-1-3` with a key of 16 secret bytes, the same in all processes;
   * it never reaches the server. Default `xxh64`. `open` throws a FormatError if the filter was made with another one.
   */
  readonly hash?: HashOption | undefined;
  /**
   * Number of Redis strings that hold the filter, which a cluster spreads over its nodes: an integer from 1 to 16,384.
   * Default: as many as keep each string at about 2 MiB or less; 1 for a million keys.
   */
  readonly shards?: number | undefined;
  /**
   * `true`: creates the filter, and throws if it exists. `false`: opens an existing one only. Default: opens it, or
   * creates it if no part of it exists.
   */
  readonly create?: boolean | undefined;
  /**
   * A saved `filter.identity`: `open` accepts only that filter, and throws if it is lost or was made again. Default:
   * any.
   */
  readonly identity?: string | undefined;
  /**
   * The `filter.epochs` that your program saved together with `identity`. `open` throws RedisRollbackError if a shard
   * is behind them, because it has lost changes. Default: not checked.
   */
  readonly epochs?: readonly number[] | undefined;
  /**
   * `true`: carry on even if a shard has lost changes, now or later. `verify` still reports it. Default `false`: calls
   * throw RedisRollbackError.
   */
  readonly acceptRollback?: boolean | undefined;
  /**
   * `true`: a server's replica may answer lookups, and `open`, `info`, `verify` and `replica()` if the client is connected to one.
   * It may lack the last changes, so that "absent" may be wrong. Default `false`: such calls throw an error that begins
   * with READONLY.
   */
  readonly acceptStale?: boolean | undefined;
  /**
   * How long a call may wait for the server, in milliseconds: an integer from 1 to 2^31 - 1. Default 10,000. After that, the
   * call ends, even while a shard doubles, and changes that were sent are `unknown`; a batch ends if no answer comes for so
   * long. A command that the server refuses for the moment (LOADING,
   * TRYAGAIN, CLUSTERDOWN, MASTERDOWN, BUSY) is retried until then.
   */
  readonly callMs?: number | undefined;
  /**
   * Called when a shard could not double, or has lost changes, with the error that says so, even if no call throws it. What
   * it throws is an uncaught exception.
   */
  readonly onProblem?: ((problem: RedisProblem) => void) | undefined;
  /**
   * Roughly how long one call may keep the server busy, in microseconds: an integer from 100 to 1,000,000. Default
   * 2000. Redis does one thing at a time, so others wait that long. Batches, and the doubling of a shard, are split
   * into calls accordingly.
   */
  readonly callMicros?: number | undefined;
}

/** What `onProblem` is told. */
export type RedisProblem = RedisGrowthError | RedisRollbackError;

/** Options as `open` needs them. */
export type Given = RedisFilterOptions & {
  readonly maxCapacity: number;
  readonly falsePositiveRate: number;
  readonly callMs: number;
  /** The most that one call does: keys changed; and keys looked up, or buckets that the program reads or writes. */
  readonly changes: number;
  readonly work: number;
  readonly places: Places;
};

const IS_TAGGED = /^[^{}]*(\{[^{}]+\}[^{}]*)?$/;

const OPTIONS = {
  send: {
    rule: 'fromNodeRedis(client), fromIoRedis(client), or a function of your own',
    types: ['function'],
  },
  name: {
    rule: 'a string that is not empty, with { and } only around a hash tag',
    types: ['string'],
    // Half a surrogate pair has no bytes of its own.
    allows: (name: string) => IS_TAGGED.test(name) && !/^$|\p{Surrogate}/u.test(name),
  },
  capacity: FILTER_OPTIONS.capacity,
  maxCapacity: undefined,
  falsePositiveRate: FILTER_OPTIONS.falsePositiveRate,
  hash: undefined,
  shards: integer(1, MOST_SHARDS, '16,384'),
  create: BOOLEAN,
  identity: {
    rule: '12 hexadecimal digits',
    types: ['string'],
    allows: (identity: string) => /^[0-9a-f]{12}$/.test(identity),
  },
  epochs: undefined,
  acceptRollback: BOOLEAN,
  acceptStale: BOOLEAN,
  callMs: integer(1, 2 ** 31 - 1, '2^31 - 1'),
  callMicros: integer(100, 1e6, '1,000,000'),
  onProblem: FUNCTION,
  signal: undefined,
};

/** The options, checked. Throws TypeError and RangeError. */
export function checkedOptions(options: RedisFilterOptions): Given {
  if ('client' in Object(options)) throw requiredError('send', OPTIONS.send.rule);
  const given = readOptions<RedisFilterOptions>(
    options,
    OPTIONS,
    'options',
    "{ send: fromNodeRedis(client), name: 'seen', capacity: 1000 }",
  );
  for (const option of ['send', 'name', 'capacity'] as const)
    if (given[option] === undefined) throw requiredError(option, OPTIONS[option].rule);
  const { send, capacity, maxCapacity = capacity, falsePositiveRate = 0.001, identity, epochs } = given;
  const { keyPrefix = '' } = send as Send & { keyPrefix?: unknown };
  const isFit = typeof keyPrefix !== 'string' || IS_TAGGED.test(keyPrefix);
  check('keyPrefix of the client', 'a string with { and } only around a hash tag', keyPrefix, isFit);
  const rule = `an integer from capacity (${capacity}) to 2^34`;
  checkOption('maxCapacity', maxCapacity, { ...integer(capacity, 2 ** 34), rule });
  const { shards = shardsFor(maxCapacity, falsePositiveRate), callMicros = 2000 } = given;
  const isList = Array.isArray(epochs) && epochs.length === shards && epochs.every(Number.isSafeInteger);
  const isGood = epochs === undefined || (isList && identity !== undefined);
  check('epochs', `${shards} integers, as filter.epochs gives them, beside identity`, epochs, isGood);
  return {
    ...given,
    signal: checkedSignal(given.signal),
    callMs: given.callMs ?? 10_000,
    maxCapacity,
    falsePositiveRate,
    // What a change near empty, and a lookup or work on a bucket, take on a slow machine.
    changes: Math.ceil(callMicros / 12),
    work: Math.ceil(callMicros / 4),
    places: placesFor(capacity, maxCapacity, falsePositiveRate, shards, secretOf(given.hash)),
  };
}
