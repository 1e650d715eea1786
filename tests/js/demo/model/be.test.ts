// "Be the filter": the moves that a learner is asked for are those of the trace, in order, for many inserts.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { movesOf, type Move } from '../../../../demo/src/model/be';
import { sampleKey } from '../../../../demo/src/model/samples';
import { next } from '../../../../demo/src/model/trace/session';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { opened } from '../../../../demo/src/core/filling';

interface Played {
  readonly moves: readonly Move[];
  readonly seed: number;
  readonly sampleCount: number;
  readonly key: string;
}

function played(seed: number): Played {
  const { engine, session } = opened({ ...DEFAULTS, maxKicks: 100, samplePercent: 88, seed });
  const { sampleCount } = session;
  const key = sampleKey(seed, sampleCount);
  const done = next(session, { type: 'ran', key, events: engine.run('insert', key) });
  engine.dispose();
  return { moves: movesOf(done), seed, sampleCount, key };
}

/** The table before and after, by the public class. */
function tables({ seed, sampleCount, key }: Played): [Uint32Array, Uint32Array] {
  const { bucketCount, bucketSize, fingerprintBits } = DEFAULTS;
  const filter = new CuckooFilter({
    capacity: 1,
    bucketCount,
    bucketSize,
    fingerprintBits,
    semiSort: false,
    addressing: DEFAULTS.addressing,
  }).trace(0, undefined, { search: DEFAULTS.search, maxKicks: 100 });
  for (let i = 0; i < sampleCount; ++i) filter.tryAdd(sampleKey(seed, i));
  const before = filter.slots();
  filter.tryAdd(key);
  const after = filter.slots();
  filter.dispose();
  return [before, after];
}

const all = Array.from({ length: 200 }, (_, seed) => played(seed));

test('200 inserts meet room at home, short paths and long ones', () => {
  const kicks = all.map(({ moves }) => moves.filter(({ kind }) => kind === 'destination').length);
  expect(kicks.filter((count) => count === 0).length).toBeGreaterThan(20);
  expect(kicks.filter((count) => count > 2).length).toBeGreaterThan(10);
});

test('the moves lead forward from the start', () => {
  for (const { moves } of all) {
    expect(moves.slice(0, 2).map(({ kind }) => kind)).toEqual(['home', 'place']);
    moves.forEach((move, i) => {
      expect(move.to).toBeGreaterThanOrEqual(move.from);
      expect(move.from).toBeGreaterThanOrEqual(moves[i - 1]?.from ?? 0);
    });
  }
});

test('the bucket is what the question works out', () => {
  for (const { moves } of all)
    for (const { kind, facts, answer } of moves)
      if (kind === 'home') expect(answer).toBe(String(Number(facts['primary']) ^ Number(facts['offset'])));
      else if (kind === 'destination')
        expect(answer).toBe(String(Number(facts['bucket']) ^ Number(facts['offset'])));
});

test('the slot answered is empty before and full after, and a fingerprint goes where it is found', () => {
  for (const one of all) {
    const [before, after] = tables(one);
    for (const { asks, answer } of one.moves) {
      if (asks !== 'slot' || answer === 'none') continue;
      const [bucket = 0, slot = 0] = answer.split('.').map(Number);
      expect(before[bucket * DEFAULTS.bucketSize + slot]).toBe(0);
      expect(after[bucket * DEFAULTS.bucketSize + slot]).not.toBe(0);
    }
  }
});
