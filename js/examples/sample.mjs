// The sample for the example beside it: the words of npm's word-list, each repeated a few times, in a seeded order.
// Invariant: the same seed gives the same file.
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';

import wordList from 'word-list';

/** Writes `lines` lines, every word at least once, to a temporary file; returns it with the number of words. */
export async function writeSample({ lines = 3_000_000, seed = 1 } = {}) {
  const words = (await readFile(wordList, 'utf8')).trimEnd().split('\n');
  const random = seeded(seed);
  const order = Uint32Array.from({ length: Math.max(lines, words.length) }, (_, i) =>
    i < words.length ? i : random(words.length),
  );
  shuffle(order, random);
  const file = join(tmpdir(), `cuckoofilter-words-${order.length}-${seed}.txt`);
  const out = createWriteStream(file);
  for (let first = 0; first < order.length; first += 10_000) {
    const block = Array.from(order.subarray(first, first + 10_000), (i) => words[i]).join('\n');
    if (!out.write(`${block}\n`)) await once(out, 'drain');
  }
  out.end();
  await once(out, 'finish');
  return { file, distinct: words.length };
}

/** Whole numbers below a bound, from Marsaglia's xorshift32. */
function seeded(seed) {
  let state = seed >>> 0 || 1;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.floor(((state >>> 0) / 0x1_0000_0000) * bound);
  };
}

/** Fisher and Yates. */
function shuffle(array, random) {
  for (let i = array.length - 1; i > 0; --i) {
    const j = random(i + 1);
    [array[i], array[j]] = [array[j], array[i]];
  }
}
