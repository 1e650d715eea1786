// What the page states, held against what the core and the paper say.
import { describe, expect, test } from '@jest/globals';
import { enStart } from '../../../../demo/src/i18n/en';
import { enPanels } from '../../../../demo/src/i18n/en-panels';
import { enRest } from '../../../../demo/src/i18n/en-rest';
import { enScenes } from '../../../../demo/src/i18n/en-scenes';
import type { Words } from '../../../../demo/src/i18n';
import { zh } from '../../../../demo/src/i18n/zh';
import { zhScenes } from '../../../../demo/src/i18n/zh-scenes';
import { slotMark } from '../../../../demo/src/model/trace/marks';
import { isOn, lineThrough, type Axis } from '../../../../demo/src/model/picture/plot';
import { sampleKey } from '../../../../demo/src/model/samples';
import { taskOf } from '../../../../demo/src/model/scenes';
import { endOf, first } from '../../../../demo/src/model/trace/state';
import { next } from '../../../../demo/src/model/trace/session';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { crossing, percentOf, rounded } from '../../../../demo/src/model/statistics';
import { captionOf } from '../../../../demo/src/model/trace/story';
import { opened, sampleFor } from '../../../../demo/src/core/filling';

const en = { ...enStart, ...enRest, ...enPanels } as Words;
const { kickToSame } = en.steps;

test('a part is 100 per cent only if it is all, and 0 only if it is nothing', () => {
  expect([percentOf(0.998), percentOf(0.002), percentOf(1), percentOf(0)]).toEqual([99, 1, 100, 0]);
  expect([percentOf(0.9984, 1), percentOf(0.9999, 1), percentOf(0.0001, 1)]).toEqual([99.8, 99.9, 0.1]);
  expect([percentOf(0.815), percentOf(0.5)]).toEqual([82, 50]);
  expect([enRest.plot.percent(99.96), enRest.plot.percent(100)]).toEqual(['99.9 %', '100 %']);
});

test('a value that an axis of powers has no place for leaves a gap in the line', () => {
  const y: Axis = { label: '', least: 1e-4, most: 1, isLog: true, ticks: [], format: String };
  const points = [
    [0, 0],
    [1, 0.5],
    [2, 0.5],
    [3, 0],
    [4, 1],
  ] as const;
  expect(lineThrough(points, y, (point) => point)).toBe('M1.0 0.5h0L2.0 0.5M4.0 1.0h0');
  expect(isOn({ ...y, isLog: false }, 0)).toBe(true);
});

test('scene 7 shows its law: one bit less, and about twice as many absent keys are found', () => {
  for (let round = 0; round < 12; ++round) {
    const [task, shorter] = [taskOf('hunt', 0, round), taskOf('hunt', 1, round)];
    if (task === null || shorter === null) throw new Error('scene 7 asks nothing');
    const { engine, session } = opened(shorter.settings);
    engine.dispose();
    const [count, fewer] = [Number(shorter.answer(session)), Number(shorter.facts['before'])];
    expect(task.answer(session)).toBe(fewer);
    expect(count / fewer).toBeGreaterThan(1.6);
    expect(count / fewer).toBeLessThan(2.5);
  }
});

describe('a sentence says what is so', () => {
  test('where curves cross below the paper’s figure, both are told', () => {
    expect(rounded(100 * crossing('semiSorted'))).toBe(2.4);
    expect(enScenes.bits.found[1]?.({ answer: 2.3 })).toMatch(/2\.3 %.*below 3 %/);
    expect(zhScenes.bits.found[1]?.({ answer: 2.3 })).toMatch(/2\.3%.*低于 3%/);
  });

  test('a false negative is no denial, and an interval no certainty', () => {
    const texts = (value: unknown): string =>
      typeof value === 'object' && value !== null
        ? Object.values(value).map(texts).join('\n')
        : String(value);
    expect(texts([en, enScenes])).not.toMatch(/denies|certainty|letters goes|one step ahead/);
    expect(texts([zh, zhScenes])).not.toMatch(
      /询问|框架代码|装填|手里|笔记同意|名字笔记|迁移|就选它|撤销|退回|置了|先后没有|彼此很远|逐位重现|数据表|[\d}][ \u00a0\u202f]%/,
    );
  });
});

test('a victim whose homes coincide is not said to leave its bucket', () => {
  const settings = { ...DEFAULTS, bucketCount: 2, bucketSize: 2, maxKicks: 8, samplePercent: 95, seed: 3 };
  const { engine, session } = opened(settings);
  let [at, told] = [session, 0];
  for (let i = 0; i < 20; ++i) {
    const key = sampleKey(9, i);
    at = next(at, { type: 'ran', key, events: engine.run('insert', key) });
  }
  engine.dispose();
  for (const [i, step] of at.timeline.steps.entries()) {
    if (step.kind !== 'kick') continue;
    const caption = captionOf(next(at, { type: 'stand', cursor: i + 1 }), en, false);
    const isSame = step.event.bucket === step.event.otherBucket;
    expect(caption.includes(kickToSame(step.event.bucket))).toBe(isSame);
    told += Number(isSame);
  }
  expect(told).toBeGreaterThan(0);
});

