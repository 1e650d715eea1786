// One shard on the server: the commands sent for it, and what their answers mean. Invariant: an answer counts only if
// the string was this shard of this filter at that moment. If it is gone, or is something else, that is an error and
// never "absent". If the table has doubled in between, the question is asked again.
import { viewOf } from '../../src/reader/arguments.js';
import type { FormatError } from '../../src/basic-errors.js';
import { CHECKSUM } from '../../src/reader/table.js';
import type { Bytes } from '../../src/engine/bytes.js';
import { DELETED, notAnswered, textOf, textOfAnswer } from '../program/answers.js';
import { Lookups } from './lookups.js';
import { notMeant, swappedShard } from '../errors.js';
import { wordsOf } from './fields.js';
import type { Places } from './places.js';
import type { Doubt, Kept, Program, Send } from '../program/program.js';
import {
  asSent,
  bytesOfHex,
  FIELD,
  fieldAt,
  hexOf,
  indexOf,
  randomGeneration,
  writeNumber,
} from './saved.js';
import type { Action } from '../program/script.js';
import { answers, isNoString, isUnknownCommand } from '../program/server-errors.js';
import { PROOF, Stages, type Found } from './stages.js';

/** How much one call may ask of the server. */
export interface Limits {
  /** Keys that are looked up, and keys that are changed. */
  readonly lookups: number;
  readonly changes: number;
  /** Buckets that the program looks at or writes. */
  readonly work: number;
}

/** The string is not as expected. `stage` says how it is, if it belongs to the same filter. */
class Differs {
  constructor(readonly stage?: Places) {}
}

/** Actions that put another string in place of the one that is there. */
const REPLACING: readonly Action[] = ['replace', 'reset', 'move'];

/** Times that a string is looked at again, because a replica may be behind its master. */
const ATTEMPTS = 5;

export class Shard {
  readonly key: string;
  readonly send: Send;
  readonly #name: string;
  readonly #program: Program;
  readonly #lookups = new Lookups(this);
  readonly stages: Stages;
  readonly limits: Limits;
  #places: Places;
  /** The places of the table, if it was doubling when the server was last asked. */
  #moving: Places | undefined;
  #readCommand = 'BITFIELD_RO';
  #givesBytes = true;

  /** Shard `index` of the filter `name`. */
  constructor(
    name: string,
    index: number,
    places: Places,
    { send, program, limits }: { send: Send; program: Program; limits: Limits },
  ) {
    this.key = index === 0 ? name : `${name}:${index}`;
    this.send = send;
    this.#name = name;
    this.#places = places;
    this.#program = program;
    this.limits = limits;
    this.stages = new Stages(index, places);
  }

  /** The places of the table when the server was last asked. */
  get places(): Places {
    return this.#places;
  }

  get givesBytes(): boolean {
    return this.#givesBytes;
  }

  /** Whether the table doubles when it is full; `places` say whether it still can. */
  get grows(): boolean {
    return this.stages.areMany;
  }

  /** A key in the slot of this one in a cluster. */
  keyBeside(name: string): string {
    return this.key.includes('{') ? `${this.key}:${name}` : `{${this.key}}:${name}`;
  }

  /** Copies of each key that `place` gave `words` for, but at most `most`. */
  copies(words: Uint32Array, most: number): Promise<Bytes> {
    return this.#lookups.copies(words, most);
  }

  /**
   * The answer of `ask`, which is asked again if the table has doubled. Errors of the program, and keys of another type
   * than a string, become FormatErrors. `isReading`: replicas may have answered.
   */
  async upToDate<Answer>(ask: (places: Places) => Promise<Answer>, isReading = true): Promise<Answer> {
    for (let attempt = 1; ; ++attempt) {
      const places = this.#places;
      try {
        return await this.#asked(() => ask(places));
      } catch (error) {
        if (answers(error, 'moving')) {
          this.#moving = places;
          continue;
        }
        if (!(error instanceof Differs) && !answers(error, 'differs')) throw error;
        if (error instanceof Differs && error.stage !== undefined) this.#places = error.stage;
        else if (this.grows) await (isReading ? this.#followProof() : this.followMaster());
        if (this.#places === places && (!this.grows || attempt === ATTEMPTS))
          throw (await this.problem()) ?? notMeant(this.key, 'differs');
      }
    }
  }

  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (isNoString(error)) throw notMeant(this.key, 'no string');
      if (answers(error, 'gone')) throw notMeant(this.key, 'gone');
      throw error;
    }
  }

