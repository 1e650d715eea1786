// Changes of one shard: the outcome of each key, after the table has doubled if it must.
// Invariant: a key is tried again only if the server answered that it did not fit.
import { grow, whenFree } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import type { Action } from './script.js';
import type { Shard } from './shard.js';

const FULL = 1;

/** Adds or deletes the keys that `place` gave `words` for. Gives the index in OUTCOMES for each. */
export async function change(shard: Shard, action: Action, words: Uint32Array): Promise<Uint8Array> {
  const outcomes = new Uint8Array(words.length / WORDS);
  const kept = action === 'delete' ? { kept: shard.keyBeside(`answer:${randomWord()}`) } : {};
  let indices = Array.from(outcomes.keys());
  for (;;) {
    let asked = shard.places;
    const given = (places: Places): Uint8Array => packed((asked = places), words);
    const answer = await whenFree(shard, () => shard.run(action, given, kept));
    indices.forEach((index, i) => (outcomes[index] = Number(answer[i])));
    const full = indices.filter((index) => outcomes[index] === FULL);
    if (full.length === 0 || asked.table.doublings === 0) return outcomes;
    await grow(shard, asked);
    const left = indices.flatMap((index, i) => (outcomes[index] === FULL ? [i] : []));
    words = Uint32Array.from(left.flatMap((i) => [...words.subarray(WORDS * i, WORDS * (i + 1))]));
    indices = full;
  }
}

function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}
