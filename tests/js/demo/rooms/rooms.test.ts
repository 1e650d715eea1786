// The rooms beside the scenes, in a real browser: lab, "Be the filter", teachers' page, and the page in a frame.
import { describe, expect, test } from '@jest/globals';
import { SCENES } from '../../../../demo/src/model/places';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

describe('the lab', () => {
  test('fills 131,072 slots, can be stopped and goes on', async () => {
    const page = await demo.open('#v=1&s=lab');
    await page.getByLabel('Fill up to (%)').selectOption('95');
    await demo.button('Fill it').click();
    await demo.button('Stop').click();
    await page.locator('.run-summary', { hasText: '% full.' }).first().waitFor();
    await demo.button('Fill it').click();
    await page.locator('.run-summary', { hasText: '95 % full' }).waitFor();
    const dark = await page.locator('.heat-map').evaluate((canvas) => {
      const { width, height } = canvas as HTMLCanvasElement;
      const { data } = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height) ?? {
        data: [],
      };
      const pixels = new Uint32Array(new Uint8ClampedArray(data).buffer);
      const counts = new Map<number, number>();
      // The last row may be longer than the table.
      for (const pixel of pixels.filter((each) => each !== 0))
        counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
      return [...counts.values()].sort((a, b) => b - a);
    });
    // Once it is as full as was asked for, another one begins empty.
    await demo.button('Fill it').click();
    await page.locator('.run-summary', { hasText: '95 % full' }).waitFor({ state: 'detached' });
    await page.locator('.run-summary', { hasText: '95 % full' }).waitFor();
    expect(dark).toEqual([Math.round(0.95 * 131_072), 131_072 - Math.round(0.95 * 131_072)]);
  });

  test('shows no empty map, and takes a dropped list into a table of its own', async () => {
    const page = await demo.open('#v=1&s=lab');
    expect(await page.locator('.heat-map').count()).toBe(0);
    await page.getByLabel('Key', { exact: true }).evaluate((field) => {
      const dataTransfer = new DataTransfer();
      const words = Array.from({ length: 40 }, (_, i) => `word ${i}`).join('\n');
      dataTransfer.items.add(new File([words], 'words.txt', { type: 'text/plain' }));
      field.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    });
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 64);
    expect((await demo.slotTexts()).filter((slot) => slot !== 0)).toHaveLength(40);
    await page.getByText('Of 40 keys inserted, 40 found room.').waitFor();
  });

  test('has handles for b, f and load, which the table, its rate and its bits per key follow', async () => {
    const page = await demo.open('#v=1&s=lab');
    const figures = async (): Promise<number[]> =>
      (await page.locator('.handles dd').allInnerTexts()).map((text) => parseFloat(text));
    const before = await figures();
    await page.locator('.handles input').nth(1).fill('4');
    const [computed = 0, counted = 0, bits = 0] = await figures();
    expect(await page.locator('.slot .chip-text').first().textContent()).toMatch(/^0x[0-9a-f]$/);
    expect(computed).toBeGreaterThan(5 * (before[0] ?? 0));
    expect(Math.abs(counted - computed)).toBeLessThan(computed / 4);
    expect(bits).toBeCloseTo((before[2] ?? 0) / 2, 1);
    await page.locator('.handles input').first().fill('8');
    expect(await demo.slotNames()).toHaveLength(64);
    const handles = page.locator('.handles input');
    expect(await page.locator('.handles output').allInnerTexts()).toEqual(
      await handles.evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value)),
    );
    await page.locator('.handles input').nth(2).fill('0');
    expect((await demo.slotTexts()).every((slot) => slot === 0)).toBe(true);
  });

  test('says beforehand which numbers of buckets XOR takes', async () => {
    const page = await demo.open('#v=1&s=lab');
    await page.locator('.tools summary').click();
    await page.getByLabel('Buckets (m) 1 to 32; with XOR a power of two').waitFor();
  });

  test('names no fingerprint in a graph without room for names, and has one of all digits in its legend', async () => {
    const page = await demo.open('#v=1&s=lab&m=32&b=4&f=16&p=60&seed=3&k=20&way=xor', {
      viewport: { width: 360, height: 740 },
    });
    expect(await page.locator('.legend .chip-text').textContent()).toBe('0x00a3');
    await demo.button('Graph').click();
    expect(await page.locator('.graph .edge').count()).toBe(76);
    expect(await page.locator('.graph .chip').count()).toBe(0);
  });

  test('draws the same table as a graph', async () => {
    const page = await demo.open('#v=1&s=lab');
    const full = (await demo.slotTexts()).filter((slot) => slot !== 0).length;
    await demo.button('Graph').click();
    await page.locator('.edge').first().waitFor();
    expect(await page.locator('.edge').count()).toBe(full);
    const loops = await page.locator('.edge-line[d*=C]').count();
    await page.locator('.parts', { hasText: `the same bucket: ${loops} of ${full} here` }).waitFor();
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
    expect(await page.locator('.ask-found').innerText()).toMatch(/^Done: \d of \d moves/);
    expect(await demo.answer()).toBe('done');
    // Now the insert can be seen again, step by step.
    await demo.button('One step back').click();
    await demo.button('Another key').click();
    expect(await demo.caption()).toBe('Your turn: answer the question first.');
    expect(await page.locator('.stages [aria-current]').innerText()).toBe('Move 1');
  });

  test('leaves the question of the next place locked', async () => {
    await demo.open('#v=1&s=be');
    await demo.visit('#v=1&s=kick');
    expect(await demo.caption()).toBe('Your turn: answer the question first.');
  });

  test('tells a verdict and where to press on lines of their own', async () => {
    const page = await demo.open('#v=1&s=be');
    for (let bucket = 0; bucket < 8 && (await atMove(0)); ++bucket)
      await page.locator('.card .is-number').nth(bucket).click();
    const [verdict, how] = await Promise.all(
      ['.be-feedback', '.be-told .note'].map((each) => page.locator(each).boundingBox()),
    );
    expect(how?.y).toBeGreaterThanOrEqual((verdict?.y ?? 0) + (verdict?.height ?? 0));
  });

  test('on a phone, shows at once that a press was wrong: where it was, and why', async () => {
    const page = await demo.open('#v=1&s=be', { viewport: { width: 360, height: 740 } });
    const answer = (await page.locator('.ask-question').innerText()).match(/([01]{3})\sXOR\s([01]{3})/) ?? [];
    const right = parseInt(answer[1] ?? '', 2) ^ parseInt(answer[2] ?? '', 2);
    const [one, other] = [0, 1, 2].filter((bucket) => bucket !== right);
    await page
      .locator('.card .is-number')
      .nth(one ?? 0)
      .click();
    await page.locator('[data-missed]', { hasText: String(one) }).waitFor();
    for (const part of ['.be-feedback.is-wrong', '[data-missed]']) {
      const { y = NaN, height = NaN } = (await page.locator(part).boundingBox()) ?? {};
      expect(y).toBeGreaterThanOrEqual(0);
      expect(y + height).toBeLessThanOrEqual(740);
    }
    // A press on the table is marked there, and among the numbers.
    await page.locator(`[data-slot="${other}.1"]`).click();
    await page.locator('[data-missed]', { hasText: String(other) }).waitFor();
    expect(await page.locator('.is-guessed .bucket-number').innerHTML()).toMatch(RegExp(`^${other}`));
    await page.locator('.card .is-number').nth(right).click();
    await page.locator('.be-feedback.is-right').waitFor();
    expect(await page.locator('[data-missed], .is-guessed').count()).toBe(0);
  });

  async function atMove(move: number): Promise<boolean> {
    const current = demo.page.locator('.stages [aria-current]');
    return (
      (await current.count()) > 0 && (await current.innerText()).replace('Move ', '') === String(move + 1)
    );
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

test('a scene scrolls nowhere in the frame that its code asks for, from the question to its answer', async () => {
  const teach = await demo.open('#v=1&s=teach');
  const scenes = teach.locator('.embed select');
  const frames: (readonly [link: string, width: number, height: number])[] = [];
  for (const scene of SCENES) {
    await scenes.selectOption(scene);
    const code = await teach.locator('.embed textarea').inputValue();
    const [, link = '', width, height] = /src="[^"#]+(#[^"]+)" width="(\d+)" height="(\d+)"/.exec(code) ?? [];
    frames.push([link, Number(width), Number(height)]);
  }
  for (const [link, width, height] of frames) {
    const page = await demo.open(link, { viewport: { width, height } });
    const rest = (): Promise<number> =>
      page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
    expect([link, await rest()]).toEqual([link, 0]);
    await demo.button('Skip, just show it').click();
    const toResult = demo.button('Show the result');
    const verdict = page.locator('.verdict');
    await toResult.or(verdict).or(page.locator('.run-bar')).first().waitFor();
    if (await toResult.isVisible()) await toResult.click();
    await verdict.waitFor();
    expect([link, await rest()]).toEqual([link, 0]);
  }
});
