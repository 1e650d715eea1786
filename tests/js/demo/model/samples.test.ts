// The names of sample keys: enough of them to fill the largest table, and none is a stranger's.
import { expect, test } from '@jest/globals';
import { MOST_SAMPLES } from '../../../../demo/src/core/filling';
import { FIRST_CHINESE, sampleKey, strangerKey } from '../../../../demo/src/model/samples';

test.each([
  ['English', 1],
  ['Chinese', FIRST_CHINESE],
])('%s names fill the largest table twice, each once, without a number', (_, seed) => {
  const samples = Array.from({ length: 2 * MOST_SAMPLES }, (_, i) => sampleKey(seed, i));
  const strangers = new Set(Array.from({ length: 2 * MOST_SAMPLES }, (_, i) => strangerKey(seed, i)));
  expect(new Set(samples).size).toBe(samples.length);
  expect(samples.filter((name) => /\d/.test(name) || strangers.has(name))).toEqual([]);
  // As many as a scene looks up, and more.
  const many = new Set(Array.from({ length: 10_000 }, (_, i) => strangerKey(seed, i)));
  expect(many.size).toBe(10_000);
  expect([...many].filter((name) => /\d/.test(name))).toEqual([]);
});
