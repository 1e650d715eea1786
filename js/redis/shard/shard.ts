// One shard on the server: the commands sent for it, and what their answers mean. Invariant: an answer counts only if
// the string was this shard of this filter at that moment, with all changes that this process has seen. Otherwise that is
// an error and never "absent". If the table has doubled in between, the question is asked again.
import type { Bytes } from '../../src/engine/bytes.js';
import { lostShard, notMeant, RedisGrowthError, RedisRollbackError, swappedShard } from '../errors.js';
import {
  bytesOfAnswer,
  DELETED,
  notAnswered,
  textOf,
  textOfAnswer,
  type TextAction,
} from '../server/answers.js';
import type { Asking, Line } from '../server/line.js';
import { runProgram, type Action } from '../server/program.js';
import { answers, epochIn, isNoString } from '../server/server-errors.js';
import { FIELD, TAIL, type Places } from './places.js';
import { asSent, hexOf, indexOf, writeNumber } from './saved.js';
import { foundIn, PROOF, Stages, type Found } from './stages.js';

/** How much one call may ask of the server. */
export interface Limits {
  /** Keys that are looked up, and keys that are changed. */
  readonly lookups: number;
  readonly changes: number;
  /** Buckets that the program looks at or writes. */
  readonly work: number;
}

/** What the shards of a filter share. */
export interface Shared {
  readonly name: string;
  readonly line: Line;
  readonly limits: Limits;
  /** Whether calls go on after a rollback. */
  readonly acceptRollback: boolean;
}

/** Actions that put another string in place of the one that is there. */
const REPLACING: readonly Action[] = ['replace', 'reset', 'move'];

/** Times that a string is looked at again, because it changes meanwhile. */
const ATTEMPTS = 5;

const NOTHING = new Uint8Array();

export class Shard {
  readonly key: string;
  readonly stages: Stages;
  readonly shared: Shared;
  /** Why this process could not double the shard, when it last tried. */
  growthError: unknown;
  #places: Places;
  /** The places of the table, if it was doubling when the server was last asked. */
  #moving: Places | undefined;
  #seen = 0;
  #rollback: { readonly seen: number; readonly found: number } | undefined;

  /** Shard `index` of a filter. */
  constructor(index: number, places: Places, shared: Shared) {
    this.key = index === 0 ? shared.name : `${shared.name}:${index}`;
    this.shared = shared;
    this.#places = places;
    this.stages = new Stages(index, places);
  }

  /** The places of the table when the server was last asked. */
  get places(): Places {
    return this.#places;
  }
  /** Takes these places, if there are any. */
  follow(places: Places | undefined): void {
    this.#places = places ?? this.#places;
  }

  /** The highest epoch seen: the number of the shard's last change. */
  get epoch(): number {
    return this.#seen;
  }

  /** Takes the epoch of an answer. `least` had been seen when the command was sent. Throws RedisRollbackError. */
  check(epoch: number, least: number): void {
    if (epoch >= least) this.#seen = Math.max(this.#seen, epoch);
    else this.#fall(epoch);
  }

