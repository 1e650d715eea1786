// Names of birds: sample keys in an order that a seed gives, and strangers, which no table of samples holds.
// Invariant: the same seed and index give the same name, and no two indexes of one seed give equal names; no stranger is a
// sample. Seeds below `FIRST_CHINESE` give English names, the others Chinese ones.
import birds from './samples.json';

/** The seed of an English table and this give the seed of a Chinese one. */
export const FIRST_CHINESE = 5_000_000;

function namesOf(seed: number): typeof birds.english {
  return seed < FIRST_CHINESE ? birds.english : birds.chinese;
}

/** The sample key number `index`, from 0. */
export function sampleKey(seed: number, index: number): string {
  const { samples } = namesOf(seed);
  const round = Math.floor(index / samples.length);
  const word = shuffled(samples, seed)[index % samples.length] ?? '';
  return round === 0 ? word : `${word}-${round + 1}`;
}

/** The stranger number `index`, from 0: first plain names, from one that the seed gives on, then kinds, then numbered ones. */
export function strangerKey(seed: number, index: number): string {
  const { strangers, kinds, space } = namesOf(seed);
  const bird = (index + seed) % strangers.length;
  const kind = Math.floor(index / strangers.length) % (kinds.length + 1);
  const round = Math.floor(index / strangers.length / (kinds.length + 1));
  const name = `${kind === 0 ? '' : `${kinds[kind - 1] ?? ''}${space}`}${strangers[bird] ?? ''}`;
  return round === 0 ? name : `${name}${space}${round + 1}`;
}

/** The words in the order of `seed`: Fisher and Yates' shuffle. */
function shuffled(samples: readonly string[], seed: number): string[] {
  const words = [...samples];
  const draw = drawsOf(seed);
  for (let i = words.length - 1; i > 0; --i) {
    const j = Math.floor(draw() * (i + 1));
    [words[i], words[j]] = [words[j] ?? '', words[i] ?? ''];
  }
  return words;
}

/**
 * Gives the next number, from 0 to below 1, at each call: the same for the same seed, everywhere. A linear congruential
 * generator mod 2^32 (Numerical Recipes), whose upper bits count most; the filter draws none of them.
 */
function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
