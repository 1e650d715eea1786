// What comes out of a printer: sheets of exercises, page by page, and a scene on few sheets.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** The pages of the PDF that the browser makes. */
async function pageCount(format: 'A4' | 'Letter'): Promise<number> {
  const pdf = (await demo.page.pdf({ format, preferCSSPageSize: false })).toString('latin1');
  return [...pdf.matchAll(/\/Type\s*\/Page\b(?!s)/g)].length;
}

test.each([
  ['en', 'A4'],
  ['zh', 'Letter'],
] as const)(
  'a sheet of exercises, in %s, has them alone on %s, and open answers on a page of their own',
  async (language, format) => {
    const page = await demo.open(`#v=1&s=teach&l=${language}`);
    expect(await pageCount(format)).toBe(1);
    await page.locator('.sheet input').last().fill('7');
    await page.waitForFunction(() => document.querySelectorAll('.exercises > li').length === 7);
    const pages = await pageCount(format);
    expect(pages).toBeGreaterThan(1);
    expect(pages).toBeLessThan(6);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.sheet-lines span:visible').count()).toBe(2);
    expect(await page.locator('.panel:not(.sheet):visible, .bar:visible, .button:visible').count()).toBe(0);
    // No name is broken.
    expect(
      await page
        .locator('.mini-table small')
        .evaluateAll(
          (all) =>
            all.filter((each) => each.getClientRects().length > 1 || each.scrollWidth > each.clientWidth + 1)
              .length,
        ),
    ).toBe(0);
    await page.emulateMedia({ media: null });
    await page.locator('.answers summary').click();
    expect(await pageCount(format)).toBe(pages + 1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.answers a:visible').count()).toBe(0);
    expect(await page.locator('.answers-head').isVisible()).toBe(true);
  },
);

test('unfolded notes are printed by their own button alone, and the sheet by every other way', async () => {
  const page = await demo.open('#v=1&s=teach');
  await page.locator('.notes summary').click();
  await page.emulateMedia({ media: 'print' });
  // The browser would show its own window, and then say that it is closed.
  const press = (text: string): Promise<string[]> =>
    page.evaluate((button) => {
      const [seen, { print }] = [[] as string[], window];
      window.print = () => {
        for (const each of document.querySelectorAll<HTMLElement>('.panel'))
          if (each.checkVisibility()) seen.push(each.className.split(' ')[1] ?? '');
        dispatchEvent(new Event('afterprint'));
      };
      [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === button)?.click();
      window.print = print;
      return seen;
    }, text);
  expect(await press('Print')).toEqual(['sheet']);
  expect(await press('Print the notes')).toEqual(['notes']);
  expect(await press('Print')).toEqual(['sheet']);
});

test('a scene prints on four sheets at most, without its controls', async () => {
  const page = await demo.open('#v=1&s=kick');
  for (let i = 0; (await page.locator('.path li:not(.is-landing)').count()) !== 3; ++i) {
    expect(i).toBeLessThan(30);
    if (i > 0) await demo.open(`#v=1&s=kick&r=${i}`);
    await demo.button('Skip, just show it').click();
    await demo.button('Show the result').click();
    await page.locator('.verdict').waitFor();
  }
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('.button:visible, .transport:visible').count()).toBe(0);
  expect(await pageCount('A4')).toBeLessThanOrEqual(4);
});
