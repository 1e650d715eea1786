// One shard on the server: what is sent for it, and what the answers mean.
// Invariant: an answer counts only if the string was then this shard of the filter that is meant. One that is gone, or is
// something else, is an error and never "absent". The table of a filter that grows may have doubled meanwhile: then it is asked again.
import { viewOf } from '../../reader/arguments.js';
import type { FormatError } from '../../basic-errors.js';
import { CHECKSUM } from '../../reader/table.js';
import type { Bytes } from '../../engine/bytes.js';
import { DELETED, notAnswered, textOf, textOfAnswer } from '../program/answers.js';
import { Lookups } from './lookups.js';
import { notMeant, swappedShard } from '../errors.js';
import { packedBegins, readByNumbers, wordsOf } from './fields.js';
import type { Places } from './places.js';
import type { Doubt, Program, Send } from '../program/program.js';
import {
  asSent,
  asString,
  bytesOfHex,
  FIELD,
  fieldAt,
  indexOf,
  randomRevision,
  sealed,
  writeNumber,
} from './saved.js';
import type { Action } from '../program/script.js';
import { answers, isNoString, isUnknownCommand } from '../program/server-errors.js';
import { PROOF, Stages, type Found } from './stages.js';

/** How full a shard is, and how often it has changed since it was made. */
export interface ShardState {
  readonly places: Places;
  readonly size: number;
  readonly revision: number;
}

/** The string is not as was asked for, but as `stage` says, if that is of the same filter. */
class Differs extends Error {
  constructor(readonly stage?: Places) {
    super('the string on the server is of another size');
  }
}

/** Times that a string is looked at again, because a replica may be behind its master. */
const ATTEMPTS = 5;

export class Shard {
  readonly key: string;
  readonly send: Send;
  readonly #name: string;
  readonly #program: Program;
  readonly #lookups = new Lookups(this);
  readonly stages: Stages;
  #places: Places;
  #readCommand = 'BITFIELD_RO';
  #givesBytes = true;

  /** Shard `index` of the filter `name`. */
  constructor(name: string, index: number, places: Places, send: Send, program: Program) {
    this.key = index === 0 ? name : `${name}:${index}`;
    this.send = send;
    this.#name = name;
    this.#places = places;
    this.#program = program;
    this.stages = new Stages(index, places);
  }

