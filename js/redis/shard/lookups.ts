// Lookups in one shard. Calls made at the same moment go to the server together, with the command that is cheapest for
// so many keys. Invariant: commands are sent after the call, so that the answer includes everything that was
// acknowledged before it.
import type { Bytes } from '../../src/engine/bytes.js';
import { HEADER } from '../../src/reader/table.js';
import { bitOf, copiesAt, WORDS, type Places } from './places.js';
import { FIELD } from './saved.js';

/**
 * Up to this many bytes of a shard per key, the whole string is fetched. That takes three times the network traffic of
 * BITFIELD, and a fifth of the server's time.
 */
const WHOLE = 320;
/** Most bytes fetched at once. */
const MOST_WHOLE = 2 ** 20;

/** For how many turns of the promise queue calls are gathered: as many as a batch takes to get here. */
const GATHERING = 12;

/** What the lookups need of a shard. */
export interface Readable {
  readonly places: Places;
  /** Whether the client returns bytes. Text is damaged. */
  readonly givesBytes: boolean;
  /** The whole string; undefined if the client returns text. */
  whole(places: Places): Promise<Uint8Array | undefined>;
  /** Numbers of FIELD bytes, from these bytes of the string on. */
  fields(places: Places, begins: Float64Array): Promise<Uint8Array>;
  /** Most keys that one command looks up. */
  readonly limits: { readonly lookups: number };
  /** The answer of `ask`, which is asked again if the table has doubled in between. */
  upToDate<Answer>(ask: (places: Places) => Promise<Answer>): Promise<Answer>;
}

interface Asked {
  readonly words: Uint32Array;
  /** The largest number of copies that is told. */
  readonly most: number;
  readonly found: Bytes;
}

export class Lookups {
  readonly #shard: Readable;
  #asked: Asked[] = [];
  #answer: Promise<void> | undefined;

  constructor(shard: Readable) {
    this.#shard = shard;
  }

  /** Copies of each key that `place` gave `words` for, but at most `most`. */
  async copies(words: Uint32Array, most: number): Promise<Bytes> {
    const asked = { words, most, found: new Uint8Array(words.length / WORDS) };
    this.#asked.push(asked);
    await (this.#answer ??= this.#askSoon());
    return asked.found;
  }

  async #askSoon(): Promise<void> {
    for (let turn = 0; turn < GATHERING; ++turn) await Promise.resolve();
    const all = this.#asked;
    this.#asked = [];
    this.#answer = undefined;
    const count = all.reduce((sum, { found }) => sum + found.length, 0);
    await this.#shard.upToDate(async (places) => {
      const { stringBytes } = places;
      const isCheap = this.#shard.givesBytes && stringBytes <= Math.min(MOST_WHOLE, WHOLE * count);
      const whole = isCheap ? await this.#shard.whole(places) : undefined;
      if (whole !== undefined) for (const asked of all) fromWhole(places, whole, asked);
      else
        await Promise.all(
          runsOf(all, this.#shard.limits.lookups).map((run) => this.#fromBuckets(places, run)),
        );
    });
  }

  async #fromBuckets(places: Places, run: readonly Asked[]): Promise<void> {
    const fields = Math.ceil(places.bucketBytes / FIELD);
    const count = run.reduce((sum, { found }) => sum + found.length, 0);
    const begins = new Float64Array(2 * fields * count);
    let end = 0;
    eachKey(run, (words, at) => {
      for (let each = at; each < at + 2; ++each) {
        const begin = HEADER + Math.floor(bitOf(places, words[each] as number) / 8);
        for (let field = 0; field < fields; ++field) begins[end++] = begin + FIELD * field;
      }
    });
    const bytes = await this.#shard.fields(places, begins);
    let bit = 0;
    eachKey(run, (words, at, { found, most }) => {
      const [one, two] = [0, 1].map(
        (k) => bit + 8 * FIELD * fields * k + (bitOf(places, words[at + k] as number) & 7),
      );
      found[at / WORDS] = copiesOf(places, bytes, words, at, most, one as number, two as number);
      bit += 16 * FIELD * fields;
    });
  }
}

/** Calls of at most `most` keys together. A call alone has no more. */
function runsOf(all: readonly Asked[], most: number): Asked[][] {
  const runs: Asked[][] = [];
  let count = Infinity;
  for (const asked of all) {
    count += asked.found.length;
    if (count > most) {
      runs.push([]);
      count = asked.found.length;
    }
    (runs.at(-1) as Asked[]).push(asked);
  }
  return runs;
}

function eachKey(run: readonly Asked[], visit: (words: Uint32Array, at: number, asked: Asked) => void): void {
  for (const asked of run)
    for (let at = 0; at < asked.words.length; at += WORDS) visit(asked.words, at, asked);
}

function fromWhole(places: Places, whole: Uint8Array, { words, found, most }: Asked): void {
  const begin = 8 * HEADER;
  for (let at = 0; at < words.length; at += WORDS) {
    const one = begin + bitOf(places, words[at] as number);
    const two = begin + bitOf(places, words[at + 1] as number);
    found[at / WORDS] = copiesOf(places, whole, words, at, most, one, two);
  }
}

/** Copies of the key at `at` of `words`, whose buckets lie in `bytes` from bits `one` and `two` on. */
function copiesOf(
  places: Places,
  bytes: Uint8Array,
  words: Uint32Array,
  at: number,
  most: number,
  one: number,
  two: number,
): number {
  const primary = words[at] as number;
  const alternate = words[at + 1] as number;
  const fingerprint = words[at + 2] as number;
  const copies = copiesAt(places, bytes, one, primary, fingerprint);
  const others =
    copies >= most || alternate === primary ? 0 : copiesAt(places, bytes, two, alternate, fingerprint);
  return Math.min(copies + others, most);
}
