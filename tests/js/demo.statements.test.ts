// What the page states, held against what the core and the paper say.
import { describe, expect, test } from '@jest/globals';
import { enStart } from '../../demo/src/i18n/en';
import { enPlots } from '../../demo/src/i18n/en-plots';
import { enRest } from '../../demo/src/i18n/en-rest';
import { enScenes } from '../../demo/src/i18n/en-scenes';
import type { Words } from '../../demo/src/i18n';
import { zh } from '../../demo/src/i18n/zh';
import { zhScenes } from '../../demo/src/i18n/zh-scenes';
import { expectedRate } from '../../demo/src/measure';
import { isOn, lineThrough, type Axis } from '../../demo/src/model/plot';
import { sampleKey } from '../../demo/src/model/samples';
import { taskOf } from '../../demo/src/model/scenes';
import { next } from '../../demo/src/model/session';
import { DEFAULTS } from '../../demo/src/model/settings';
import { crossing, percentOf, rounded } from '../../demo/src/model/statistics';
import { captionOf } from '../../demo/src/model/story';
import { opened } from '../../demo/src/filling';

const en = { ...enStart, ...enRest } as Words;
const { kickToSame } = en.steps;

test('a part is 100 per cent only if it is all, and 0 only if it is nothing', () => {
  expect([percentOf(0.998), percentOf(0.002), percentOf(1), percentOf(0)]).toEqual([99, 1, 100, 0]);
  expect([percentOf(0.9984, 1), percentOf(0.9999, 1), percentOf(0.0001, 1)]).toEqual([99.8, 99.9, 0.1]);
  expect([percentOf(0.815), percentOf(0.5)]).toEqual([82, 50]);
  expect([enPlots.plot.percent(99.96), enPlots.plot.percent(100)]).toEqual(['99.9 %', '100 %']);
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

test('a bit halves the rate from 5 bits on, as scene 11 says, and does not below', () => {
  const rateAt = (fingerprintBits: number): number =>
    expectedRate({ bucketCount: 32_768, bucketSize: 4, fingerprintBits }, Math.round(0.95 * 131_072));
  for (let bits = 5; bits <= 16; ++bits) {
    expect(rateAt(bits) / rateAt(bits - 1)).toBeGreaterThan(0.46);
    expect(rateAt(bits) / rateAt(bits - 1)).toBeLessThan(0.55);
  }
  expect(rateAt(4) / rateAt(3)).toBeGreaterThan(0.57);
  expect(enStart.scenes.length.lead).toContain('From about 5 bits on');
  expect(enScenes.length.why[1]).toMatch(/In this table 4 bits.*grows with the logarithm/);
});

describe('a sentence says what is so', () => {
  test('where curves cross below the paper’s figure, both are told', () => {
    expect(rounded(100 * crossing('bloom', 'semiSorted'))).toBe(2.3);
    expect(enScenes.space.found[1]?.({ answer: 2.3 })).toMatch(/2\.3 %.*below 3 %/);
    expect(zhScenes.space.found[1]?.({ answer: 2.3 })).toMatch(/2\.3%.*低于 3%/);
  });

  test('a key is counted in characters, and a reflection is the library’s usual way', () => {
    expect(enScenes.print.ask[0]?.({ letters: 40 })).toContain('40 characters');
    expect(zhScenes.print.ask[0]?.({ letters: 40 })).toContain('40 个字符');
    const facts = { fingerprint: '13', primary: 1, offset: 2, count: 12 };
    expect(enScenes.better.ask[0]?.(facts)).toMatch(/by default.*any number of buckets/);
  });

  test('a false negative is no denial, an interval no certainty, and looking ahead goes two kicks far', () => {
    const texts = (value: unknown): string =>
      typeof value === 'object' && value !== null
        ? Object.values(value).map(texts).join('\n')
        : String(value);
    expect(texts([en, enScenes])).not.toMatch(/denies|certainty|letters goes|one step ahead/);
    expect(texts([zh, zhScenes])).not.toMatch(
      /询问|框架代码|装填|手里|笔记同意|名字笔记|迁移|就选它|撤销|退回|置了|先后没有|彼此很远|逐位重现|数据表|[\d}][ \u00a0\u202f]%/,
    );
    expect(enScenes.better.why[1]).toContain('after 32 kicks two');
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
