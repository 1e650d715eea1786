// The kick, as it is drawn: every chip goes on from where it was and keeps its size, one at a time; the sum beside it and
// the time for reading. And in a real browser: what a visitor sees of one kick.
import { describe, expect, test } from '@jest/globals';
import { opened } from '../../../../demo/src/core/filling';
import {
  asideBox,
  layoutOf,
  slotBox,
  trayBox,
  type Box,
  type Layout,
} from '../../../../demo/src/model/picture/layout';
import { flights } from '../../../../demo/src/model/picture/motion';
import { motionMs, shownFor } from '../../../../demo/src/model/picture/timing';
import { taskOf } from '../../../../demo/src/model/scenes';
import { sampleKey } from '../../../../demo/src/model/samples';
import { next, type Session } from '../../../../demo/src/model/trace/session';
import { DEFAULTS, type Settings } from '../../../../demo/src/model/settings';
import type { Step } from '../../../../demo/src/model/trace/steps';
import { placed, sumText, tokensOf } from '../../../../demo/src/model/trace/sum';
import { IS_LONG } from '../../support/long';
import { DemoPage } from '../demo-page';

const TABLES: readonly Settings[] = [
  DEFAULTS,
  { ...DEFAULTS, search: 'breadth-first', addressing: 'reflect', bucketCount: 13, seed: 4 },
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

/** In each width, on a low screen or a high one; in long runs on both. */
function eachLayout(check: (layout: Layout, steps: (typeof runs)[number]['steps']) => void): void {
  for (const { settings, steps } of runs)
    for (const [i, width] of WIDTHS.entries())
      for (const isLow of IS_LONG ? [true, false] : [i % 2 === 0])
        check(layoutOf(settings, width, isLow), steps);
}

test('every chip goes on from where it was: through the tray, or from slot to slot of a path that was found', () => {
  eachLayout((layout, steps) => {
    const tray = trayBox(layout);
    const wrong = steps.filter(({ step }) => {
      const [start = [], end = []] = [0, 1].map((t) => flights(step, layout, t));
      if (step.kind === 'locate') return !areAt(end, [tray]);
      if (step.kind === 'move') {
        const { from, bucket, slot } = step.event;
        const origin = from === null ? tray : slotBox(layout, from.bucket, from.slot);
        return !areAt(start, [origin]) || !areAt(end, [slotBox(layout, bucket, slot)]);
      }
      if (step.kind !== 'kick' && step.kind !== 'undo' && step.kind !== 'place') return false;
      const slot = slotBox(layout, step.event.bucket, step.event.slot);
      if (step.kind === 'place') return !areAt(start, [tray]) || !areAt(end, [slot]);
      const [from, to] = step.kind === 'kick' ? [start, end] : [end, start];
      return !areAt(from, [tray, slot]) || !areAt(to, [slot, tray]);
    });
    expect(wrong).toEqual([]);
  });
});

function isIn({ x, y }: Box, picture: Layout): boolean {
  return x >= -2 && y >= -2 && x <= picture.width + 2 && y <= picture.height + 2;
}

test('no chip changes its size, none leaves the picture, and only one moves at a time', () => {
  let kicks = 0;
  eachLayout((layout, steps) => {
    const { chipWidth: width, chipHeight: height } = layout;
    const wrong: unknown[] = [];
    for (const { step } of steps) {
      const frames = Array.from({ length: 21 }, (_, i) => flights(step, layout, i / 20));
      for (const flight of frames.flat())
        if (flight.width !== width || flight.height !== height || !isIn(flight, layout)) wrong.push(flight);
      for (const [i, frame] of frames.slice(1).entries()) {
        const isMoved = (k: number): boolean =>
          frame[k]?.x !== frames[i]?.[k]?.x || frame[k]?.y !== frames[i]?.[k]?.y;
        if (isMoved(0) && isMoved(1)) wrong.push(step);
      }
      if (step.kind !== 'kick') continue;
      ++kicks;
      // The victim is out of its slot before the newcomer sets off.
      const first = frames.findIndex(([newcomer]) => newcomer?.x !== trayBox(layout).x);
      if (!areAt(frames[first]?.slice(1) ?? [], [asideBox(layout)])) wrong.push(step);
    }
    expect(wrong).toEqual([]);
  });
  expect(kicks).toBeGreaterThan(300);
});

test('every sum on the strip is right, and stands inside it', () => {
  let sums = 0;
  eachLayout((layout, steps) => {
    const wrong: string[] = [];
    for (const { session } of steps) {
      const tokens = tokensOf(session);
      if (tokens === null) continue;
      const { tray } = layout;
      const last = placed(layout, tokens).tokens.at(-1)?.box ?? tray;
      const text = sumText(tokens);
      const [, one = '', other = '', sum = ''] = /^([01]+) XOR ([01]+) = ([01]+)$/.exec(text) ?? [];
      const [, hash = 0, from = 0, count = 1, to = 0] =
        /^\((\d+) - (\d+)\) mod (\d+) = (\d+)$/.exec(text)?.map(Number) ?? [];
      const isInside = last.x + last.width <= tray.x + tray.width;
      const isRight =
        one !== ''
          ? (parseInt(one, 2) ^ parseInt(other, 2)) === parseInt(sum, 2)
          : (hash - from + count) % count === to;
      if (!isInside || !isRight) wrong.push(text);
      if (text.includes('=')) ++sums;
    }
    expect(wrong).toEqual([]);
  });
  expect(sums).toBeGreaterThan(1000);
});

/** Whether chips lie in these boxes, of all that fly the first ones. */
function areAt(chips: readonly Box[], boxes: readonly Box[]): boolean {
  return boxes.every((box, i) => {
    const chip = chips[i];
    const sides = ['x', 'y', 'width', 'height'] as const;
    return chip !== undefined && sides.every((side) => Math.abs(chip[side] - box[side]) < 0.001);
  });
}

test('who asked for less motion has more time for every step, and nobody less than a second for what is new', () => {
  const wrong = runs
    .flatMap(({ steps }) => steps)
    .filter(({ step }) => {
      const shown = shownFor(step, false);
      if (shownFor(step, true) <= shown) return true;
      if (step.kind === 'undo' || ('kick' in step && step.kick > 2)) return false;
      const isRepeated = step.kind === 'kick' && step.event.kick > 2;
      return shown - motionMs(step) < (isRepeated ? 200 : 300) || shown < 1000;
    });
  expect(wrong).toEqual([]);
});

test('the film of a refused insert lasts 25 seconds at most, and all its kicks are taken back in four seconds', () => {
  for (let round = 0; round < 6; ++round) {
    for (const part of [0, 1] as const) {
      const task = taskOf('fail', part, round);
      const { engine, session } = opened(task?.settings ?? DEFAULTS);
      const key = task?.run[0]?.key ?? '';
      const { steps } = next(session, { type: 'ran', key, events: engine.run('insert', key) }).timeline;
      engine.dispose();
      // Those before the question's steps are shown with it, and the last one stays.
      const seconds = (shown: readonly Step[]): number =>
        shown.reduce((sum, step) => sum + shownFor(step, false), 0) / 1000;
      const undone = steps.filter(({ kind }) => kind === 'undo');
      expect(undone).toHaveLength(8);
      expect(seconds(undone)).toBeLessThan(4);
      expect(seconds(steps.slice(2, -1))).toBeLessThanOrEqual(25);
    }
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

  test('home 1 comes of the hash, then home 2 of home 1, and only then is anything kicked', async () => {
    const page = await demo.open('#v=1&s=lab');
    await demo.button('Show me a kick').click();
    await stepTo('The hash of');
    expect(await page.locator('.bucket.is-home').count()).toBe(1);
    const bits = (await sumOf('.board-sum .is-from .token-text')) ?? '';
    expect(await demo.caption()).toContain(`first home, bucket ${parseInt(bits, 2)}`);
    await page.keyboard.press('.');
    expect(await demo.caption()).toMatch(
      /^The second home is the first home XOR the offset of the fingerprint/,
    );
    expect(await page.locator('.bucket.is-home').count()).toBe(2);
    expect(await page.locator('.sum-arrow').count()).toBe(1);
    expect(await sumOf('.board-sum .is-from .token-text')).toBe(bits);
    expect(await sumOf('.board-sum .is-to .token-text')).toBe(await sumOf('.is-lit .bucket-binary'));
    await stepTo('Kick 1');
    expect(await demo.caption()).toContain('chance picks bucket');
  });

  test('a kicked fingerprint says in bits why it goes where it goes, and the bucket of that number lights up', async () => {
    const page = await demo.open('#v=1&s=lab');
    await demo.button('Show me a kick').click();
    await stepTo('Kick 1');
    const text = (await page.locator('.token-text').allTextContents()).join(' ');
    const [, one = '', other = '', sum = ''] = /^([01]{3}) XOR ([01]{3}) = ([01]{3})$/.exec(text) ?? [];
    const bucket = parseInt(one, 2) ^ parseInt(other, 2);
    expect(parseInt(sum, 2)).toBe(bucket);
    expect(await sumOf('.is-lit .bucket-binary')).toBe(sum);
    const told = text.replace(' = ', '\u00a0=\u00a0');
    expect(await demo.caption()).toContain(`Its other home is ${told}, bucket ${bucket}.`);
    expect(await page.locator('.path li').innerText()).toContain(`for bucket\u00a0${bucket}`);
    // Its place is taken by the newcomer.
    const victim = await page.locator('.hand .chip-text').textContent();
    const newcomer = page.locator('.slot:has(.slot-mark.is-changed) .chip-text');
    expect(await newcomer.textContent()).not.toBe(victim);
    await demo.leaveField();
    await page.keyboard.press('End');
    expect(await page.locator('.path').innerText()).toContain(told);
  });

  test.each([360, 1280, 1920])(
    'on %i pixels the sum is at least as large as the text of a chip, and the chip in hand as one in a slot',
    async (width) => {
      const page = await demo.open('#v=1&s=lab', { viewport: { width, height: 1080 } });
      await demo.button('Show me a kick').click();
      await stepTo('Kick 1');
      const size = (selector: string): Promise<number> =>
        page
          .locator(selector)
          .first()
          .evaluate((each) => parseFloat(getComputedStyle(each).fontSize));
      expect(await size('.token-text')).toBeGreaterThanOrEqual(await size('.slot .chip-text'));
      const [held, lying] = await Promise.all(
        ['.hand .chip-body', '.slot .chip-body'].map((each) => page.locator(each).first().boundingBox()),
      );
      expect([held?.width, held?.height]).toEqual([lying?.width, lying?.height]);
    },
  );

  test.each([
    ['#v=1&s=lab', 1280, 'zh'],
    ['#v=1&s=lab', 360, 'en'],
    ['#v=1&s=lab&chrome=none', 1280, 'zh'],
  ])('the words below a sum keep off its digits: %s, %i pixels, in %s', async (place, width, language) => {
    const page = await demo.open(`${place}&l=${language}`, { viewport: { width, height: 800 } });
    if (place.endsWith('none')) await page.keyboard.press('Escape');
    await page
      .locator('.console .is-kick, .console button')
      .filter({ hasText: /kick|踢出/ })
      .first()
      .click();
    await demo.leaveField();
    if (place.endsWith('none')) await page.keyboard.press('f');
    await page.keyboard.press('Home');
    for (let i = 0; (await page.locator('.token.is-to').count()) === 0; ++i) {
      expect(i).toBeLessThan(9);
      await page.keyboard.press('.');
    }
    const [digits, word] = await page.locator('.token.is-to text').evaluateAll((all) =>
      all.map((each) => ({
        y: Number(each.getAttribute('y')),
        size: parseFloat(getComputedStyle(each).fontSize),
      })),
    );
    // From their middle, digits extend up and down by 0.37 of the font size, Chinese characters by half of it.
    const gap = (word?.y ?? 0) - 0.5 * (word?.size ?? NaN) - (digits?.y ?? 0) - 0.37 * (digits?.size ?? NaN);
    expect(gap).toBeGreaterThan(1);
  });

  test('a hand that is empty because its fingerprint is in the air is not said to hold nothing', async () => {
    const page = await demo.open('#v=1&s=lab', { reducedMotion: 'no-preference', isOwn: true });
    await page.evaluate(() => {
      const seen = ((window as unknown as { seen: Set<string> }).seen = new Set());
      new MutationObserver(() => {
        if (document.querySelector('.hand > .slot-empty') && document.querySelector('.flights .chip'))
          seen.add(document.querySelector('.hand-text')?.textContent ?? 'a sum');
      }).observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
    });
    await demo.run('wren', 'Insert');
    const seen = (): Promise<string[]> =>
      page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
    await demo.leaveField();
    await page.keyboard.press('Home');
    for (let i = 0; !(await seen()).includes(''); ++i) {
      expect(i).toBeLessThan(20);
      await page.keyboard.press('.');
    }
    expect(await seen()).not.toContain('nothing');
  });

  test('a kicked fingerprint stays in hand while nothing moves it', async () => {
    const page = await demo.open('#v=1&s=lab', { reducedMotion: 'no-preference' });
    await demo.button('Show me a kick').click();
    await stepTo('Kick 1');
    const sum = page.locator('.board-sum');
    await sum.waitFor();
    await page.keyboard.press('.');
    expect(await demo.caption()).not.toMatch(/^Kick 1/);
    expect(await sum.count()).toBe(1);
  });

  test('the search marks the slots with room, and the path that it finds leads to one of them', async () => {
    const page = await demo.open('#v=1&m=8&b=4&f=8&k=100&p=85&seed=5&way=reflect');
    await demo.button('Show me a kick').click();
    await stepTo('Both homes are full. Before anything moves');
    const buckets = await page
      .locator('.slot:has(.slot-mark.is-found)')
      .evaluateAll((all) => all.map((slot) => slot.getAttribute('data-slot')?.split('.')[0]));
    expect(buckets.length).toBeGreaterThan(0);
    expect(await page.locator('.arrow.is-room').count()).toBeGreaterThan(0);
    const before = await demo.slotNames();
    await page.keyboard.press('.');
    expect(await demo.caption()).toMatch(/^A path is found: one kick/);
    expect(await demo.slotNames()).toEqual(before);
    await page.keyboard.press('.');
    expect(await demo.caption()).toMatch(/^Kick 1/);
    const [, to] = /for bucket\s(\d+)/.exec(await page.locator('.path li').first().innerText()) ?? [];
    expect(buckets).toContain(to);
  });

  test.each([
    ['no motion', 'reduce' as const, 5000],
    ['motion', 'no-preference' as const, 4000],
  ])('with %s the sentence of a kick stays to be read', async (_, reducedMotion, stays) => {
    const page = await demo.open('', { reducedMotion, isOwn: true });
    await page.clock.install({ time: 0 });
    await demo.button('Show me a kick').click();
    await stepTo('Is there room at home? No');
    await page.clock.pauseAt(3_600_000); // an installed clock goes on by itself
    await page.keyboard.press(' ');
    for (let i = 0; !(await demo.caption()).startsWith('Kick 1'); ++i) {
      expect(i).toBeLessThan(200);
      await page.clock.runFor(50);
    }
    await page.clock.runFor(stays - 100);
    expect(await demo.caption()).toMatch(/^Kick 1/);
  });

  test('a kick is shown within seven seconds of the press, from the kick itself', async () => {
    const page = await demo.open('', { reducedMotion: 'no-preference', isOwn: true });
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(3_600_000);
    await demo.button('Show me a kick').click();
    const done = page.locator('.guide-step.is-kick .guide-answer').first();
    for (let i = 0; (await done.count()) === 0; ++i) {
      expect(i).toBeLessThan(70);
      await page.clock.runFor(100);
    }
    expect(await done.innerText()).toBe('1 kick');
    expect(await page.locator('.path li:not(.is-landing)').count()).toBe(1);
  });

  test('at twice the speed a step is shown for half the time', async () => {
    const page = await demo.open('', { reducedMotion: 'no-preference', isOwn: true });
    await page.clock.install({ time: 0 });
    await demo.button('Show me a kick').click();
    // It begins to play at the kick, a while after the press.
    await page.locator('.caption-text', { hasText: 'Kick 1' }).waitFor();
    await stepTo('Is there room at home? No');
    await demo.button('Speed: 1×').click();
    await demo.leaveField();
    await page.clock.pauseAt(3_600_000);
    await page.keyboard.press(' ');
    for (let i = 0; !(await demo.caption()).startsWith('Kick 1'); ++i) {
      expect(i).toBeLessThan(200);
      await page.clock.runFor(50);
    }
    await page.clock.runFor(1900);
    expect(await demo.caption()).toMatch(/^Kick 1/);
    await page.clock.runFor(400);
    expect(await demo.caption()).not.toMatch(/^Kick 1/);
  });

  test('the walk and the search are drawn beside each other, on one table, and told in one sentence', async () => {
    const page = await demo.open('#v=1&s=kick');
    await demo.button('Skip, just show it').click();
    expect(await page.locator('.ways').count()).toBe(0);
    await demo.button('Show the result').click();
    const ways = page.locator('.way-picture');
    await ways.nth(1).waitFor();
    const told = await page.locator('.ways > p:not(.note)').innerText();
    const [, walked, looked, searched] =
      /the walk moves (\d+).*looks into (\d+) bucket.*moves (\d+)\./.exec(told)?.map(Number) ?? [];
    const arrows = async (i: number): Promise<number> => ways.nth(i).locator('.arrow-number').count();
    expect([await arrows(0), await arrows(1)]).toEqual([walked, searched]);
    expect(await page.locator('.path li:not(.is-landing)').count()).toBe(walked);
    expect(searched).toBeLessThan(walked ?? 0);
    expect(looked).toBeGreaterThan(0);
    // The same fingerprints lie in both tables.
    const prints = async (i: number): Promise<string[]> =>
      (await ways.nth(i).locator('.chip-text').allTextContents()).sort();
    expect(await prints(0)).toEqual(await prints(1));
    expect(await prints(0)).toEqual((await page.locator('.slot .chip-text').allTextContents()).sort());
  });

  function sumOf(selector: string): Promise<string | null> {
    return demo.page.locator(selector).textContent();
  }
});