  #fall(found: number): void {
    this.#rollback = { seen: Math.max(this.#seen, this.#rollback?.seen ?? 0), found };
    if (!this.shared.acceptRollback) throw this.#rollbackError();
    this.#seen = found;
  }

  #rollbackError(): RedisRollbackError | undefined {
    return this.#rollback && new RedisRollbackError(this.key, this.#rollback.seen, this.#rollback.found);
  }

  /** Whether the table doubles when it is full; `places` say whether it still can. */
  get grows(): boolean {
    return this.stages.areMany;
  }

  /**
   * The answer of `ask`, which is asked again if the table has doubled. `least` is the epoch that the shard must have.
   * Errors of the program, and keys of another type than a string, become those of this package.
   */
  async upToDate<Answer>(
    ask: (places: Places, least: number) => Promise<Answer>,
    asking?: Asking,
  ): Promise<Answer> {
    for (let attempt = 1; ; ++attempt) {
      const places = this.#places;
      if (this.#rollback !== undefined && !this.shared.acceptRollback) throw this.#rollbackError();
      try {
        return await ask(places, this.#seen);
      } catch (error) {
        if (isNoString(error)) throw notMeant(this.key, 'no string');
        if (answers(error, 'gone')) throw lostShard(this.key, this.shared.name);
        if (answers(error, 'rollback')) this.#fall(epochIn(error));
        else if (answers(error, 'moving')) this.#moving = places;
        else if (!answers(error, 'differs')) throw error;
        else {
          if (this.grows && this.#places === places) await this.#lookAndFollow(asking);
          if (this.#places !== places) continue;
          const problem = await this.#problem(asking);
          if (problem !== undefined || attempt === ATTEMPTS) throw problem ?? notMeant(this.key, 'differs');
        }
      }
    }
  }

  /** The program's answer, of whatever kind. */
  #ask(
    action: Action,
    places: Places,
    least: number,
    given: Uint8Array = NOTHING,
    asking?: Asking,
  ): Promise<unknown> {
    const keys = [this.key];
    // Left out if it is not needed: while a slot moves, the server refuses calls with a key that does not exist
    // (TRYAGAIN).
    const isNeeded = REPLACING.includes(action) ? places.table.doublings > 0 : this.#moving === places;
    if (isNeeded) keys.push(this.nextKey);
    const header = asSent(this.stages.headerOf(places));
    const words = [action, header, asSent(given), String(this.shared.limits.work), String(least)];
    return runProgram(this.shared.line, keys, words, asking);
  }

  /** What the program answers, as text. */
  run(action: TextAction, given?: (places: Places) => Uint8Array, asking?: Asking): Promise<string> {
    return this.upToDate(
      async (places, least) =>
        textOfAnswer(action, await this.#ask(action, places, least, given?.(places), asking)),
      asking,
    );
  }

  /** What is under the key; undefined if there is nothing. Throws FormatError if that is no string. */
  async look(asking?: Asking): Promise<Found | undefined> {
    try {
      const answer = await this.#ask('look', this.#places, 0, NOTHING, { signal: asking?.signal });
      return foundIn(bytesOfAnswer(answer));
    } catch (error) {
      if (answers(error, 'gone')) return undefined;
      throw isNoString(error) ? notMeant(this.key, 'no string') : error;
    }
  }

  async #lookAndFollow(asking?: Asking): Promise<Found> {
    const found = await this.look(asking);
    if (found === undefined) throw lostShard(this.key, this.shared.name);
    this.follow(this.stages.own(found.header));
    return found;
  }

  /** Takes the places of the table as it is now. */
  async followServer(): Promise<void> {
    await this.#lookAndFollow();
  }

  /** The shard as it is now: its places, how full it is, and whether it is being doubled. */
  async state(asking?: Asking): Promise<Found & { readonly places: Places }> {
    const least = this.#seen;
    const found = await this.#lookAndFollow(asking);
    const problem = this.#problemOf(found);
    if (problem !== undefined) throw problem;
    this.check(found.epoch, least);
    return { ...found, places: this.#places };
  }

  /** Why the string is not the one that is meant; undefined if it is. */
  async #problem(asking?: Asking): Promise<Error | undefined> {
    return this.#problemOf(await this.look(asking));
  }

  #problemOf(found: Found | undefined): Error | undefined {
    if (found === undefined) return lostShard(this.key, this.shared.name);
    if (this.stages.ofFound(found) === undefined) return notMeant(this.key, 'differs');
    if (!this.stages.isOfFilter(found.header)) return notMeant(this.key, 'remade');
    const index = indexOf(found.header);
    if (index === this.stages.index) return undefined;
    return swappedShard(this.key, this.shared.name, index, this.stages.index);
  }

  /** What is wrong with the shard; undefined if nothing is. A rollback that was accepted is told, too. */
  async health(asking?: Asking): Promise<Error | undefined> {
    const least = this.#seen;
    const found = await this.look(asking);
    const problem = this.#problemOf(found);
    if (found === undefined || problem !== undefined) return problem;
    if (found.epoch < least) this.#rollback ??= { seen: least, found: found.epoch };
    const growth = this.growthError && new RedisGrowthError(this.key, this.growthError);
    return this.#rollbackError() ?? (growth as Error | undefined);
  }

  /** The bytes of the string that `begins` point to, FIELD bytes each. */
  async fields(places: Places, least: number, begins: Float64Array, asking?: Asking): Promise<Uint8Array> {
    const words = ['BITFIELD_RO', this.key];
    const at = (begin: number): void => void words.push('GET', `u${8 * FIELD}`, String(8 * begin));
    for (const begin of PROOF) at(begin);
    at(places.stringBytes - TAIL + FIELD);
    for (const begin of begins) at(begin);
    const answer = await this.shared.line.ask(words, asking);
    const values = Array.isArray(answer) ? answer.map((each) => Number(each ?? NaN)) : [];
    if (3 * values.length !== words.length - 2 || !values.every(Number.isInteger)) throw notAnswered(answer);
    if (values[0] === 0) throw lostShard(this.key, this.shared.name);
    const { length } = PROOF;
    const epoch = values[length] as number;
    const stage = epoch === 0 ? undefined : this.stages.proven(values);
    if (stage !== places) {
      this.follow(stage);
      throw new Error('CUCKOO differs');
    }
    this.check(epoch, least);
    const bytes = new Uint8Array(FIELD * begins.length);
    for (let i = 0; i < begins.length; ++i) writeNumber(bytes, FIELD * i, values[length + 1 + i] as number);
    return bytes;
  }

  /** The program's answer to changes of keys, as `packed` gave them. */
  change(places: Places, least: number, given: Uint8Array, asking: Asking): Promise<unknown> {
    return this.#ask('change', places, least, given, asking);
  }

  /** What has changed since a copy was made: ../lua/main.lua. */
  async changed(places: Places, least: number, known: Uint8Array): Promise<Bytes> {
    return bytesOfAnswer(await this.#ask('changed', places, least, known)) as Bytes;
  }

  /** The key of the string that the table doubles into, in the same slot of a cluster. No other filter has one with this identity. */
  get nextKey(): string {
    const { keyPrefix } = this.shared.line;
    const whole = keyPrefix + this.key;
    const begin = whole.includes('{') ? this.key : `{${whole}}`;
    return `${begin}:next:${hexOf(this.stages.identity)}`;
  }

  /**
   * Moves a piece of a table that is due to double, or is doubling, from the places `full`. Returns the first bucket
   * and the end of the piece; Infinity as the end if the table has doubled.
   */
  async move(full: Places): Promise<readonly [from: number, to: number]> {
    const answer = await this.run('move', (places) =>
      places === full ? this.stages.nextHeader(full) : NOTHING,
    );
    const [, from = 0, to = Infinity] = answer.split(' ').map(Number);
    if (to < Infinity) this.#moving = full;
    return [from, to];
  }

  /** Removes all entries. */
  async reset(asking?: Asking): Promise<void> {
    this.#took(await this.run('reset', undefined, asking));
  }

  /** Puts `string` in place of what is there, even after a rollback. */
  async replace(string: Uint8Array, asking?: Asking): Promise<void> {
    const answer = await this.#ask('replace', this.#places, 0, string, asking).catch((error: unknown) => {
      if (isNoString(error)) throw notMeant(this.key, 'no string');
      throw answers(error, 'differs') ? notMeant(this.key, 'differs') : error;
    });
    this.#rollback = undefined;
    this.#took(textOfAnswer('replace', answer));
  }

  #took(answer: string): void {
    this.check(Number(answer.split(' ')[1]), 0);
  }

  /** Deletes the string, and the one that it may double into. */
  async drop(asking?: Asking): Promise<void> {
    const words = this.grows ? [this.key, this.nextKey] : [this.key];
    const answer = await this.shared.line.ask(['DEL', ...words], asking);
    if (!DELETED.test(textOf(answer))) throw notAnswered(answer);
  }
}
