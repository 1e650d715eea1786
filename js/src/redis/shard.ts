// One shard on the server: what is sent for it, and what the answers mean.
// Invariant: an answer counts only if the string was then the filter that is meant. One that is gone, or is something else, is
// an error and never "absent".
import { FormatError } from '../format-error.js';
import { viewOf } from '../reader/given.js';
import { xxh64, HIGH } from '../reader/hash64.js';
import type { Bytes } from '../wasm/bytes.js';
import type { Located, Places } from './places.js';
import { SCRIPT, type Action } from './script.js';

/** Sends one command, whose first word is its name, and returns the server's answer. */
export type Send = (command: (string | Uint8Array)[]) => Promise<unknown>;

/** Bytes of a number that BITFIELD reads, at most. */
const FIELD = 6;
/** Numbers that one command reads, at most. */
const FIELDS = 2000;
/** Bytes after the table. On the server they count changes; in the saved form they are the checksum. */
const TRAILER = 8;

/** The script copies the whole string, which is worth it up to this many bytes per key. */
const BYTES_PER_KEY = 2000;

let scriptName: Promise<string> | undefined;

/** Bytes as clients take them: in Node, a Buffer. */
function asSent(bytes: Uint8Array): Uint8Array {
  const { Buffer } = globalThis as {
    Buffer?: { from(buffer: ArrayBufferLike, at: number, length: number): Uint8Array };
  };
  return Buffer?.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) ?? bytes;
}

/** The text of an answer, which may be bytes. */
function textOf(answer: unknown): string {
  const bytes = viewOf(answer);
  return bytes === undefined ? String(answer) : String.fromCharCode(...bytes);
}

function says(error: unknown, words: RegExp): boolean {
  return error instanceof Error && words.test(error.message);
}

export class Shard {
  readonly #header: Uint8Array;
  /**
   * Reads that every lookup makes as well: of the header magic, kind, number of buckets and seed; and the count of changes, which
   * is 0 only if the string ends before it.
   */
  readonly #proof: readonly string[];
  readonly #proven: readonly number[];
  #readCommand = 'BITFIELD_RO';
  #givesBytes = true;

