// What a table hides, made visible: the three ways to end an insert that finds no room.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { opened } from '../../../../demo/src/core/filling';
import { lastRefusal } from '../../../../demo/src/model/trace/refusal';
import { sampleKey } from '../../../../demo/src/model/samples';
import { taskOf } from '../../../../demo/src/model/scenes';
import { next } from '../../../../demo/src/model/trace/session';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

test('the victim of an insert that finds no room is the new key’s or one that the filter held', () => {
  for (let round = 0; round < 20; ++round) {
    const task = taskOf('fail', 0, round);
    if (task === null) throw new Error('the scene asks nothing');
    const { engine, session } = opened(task.settings);
    const key = String(task.facts['key']);
    const refusal = lastRefusal(next(session, { type: 'ran', key, events: engine.run('insert', key) }));
    engine.dispose();
    if (refusal === null) throw new Error('nothing was refused');
    const { bucketCount, bucketSize, fingerprintBits, maxKicks, addressing, search, seed } = task.settings;
    const sizes = { bucketCount, bucketSize, fingerprintBits, addressing };
    const filter = new CuckooFilter({ capacity: 1, semiSort: false, ...sizes });
    filter.trace(0, undefined, { search, maxKicks });
    for (let i = 0; i < session.sampleCount; ++i) filter.tryAdd(sampleKey(seed, i));
    expect([refusal.key, refusal.kicks]).toEqual([key, maxKicks]);
    expect(refusal.owner === key || filter.has(refusal.owner)).toBe(true);
    filter.dispose();
  }
});

test('an insert that finds no room is seen with three endings, and the key that one of them loses is named', async () => {
  const page = await demo.open('#v=1&s=fail');
  expect(await page.locator('.policy').count()).toBe(0);
  await demo.button('Skip, just show it').click();
  await demo.button('Show the result').click();
  await page.locator('.verdict').waitFor();
  expect(await page.locator('.policy h3').allInnerTexts()).toEqual([
    'Roll back\nthis page’s walk',
    'Stash\nthe paper’s own code',
    'Drop the victim\nmany small libraries',
  ]);
  const [, lost = ''] = /“(\w+)”/.exec(await page.locator('.ask-found').innerText()) ?? [];
  expect(await page.locator('.policy.is-drop .is-lost').innerText()).toContain(`“${lost}”`);
  expect(await page.locator('.policy .is-lost').count()).toBe(1);
});
