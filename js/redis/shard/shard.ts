// One shard on the server: the commands sent for it, and what their answers mean. Invariant: an answer counts only if
// the string was this shard of this filter at that moment, with all changes that this process has seen. Otherwise that is
// an error and never "absent". If the table has doubled in between, the question is asked again.
import { argumentError, FormatError } from '../../src/basic-errors.js';
import { HEADER } from '../../src/reader/table.js';
import { RedisGrowthError, RedisRollbackError, swapped, taken, wrong, type Wrong } from '../errors.js';
import * as programs from '../lua/program.lua';
import { bytesOfAnswer, notAnswered, textOfAnswer } from '../server/answers.js';
import type { Asking, Line } from '../server/line.js';
import { codeOf, foundInstead, isWriteRefused, messageOf } from '../server/server-errors.js';
import type { ShardHealth } from '../info.js';
import type { Given, RedisProblem } from '../options.js';
import type { Growth } from './growth.js';
import { FIELD, GROW_AT, slotsOf, TAIL, type Places } from './places.js';
import {
  asFields,
  asSent,
  asString,
  hexOf,
  MOVING,
  numberAt,
  randomIdentity,
  STAMP,
  stamped,
  stageOf,
} from './saved.js';

/** What the programs can do: ../lua/changes.lua, for the first two, and ../lua/whole.lua. */
type Action = 'change' | 'read' | 'look' | 'changed' | 'expire' | 'reset' | 'replace' | 'drop' | Making;
type Making = 'make' | 'hold' | 'made' | 'move';

/** What the shards of a filter share. */
export type Shared = Given & {
  readonly line: Line;
  /** The identity of the filter in hexadecimal; empty until it is known. */
  identity: string;
  /** What the client puts before the names of strings, as the server has told; before that, as `send` tells. */
  prefix: string;
  /** Resolves when the doubling that this process began last is over. */
  lastGrowth?: Promise<void>;
};

/** The shards of a filter. */
export type Shards = readonly [Shard, ...Shard[]];

/** What this process had seen when it sent a command: the highest epoch, and in which era (see Shard). */
export interface Sent {
  readonly least: number;
  readonly era: number;
}

/** What the shard must be when a command is carried out, and who asks. */
export interface Now extends Sent {
  readonly places: Places;
  readonly asking: Asking | undefined;
  /** How often the question is asked, with this time. */
  readonly attempt?: number;
}

/** What is under the key of a shard. */
export interface Found {
  readonly header: Uint8Array;
  readonly index: number;
  /** Whether the shard is complete, so that its header has the identity of the filter. The first one's random bytes are to be that. */
  readonly isMade: boolean;
  readonly identity: string;
  readonly size: number;
  readonly epoch: number;
  /** What tells this string from others that were made under the key. */
  readonly random: Uint8Array;
  /** Whether the table is to double, or is being doubled. */
  readonly growth: 'none' | 'due' | 'doubling';
  /** Undefined if the string is of a filter with other options, of none, or too short or long. */
  readonly places: Places | undefined;
  /** If that was asked, and the user may read it: in how many milliseconds it expires, below 0 for never; and how the server evicts. */
  readonly left: number | undefined;
  readonly policy: string | undefined;
}

/**
 * The bytes of the header that every read compares: the kind with the doublings to come, and from the stamp the index and four bytes
 * of the identity. The epoch is read too: it is 0 only if the string is too short.
 */
const PROOF: readonly number[] = [10, STAMP];

/** Times that a string is looked at again, because it changes meanwhile; besides, the table may double each time. */
const ATTEMPTS = 5;

/** How many of its last changes a process remembers by their epochs: more than it makes while another one is under way. */
const REMEMBERED = 1000;

const NOTHING = new Uint8Array();

/** Given to `look`: also find out what may delete the string. Given to `drop`: also delete a string without an identity. */
const ALL = Uint8Array.of(1);

/** What follows the tail in what look answers. */
const LOOKED = /^([^]*?)(?:\n(-?\d*) ([\w-]*))?$/;