  /** What is under the key on the master; undefined if there is nothing. Throws FormatError if that is no string. */
  async look(): Promise<Found | undefined> {
    const words = ['look', asSent(this.stages.headerOf(this.#places))];
    try {
      const answer = await this.#program.run([this.key], words, 'look');
      const told = bytesOfHex(textOfAnswer('look', answer));
      const header = told.subarray(FIELD + CHECKSUM);
      const generation = told.subarray(FIELD, 2 * FIELD);
      return { length: fieldAt(told, 0), header, generation, isBeingMade: told[FIELD + CHECKSUM - 1] === 1 };
    } catch (error) {
      if (answers(error, 'gone')) return undefined;
      throw isNoString(error) ? notMeant(this.key, 'no string') : error;
    }
  }

  /** Why the string is not the one that is meant; undefined if it is. */
  async problem(): Promise<FormatError | undefined> {
    const found = await this.look();
    if (found === undefined) return notMeant(this.key, 'gone');
    if (this.stages.ofFound(found) === undefined) return notMeant(this.key, 'differs');
    if (!this.stages.isOfFilter(found.header)) return notMeant(this.key, 'remade');
    const index = indexOf(found.header);
    return index === this.stages.index
      ? undefined
      : swappedShard(this.key, this.#name, index, this.stages.index);
  }

  /** Takes the places of the table as it is on the master now. */
  async followMaster(): Promise<void> {
    const found = await this.look();
    if (found === undefined) throw notMeant(this.key, 'gone');
    this.follow(this.stages.own(found.header));
  }

  async #followProof(): Promise<void> {
    const values = await this.#asked(() => this.#numbers(PROOF));
    this.follow(this.stages.proven(values));
  }

  /** Takes these places, if there are any. */
  follow(places: Places | undefined): void {
    this.#places = places ?? this.#places;
  }

  /** The numbers of FIELD bytes at `begins`. */
  async #numbers(begins: Iterable<number>): Promise<number[]> {
    const words = [this.key, ...wordsOf(begins)];
    const command = this.#readCommand;
    const answer = await this.send([command, ...words]).catch((error: unknown) => {
      if (!isUnknownCommand(error) || command === 'BITFIELD') throw error;
      this.#readCommand = 'BITFIELD'; // before Redis 6
      return this.send([this.#readCommand, ...words]);
    });
    const numbers = Array.isArray(answer) ? answer.map((each) => Number(each ?? NaN)) : [];
    if (3 * numbers.length !== words.length - 1 || !numbers.every(Number.isInteger))
      throw notAnswered(answer);
    return numbers;
  }

  /** As Readable of lookups.ts says. */
  async fields(places: Places, begins: Float64Array): Promise<Uint8Array> {
    const end = places.stringBytes - CHECKSUM;
    const values = await this.#numbers([...PROOF, end, ...begins]);
    const { length } = PROOF;
    if (values[0] === 0) throw notMeant(this.key, 'gone');
    const stage = values[length] === 0 ? undefined : this.stages.proven(values);
    if (stage !== places) throw new Differs(stage);
    const bytes = new Uint8Array(FIELD * begins.length);
    for (let i = 0; i < begins.length; ++i) writeNumber(bytes, FIELD * i, values[length + 1 + i] as number);
    return bytes;
  }

  /** As Readable of lookups.ts says. */
  async whole(places: Places): Promise<Bytes | undefined> {
    const given = await this.send(['GET', this.key]);
    if (given === null) throw notMeant(this.key, 'gone');
    const bytes = viewOf(given) as Bytes | undefined;
    this.#givesBytes = bytes !== undefined;
    if (bytes === undefined) return undefined;
    const stage = this.stages.own(bytes);
    if (stage !== places || bytes.length !== places.stringBytes) throw new Differs(stage);
    return bytes;
  }

  /** The records of the blocks, the generation, and the blocks whose records are not `records`; undefined if the client gives text. */
  async changed(places: Places, records: Uint8Array): Promise<Bytes | undefined> {
    const words = ['changed', asSent(this.stages.headerOf(places)), asSent(records)];
    return viewOf(await this.#program.run([this.key], words, 'read')) as Bytes | undefined;
  }

  /** What the program answers, as text. `rest`: where it keeps the answer, and what is told whether an error leaves a doubt. */
  run(
    action: Action,
    given?: (places: Places) => Uint8Array,
    { kept, doubt }: { kept?: Kept | undefined; doubt?: Doubt } = {},
  ): Promise<string> {
    return this.upToDate(async (places) => {
      const keys = [this.key];
      // Left out if it is not needed: while a slot moves, the server refuses calls with a key that does not exist
      // (TRYAGAIN).
      const isNeeded = REPLACING.includes(action) ? places.table.doublings > 0 : this.#moving === places;
      if (isNeeded) keys.push(this.nextKey);
      const words = [
        action,
        asSent(this.stages.headerOf(places)),
        asSent(given?.(places) ?? new Uint8Array()),
        String(this.limits.work),
      ];
      if (kept !== undefined) {
        keys.push(this.keyBeside(kept.key));
        words.push(String(kept.turn));
      }
      return textOfAnswer(action, await this.#program.run(keys, words, 'change', doubt));
    }, false);
  }

  /** The key of the string that the table doubles into. No other filter, whatever its name is, has one with this identity. */
  get nextKey(): string {
    return this.keyBeside(`next:${hexOf(this.stages.identity)}`);
  }

  /**
   * Moves a piece of a table that is due to double, or is doubling, from the places `full`. Returns the first bucket
   * and the end of the piece; Infinity as the end if the table has doubled.
   */
  async move(full: Places): Promise<readonly [from: number, to: number]> {
    const answer = await this.run('move', (places) =>
      places === full ? this.stages.nextHeader(full) : new Uint8Array(),
    );
    const [, from = 0, to = Infinity] = answer.split(' ').map(Number);
    if (to < Infinity) this.#moving = full;
    return [from, to];
  }

  /** Removes all entries. */
  async reset(): Promise<void> {
    await this.run('reset', () => randomGeneration());
  }

  /** Deletes the string, and the one that it may double into. */
  async drop(): Promise<void> {
    const words = this.grows ? [this.key, this.nextKey] : [this.key];
    const answer = await this.send(['DEL', ...words]);
    if (!DELETED.test(textOf(answer))) throw notAnswered(answer);
  }
}
