// The notebook's verdict on every lookup of seeded runs, beside a plain count of the keys that went in and out by name.
import { expect, test } from '@jest/globals';
import { createEngine } from '../../../../demo/src/core/engine';
import { newSession, next, type Session } from '../../../../demo/src/model/trace/session';
import { copiesOf, truthOf } from '../../../../demo/src/model/trace/ledger';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { emptyTable } from '../../../../demo/src/model/trace/state';
import { taskOf } from '../../../../demo/src/model/scenes';
import { opened } from '../../../../demo/src/core/filling';
import { withSeed } from '../../support/random';

const RUNS = 60;
const OPERATIONS = 60;

test('the verdict compares the answer with what was inserted and deleted by name', () => {
  const verdicts = new Set<string>();
  for (let seed = 0; seed < RUNS; ++seed) {
    withSeed(seed, (random) => {
      // Short fingerprints, so that false positives come often, and deletes of them make false negatives.
      const settings = { ...DEFAULTS, bucketCount: 4, fingerprintBits: 4, samplePercent: 0 };
      const engine = createEngine(settings);
      const counts = new Map<string, number>();
      let session: Session = newSession(settings, emptyTable(settings), new Map(), 0);
      const run = (name: 'insert' | 'contains' | 'erase' | 'clear', key: string): void => {
        session = next(session, { type: 'ran', key, events: engine.run(name, key) });
      };
      let wasHonest = true;
      for (let i = 0; i < OPERATIONS; ++i) {
        const key = `key ${random.below(24)}`;
        const before = counts.get(key) ?? 0;
        const action = random.below(20);
        expect(copiesOf({ ...session, focus: session.timeline.operations.length }, key)).toBe(before);
        if (action < 8) run('insert', key);
        else if (action < 15) run('contains', key);
        else if (action < 19) run('erase', key);
        else run('clear', '');
        const { name, result } = session.timeline.operations.at(-1)?.end ?? { name: '', result: '' };
        if (result === 'added') counts.set(key, before + 1);
        if (name === 'erase' && result === true) {
          wasHonest &&= before > 0;
          counts.set(key, Math.max(0, before - 1));
        }
        if (name === 'clear') {
          counts.clear();
          wasHonest = true;
        }
        const truth = truthOf(session);
        if (name !== 'contains') expect(truth).toBeNull();
        else {
          const side = result === true ? 'Positive' : 'Negative';
          expect(truth).toBe(`${(result === true) === before > 0 ? 'true' : 'false'}${side}`);
          verdicts.add(String(truth));
          // Nobody deleted what he had not inserted: then no key is ever lost.
          if (wasHonest) expect(truth).not.toBe('falseNegative');
        }
      }
      engine.dispose();
    })();
  }
  expect([...verdicts].sort()).toEqual(['falseNegative', 'falsePositive', 'trueNegative', 'truePositive']);
});

test('the scene of the deadly delete ends with a false negative, and the scene of the hunt with a false positive', () => {
  for (const [scene, truth] of [
    ['delete', 'falseNegative'],
    ['hunt', 'falsePositive'],
  ] as const) {
    for (let round = 0; round < 20; ++round) {
      const task = taskOf(scene, 0, round);
      if (task === null) throw new Error(`${scene} asks nothing`);
      const { engine, session: start } = opened(task.settings);
      const session = task.run.reduce(
        (before, { name, key }) => next(before, { type: 'ran', key, events: engine.run(name, key) }),
        start,
      );
      engine.dispose();
      expect([scene, round, truthOf(session)]).toEqual([scene, round, truth]);
    }
  }
});
