// The rooms beside the scenes, in a real browser: lab, "Be the filter", teachers' page, and the page in a frame.
import { describe, expect, test } from '@jest/globals';
import type { Locator } from 'playwright-core';
import { gainOf, parsedQuiz } from '../../../../demo/src/model/quiz';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

describe('the lab', () => {
  test('fills 131,072 slots, can be stopped and goes on', async () => {
    const page = await demo.open('#v=1&s=lab');
    await page.getByLabel('Fill up to (%)').selectOption('95');
    await demo.button('Fill it').click();
    await demo.button('Stop').click();
    await page.locator('.run-summary', { hasText: 'full. Fill on' }).first().waitFor();
    await demo.button('Fill it').click();
    await page.locator('.run-summary', { hasText: '95 % full' }).waitFor({ timeout: 60_000 });
    const dark = await page.locator('.heat-map').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? {
        data: [],
      };
      const pixels = new Uint32Array(new Uint8ClampedArray(data).buffer);
      const counts = new Map<number, number>();
      for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      return [...counts.values()].sort((a, b) => b - a);
    });
    expect(dark).toEqual([Math.round(0.95 * 131_072), 131_072 - Math.round(0.95 * 131_072)]);
  });

  test('draws the same table as a graph', async () => {
    const page = await demo.open('#v=1&s=lab');
    const full = (await demo.slotTexts()).filter((slot) => slot !== 0).length;
    await demo.button('Graph').click();
    await page.locator('.edge').first().waitFor();
    expect(await page.locator('.edge').count()).toBe(full);
  });
});

describe('be the filter', () => {
  test('takes right moves, refuses wrong ones and mends them on request', async () => {
    const page = await demo.open('#v=1&s=be');
    // How many moves there are would tell how the insert goes.
    expect(await page.locator('.stages li').count()).toBe(1);
    for (let move = 0; (await page.locator('.stages [aria-current]').count()) > 0; ++move) {
      expect(move).toBeLessThan(40);
      const buttons = page.locator('.card .is-number');
      if ((await buttons.count()) > 0) {
        for (let bucket = 0; bucket < 8 && (await atMove(move)); ++bucket) await buttons.nth(bucket).click();
      } else if ((await demo.button('Yes').count()) > 0) {
        await demo.button('Yes').click();
        if (await atMove(move)) await demo.button('No').click();
      } else {
        await page.locator('[data-slot="0.0"]').click();
        await demo.button('Do it for me').click();
      }
      expect(await atMove(move)).toBe(false);
    }
    expect(await page.locator('.ask-question').innerText()).toMatch(/^Done: \d of \d moves/);
    expect(await demo.answer()).toBe('done');
    await demo.button('Another key').click();
    expect(await page.locator('.stages [aria-current]').innerText()).toBe('1');
  });

  test.each([
    ['a mouse', false],
    ['a finger', true],
  ])('takes fingerprints dragged by %s, and a drop beside the table is no move', async (_, isTouch) => {
    const page = await demo.open('#v=1&s=be', isTouch ? { hasTouch: true, isMobile: true } : {});
    const home = page.locator('.card .is-number');
    for (let bucket = 0; bucket < 8 && (await atMove(0)); ++bucket) await home.nth(bucket).click();
    await demo.button('Both are full: kick').click();
    expect(await atMove(2)).toBe(true);
    const [, victim = '', from = ''] =
      /chooses (\w+) in bucket (\d+)/.exec(await page.locator('.ask-question').innerText()) ?? [];
    const grip = page.locator('.slot.is-grip');
    const edges = await page
      .locator('.slot .chip-body')
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).strokeWidth));
    expect(edges.filter((edge) => edge === '3px')).toHaveLength(1);
    expect(await grip.getAttribute('aria-label')).toMatch(
      new RegExp(`^bucket ${from}, .*fingerprint ${victim}`),
    );
    // The table does not tell where it goes; the question says how to work it out.
    expect(await grip.getAttribute('aria-label')).not.toContain('other home');
    const sum = /It goes to ([01]+) XOR ([01]+)/.exec(await page.locator('.ask-question').innerText());
    const other = parseInt(sum?.[1] ?? '', 2) ^ parseInt(sum?.[2] ?? '', 2);
    await grip.scrollIntoViewIfNeeded();
    // To touch the fingerprint itself is no answer.
    await grip.click();
    expect(await page.locator('.be-feedback').innerText()).not.toContain('You chose');
    await drag(grip, page.locator('.hand'));
    expect(await atMove(2)).toBe(true);
    expect(await page.locator('.be-feedback').innerText()).not.toContain('You chose');
    await drag(grip, page.locator(`[data-slot="${other}.1"]`));
    await page.locator('.stages [aria-current]', { hasText: '4' }).waitFor();
    const isRoom = await page
      .locator(`[data-slot^="${other}."]`)
      .evaluateAll((slots) => slots.some((slot) => slot.querySelector('.chip') === null));
    await demo.button(isRoom ? 'Yes' : 'No').click();
    if (!isRoom) return;
    const empty = page.locator(`[data-slot^="${other}."]:not(:has(.chip))`).first();
    await drag(page.locator('.hand .is-grip'), empty);
    await page.locator('.ask-question', { hasText: /^Done/ }).waitFor();
  });

  /** By pointer events, which mouse and finger share. */
  async function drag(from: Locator, to: Locator): Promise<void> {
    const [start, end] = [await from.boundingBox(), await to.boundingBox()];
    if (start === null || end === null) throw new Error('nothing to drag');
    const { mouse } = demo.page;
    await mouse.move(start.x + start.width / 2, start.y + start.height / 2);
    await mouse.down();
    await mouse.move(end.x + 20, end.y + 10, { steps: 5 });
    expect(await demo.page.locator('.dragged').count()).toBe(1);
    await mouse.move(end.x + end.width / 2, end.y + end.height / 2);
    await mouse.up();
    expect(await demo.page.locator('.dragged').count()).toBe(0);
  }

  async function atMove(move: number): Promise<boolean> {
    const current = demo.page.locator('.stages [aria-current]');
    return (await current.count()) > 0 && (await current.innerText()) === String(move + 1);
  }
});

