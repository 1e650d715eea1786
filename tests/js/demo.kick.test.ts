// The kick, as it is drawn: what stands beside a bucket covers no slot, every chip goes on from where it was, and the time
// for reading. And in a real browser: what a visitor sees of one kick.
import { describe, expect, test } from '@jest/globals';
import { opened } from '../../demo/src/filling';
import {
  contains,
  gapBox,
  layoutOf,
  slotBox,
  trayBox,
  type Box,
  type Layout,
} from '../../demo/src/model/layout';
import { flights, shownFor } from '../../demo/src/model/motion';
import { sampleKey } from '../../demo/src/model/samples';
import { next, type Session } from '../../demo/src/model/session';
import { DEFAULTS, type Settings } from '../../demo/src/model/settings';
import type { Step } from '../../demo/src/model/steps';
import { DemoPage } from './demo-page';

const TABLES: readonly Settings[] = [
  DEFAULTS,
  { ...DEFAULTS, lookAhead: true, addressing: 'reflect', bucketCount: 13, seed: 4 },
  { ...DEFAULTS, bucketCount: 32, bucketSize: 8, fingerprintBits: 16, seed: 5 },
  { ...DEFAULTS, bucketCount: 4, bucketSize: 1, fingerprintBits: 4, samplePercent: 50, seed: 6 },
];
const WIDTHS = [304, 520, 780, 1200] as const;

/** After each step of inserts until the table is full: the step, and the session that it led to. */
function shown(settings: Settings): { step: Step; session: Session }[] {
  const { engine, session: start } = opened(settings);
  let session = start;
  for (let i = 0; i < 12; ++i) {
    const key = sampleKey(settings.seed, start.sampleCount + i);
    session = next(session, { type: 'ran', key, events: engine.run('insert', key) });
  }
  engine.dispose();
  const { steps } = session.timeline;
  session = next(session, { type: 'stand', cursor: 0 });
  return steps.map((step) => ({ step, session: (session = next(session, { type: 'forward' })) }));
}

const runs = TABLES.map((settings) => ({ settings, steps: shown(settings) }));

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

function eachLayout(check: (layout: Layout, steps: (typeof runs)[number]['steps']) => void): void {
  for (const { settings, steps } of runs)
    for (const width of WIDTHS)
      for (const isLow of [true, false]) check(layoutOf(settings, width, isLow), steps);
}

test('a fingerprint that waits for its other bucket covers no slot and stays in the picture', () => {
  let kicks = 0;
  eachLayout((layout, steps) => {
    const { bucketCount, bucketSize } = layout.shape;
    const slots = Array.from({ length: bucketCount * bucketSize }, (_, i) =>
      slotBox(layout, Math.floor(i / bucketSize), i % bucketSize),
    );
    for (const { step } of steps) {
      if (step.kind !== 'kick') continue;
      const gap = gapBox(layout, step.event, step.event.otherBucket);
      expect(slots.filter((slot) => overlap(slot, gap))).toEqual([]);
      expect([gap.x >= 0, gap.x + gap.width <= layout.width, gap.y >= 0]).toEqual([true, true, true]);
      ++kicks;
    }
  });
  expect(kicks).toBeGreaterThan(300);
});

test('every chip goes on from where it was, and only the newcomer comes from the tray', () => {
  eachLayout((layout, steps) => {
    /** Where the fingerprint in hand was left. */
    let left: Box = trayBox(layout);
    for (const { step, session } of steps) {
      const operation = session.place.state.operations?.value;
      if (operation === undefined) throw new Error('no operation');
      if (step.kind === 'locate') left = trayBox(layout);
      const [start, end] = [0, 1].map((t) => flights(step, operation, layout, t));
      if (step.kind === 'kick') {
        expect(boxOf(start?.[0])).toEqual(slotBox(layout, step.event.bucket, step.event.slot));
        expect(boxOf(start?.[1])).toEqual(left);
        expect(boxOf(end?.[1])).toEqual(slotBox(layout, step.event.bucket, step.event.slot));
        left = boxOf(end?.[0]);
        expect(left).toEqual(gapBox(layout, step.event, step.event.otherBucket));
      }
      if (step.kind === 'place') {
        expect([boxOf(start?.[0]), boxOf(end?.[0])]).toEqual([
          left,
          slotBox(layout, step.event.bucket, step.event.slot),
        ]);
      }
      if (step.kind === 'undo') {
        expect(boxOf(start?.[0])).toEqual(left);
        expect(boxOf(end?.[0])).toEqual(slotBox(layout, step.event.bucket, step.event.slot));
        left = boxOf(end?.[1]);
        if (step.event.kick === 1) expect(left).toEqual(trayBox(layout));
      }
      for (const flight of [0.2, 0.5, 0.8].flatMap((t) => flights(step, operation, layout, t)))
        expect([
          flight,
          contains({ x: 0, y: 0, width: layout.width, height: layout.height }, flight, 2),
        ]).toEqual([flight, true]);
    }
  });
});

