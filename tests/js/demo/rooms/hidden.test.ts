// What a table hides, made visible: the three ways to end an insert that finds no room.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm/trace';
import { opened } from '../../../../demo/src/core/filling';
import { isChanged, lastRefusal, type Refusal } from '../../../../demo/src/model/trace/refusal';
import { sampleKey } from '../../../../demo/src/model/samples';
import { taskOf } from '../../../../demo/src/model/scenes';
import { next } from '../../../../demo/src/model/trace/session';
import { fingerprintsOf } from '../../../../demo/src/model/trace/state';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

describe('an insert that finds no room', () => {
  function refusalOf(round: number): {
    refusal: Refusal;
    has: (key: string) => boolean;
  } {
    const task = taskOf('fail', 0, round);
    if (task === null) throw new Error('the scene asks nothing');
    const { engine, session } = opened(task.settings);
    const key = String(task.facts['key']);
    const done = next(session, {
      type: 'ran',
      key,
      events: engine.run('insert', key),
    });
    engine.dispose();
    const refusal = lastRefusal(done);
    if (refusal === null) throw new Error('nothing was refused');
    const { bucketCount, bucketSize, fingerprintBits, maxKicks, addressing, lookAhead, seed } = task.settings;
    const sizes = {
      bucketCount,
      bucketSize,
      fingerprintBits,
      maxKicks,
      addressing,
    };
    const filter = new CuckooFilter({ capacity: 1, semiSort: false, ...sizes });
    filter.trace(0, undefined, { lookAhead });
    for (let i = 0; i < session.sampleCount; ++i) filter.tryAdd(sampleKey(seed, i));
    expect(fingerprintsOf(refusal.before)).toEqual([...filter.slots()]);
    return { refusal, has: (name) => filter.has(name) };
  }

  test('ends with the table of before, or with every fingerprint but the victim’s', () => {
    for (let round = 0; round < 20; ++round) {
      const { refusal, has } = refusalOf(round);
      const { before, after, victim, key, owner } = refusal;
      expect(fingerprintsOf(after).filter((each) => each !== 0)).toHaveLength(before.size);
      const sorted = (list: readonly number[]): number[] => [...list].sort((a, b) => a - b);
      const arrived = after.operations?.value.location?.fingerprint ?? 0;
      expect(sorted([...fingerprintsOf(after), victim.fingerprint])).toEqual(
        sorted([...fingerprintsOf(before), arrived]),
      );
      expect(owner === key || has(owner)).toBe(true);
      // A walk at random may come back to the new key, with others moved to their other homes.
      if (owner !== key) expect(after.slots.some((_, i) => isChanged(refusal, i))).toBe(true);
    }
  });

  test('is seen with three endings, and the key that one of them loses is named', async () => {
    const page = await demo.open('#v=1&s=fail');
    expect(await page.locator('.policy').count()).toBe(0);
    await demo.button('Skip, just show it').click();
    await demo.button('Show the result').click();
    await page.locator('.verdict').waitFor();
    expect(await page.locator('.policy h3').allInnerTexts()).toEqual([
      'Give back\nthis library',
      'Stash\nthe paper’s own code',
      'Drop the victim\nmany small libraries',
    ]);
    const [, lost = ''] = /“(\w+)”/.exec(await page.locator('.ask-found').innerText()) ?? [];
    expect(await page.locator('.policy.is-drop .is-lost').innerText()).toContain(`“${lost}”`);
    expect(await page.locator('.policy .is-lost').count()).toBe(1);
    expect(await page.locator('.policy.is-back .is-changed').count()).toBe(0);
    expect(await page.locator('.policy.is-stash .is-changed').count()).toBe(
      await page.locator('.policy.is-drop .is-changed').count(),
    );
    const table = await page.locator('.policy.is-back td').allInnerTexts();
    expect(table.map((text) => parseInt(text.trim() || '0', 16))).toEqual(await demo.slotTexts());
  });
});
