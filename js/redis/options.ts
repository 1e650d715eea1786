// The options of a RedisCuckooFilter, and what they must be.
import { check, FIELD_RULES, requiredError } from '../src/errors.js';
import type { AsyncOptions } from '../src/keys/signals.js';
import { readOptions } from '../src/options/read.js';
import { placesFor, shardsFor, type Places } from './shard/places.js';
import type { Send } from './server/line.js';
import type { Limits } from './shard/shard.js';

/** Where the filter is, and what it must hold. All processes must give the same options. */
export interface RedisFilterOptions extends AsyncOptions {
  /**
   * A function that sends one command (an array whose first word is its name) and returns the server's answer, with
   * bytes as Buffers: `fromNodeRedis(client)`, `fromIoRedis(client)`, or your own. It must reject with the server's
   * errors, and must not send a command twice.
   */
  readonly send: Send;
  /** The Redis key of the first shard. The others add `:1`, `:2` and so on. */
  readonly name: string;
  /** Number of keys that must fit: an integer from 1 to 2^34. Each copy of a key counts. */
  readonly capacity: number;
  /**
   * Number of keys that must fit once the filter has grown: an integer from `capacity` to 2^34. Default `capacity`: it
   * does not grow. A smaller table takes one more bit per key for every doubling still to come.
   */
  readonly maxCapacity?: number | undefined;
  /** The probability that an absent key is reported present when the filter is full: from 2.01e-7 up, below 1. Default 0.001. */
  readonly falsePositiveRate?: number | undefined;
  /**
   * Number of Redis strings that hold the filter, which a cluster spreads over its nodes: an integer from 1 to 65,536.
   * Default: enough that each has at most about 2 MiB, which is 1 for a million keys.
   */
  readonly shards?: number | undefined;
  /**
   * `true`: only makes the filter, and throws if it exists. `false`: only finds it, and throws if it does not exist.
   * Default: finds it, or makes it if no part of it exists.
   */
  readonly create?: boolean | undefined;
  /** The `identity` of a filter: opens only that one. If it is lost, or was made again, `open` throws. Default: any. */
  readonly identity?: string | undefined;
  /**
   * The `epochs` that a program has kept, with `identity`. `open` throws RedisRollbackError if a shard has a lower one:
   * it has lost changes. Default: whatever is there.
   */
  readonly epochs?: readonly number[] | undefined;
  /** `true`: goes on although a shard has lost changes, now or later. `verify` tells. Default `false`: calls throw RedisRollbackError. */
  readonly acceptRollback?: boolean | undefined;
  /**
   * How long the server may take to answer a command, in milliseconds: an integer from 1 to 2^31 - 1. Default 10,000.
   * After that, the call ends, and changes are `unknown`. A command that the server refuses for the moment (LOADING,
   * TRYAGAIN, CLUSTERDOWN, MASTERDOWN, BUSY) is tried again for as long.
   */
  readonly callMs?: number | undefined;
  /**
   * Roughly how long one call may keep the server busy, in microseconds: an integer from 100 to 1,000,000. Default
   * 2000. Redis does one thing at a time, so others wait that long. Batches, and the doubling of a shard, are split
   * into calls accordingly.
   */
  readonly callMicros?: number | undefined;
}

/** Options as `open` needs them. */
export type Given = RedisFilterOptions & {
  readonly maxCapacity: number;
  readonly rate: number;
  readonly acceptRollback: boolean;
  readonly callMs: number;
  readonly limits: Limits;
  readonly places: Places;
};

const NAMES =
  'send name capacity maxCapacity falsePositiveRate shards create identity epochs acceptRollback callMs callMicros signal';
const MOST = 2 ** 34;

/** The rules for options without a default. */
const RULES = {
  send: 'fromNodeRedis(client), fromIoRedis(client), or a function of your own',
  name: 'a string that is not empty, with { and } only around a hash tag',
  capacity: 'an integer from 1 to 2^34',
};

/** The options, checked. Throws TypeError and RangeError. */
export function checkedOptions(options: RedisFilterOptions): Given {
  if ('client' in Object(options)) throw requiredError('send', RULES.send);
  const given = readOptions<RedisFilterOptions>(
    options,
    NAMES.split(' '),
    'options',
    "{ send: fromNodeRedis(client), name: 'seen', capacity: 1000 }",
  );
  const {
    send,
    name,
    capacity,
    maxCapacity = capacity,
    falsePositiveRate = 0.001,
    shards,
    create,
    identity,
    epochs,
    acceptRollback = false,
    callMs = 10_000,
    callMicros = 2000,
  } = given;
  for (const option of ['send', 'name', 'capacity'] as const)
    if (given[option] === undefined) throw requiredError(option, RULES[option]);
  check('send', RULES.send, send, typeof send === 'function');
  // Half a surrogate pair has no bytes of its own.
  const isName =
    typeof name === 'string' && /^[^{}]*(\{[^{}]+\}[^{}]*)?$/.test(name) && !/^$|\p{Surrogate}/u.test(name);
  check('name', RULES.name, name, typeof name === 'string', isName);
  const { keyPrefix } = send as Send & { keyPrefix?: unknown };
  const isTagged = typeof keyPrefix !== 'string' || /^[^{}]*(\{[^{}]+\}[^{}]*)?$/.test(keyPrefix);
  check('keyPrefix of the client', 'a string with { and } only around a hash tag', keyPrefix, isTagged);
  const whole = (label: string, value: unknown, least: number, most: number, shown: string): void =>
    check(
      label,
      shown,
      value,
      typeof value === 'number',
      Number.isInteger(value) && (value as number) >= least && (value as number) <= most,
    );
  whole('capacity', capacity, 1, MOST, RULES.capacity);
  whole('maxCapacity', maxCapacity, capacity, MOST, `an integer from capacity (${capacity}) to 2^34`);
  if (shards !== undefined) whole('shards', shards, 1, 65_536, 'an integer from 1 to 65,536');
  whole('callMs', callMs, 1, 2 ** 31 - 1, 'an integer from 1 to 2^31 - 1');
  whole('callMicros', callMicros, 100, 1e6, 'an integer from 100 to 1,000,000');
  check('create', 'true or false', create, ['undefined', 'boolean'].includes(typeof create));
  check('acceptRollback', 'true or false', acceptRollback, typeof acceptRollback === 'boolean');
  if (identity !== undefined)
    check(
      'identity',
      '12 hexadecimal digits',
      identity,
      typeof identity === 'string',
      /^[0-9a-f]{12}$/.test(identity),
    );
  const isRate = falsePositiveRate > 0 && falsePositiveRate < 1;
  check(
    'falsePositiveRate',
    FIELD_RULES.falsePositiveRate,
    falsePositiveRate,
    typeof falsePositiveRate === 'number',
    isRate,
  );
  const count = shards ?? shardsFor(maxCapacity, falsePositiveRate);
  if (epochs !== undefined) {
    const isList = Array.isArray(epochs) && epochs.length === count;
    const rule = `${count} integers, as filter.epochs gives them, beside identity`;
    check('epochs', rule, epochs, isList && identity !== undefined && epochs.every(Number.isSafeInteger));
  }
  return {
    ...given,
    maxCapacity,
    rate: falsePositiveRate,
    acceptRollback,
    callMs,
    // What a lookup, a change near empty, and work on a bucket take on a slow machine.
    limits: {
      lookups: Math.ceil(callMicros / 4),
      changes: Math.ceil(callMicros / 12),
      work: Math.ceil(callMicros / 4),
    },
    places: placesFor(capacity, maxCapacity, falsePositiveRate, count),
  };
}
