// Lookups in one shard, of the keys that were asked about at one moment. Invariant: commands are sent after the call, so
// that the answer includes everything that was acknowledged before it.
import type { Bytes } from '../../src/engine/bytes.js';
import { stoppable } from '../../src/keys/signals.js';
import { HEADER } from '../../src/reader/table.js';
import { Gathering, runsOf, shared } from './group.js';
import { bitOf, copiesAt, FIELD, WORDS, type Places } from './places.js';
import type { Shard } from './shard.js';

interface Asked {
  readonly words: Uint32Array;
  /** The largest number of copies that is told. */
  readonly most: number;
  readonly signal: AbortSignal | undefined;
  readonly found: Bytes;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export class Lookups {
  readonly #shard: Shard;
  readonly #gathering = new Gathering<Asked>((all) => {
    this.#send(all.filter(({ signal }) => !signal?.aborted));
  });

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** Copies of each key that `place` gave `words` for, but at most `most`. */
  async copies(words: Uint32Array, most: number, signal?: AbortSignal): Promise<Bytes> {
    const found = new Uint8Array(words.length / WORDS);
    const ended = new Promise<void>((resolve, reject) => {
      this.#gathering.add({ words, most, signal, found, resolve, reject });
    });
    await stoppable(ended, signal);
    return found;
  }

  #send(all: readonly Asked[]): void {
    for (const run of runsOf(all, ({ found }) => found.length, this.#shard.shared.limits.lookups))
      shared(
        run.map(({ signal }) => signal),
        (signal) =>
          this.#shard.upToDate((places, least) => this.#look(places, least, run, signal), { signal }),
      ).then(
        () => run.forEach(({ resolve }) => resolve()),
        (error: unknown) => run.forEach(({ reject }) => reject(error)),
      );
  }

  async #look(places: Places, least: number, run: readonly Asked[], signal?: AbortSignal): Promise<void> {
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
    const bytes = await this.#shard.fields(places, least, begins, { signal });
    let bit = 0;
    eachKey(run, (words, at, { found, most }) => {
      const [primary, alternate, fingerprint] = words.subarray(at, at + WORDS) as unknown as [
        number,
        number,
        number,
      ];
      const copiesIn = (bucket: number, begin: number): number =>
        copiesAt(places, bytes, begin + (bitOf(places, bucket) & 7), bucket, fingerprint);
      const copies = copiesIn(primary, bit);
      const others =
        copies >= most || alternate === primary ? 0 : copiesIn(alternate, bit + 8 * FIELD * fields);
      found[at / WORDS] = Math.min(copies + others, most);
      bit += 16 * FIELD * fields;
    });
  }
}

function eachKey(run: readonly Asked[], visit: (words: Uint32Array, at: number, asked: Asked) => void): void {
  for (const asked of run)
    for (let at = 0; at < asked.words.length; at += WORDS) visit(asked.words, at, asked);
}
