// What a shard is asked about keys. A lookup is a read of two buckets per key; a change is one call of the program, which decides
// about as many keys as its work allows.
import { argumentError } from '../../src/errors.js';
import { HIGH } from '../../src/reader/hash64.js';
import { textOfAnswer } from '../server/answers.js';
import type { Ask } from './calls.js';
import { grow } from './growth.js';
import { FIELD, WORDS } from './places.js';
import type { Shard } from './shard.js';

/** The digit for keys that the program did not decide about, which are the last ones. */
const UNDECIDED = /4*$/;

/** The outcomes of changes, as indices in OUTCOMES. */
export function changing(shard: Shard): Ask {
  return async (words, asking) => {
    const { text, places } = await shard.upToDate(async (now) => {
      const answer = await shard.ask('change', now, new Uint8Array(words.buffer));
      const text = textOfAnswer(/^[0-4]+[.+!]\d+$/, answer);
      shard.check(Number(/\d+$/.exec(text)), now.least);
      return { text, places: now.places };
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
    shard.upToDate(async (now) => {
      const { table } = now.places;
      const keys = Array.from({ length: words.length / WORDS }, (_, i) => {
        const [low, high] = words.subarray(WORDS * i) as unknown as [number, number];
        HIGH[0] = high;
        return { low, high, ranges: table.ranges(low) };
      });
      const begins = keys.flatMap(({ ranges }) =>
        ranges.flatMap(({ offset, length }) =>
          Array.from({ length: Math.ceil(length / FIELD) }, (_, i) => offset + FIELD * i),
        ),
      );
      const known = await shard.bytesAt(now, begins);
      return {
        answers: keys.map(({ low, high }) => {
          HIGH[0] = high;
          return table.copies(known, low);
        }),
      };
    }, asking);
}
