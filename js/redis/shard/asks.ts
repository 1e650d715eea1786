// What a shard is asked about keys. A lookup is a read of two buckets per key; a change is one call of the program, which decides
// about as many keys as its work allows.
import { argumentError } from '../../src/errors.js';
import { HEADER } from '../../src/reader/table.js';
import { textOfAnswer } from '../server/answers.js';
import type { Ask } from './calls.js';
import { grow } from './growth.js';
import { bitOf, copiesAt, FIELD, packed, WORDS } from './places.js';
import type { Shard } from './shard.js';

/** The digit for keys that the program did not decide about, which are the last ones. */
const UNDECIDED = /4*$/;

/** The outcomes of changes, as indices in OUTCOMES. */
export function changing(shard: Shard): Ask {
  return async (words, asking) => {
    const { text, places } = await shard.upToDate(async (places, least) => {
      const answer = await shard.change(places, least, packed(places, words), asking);
      const text = textOfAnswer(/^[0-4]+[.+!]\d+$/, answer);
      shard.check(Number(/\d+$/.exec(text)), least);
      return { text, places };
    }, asking);
    const [, digits = '', state = ''] = /^(\d+)(\D)/.exec(text) ?? [];
    if (WORDS * digits.length !== words.length)
      throw argumentError(`the server answered for ${digits.length} of ${words.length / WORDS} keys`);
    // Nobody waits for it, and `growthError` tells if it fails.
    if (state === '+') grow(shard, places, false).catch(() => undefined);
    const answers = Uint8Array.from(digits.replace(UNDECIDED, ''), Number);
    return { answers, before: state === '!' ? grow(shard, places, true) : undefined };
  };
}

/** The number of copies of each key. */
export function counting(shard: Shard): Ask {
  return (words, asking) =>
    shard.upToDate(async (places, least) => {
      const fields = Math.ceil(places.bucketBytes / FIELD);
      const begins: number[] = [];
      for (let at = 0; at < words.length; at += WORDS)
        for (const bucket of words.subarray(at, at + 2)) {
          const begin = HEADER + Math.floor(bitOf(places, bucket) / 8);
          for (let field = 0; field < fields; ++field) begins.push(begin + FIELD * field);
        }
      const bytes = await shard.fields(places, least, begins, asking);
      const answers = new Uint8Array(words.length / WORDS);
      for (let i = 0; i < answers.length; ++i) {
        const key = words.subarray(WORDS * i, WORDS * (i + 1));
        const [one, two] = [0, 1].map(
          (k) => 8 * FIELD * fields * (2 * i + k) + (bitOf(places, key[k] as number) & 7),
        ) as [number, number];
        answers[i] = copiesAt(places, bytes, key, one, two);
      }
      return { answers };
    }, asking);
}