  /** Those of the table as it was when the server was asked last. */
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
   * What `ask` gives; asked again if the table has doubled. Errors of the program and of strings that are no strings are
   * FormatErrors. `isReading`: replicas may have been asked.
   */
  async upToDate<Answer>(ask: (places: Places) => Promise<Answer>, isReading = true): Promise<Answer> {
    for (let attempt = 1; ; ++attempt) {
      const places = this.#places;
      try {
        return await this.#asked(() => ask(places));
      } catch (error) {
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
    const words = ['look', asSent(this.#headerOf(this.#places))];
    try {
      const answer = await this.#program.run([this.key], words, false);
      const told = bytesOfHex(textOfAnswer('look', answer));
      const header = told.subarray(FIELD + 1);
      return { length: fieldAt(told, 0), header, isBeingMade: told[FIELD] === 1 };
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

  #headerOf(places: Places): Uint8Array {
    return this.stages.headerOf(places);
  }

  /** The numbers of FIELD bytes at `begins`. */
  async #numbers(begins: Iterable<number>): Promise<number[]> {
    const words = [this.key, ...wordsOf(begins)];
    const answer = await this.#reading((command) => this.send([command, ...words]));
    if (!Array.isArray(answer)) throw notAnswered(answer);
    return answer.map(Number);
  }

  /** What `ask` gives with the command that the server has. */
  async #reading<Answer>(ask: (command: string) => Promise<Answer>): Promise<Answer> {
    try {
      return await ask(this.#readCommand);
    } catch (error) {
      if (!isUnknownCommand(error) || this.#readCommand === 'BITFIELD') throw error;
      this.#readCommand = 'BITFIELD'; // before Redis 6
      return ask(this.#readCommand);
    }
  }

  /** As Readable of lookups.ts says. */
  async fields(places: Places, begins: Float64Array, isMany: boolean): Promise<Uint8Array> {
    if (isMany && this.#givesBytes) {
      const answer = viewOf(
        await this.#reading((command) => {
          const words = ['read', asSent(this.#headerOf(places)), asSent(packedBegins(command, begins))];
          // BITFIELD may write, so it has no place in a Function that only reads.
          return this.#program.run([this.key], words, command === 'BITFIELD_RO');
        }),
      );
      this.#givesBytes = answer !== undefined;
      if (answer !== undefined) return answer;
    }
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
    if (stage !== places || bytes.length !== places.stringBytes)
      throw new Differs(stage === places ? undefined : stage);
    return bytes;
  }

  /**
   * What the program answers, as text. `rest`: the key that keeps the answer, the word that holds the lock, and what is told whether
   * an error leaves a doubt.
   */
  run(
    action: Action,
    given?: (places: Places) => Uint8Array,
    rest: { kept?: string; word?: string; doubt?: Doubt } = {},
  ): Promise<string> {
    const { kept, word, doubt } = rest;
    return this.upToDate(async (places) => {
      const keys = [this.key];
      // Left out where it is not needed: while a slot moves, the server refuses calls with a key that is not there (TRYAGAIN).
      if (word !== undefined || places.table.doublings > 0) keys.push(this.keyBeside('growing'));
      if (kept !== undefined) keys.push(kept);
      const words: (string | Uint8Array)[] = [
        action,
        asSent(this.#headerOf(places)),
        asSent(given?.(places) ?? new Uint8Array()),
      ];
      if (word !== undefined) words.push(word);
      return textOfAnswer(action, await this.#program.run(keys, words, false, doubt));
    }, false);
  }

  /** Number of entries, and of changes since it was made. */
  state(): Promise<ShardState> {
    return this.upToDate(async (places) => {
      const bytes = await this.fields(places, Float64Array.of(40, places.stringBytes - CHECKSUM), false);
      return { places, size: fieldAt(bytes, 0), revision: fieldAt(bytes, FIELD) };
    });
  }

  /** The saved form, and the number of changes that it contains. */
  saved(): Promise<{ readonly bytes: Bytes; readonly revision: number; readonly places: Places }> {
    return this.upToDate(async (places) => {
      const bytes =
        (await this.whole(places)) ??
        (await readByNumbers(this.key, places, (begins) => this.fields(places, begins, false)));
      const revision = fieldAt(bytes, places.stringBytes - CHECKSUM);
      return { bytes: sealed(bytes.slice()), revision, places };
    });
  }

  /** Throws RangeError if `saved` is not a filter of the same parameters, which has doubled as often as a shard of this one may. */
  checkReplacement(saved: Uint8Array): void {
    if (this.stages.like(saved)?.stringBytes !== saved.length)
      throw new RangeError(
        `the filter has other options than the one on the server. ${
          this.#places.shards === 1
            ? 'Make it with new CuckooFilter((await redisFilter.info()).options)'
            : 'Publish a replica of a filter with the same options'
        }`,
      );
  }

  /** Puts a filter that was checked in place of this one, in one step. */
  async replace(saved: Uint8Array): Promise<void> {
    await this.run('replace', () => this.stringOf(saved, randomRevision()));
  }

  /** A saved form as the string of this shard. */
  stringOf(saved: Uint8Array, revision: Uint8Array): Uint8Array {
    return asString(saved, this.#headerOf(this.#places), revision);
  }

  /** Deletes the string. */
  async drop(): Promise<void> {
    const answer = await this.send(['DEL', this.key]);
    if (!DELETED.test(textOf(answer))) throw notAnswered(answer);
  }
}
