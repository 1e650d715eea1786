// The questions of the scenes: for many rounds, the answer that a card shows is what the filter itself then does.
// Invariant: the checks use the public class alone, not the trace that the answers are read from.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { sampleKey } from '../../../../demo/src/model/samples';
import { SCENES, type SceneId } from '../../../../demo/src/model/places';
import { taskOf } from '../../../../demo/src/model/scenes';
import { nearOf } from '../../../../demo/src/model/lesson';
import { isRight, type Task, type Value } from '../../../../demo/src/model/scenes/task';
import { opened } from '../../../../demo/src/core/filling';
import { next, type Session } from '../../../../demo/src/model/trace/session';
import { runs } from '../../support/long';

const ROUNDS = runs(25, 200);
const ASKING: readonly SceneId[] = SCENES.filter((scene) => taskOf(scene, 0, 0) !== null);

interface Asked {
  readonly task: Task;
  readonly session: Session;
  readonly answer: Value;
}

function asked(scene: SceneId, part: 0 | 1, round: number): Asked {
  const task = taskOf(scene, part, round);
  if (task === null) throw new Error(`${scene} asks nothing`);
  const { engine, session: start } = opened(task.settings);
  const session = task.run.reduce(
    (before, { name, key }) => next(before, { type: 'ran', key, events: engine.run(name, key) }),
    start,
  );
  engine.dispose();
  return { task, session, answer: task.answer(session) };
}

/** The plain class, with the table that the task begins with. */
function filterOf({ task, session }: Asked): CuckooFilter {
  const { bucketCount, bucketSize, fingerprintBits, maxKicks, addressing, search, seed } = task.settings;
  const sizes = { bucketCount, bucketSize, fingerprintBits, addressing };
  const filter = new CuckooFilter({ capacity: 1, semiSort: false, ...sizes });
  filter.trace(0, undefined, { search, maxKicks });
  for (let i = 0; i < session.sampleCount; ++i) filter.tryAdd(sampleKey(seed, i));
  return filter;
}

/** The keys stored at the start of a task. */
function storedIn({ timeline, notebook }: Session): string[] {
  return timeline.start.slots.flatMap((slot) => (slot === null ? [] : [notebook.get(slot.owner) ?? '']));
}

function eachRound(
  scene: SceneId,
  part: 0 | 1,
  check: (asked: Asked, filter: CuckooFilter, key: string) => void,
): void {
  for (let round = 0; round < ROUNDS; ++round) {
    const one = asked(scene, part, round);
    const filter = filterOf(one);
    check(one, filter, String(one.task.facts['key']));
    filter.dispose();
  }
}

test.each(ASKING)('the task %s comes back from its round alone, and its answer can be given', (scene) => {
  for (const part of [0, 1] as const) {
    for (let round = 0; round < ROUNDS; ++round) {
      const { task, answer } = asked(scene, part, round);
      expect(asked(scene, part, round)).toMatchObject({ answer, task: { facts: task.facts, run: task.run } });
      const { question } = task;
      if (question.kind === 'choice') expect(question.options).toContain(answer);
      if (question.kind === 'bucket') expect(Number(answer)).toBeLessThan(question.count);
      if (question.kind === 'number') {
        expect(Number(answer)).toBeGreaterThanOrEqual(question.least);
        expect(Number(answer)).toBeLessThanOrEqual(question.most);
      }
    }
  }
});

describe('a question gives what its answer is worked out from', () => {
  const bucketsOf = ({ facts }: Task): number[] => [Number(facts['primary']), Number(facts['alternate'])];
  /** What the table drawn beside the question holds in a bucket. */
  const inBucket = ({ task, session }: Asked, bucket: number) => {
    const { bucketSize } = task.settings;
    return session.timeline.start.slots.slice(bucket * bucketSize, (bucket + 1) * bucketSize);
  };

  test('lookup: a fingerprint and two buckets give the number of slots', () => {
    for (const part of [0, 1] as const) {
      eachRound('lookup', part, (one) => {
        const buckets = [...new Set(bucketsOf(one.task))].map((bucket) => inBucket(one, bucket));
        const reads = buckets.map((slots) => {
          const match = slots.findIndex(
            (slot) => slot?.fingerprint === Number(one.task.facts['fingerprint']),
          );
          return match === -1 ? slots.length : match + 1;
        });
        expect(one.answer).toBe(reads.reduce((sum, each) => sum + each, 0));
      });
    }
  });

  test('kick: the sum gives a bucket, and the table tells whether it has room', () => {
    eachRound('kick', 1, (one) => {
      const [from = NaN, offset = NaN] = String(one.task.facts['sum'])
        .split('\u00a0XOR\u00a0')
        .map((bits) => parseInt(bits, 2));
      expect(one.answer).toBe(inBucket(one, from ^ offset).includes(null) ? 'yes' : 'no');
    });
  });

  test('delete: whose fingerprint lies in one of the buckets', () => {
    for (const part of [0, 1] as const) {
      eachRound('delete', part, (one) => {
        const stored = bucketsOf(one.task)
          .flatMap((bucket) => inBucket(one, bucket))
          .filter((slot) => slot?.fingerprint === Number(one.task.facts['fingerprint']));
        const owners = stored.map((slot) => one.session.notebook.get(slot?.owner ?? -1));
        expect(one.answer).toBe(owners[0] ?? 'nobody');
      });
    }
  });
});

