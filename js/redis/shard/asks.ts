// What a shard is asked about keys. A lookup is a read of two buckets per key; a change is one call of the program, which decides
// about as many keys as its work allows.
import { argumentError } from '../../src/errors.js';
import { mask } from '../../src/reader/bits.js';
import { HEADER } from '../../src/reader/table.js';
import { textOfAnswer } from '../server/answers.js';
import type { Ask } from './calls.js';
import { grow } from './growth.js';
import { FIELD, shareToMove, WORDS } from './places.js';
import type { Shard } from './shard.js';

/** The digit for keys that the program did not decide about, which are the last ones. */
const UNDECIDED = /4*$/;

/** The digit for a key that was added or deleted. */
const DONE = '0';

/** What the program answers for a change: ../lua/changes.lua. */
const CHANGED = /^([0-4]+)([.+!])(\d+)(?: (\d+))?$/;

/** The outcomes of changes, as indices in OUTCOMES. */
export function changing(shard: Shard): Ask {
  return async (words, asking) => {
    const { digits, state, places, size } = await shard.upToDate(async (now) => {
      const answer = await shard.ask('change', now, new Uint8Array(words.buffer));
      const text = textOfAnswer(CHANGED, answer);
      const [, digits = '', state, epoch, size = 0] = CHANGED.exec(text) ?? [];
      shard.check(Number(epoch), now, digits.includes(DONE));
      return { digits, state, places: now.places, size: Number(size) };
    }, asking);
    if (WORDS * digits.length !== words.length)
      throw argumentError(`the server answered for ${digits.length} of ${words.length / WORDS} keys`);
    const answers = Uint8Array.from(digits.replace(UNDECIDED, ''), Number);
    if (state === '.' || (state === '+' && shard.isResting)) return { answers };
    const before = grow(shard, places, state === '!' ? Infinity : shareToMove(places, size));
    // `shard.failure` records why it failed. Keys that may still fit are asked again all the same. After all calls are given up,
    // nothing awaits this promise, so its rejection is handled here.
    const ended = before.catch(() => undefined);
    return { answers, before: state === '!' ? before : ended };
  };
}

/** The number of copies of each key. */
export function counting(shard: Shard): Ask {
  return (words, asking) =>
    shard.upToDate(async (now) => {
      const { table, buckets, header } = now.places;
      const { bits } = buckets;
      const bitOf = (bucket: number): number => (bucket >>> table.doublings) * bits;
      // Fields that hold a bucket, wherever in a byte it begins.
      const fields = Math.ceil((bits % 8 === 0 ? bits : bits + 7) / 8 / FIELD);
      const begins: number[] = [];
      for (let at = 0; at < words.length; at += WORDS)
        for (const bucket of words.subarray(at, at + 2))
          for (let field = 0; field < fields; ++field)
            begins.push(HEADER + Math.floor(bitOf(bucket) / 8) + FIELD * field);
      const bytes = await shard.bytesAt(now, begins);
      const answers = new Uint8Array(words.length / WORDS);
      for (let i = 0; i < answers.length; ++i) {
        const [primary = 0, alternate = 0, fingerprint = 0] = words.subarray(WORDS * i);
        const copiesIn = (bucket: number, begin: number): number => {
          const part = (bucket & mask(table.doublings)) << (header[14] as number);
          const at = 8 * FIELD * fields * begin + (bitOf(bucket) & 7);
          return buckets.copies(bytes, at, fingerprint | part, 1);
        };
        answers[i] = copiesIn(primary, 2 * i) + (alternate === primary ? 0 : copiesIn(alternate, 2 * i + 1));
      }
      return { answers };
    }, asking);
}