function boxOf(box: Box | undefined): Box {
  if (box === undefined) throw new Error('nothing flies');
  const { x, y, width, height } = box;
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

test('who asked for less motion has more time for every step, and nobody less than a second', () => {
  for (const { step } of runs.flatMap(({ steps }) => steps)) {
    expect(shownFor(step, true)).toBeGreaterThan(shownFor(step, false));
    expect(shownFor(step, false)).toBeGreaterThanOrEqual(1000);
  }
});

test('the first table has no two equal fingerprints', () => {
  const { engine, session } = opened(DEFAULTS);
  engine.dispose();
  const prints = session.place.state.slots.flatMap((stored) => (stored === null ? [] : [stored.fingerprint]));
  expect(prints.length).toBeGreaterThan(20);
  expect(new Set(prints).size).toBe(prints.length);
});

describe('in a browser', () => {
  const demo = new DemoPage();

  /** Steps until the caption begins so. */
  async function stepTo(words: string): Promise<void> {
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    await demo.page.keyboard.press('Home');
    for (let i = 0; !(await demo.caption()).startsWith(words); ++i) {
      expect(i).toBeLessThan(80);
      await demo.page.keyboard.press('.');
    }
  }

  test('a kicked fingerprint says beside its slot why it goes where it goes, and by columns on demand', async () => {
    const page = await demo.open('', { viewport: { width: 1280, height: 800 } });
    await demo.button('Show me a kick').click();
    // No other key went in before it.
    expect(await page.locator('.history button').count()).toBe(1);
    await stepTo('Kick 1');
    const [, one = 0, other = 0, sum = 0] =
      /^(\d+) XOR (\d+) = (\d+)$/
        .exec(await page.locator('.kick-sum').innerHTML().then(textOf))
        ?.map(Number) ?? [];
    expect(one ^ other).toBe(sum);
    expect(await demo.caption()).toContain(`its other bucket is ${one} XOR ${other} = ${sum}.`);
    expect(await page.locator('.path li').innerText()).toContain(`for bucket ${sum}`);
    await demo.button('bit by bit').click();
    const rows = await page
      .locator('.why tr')
      .evaluateAll((all) =>
        all.map((row) => [...row.querySelectorAll('.bit')].map((bit) => bit.textContent).join('')),
      );
    expect(rows.map((bits) => parseInt(bits, 2))).toEqual([one, other, sum]);
    const controls = await page.locator('.transport').boundingBox();
    expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBeLessThanOrEqual(800);
    // Its place is taken by the newcomer, and nothing stands over that.
    const victim = await page.locator('.carried .chip-text').textContent();
    const newcomer = page.locator('.slot:has(.slot-mark.is-changed) .chip-body');
    const text = page.locator('.slot:has(.slot-mark.is-changed) .chip-text');
    expect(await text.textContent()).not.toBe(victim);
    const covering = await page.locator('.carried, .arrow-badge').evaluateAll(
      (all, { x, y, width, height }) =>
        all.filter((each) => {
          const box = each.getBoundingClientRect();
          const middle = { x: x + width / 2, y: y + height / 2 };
          return box.left < middle.x && middle.x < box.right && box.top < middle.y && middle.y < box.bottom;
        }).length,
      (await newcomer.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 },
    );
    expect(covering).toBe(0);
  });

  test('a kicked fingerprint stays in sight while nothing moves it', async () => {
    const page = await demo.open('', { reducedMotion: 'no-preference' });
    await demo.button('Show me a kick').click();
    await stepTo('Kick 1');
    await page.locator('.carried').waitFor();
    await page.keyboard.press('.');
    expect(await demo.caption()).not.toMatch(/^Kick 1/);
    expect(await page.locator('.carried').count()).toBe(1);
  });

  test('looking ahead is one step with an arrow for each slot, marked where there is room', async () => {
    const page = await demo.open('#v=1&m=8&b=4&f=8&k=100&p=85&seed=4&way=reflect');
    await demo.button('Show me a kick').click();
    await stepTo('Who should leave bucket');
    const looks = await page.locator('.look').allTextContents();
    expect(looks).toHaveLength(4);
    const withRoom = looks.filter((text) => text.includes('room')).length;
    expect(await page.locator('.look.has-room').count()).toBe(withRoom);
    expect(await page.locator('.look.is-chosen').count()).toBe(1);
    const chosen = (await page.locator('.look.is-chosen').textContent()) ?? '';
    await page.keyboard.press('.');
    expect(await demo.caption()).toMatch(/^Kick 1/);
    expect(await page.locator('.path li').innerText()).toContain(`for bucket ${parseInt(chosen)}`);
  });

  test.each([
    ['no motion', 'reduce' as const, 3000],
    ['motion', 'no-preference' as const, 2000],
  ])('with %s the sentence of a kick stays to be read', async (_, reducedMotion, stays) => {
    const page = await demo.open('', { reducedMotion });
    await page.clock.install();
    await demo.button('Show me a kick').click();
    await stepTo('Is there room at home? No');
    await page.keyboard.press(' ');
    for (let i = 0; !(await demo.caption()).startsWith('Kick 1'); ++i) {
      expect(i).toBeLessThan(200);
      await page.clock.runFor(50);
    }
    await page.clock.runFor(stays - 100);
    expect(await demo.caption()).toMatch(/^Kick 1/);
  });

  function textOf(html: string): string {
    return html.replace(/<[^>]*>/g, '').trim();
  }
});
