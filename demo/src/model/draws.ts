// Numbers as by chance, for the order of sample keys and for their law; the filter draws none of them.
// Invariant: the same seed gives the same numbers, everywhere. A linear congruential generator mod 2^32 (Numerical
// Recipes), whose upper bits count most.

/** Gives the next number, from 0 to below 1, at each call. */
export function drawsOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