describe('the filter does what the card says', () => {
  test('homes: 2b copies of the key lie in home 1 and in the bucket answered', () => {
    for (const part of [0, 1] as const) {
      eachRound('homes', part, ({ task, answer }, filter, key) => {
        for (let i = 0; i < 2 * task.settings.bucketSize; ++i) filter.add(key);
        expect(filter.tryAdd(key)).toBe('too-many-copies');
        const slots = filter.slots();
        const full = [...slots.keys()].filter((slot) => slots[slot] !== 0);
        const buckets = new Set(full.map((slot) => Math.floor(slot / task.settings.bucketSize)));
        expect(buckets).toEqual(new Set([Number(task.facts['primary']), Number(answer)]));
      });
    }
  });

  test('lookup: the key is absent in the first question and present in the second', () => {
    eachRound('lookup', 0, (_, filter, key) => expect(filter.has(key)).toBe(false));
    eachRound('lookup', 1, (_, filter, key) => expect(filter.has(key)).toBe(true));
  });

  test('fail: the refused insert loses no key, and the key named as lost was stored', () => {
    eachRound('fail', 0, ({ session, task }, filter, key) => {
      expect(filter.tryAdd(key)).toBe('full');
      const lost = String(task.found?.(session)['lost']);
      expect(lost === key || filter.has(lost)).toBe(true);
    });
    eachRound('fail', 1, ({ answer, session }, filter, key) => {
      expect(filter.tryAdd(key)).toBe('full');
      expect(storedIn(session).filter((stored) => filter.has(stored))).toHaveLength(Number(answer));
    });
  });

  test('fail: the library’s own search has no room for the refused key either', () => {
    for (const part of [0, 1] as const) {
      eachRound('fail', part, (_, filter, key) => {
        filter.trace(0, undefined, { search: 'breadth-first' });
        expect(filter.tryAdd(key)).toBe('full');
      });
    }
  });

  test('hunt: so many of the absent keys are found', () => {
    for (const part of [0, 1] as const) {
      eachRound('hunt', part, ({ answer, task, session }, filter) => {
        expect(Number(answer)).toBeGreaterThan(0);
        const owner = String(task.found?.(session)['owner']);
        expect([...session.notebook.values()]).toContain(owner);
        expect(filter.has(String(task.found?.(session)['key']))).toBe(true);
      });
    }
  });

  test('delete: the key named is found before and not after, and no other is lost', () => {
    for (const part of [0, 1] as const) {
      eachRound('delete', part, ({ answer, task, session }, filter, key) => {
        expect(answer).toBe(String(task.found?.(session)['owner']) || 'nobody');
        const before = storedIn(session).filter((stored) => filter.has(stored));
        expect(filter.delete(key)).toBe(answer !== 'nobody');
        expect(before.filter((stored) => !filter.has(stored))).toEqual(answer === 'nobody' ? [] : [answer]);
      });
    }
  });
});

test('a guess is right within the tolerance, and words must be equal', () => {
  expect([isRight(5, 5), isRight(4, 5), isRight(4, 5, 1), isRight('yes', 'no', 9)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([isRight([50, 90], [51, 88], 2), isRight([50, 91], [51, 88], 2), isRight([50], [50, 1], 2)]).toEqual(
    [true, false, false],
  );
});

test('of several numbers, those within the tolerance are counted', () => {
  expect(nearOf([50, 70, 90, 97], [50.8, 87.8, 96.7, 99.1], 6)).toBe(2);
  expect(nearOf(null, [50.8], 6)).toBe(0);
  expect(nearOf(50, 50.8, 6)).toBe(0);
});
