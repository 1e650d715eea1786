// What comes out of a printer: sheets of exercises, page by page.
// Invariant: pages are counted in the PDF; what lies where is read from the pixels that are printed on each.
import { describe, expect, test } from '@jest/globals';
import { runs } from '../../support/long';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** A4 and Letter without the margins that the styles ask for, at 96 pixels an inch. */
const PAPERS = { A4: [182, 269], Letter: [188, 251] } as const;
const PIXELS_A_MM = 96 / 25.4;

/** The pages of the PDF that the browser makes. */
async function pageCount(format: keyof typeof PAPERS): Promise<number> {
  const pdf = (await demo.page.pdf({ format, preferCSSPageSize: false })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

/** For each page of a sheet, as it is printed: the parts of its height in which there is ink, from 0 to 1, in twentieths. */
async function inkOf(format: keyof typeof PAPERS): Promise<boolean[][]> {
  const { page } = demo;
  const [width, height] = PAPERS[format].map((mm) => Math.floor(mm * PIXELS_A_MM)) as [number, number];
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ media: 'print' });
  const pictures = [];
  for (const sheet of await page.locator('.sheet-page').all())
    pictures.push((await sheet.screenshot()).toString('base64'));
  await page.emulateMedia({ media: null });
  return page.evaluate(async (all) => {
    const ink = [];
    for (const picture of all) {
      const image = new Image();
      image.src = `data:image/png;base64,${picture}`;
      await image.decode();
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d', { willReadFrequently: true });
      if (context === null) throw new Error('no canvas');
      context.drawImage(image, 0, 0);
      const bands = Array.from({ length: 20 }, (_, band) => {
        const top = Math.floor((band * image.height) / 20);
        const { data } = context.getImageData(0, top, image.width, Math.floor(image.height / 20));
        return data.some((value, i) => i % 4 !== 3 && value < 128);
      });
      ink.push(bands);
    }
    return ink;
  }, pictures);
}

/** Texts and tables that lie over each other, or reach out of their page. */
function collisions(): Promise<string[]> {
  return demo.page.evaluate(() =>
    [...document.querySelectorAll('.sheet-page')].flatMap((sheet) => {
      const frame = sheet.getBoundingClientRect();
      const parts = [...sheet.querySelectorAll('h3, p, .choices, .mini-table')].filter(
        (each) => each.getBoundingClientRect().height > 0,
      );
      const isOut = (each: Element): boolean => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return (
          left < frame.left - 1 || right > frame.right + 1 || top < frame.top - 1 || bottom > frame.bottom + 1
        );
      };
      const isOver = (one: Element, other: Element): boolean => {
        const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
        return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
      };
      const nameOf = (each: Element): string => (each.textContent ?? '').slice(0, 30);
      return [
        ...parts.filter(isOut).map((each) => `out: ${nameOf(each)}`),
        ...parts.flatMap((one, i) =>
          parts
            .slice(i + 1)
            .flatMap((other) => (isOver(one, other) ? [`${nameOf(one)} over ${nameOf(other)}`] : [])),
        ),
      ];
    }),
  );
}

describe.each([
  ['en', 'A4'],
  ['zh', 'Letter'],
] as const)('a sheet of exercises, in %s', (language, own) => {
  test.each(runs([own], ['A4', 'Letter'] as const))(
    'has two on a page of %s, each in its half, and no empty page',
    async (format) => {
      const page = await demo.open(`#v=1&s=teach&l=${language}`);
      await page.locator('.sheet input').last().fill('7');
      await page.waitForFunction(() => document.querySelectorAll('.exercises > li').length === 7);
      expect(await pageCount(format)).toBe(4);
      const pages = await inkOf(format);
      expect(pages).toHaveLength(4);
      for (const [i, bands] of pages.entries()) {
        // The line for name and date at the top, and an exercise in the middle of each half.
        expect(bands[0]).toBe(true);
        expect(bands.slice(1, 10).some(Boolean)).toBe(true);
        if (i < 3) expect(bands.slice(12, 19).some(Boolean)).toBe(true);
      }
      await page.emulateMedia({ media: 'print' });
      expect(await collisions()).toEqual([]);
      // No name is broken, and the tables with the questions fill the width.
      expect(
        await page
          .locator('.mini-table small')
          .evaluateAll(
            (all) =>
              all.filter(
                (each) => each.getClientRects().length > 1 || each.scrollWidth > each.clientWidth + 1,
              ).length,
          ),
      ).toBe(0);
      await page.emulateMedia({ media: null });
      await page.locator('.answers summary').click();
      expect(await pageCount(format)).toBe(5);
    },
  );
});