const TEXT = new TextDecoder('utf-8', { ignoreBOM: true });

type Whole = Found & { readonly places: Places };

export class Shard {
  readonly key: string;
  readonly index: number;
  readonly shared: Shared;
  /** The doubling that this process works at. */
  growth: Growth | undefined;
  /** Why this process could not double the shard when it last tried, and when it tries again. */
  failure: { readonly error: unknown; readonly until: number; readonly places: Places } | undefined;
  /** The places of the table when the server was last asked. */
  places: Places;
  /** The places of the table, if it was doubling when the server was last asked. */
  #moving: Places | undefined;
  /** The highest epoch seen, here or by whoever gave the option `epochs`: the number of the shard's last change. A new one has 1. */
  epoch: number;
  #rollback: RedisRollbackError | undefined;
  /** How often this process has noticed a rollback, or has published. */
  #era = 0;
  /** The epochs of the last changes that this process has made in this era. */
  readonly #made = new Set<number>();

  /** Shard `index` of a filter, which begins with these places. */
  constructor(index: number, places: Places, shared: Shared) {
    this.key = index === 0 ? shared.name : `${shared.name}:${index}`;
    this.index = index;
    this.shared = shared;
    this.places = places;
    this.epoch = shared.epochs?.[index] ?? 1;
  }