describe('the teachers’ page', () => {
  test('makes the same sheet from the same seed, with answers that its links show', async () => {
    const page = await demo.open('#v=1&s=teach');
    const sheetText = async (): Promise<string> =>
      (await page.locator('.exercises').allInnerTexts()).join('\n');
    await page.getByLabel('Seed').fill('7');
    const sheet = await sheetText();
    await page.getByLabel('Seed').fill('8');
    expect(await sheetText()).not.toBe(sheet);
    await page.getByLabel('Seed').fill('7');
    expect(await sheetText()).toBe(sheet);
    await page.getByText('Answers', { exact: true }).click();
    const answer = await page.locator('.answers b').nth(2).innerText();
    await page.locator('.answers a').nth(2).click();
    await demo.button('Skip, just show it').click();
    await demo.button('Show the result').click();
    expect(await page.locator('.ask-found').innerText()).toContain(`bucket ${answer.split('. ')[1]}`);
  });
});

describe('the quiz', () => {
  test('asks the same kind of question before and after, keeps the answers, and tells the gain', async () => {
    const page = await demo.open('#v=1&s=teach');
    const half = async (name: string): Promise<string[]> => {
      await demo.button(name).click();
      const questions: string[] = [];
      for (let i = 0; i < 5; ++i) {
        questions.push(await page.locator('.ask-question').innerText());
        const option = page.locator('.option').first();
        if (i % 2 === 0 || (await option.count()) === 0) await demo.button('I do not know').click();
        else {
          await option.click();
          await demo.button('Next').click();
        }
      }
      return questions;
    };
    const before = await half('Begin: before the scenes');
    expect(await page.locator('.table-frame tbody tr').count()).toBe(5);
    await page.reload();
    await page.locator('.table-frame').waitFor();
    const after = await half('Begin: after the scenes');
    after.forEach((question, i) => expect(question).not.toBe(before[i]));
    expect(await page.locator('p[role=status]').innerText()).toMatch(
      /before: \d of 5 right\. after: \d of 5 right\./,
    );
    await demo.button('Forget it').click();
    expect(await page.locator('.table-frame').count()).toBe(0);
  });

  test('tells the part of the wrong answers that became right', () => {
    const [yes, no] = [true, false];
    expect(gainOf({ before: [no, no, yes, no], after: [yes, yes, yes, no] })).toBeCloseTo(2 / 3, 9);
    expect(gainOf({ before: [yes], after: [yes] })).toBeNull();
    expect(gainOf({ before: [no], after: null })).toBeNull();
    expect(parsedQuiz('{"before":[true,1],"after":[true,false]}', 2)).toEqual({
      before: null,
      after: [yes, no],
    });
    for (const text of [null, '', '[]', 'null', '{"before":3}'])
      expect(parsedQuiz(text, 2)).toEqual({ before: null, after: null });
  });
});