  constructor(
    readonly key: string,
    readonly places: Places,
    readonly send: Send,
  ) {
    const fields = [0, 10, 24, 48];
    this.#header = asSent(places.header);
    this.#proof = [...fields, places.stringBytes - TRAILER].flatMap((at) => getOf(at, FIELD));
    this.#proven = fields.map((at) =>
      places.header.subarray(at, at + FIELD).reduce((sum, byte) => 256 * sum + byte, 0),
    );
  }

  /** The words that read bucket `b` in a BITFIELD. */
  #getBucket(b: number): string[] {
    const { bucketBytes } = this.places;
    return getOf(72 + b * bucketBytes, bucketBytes);
  }

  /** The numbers that `gets`, the words of several reads, give. */
  async read(gets: readonly string[]): Promise<number[]> {
    const answer = await this.#asked(async () => {
      const words = [this.key, ...this.#proof, ...gets];
      try {
        return await this.send([this.#readCommand, ...words]);
      } catch (error) {
        if (!says(error, /unknown command/i) || this.#readCommand === 'BITFIELD') throw error;
        this.#readCommand = 'BITFIELD'; // before Redis 6
        return this.send([this.#readCommand, ...words]);
      }
    });
    const values = (answer as unknown[]).map(Number);
    const { length } = this.#proven;
    const isProven = values[length] !== 0 && this.#proven.every((value, i) => values[i] === value);
    if (!isProven) throw this.#notMeant(values[0] === 0 ? 'gone' : 'differs');
    return values.slice(length + 1);
  }

  /** Copies of each key. */
  async count(keys: readonly Located[]): Promise<number[]> {
    const { places } = this;
    const { buckets } = places;
    const bytes = (await this.#readBuckets(keys)) ?? (await this.#readFields(keys));
    return keys.map(({ primary, alternate, fingerprint }, i) => {
      const at = 16 * places.bucketBytes * i;
      const copies = buckets.copies(bytes, at, fingerprint, 1);
      return (
        copies +
        (alternate === primary ? 0 : buckets.copies(bytes, at + 8 * places.bucketBytes, fingerprint, 1))
      );
    });
  }

  /**
   * The two buckets of each key, by the script: one word to send instead of six per key, which takes clients several times as
   * long as the server. Undefined if there are too few keys for the copy that it makes, or if the client returns text.
   */
  async #readBuckets(keys: readonly Located[]): Promise<Uint8Array | undefined> {
    if (!this.#givesBytes || this.places.stringBytes > BYTES_PER_KEY * keys.length) return undefined;
    const pairs = new Uint32Array(2 * keys.length);
    keys.forEach(({ primary, alternate }, i) => {
      pairs[2 * i] = primary;
      pairs[2 * i + 1] = alternate;
    });
    const answer = viewOf(await this.#evaluated('read', new Uint8Array(pairs.buffer)));
    this.#givesBytes = answer !== undefined;
    return answer;
  }

  /** The same by plain reads. */
  async #readFields(keys: readonly Located[]): Promise<Uint8Array> {
    const { bucketBytes } = this.places;
    const values = await this.read(
      keys.flatMap(({ primary, alternate }) => [...this.#getBucket(primary), ...this.#getBucket(alternate)]),
    );
    const bytes = new Uint8Array(bucketBytes * values.length);
    values.forEach((value, i) => writeValue(bytes, bucketBytes * i, bucketBytes, value));
    return bytes;
  }

  /** What the script answers, as text. `answerKey` is where it keeps the answer. */
  async run(action: Action, packed?: Uint8Array, answerKey?: string): Promise<string> {
    return textOf(await this.#evaluated(action, packed, answerKey));
  }

  async #evaluated(
    action: Action,
    packed: Uint8Array = new Uint8Array(),
    answerKey?: string,
  ): Promise<unknown> {
    const keys = answerKey === undefined ? [this.key] : [this.key, answerKey];
    const words = [String(keys.length), ...keys, action, this.#header, asSent(packed)];
    return this.#asked(async () => {
      scriptName ??= nameOf(SCRIPT);
      const name = await scriptName;
      try {
        return await this.send(['EVALSHA', name, ...words]);
      } catch (error) {
        if (!says(error, /NOSCRIPT/)) throw error;
        return this.send(['EVAL', SCRIPT, ...words]); // which loads it
      }
    });
  }

  /** Number of entries, and of changes, since it was made. */
  async state(): Promise<{ readonly size: number; readonly revision: number }> {
    const { stringBytes } = this.places;
    const values = await this.read([...getOf(40, FIELD), ...getOf(stringBytes - TRAILER, FIELD)]);
    const [size = 0, revision = 0] = values.map(reversed);
    return { size, revision };
  }

  /** The saved form, and the number of changes that it contains. */
  async saved(): Promise<{ readonly bytes: Bytes; readonly revision: number }> {
    const { stringBytes, header } = this.places;
    const bytes = new Uint8Array(stringBytes);
    const given = await this.#asked(() => this.send(['GET', this.key]));
    if (given === null) throw this.#notMeant('gone');
    const answer = viewOf(given);
    if (answer !== undefined) {
      const isMeant =
        answer.length === stringBytes && header.every((byte, at) => byte === answer[at] || isSize(at));
      if (!isMeant) throw this.#notMeant('differs');
      bytes.set(answer);
    } else await this.#readAsNumbers(bytes);
    const revision = fieldAt(bytes, stringBytes - TRAILER);
    return { bytes: sealed(bytes), revision };
  }

  /** Puts a filter of the same parameters in place of this one, in one step. */
  async replace(saved: Uint8Array): Promise<void> {
    const { header, stringBytes } = this.places;
    const isMeant =
      saved.length === stringBytes && header.every((byte, at) => byte === saved[at] || isSize(at));
    if (!isMeant) throw new RangeError('the filter must have the parameters in info().options');
    const bytes = saved.slice();
    bytes.set(randomRevision(), stringBytes - TRAILER);
    bytes.fill(0, stringBytes - TRAILER + FIELD);
    await this.send(['SET', this.key, asSent(bytes)]);
  }

  /** For clients that return text, which damages bytes. If others change the filter meanwhile, it reads again. */
  async #readAsNumbers(bytes: Uint8Array): Promise<void> {
    const { stringBytes } = this.places;
    const ends: number[] = [];
    for (let at = 0; at < stringBytes; at += FIELD) ends.push(Math.min(at + FIELD, stringBytes));
    for (let attempt = 0; attempt < 20; ++attempt) {
      const { revision } = await this.state();
      for (let first = 0; first < ends.length; first += FIELDS) {
        const some = ends.slice(first, first + FIELDS);
        const values = await this.read(some.flatMap((end) => getOf(end - FIELD, FIELD)));
        values.forEach((value, i) => writeValue(bytes, (some[i] as number) - FIELD, FIELD, value));
      }
      if ((await this.state()).revision === revision) return;
    }
    const advice = 'have `send` return bytes (Buffers) for GET, which reads it in one step';
    throw new Error(`${this.key} changes faster than it can be read: ${advice}`);
  }

  /** What `ask` gives; errors of the script and of strings that are no strings become FormatErrors. */
  async #asked<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
    try {
      return await ask();
    } catch (error) {
      if (says(error, /CUCKOO gone/)) throw this.#notMeant('gone');
      if (says(error, /CUCKOO differs/)) throw this.#notMeant('differs');
      if (says(error, /WRONGTYPE/)) throw this.#notMeant('no string');
      throw error;
    }
  }

  #notMeant(what: 'gone' | 'differs' | 'no string'): FormatError {
    const { key } = this;
    if (what === 'gone')
      return new FormatError(`${key} is gone from the server: it was deleted, or evicted`, 'not-a-filter');
    if (what === 'no string') return new FormatError(`${key} on the server is not a string`, 'not-a-filter');
    return new FormatError(`${key} on the server is not the filter that was opened`, 'inconsistent');
  }
}

/** The words that read `bytes` bytes from byte `at` on, as a number whose first byte is the highest. */
function getOf(at: number, bytes: number): string[] {
  return ['GET', `u${8 * bytes}`, String(8 * at)];
}

/** Writes a number that BITFIELD gave: `count` bytes, of which the first is the highest. */
function writeValue(bytes: Uint8Array, at: number, count: number, value: number): void {
  const low = value % 2 ** 24;
  const high = (value - low) / 2 ** 24;
  for (let i = 0; i < count; ++i) {
    const from = count - 1 - i;
    bytes[at + i] = from < 3 ? low >>> (8 * from) : high >>> (8 * (from - 3));
  }
}

/** Whether the header's byte `at` is one of the number of entries. */
function isSize(at: number): boolean {
  return at >= 40 && at < 48;
}

/** The number at `at`, the lowest byte first. */
function fieldAt(bytes: Uint8Array, at: number): number {
  return bytes.subarray(at, at + FIELD).reduceRight((sum, byte) => 256 * sum + byte, 0);
}

/** A number of FIELD bytes with its bytes in the other order. */
function reversed(value: number): number {
  let other = 0;
  for (let i = 0; i < FIELD; ++i, value = Math.floor(value / 256)) other = 256 * other + (value % 256);
  return other;
}

/** What a new shard counts its changes from: another number than one of that name had before, and never 0. */
export function randomRevision(): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(FIELD)).fill(1, FIELD - 1);
}

/** The bytes of a string from the server as a saved form: with the checksum. */
function sealed(bytes: Bytes): Bytes {
  const view = new DataView(bytes.buffer);
  const end = bytes.length - TRAILER;
  view.setInt32(end, xxh64(bytes, end, 0, 0), true);
  view.setInt32(end + 4, HIGH[0] as number, true);
  return bytes;
}

/** The SHA-1 by which the server knows a script. */
async function nameOf(script: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(script));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