  /** What this process has seen by now: for `check`, once the answer comes. */
  sent(): Sent {
    return { least: this.shared.acceptStale ? 0 : this.epoch, era: this.#era };
  }

  /**
   * Takes the epoch of the answer to a command; `least` and `era` are from when that was sent. If two changes get the same epoch, the
   * server lost the first while the second was on its way. An answer to a command of an earlier era comes late: it changes nothing.
   * Throws RedisRollbackError.
   */
  check(epoch: number, { least, era }: Sent, isChange = false): void {
    if (era !== this.#era) {
      if (epoch < least && !this.shared.acceptRollback)
        throw this.#rollback ?? new Error(`CUCKOO rollback ${epoch}`);
      return;
    }
    if (epoch < least) this.#fall(epoch);
    else if (isChange && this.#made.has(epoch)) this.#fall(epoch - 1);
    this.epoch = Math.max(this.epoch, epoch);
    if (!isChange) return;
    const [first = 0] = this.#made;
    if (this.#made.size === REMEMBERED) this.#made.delete(first);
    this.#made.add(epoch);
  }

  #fall(found: number): void {
    this.#begin();
    const { acceptRollback } = this.shared;
    const isTold = !acceptRollback && this.#rollback?.found === found;
    this.#rollback = isTold ? this.#rollback : new RedisRollbackError(this.key, this.epoch, found);
    if (!isTold) this.tell(this.#rollback as RedisRollbackError);
    if (!acceptRollback) throw this.#rollback;
    this.epoch = found;
  }

  #begin(): void {
    this.#made.clear();
    ++this.#era;
  }

  #throwIfFallen(): void {
    if (this.#rollback !== undefined && !this.shared.acceptRollback) throw this.#rollback;
  }

  /** Tells the program of what it may not meet in a call of its own. */
  tell(problem: RedisProblem): void {
    // Later, as listeners of events are called, so that what it throws ends no call.
    queueMicrotask(() => this.shared.onProblem?.(problem));
  }

  #headerOf(places: Places): Uint8Array {
    return stamped(places, this.index, this.shared.identity);
  }

  /**
   * The answer of `ask`, which is asked again if the table has doubled. Throws this package's errors where the program
   * fails, or where the key holds something other than a string.
   */
  async upToDate<Answer>(ask: (now: Now) => Promise<Answer>, asking?: Asking): Promise<Answer> {
    for (let attempt = 1; ; ++attempt) {
      const places = this.places;
      this.#throwIfFallen();
      const now: Now = { places, least: this.epoch, era: this.#era, asking, attempt };
      try {
        return await ask(now);
      } catch (error) {
        const [what, epoch] = foundInstead(error);
        if (what === 'rollback') {
          // A question of an earlier era is asked again.
          if (now.era === this.#era) this.#fall(epoch as number);
        } else if (what === 'moving') this.#moving = places;
        else if (what !== 'differs') throw this.#told(error);
        else {
          this.places = this.#whole(await this.look(asking)).places;
          if (attempt === ATTEMPTS + places.stages.length) throw this.wrong('foreign');
        }
      }
    }
  }

  /** `error`; or in its place the one for what the program found instead of the shard, or one that says what to do. */
  #told(error: unknown): unknown {
    const [what] = foundInstead(error);
    const message = messageOf(error);
    if (codeOf(error) === 'READONLY') {
      const stale = '; or, for lookups that may miss keys, open the filter with acceptStale: true';
      const advice = `Connect to the master${this.shared.acceptStale ? '' : stale}`;
      const problem = `READONLY ${this.key} was asked of a server's replica, which may lack the last changes`;
      return new Error(`${problem}. ${advice}`, { cause: error });
    }
    if (/^NOPERM .*\bkeys?\b/.test(message))
      return new Error(`${message}: ${this.strings.join(' or ')}`, { cause: error });
    if (what === 'text')
      return argumentError(
        'send changed the bytes that it was given: it must send each Uint8Array as it is, as fromNodeRedis and fromIoRedis do',
      );
    return what === undefined ? error : this.wrong(what === 'differs' ? 'foreign' : (what as Wrong));
  }

  ask(action: Action, { places, least, asking }: Now, given: Uint8Array = NOTHING): Promise<unknown> {
    // The second key is left out if it is not needed: while a slot moves, the server refuses calls with a key that does not
    // exist (TRYAGAIN).
    const isSecond = action === 'move' || (action === 'drop' && places.stages.length > 1);
    const isNeeded = isSecond || this.#moving === places;
    const header = asSent(this.#headerOf(places));
    const isStale = this.shared.acceptStale && /^(look|changed|read)$/.test(action);
    const words = [action, header, asSent(given), String(this.shared.work), String(isStale ? 0 : least)];
    if (isStale) words.push('stale');
    const program = action === 'change' || action === 'read' ? programs.keys : programs.whole;
    return this.shared.line.run(program, isNeeded ? [this.key, this.nextKey] : [this.key], words, asking);
  }

  run(action: Action, expected: RegExp, given?: Uint8Array, asking?: Asking): Promise<string> {
    return this.upToDate(async (now) => textOfAnswer(expected, await this.ask(action, now, given)), asking);
  }

  /** What is under the key; undefined if there is nothing. Throws FormatError if that is no string. */
  async look(asking?: Asking, given = NOTHING): Promise<Found | undefined> {
    // Only the signal is passed on: whether this fails says nothing about the change that asks.
    const alone = asking && { signal: asking.signal };
    const answer = bytesOfAnswer(await this.#force('look', given, alone));
    const length = numberAt(answer, 0);
    const header = answer.slice(FIELD, FIELD + Math.min(length, HEADER));
    const begin = FIELD + header.length;
    const end = begin + Math.min(length, TAIL);
    const tail = answer.subarray(begin, end);
    const [, whole = '', left, policy] = LOOKED.exec(TEXT.decode(answer.subarray(end))) ?? [];
    if (whole.endsWith(this.key)) this.shared.prefix = whole.slice(0, -this.key.length);
    if (length === 0) return undefined;
    const size = numberAt(tail, 0);
    const stage = stageOf(this.places, header);
    const places = stage?.stringBytes === length ? stage : undefined;
    const isDue = places && places.table.doublings > 0 && size >= GROW_AT * slotsOf(places);
    const identity = hexOf(header.subarray(STAMP + 2, STAMP + 8));
    const isMade = identity !== '000000000000';
    const random = tail.slice(4 * FIELD, 5 * FIELD);
    return {
      header,
      index: (header[STAMP] as number) + 256 * (header[STAMP + 1] as number),
      isMade,
      identity: isMade ? identity : hexOf(random),
      size,
      epoch: numberAt(tail, FIELD),
      random,
      growth: header[MOVING] === 1 ? 'doubling' : isDue === true ? 'due' : 'none',
      places,
      left: left ? Number(left) : undefined,
      policy,
    };
  }

  /** The error for what is wrong with the string. */
  wrong(what: Wrong): FormatError {
    const { prefix, name, places, acceptStale } = this.shared;
    const first = prefix + name;
    const last = places.shards - 1;
    return wrong(
      this.key,
      acceptStale && what === 'gone' ? 'not here' : what,
      last === 0 ? first : `${first} to ${first}:${last}`,
    );
  }

  /** Takes the string that was found, which must be the one that is meant. */
  take(found: Found | undefined, sent: Sent): Whole {
    const whole = this.#whole(found);
    this.places = whole.places;
    if (sent.era === this.#era) this.check(whole.epoch, sent);
    return whole;
  }

  async state(asking?: Asking, given = NOTHING): Promise<Whole> {
    this.#throwIfFallen();
    const sent = this.sent();
    return this.take(await this.look(asking, given), sent);
  }

  /** The string that was found. Throws if it is not the one that is meant. */
  #whole(found: Found | undefined): Whole {
    // Without an identity, it is not this shard: that was lost, and another process began to make a new one.
    if (found?.isMade !== true) throw this.wrong('gone');
    if (found.places === undefined || found.identity !== this.shared.identity) throw this.wrong('foreign');
    if (found.index !== this.index) throw swapped(this.key, found.index, this.index);
    return found as Whole;
  }

  /** Whether a doubling failed here so recently that this process tries again only if a key finds no room. */
  get isResting(): boolean {
    return performance.now() < (this.failure?.until ?? 0);
  }

  /** Whether this process could not double the table, and no other has done so since. */
  isFailed({ growth, places }: Whole): boolean {
    return growth !== 'none' && this.failure?.places === places;
  }

  /** What is wrong with the shard, and what may delete it. An accepted rollback is reported, too. */
  async health(asking?: Asking): Promise<ShardHealth> {
    const { key } = this;
    try {
      const state = await this.state(asking, ALL);
      const { left = -1, policy = '' } = state;
      const isFailed = this.isFailed(state);
      return {
        key,
        error: this.#rollback ?? (isFailed ? new RedisGrowthError(key, this.failure?.error) : undefined),
        expiresIn: left < 0 ? undefined : left,
        evictionPolicy: (left < 0 ? /^allkeys/ : /^(allkeys|volatile)/).test(policy) ? policy : undefined,
      };
    } catch (error) {
      if (!(error instanceof FormatError || error instanceof RedisRollbackError)) throw error;
      return { key, error, expiresIn: undefined, evictionPolicy: undefined };
    }
  }

  /**
   * The bytes of the string that `begins` point to, FIELD bytes each. BITFIELD only reads here, but is a command that a server's
   * replica refuses, in contrast to BITFIELD_RO.
   */
  async bytesAt(now: Now, begins: readonly number[]): Promise<Uint8Array> {
    const { places, asking, attempt = 1 } = now;
    // A replica that lags too far behind, so that it has another string, is not asked again.
    const isStale = this.shared.acceptStale && attempt < 3;
    const sent = isStale ? { ...now, least: 0 } : now;
    const all = [...PROOF, places.stringBytes - TAIL + FIELD, ...begins];
    const words = all.flatMap((begin) => ['GET', `u${8 * FIELD}`, String(8 * begin)]);
    let answer: unknown;
    try {
      answer = await this.shared.line.ask([isStale ? 'BITFIELD_RO' : 'BITFIELD', this.key, ...words], asking);
    } catch (error) {
      if (!isWriteRefused(error)) throw error;
      const read = bytesOfAnswer(await this.ask('read', now, asFields(begins)));
      if (read.length !== FIELD * (1 + begins.length)) throw notAnswered(read);
      this.check(numberAt(read, 0), sent);
      return read.subarray(FIELD);
    }
    const values = Array.isArray(answer) ? answer.map((each) => Number(each ?? NaN)) : [];
    if (values.length !== all.length || !values.every(Number.isInteger)) throw notAnswered(answer);
    const header = this.#headerOf(places);
    const epoch = values[PROOF.length] as number;
    if (epoch === 0 || PROOF.some((at, i) => numberAt(header, at) !== values[i]))
      throw new Error('CUCKOO differs');
    this.check(epoch, sent);
    return asFields(values.slice(PROOF.length + 1));
  }

  /**
   * The key of the string that the table doubles into. It begins as the shard's own, for permissions, and is in the same slot of a
   * cluster: the first braces in it are those of the shard's own key, or have all of that key.
   */
  get nextKey(): string {
    return `${this.key}:next:{${this.shared.prefix}${this.key}}`;
  }

  /** What the server calls the string, and the one that it doubles into if it may grow. */
  get strings(): readonly [own: string, ...next: string[]] {
    const { prefix } = this.shared;
    const own = prefix + this.key;
    return this.places.stages.length > 1 ? [own, prefix + this.nextKey] : [own];
  }

  /** Throws if the table could not double, because the name of the second string is forbidden, or taken. */
  async checkNext(asking?: Asking): Promise<void> {
    const [, next] = this.strings;
    if (next === undefined) return;
    const command = ['GETRANGE', this.nextKey, '0', String(MOVING)];
    const asked = this.shared.line.ask(command, asking).catch((error: unknown) => {
      throw codeOf(error) === 'WRONGTYPE' ? taken(this.key, next) : this.#told(error);
    });
    const begin = bytesOfAnswer(await asked);
    const isFilter = begin[0] === this.places.header[0] && begin[MOVING] !== 2;
    if (isFilter) throw taken(this.key, next);
  }

  /**
   * Moves a piece of a table that is due to double, or is doubling, from the places `full`. Returns the first bucket
   * and the end of the piece; Infinity as the end if the table has doubled.
   */
  async move(full: Places): Promise<readonly [from: number, to: number]> {
    const answer = await this.upToDate(async (now) => {
      const next = now.places === full ? full.stages[full.table.doublings - 1] : undefined;
      // Two bytes tell this doubling from others, of strings that are restored.
      const given = next && Uint8Array.of(...this.#headerOf(next), ...randomIdentity().subarray(0, 2));
      return textOfAnswer(/^(moved|moving \d+ \d+)$/, await this.ask('move', now, given));
    });
    const [, from = 0, to = Infinity] = answer.split(' ').map(Number);
    if (to < Infinity) this.#moving = full;
    return [from, to];
  }

  async reset(asking?: Asking): Promise<void> {
    await this.upToDate(async (now) => {
      const answer = textOfAnswer(/^emptied \d+$/, await this.ask('reset', now));
      this.check(Number(answer.split(' ')[1]), now, true);
    }, asking);
  }

  /** Puts a saved form with these places in place of what is there, even after a rollback. */
  async replace(saved: Uint8Array, places: Places, asking?: Asking): Promise<void> {
    const string = asString(saved, places, this.#headerOf(places), this.epoch + 1);
    const answer = await this.#force('replace', string, asking);
    this.#rollback = undefined;
    this.#begin();
    this.check(
      Number(textOfAnswer(/^replaced \d+$/, answer).split(' ')[1]),
      { least: 0, era: this.#era },
      true,
    );
  }

  /**
   * Deletes the string, and the one that it may double into, even after a rollback. Returns whether it was there. A
   * string without an identity is deleted only if `isBeingMade`: if this filter is complete, the string belongs to another one.
   */
  async drop(isBeingMade: boolean, asking?: Asking): Promise<boolean> {
    const answer = await this.#force('drop', isBeingMade ? ALL : NOTHING, asking);
    return textOfAnswer(/^(dropped|gone)$/, answer) === 'dropped';
  }

  /** What the program answers, whatever the size and the epoch of the string are. */
  #force(action: Action, given: Uint8Array, asking: Asking | undefined): Promise<unknown> {
    const asked = this.ask(action, { places: this.places, least: 0, era: this.#era, asking }, given);
    return asked.catch((error: unknown) => {
      throw this.#told(error);
    });
  }
}
