// One shard on the server: what is sent for it, and what the answers mean.
// Invariant: an answer counts only if the string was then the filter that is meant. One that is gone, or is something else, is
// an error and never "absent". The table of a filter that grows may have doubled meanwhile: then it is asked again.
import { viewOf } from '../reader/arguments.js';
import { CHECKSUM } from '../reader/table.js';
import type { Bytes } from '../engine/bytes.js';
import { DELETED, notAnswered, textOf, textOfAnswer } from './answers.js';
import { Lookups } from './lookups.js';
import { notMeant } from './errors.js';
import { packedBegins, wordsOf } from './fields.js';
import { placesAt, type Places } from './places.js';
import { Program, says, type Send } from './program.js';
import {
  asSent,
  bytesOfHex,
  FIELD,
  fieldAt,
  isHeader,
  randomRevision,
  sealed,
  withRevision,
  writeNumber,
} from './saved.js';
import type { Action } from './script.js';

/** Numbers that one command reads, at most. */
const FIELDS = 2000;
/**
 * Bytes of the header that every read compares: magic, kind with the doublings to come, number of buckets and seed. The count of
 * changes, after the table, is read too: it is 0 only if the string ends before it.
 */
const PROOF = [0, 10, 24, 48];

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
  readonly #program: Program;
  readonly #lookups = new Lookups(this);
  /** The places at each number of doublings to come. */
  readonly #stages: (Places | undefined)[];
  #places: Places;
  #readCommand = 'BITFIELD_RO';
  #givesBytes = true;

  constructor(key: string, places: Places, send: Send) {
    this.key = key;
    this.send = send;
    this.#places = places;
    this.#program = new Program(send);
    this.#stages = Array<Places | undefined>(places.table.doublings).fill(undefined).concat(places);
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
    return this.#stages.length > 1;
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
        if (!(error instanceof Differs) && !says(error, /CUCKOO differs/)) throw error;
        if (error instanceof Differs && error.stage !== undefined) this.#places = error.stage;
        else if (this.grows) await (isReading ? this.#followProof() : this.followMaster());
        if (this.#places === places && (!this.grows || attempt === ATTEMPTS))
          throw notMeant(this.key, 'differs');
      }
    }
  }

  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (says(error, /WRONGTYPE/)) throw notMeant(this.key, 'no string');
      if (says(error, /CUCKOO gone/)) throw notMeant(this.key, 'gone');
      throw error;
    }
  }

  /** Takes the places of the table as it is on the master now. */
  async followMaster(): Promise<void> {
    this.#places = (await this.#asked(() => this.#stageThere())) ?? this.#places;
  }

  /** The places of the table that is on the master, if it is of this filter. */
  async #stageThere(): Promise<Places | undefined> {
    const words = ['header', asSent(this.#places.header)];
    const header = textOfAnswer('header', await this.#program.run([this.key], words, false));
    return this.#stageOf(bytesOfHex(header));
  }

  async #followProof(): Promise<void> {
    const values = await this.#asked(() => this.#numbers(PROOF));
    this.#places = this.#stageProven(values) ?? this.#places;
  }

  /** The places that the numbers at PROOF are of, if they are of this filter. */
  #stageProven(values: readonly number[]): Places | undefined {
    const stage = this.#stageAt(((values[1] as number) % 256) >> 2);
    return stage !== undefined && isProven(stage, values) ? stage : undefined;
  }

  #stageAt(doublings: number): Places | undefined {
    if (doublings >= this.#stages.length) return undefined;
    return (this.#stages[doublings] ??= placesAt(this.#places, doublings));
  }

  /** Takes the places of a table that has grown, whose string begins with `header`; false if it is none of this filter. */
  followsGrown(header: Uint8Array): boolean {
    const stage = this.#stageOf(header);
    if (stage === undefined || stage === this.#places) return false;
    this.#places = stage;
    return true;
  }

  #stageOf(header: Uint8Array): Places | undefined {
    const stage = this.#stageAt((header[15] as number) >> 2);
    return stage !== undefined && isHeader(stage, header) ? stage : undefined;
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
      if (!says(error, /unknown (redis )?command/i) || this.#readCommand === 'BITFIELD') throw error;
      this.#readCommand = 'BITFIELD'; // before Redis 6
      return ask(this.#readCommand);
    }
  }

  /** As Readable of lookups.ts says. */
  async fields(places: Places, begins: Float64Array, isMany: boolean): Promise<Uint8Array> {
    if (isMany && this.#givesBytes) {
      const answer = viewOf(
        await this.#reading((command) => {
          const words = asSent(packedBegins(command, begins));
          return this.#program.run([this.key], ['read', asSent(places.header), words], true);
        }),
      );
      this.#givesBytes = answer !== undefined;
      if (answer !== undefined) return answer;
    }
    const end = places.stringBytes - CHECKSUM;
    const values = await this.#numbers([...PROOF, end, ...begins]);
    const { length } = PROOF;
    if (values[0] === 0) throw notMeant(this.key, 'gone');
    const stage = values[length] === 0 ? undefined : this.#stageProven(values);
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
    const stage = this.#stageOf(bytes);
    if (stage !== places || bytes.length !== places.stringBytes)
      throw new Differs(stage === places ? undefined : stage);
    return bytes;
  }

  /** What the program answers, as text. `rest`: the key that keeps the answer, or the word that holds the lock. */
  run(
    action: Action,
    given?: (places: Places) => Uint8Array,
    rest: { kept?: string; word?: string } = {},
  ): Promise<string> {
    return this.upToDate(async (places) => {
      const keys = [this.key, this.keyBeside('growing')];
      if (rest.kept !== undefined) keys.push(rest.kept);
      const words: (string | Uint8Array)[] = [
        action,
        asSent(places.header),
        asSent(given?.(places) ?? new Uint8Array()),
      ];
      if (rest.word !== undefined) words.push(rest.word);
      return textOfAnswer(action, await this.#program.run(keys, words, false));
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
      const bytes = (await this.whole(places)) ?? (await this.#readAsNumbers(places));
      const revision = fieldAt(bytes, places.stringBytes - CHECKSUM);
      return { bytes: sealed(bytes.slice()), revision, places };
    });
  }

  /** Throws RangeError if `saved` is not a filter of the same parameters, which has doubled as often as a shard of this one may. */
  checkReplacement(saved: Uint8Array): void {
    if (this.#stageOf(saved)?.stringBytes !== saved.length)
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
    await this.run('replace', () => withRevision(saved, randomRevision()));
  }

  /** Whether a filter of these parameters is there. */
  async isThere(): Promise<boolean> {
    return (await this.#stageThere().catch(() => undefined)) !== undefined;
  }

  /** Whether there is anything under the key. */
  async isMade(): Promise<boolean> {
    try {
      await this.#program.run([this.key], ['header', asSent(this.#places.header)], false);
    } catch (error) {
      if (says(error, /CUCKOO gone/)) return false;
      if (!says(error, /WRONGTYPE/)) throw error;
    }
    return true;
  }

  /** Deletes the string. */
  async drop(): Promise<void> {
    const answer = await this.send(['DEL', this.key]);
    if (!DELETED.test(textOf(answer))) throw notAnswered(answer);
  }

  /** For clients that return text, which damages bytes. If others change the filter meanwhile, it reads again. */
  async #readAsNumbers(places: Places): Promise<Bytes> {
    const { stringBytes } = places;
    const begins = Float64Array.from({ length: Math.ceil(stringBytes / FIELD) }, (_, i) => FIELD * i);
    const bytes = new Uint8Array(FIELD * begins.length);
    const revision = async (): Promise<string> =>
      String(await this.fields(places, Float64Array.of(stringBytes - CHECKSUM), false));
    for (let attempt = 0; attempt < 20; ++attempt) {
      const before = await revision();
      for (let first = 0; first < begins.length; first += FIELDS)
        bytes.set(await this.fields(places, begins.subarray(first, first + FIELDS), false), FIELD * first);
      if ((await revision()) === before) return bytes.slice(0, stringBytes);
    }
    const advice = 'have `send` return bytes (Buffers) for GET, which reads it in one step';
    throw new Error(`${this.key} changes faster than it can be read: ${advice}`);
  }
}

/** Whether the numbers at PROOF are those of `places`. */
function isProven({ header }: Places, values: readonly number[]): boolean {
  return PROOF.every(
    (at, i) => header.subarray(at, at + FIELD).reduce((sum, byte) => 256 * sum + byte, 0) === values[i],
  );
}