test('Chinese sentences follow each other without a space', () => {
  expect([en.steps.gap(), zh.steps.gap()]).toEqual([' ', '']);
});

test('the hash gives the first home alone, which with the fingerprint gives the second', () => {
  for (const { steps, code } of [en, zh]) {
    expect(steps.locate('"a"', 8, '0x1f', 3)).toMatch(/first home, bucket 3|第一候选桶：桶 3/);
    expect(steps.locate('"a"', 8, '0x1f', 3)).not.toMatch(/second home|第二候选桶/);
    expect(steps.alternate('011 XOR 101 = 110', 6, false, 3, true)).toMatch(
      /(first home XOR|第一候选桶异或).*: ?011 XOR 101 = 110|：011 XOR 101 = 110/,
    );
    expect(code.lines.locate).not.toMatch(/second home|第二候选桶/);
    expect(code.lines.alternate).toMatch(/first home and the fingerprint|第一候选桶和指纹/);
  }
});

test('a filter that refuses a copy takes keys with another bucket, and refuses those of the same two', () => {
  const trial = opened({ ...DEFAULTS, samplePercent: 0, maxKicks: 100 });
  const homes = (key: string): number[] => {
    const { primary, alternate } = first(trial.engine.lookUp(key), 'locate');
    return [primary, alternate];
  };
  const key = sampleFor(trial, (sample) => new Set(homes(sample)).size === 2);
  const own = homes(key);
  const isOther = (sample: string): boolean => homes(sample).some((bucket) => !own.includes(bucket));
  const closed = sampleFor(trial, (sample) => sample !== key && !isOther(sample));
  const half = sampleFor(
    trial,
    (sample) => isOther(sample) && homes(sample).some((bucket) => own.includes(bucket)),
  );
  const copies = 2 * trial.session.settings.bucketSize + 1;
  const results = trial.engine
    .tryAll([...Array<string>(copies).fill(key), closed, half].map((name) => ({ name: 'insert', key: name })))
    .map((events) => endOf(events).result);
  trial.engine.dispose();
  expect(results.slice(copies - 2, copies)).toEqual(['added', 'too-many-copies']);
  expect(results[copies]).not.toBe('added');
  expect(results[copies + 1]).toBe('added');
});

test('a lookup’s last step still shows every slot that the lookup read', () => {
  const { engine, session } = opened({ ...DEFAULTS, samplePercent: 50 });
  const { bucketCount, bucketSize } = session.settings;
  for (let i = 0; i < 20; ++i) {
    const key = sampleKey(DEFAULTS.seed, i);
    const events = engine.run('contains', key);
    const read = events.flatMap((event) => (event.kind === 'probe' ? [`${event.bucket}.${event.slot}`] : []));
    const ran = next(session, { type: 'ran', key, events });
    const end = next(ran, { type: 'stand', cursor: ran.timeline.steps.length });
    const marked: string[] = [];
    for (let bucket = 0; bucket < bucketCount; ++bucket)
      for (let slot = 0; slot < bucketSize; ++slot)
        if (slotMark(end, bucket, slot) !== null) marked.push(`${bucket}.${slot}`);
    expect(marked).toEqual([...new Set(read)].sort());
    const found = events.flatMap((event) => (event.kind === 'probe' && event.isMatch ? [event] : []));
    for (const { bucket, slot } of found) expect(slotMark(end, bucket, slot)).toBe('found');
  }
  engine.dispose();
});

test('what a lookup or a delete has found stays marked until its end', () => {
  const { engine, session } = opened({ ...DEFAULTS, samplePercent: 50 });
  for (const name of ['contains', 'erase'] as const) {
    const key = sampleKey(DEFAULTS.seed, name === 'contains' ? 0 : 1);
    const ran = next(session, { type: 'ran', key, events: engine.run(name, key) });
    const steps = ran.timeline.steps.length;
    const found = ran.timeline.steps.findIndex((step) => step.kind === 'read' && step.event.isMatch);
    const step = ran.timeline.steps[found];
    if (step?.kind !== 'read') throw new Error('nothing was found');
    for (let cursor = found + 1; cursor <= steps; ++cursor) {
      const shown = next(ran, { type: 'stand', cursor });
      // Why the other home is read after a hit in the first one.
      const isAfter = ran.timeline.steps[cursor - 1]?.kind === 'read' && cursor > found + 1;
      expect(captionOf(shown, en, false).includes(en.steps.readAnyway())).toBe(isAfter);
      const mark = slotMark(shown, step.event.bucket, step.event.slot);
      expect(['found', ...(cursor > found + 1 ? ['changed'] : [])]).toContain(mark);
    }
  }
  engine.dispose();
});

test('no comparison is claimed that no plot shows', () => {
  expect(enScenes.race.why[1]).not.toMatch(/beat/);
  expect(zhScenes.race.why[1]).not.toMatch(/胜过/);
  expect(enRest.policies.whose.drop).toBe('many small libraries');
});
