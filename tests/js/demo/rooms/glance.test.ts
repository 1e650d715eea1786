// What belongs together is seen together, and what is shown has the look and the language of the page.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

test('the arrow, the sum, the row and the sentence of a kick light each other', async () => {
  const page = await demo.open('#v=1&s=kick');
  await page.locator('.ask-actions .is-quiet').click();
  const row = page.locator('.path .is-latest');
  // At rest while a kicked one is in hand: its sum stands in the tray.
  await demo.leaveField();
  await page.keyboard.press('Home');
  while (!(await demo.caption()).startsWith('Kick 1')) await page.keyboard.press('.');
  const lit = (): Promise<number[]> =>
    Promise.all(
      ['.arrow.is-lit .arrow-line', '.board-sum.is-lit', '.path .is-lit', '.caption.is-lit'].map((each) =>
        page.locator(each).count(),
      ),
    );
  expect(await lit()).toEqual([0, 0, 0, 0]);
  await row.hover();
  expect(await lit()).toEqual([1, 1, 1, 1]);
  await page.locator('.caption-text').hover();
  expect(await lit()).toEqual([1, 1, 1, 1]);
  await page.locator('.intro h1').hover();
  expect(await lit()).toEqual([0, 0, 0, 0]);
  await row.focus();
  expect(await lit()).toEqual([1, 1, 1, 1]);
});

test('a fingerprint in a sentence has the colours of its chip on the table', async () => {
  const page = await demo.open('#v=1&s=kick');
  const print = page.locator('.ask-question .print').first();
  const chip = page.locator('.slot .chip', { hasText: await print.innerText() }).first();
  const ground = await print.evaluate((it) => getComputedStyle(it).backgroundColor);
  expect(await chip.locator('.chip-body').evaluate((it) => getComputedStyle(it).fill)).toBe(ground);
  expect(await print.evaluate((it) => getComputedStyle(it).fontFamily)).toContain('monospace');
});

test('an empty map has the colour of its ground from the start', async () => {
  const page = await demo.open('#v=1&s=race&chrome=none');
  const [pixel, ground] = await page
    .locator('canvas.heat-map')
    .first()
    .evaluate((canvas) => {
      const context = (canvas as HTMLCanvasElement).getContext('2d');
      return [
        `rgb(${[...(context?.getImageData(0, 0, 1, 1).data.slice(0, 3) ?? [])].join(', ')})`,
        getComputedStyle(canvas).borderTopColor,
      ];
    });
  expect(pixel).toBe(ground);
});

test('a plot has axes with the guess on them, and then the curves with the answer marked', async () => {
  const page = await demo.open('#v=1&s=bits');
  expect(await page.locator('.tick').count()).toBeGreaterThan(8);
  expect(await page.locator('.plot-at').count()).toBe(0);
  await page.locator('.option').first().click();
  const first = await page.locator('.plot-at').getAttribute('x1');
  await page.locator('.option').nth(1).click();
  expect(await page.locator('.plot-at').getAttribute('x1')).not.toBe(first);
  const guess = await page.locator('.plot-at').getAttribute('x1');
  await demo.button('Lock it in').click();
  await page.locator('.verdict').waitFor();
  expect(await page.locator('.plot-answer').count()).toBe(1);
  // The guess stays beside it.
  expect(await page.locator('.plot-at').last().getAttribute('x1')).toBe(guess);
  // The curve that the second question asks about is not there before it.
  expect(await page.locator('.plot-legend li').count()).toBe(3);
});

test('a file that is refused says why in the language of the page', async () => {
  const page = await demo.open('#v=1&s=lab&l=zh');
  const file = { name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.from('no filter') };
  await page.locator('input[type=file]').setInputFiles(file);
  const told = await page.locator('.problem[role=alert]', { hasText: 'a.bin' }).innerText();
  expect(told.replace('a.bin', '')).not.toMatch(/[a-z]{3}/i);
});

test.each([
  [1280, 800],
  [360, 740],
])(
  'the buttons keep their place below the table at every step, at %i by %i pixels',
  async (width, height) => {
    for (const scene of ['kick', 'hunt', 'delete']) {
      const page = await demo.open(`#v=1&s=${scene}`, { viewport: { width, height } });
      await demo.button('Skip, just show it').click();
      await demo.leaveField();
      const places = await page.evaluate(async () => {
        const forward = document.querySelector<HTMLElement>('[data-action=forward]');
        const places = new Set<number>();
        document.querySelector<HTMLElement>('[data-action=toStart]')?.click();
        for (let isLast = false; !isLast;) {
          await new Promise(requestAnimationFrame);
          const [table, buttons] = ['.picture', '.transport-buttons'].map(
            (each) => document.querySelector(each)?.getBoundingClientRect().bottom ?? 0,
          );
          places.add(Math.round((buttons ?? 0) - (table ?? 0)));
          isLast = forward?.getAttribute('aria-disabled') !== 'false';
          forward?.click();
        }
        return [...places];
      });
      expect(places).toHaveLength(1);
    }
  },
);

test('bits that can be flipped and those that cannot stand in the same columns', async () => {
  for (const width of [1280, 360]) {
    const page = await demo.open('#v=1&s=homes', { viewport: { width, height: 800 } });
    for (const part of [0, 1]) {
      await demo.button('Skip, just show it').click();
      await demo.button('Show the result').click();
      if (part === 0) await demo.button('The second question').click();
    }
    await page.locator('.explore').waitFor();
    const columns = await page
      .locator('.explore .bits')
      .evaluateAll((rows) =>
        rows.map((row) =>
          [...row.children].map((bit) => Math.round(bit.getBoundingClientRect().left)).join(' '),
        ),
      );
    expect(columns).toHaveLength(4);
    // The first row has the fingerprint, which the sum does not add.
    expect(new Set(columns.slice(1)).size).toBe(1);
  }
});

test('a counted rate tells how far chance moves it', async () => {
  const page = await demo.open('#v=1&s=lab');
  await page.getByText(/^[\d.]+\s% \([\d.]+ to [\d.]+\s%\)$/).waitFor();
  // An empty table finds none of 4,000; the true rate may still be up to 4 in 4,000.
  await page.locator('.handles input').nth(2).fill('0');
  await page.getByText('counted: 0 of 4,000').waitFor();
  await page.getByText(/^0\s% \(0 to 0\.096\s%\)$/).waitFor();
});
