// Predictions that the page must not answer itself, and the frame that asks one.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

test('while the scene asks for the other bucket, no chip tells it by name, by pointer or by key', async () => {
  const page = await demo.open('#v=1&s=kick');
  const chip = page.locator('.slot:has(.chip)').first();
  expect((await demo.slotNames()).filter((name) => name.includes('other home'))).toEqual([]);
  await chip.hover();
  expect(await page.locator('.home-link').count()).toBe(0);
  await chip.focus();
  const place = await page.evaluate(() => document.activeElement?.getAttribute('data-slot'));
  await page.keyboard.press('a');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-slot'))).toBe(place);
  await page.keyboard.press('ArrowDown');
  expect(await page.evaluate(() => document.activeElement?.getAttribute('data-slot'))).not.toBe(place);
  await demo.button('Skip, just show it').click();
  await page.locator('.slot[aria-label*="other home"]').nth(4).waitFor();
  await chip.hover();
  expect(await page.locator('.home-link').count()).toBe(1);
});

test('a frame of 820 by 760 pixels shows the question beside the whole table', async () => {
  const page = await demo.open('#v=1&s=kick&embed=1', { viewport: { width: 820, height: 760 } });
  const deck = await page.locator('.deck').boundingBox();
  const rows = await page
    .locator('.bucket')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
  expect(rows).toHaveLength(8);
  expect(Math.max(...rows)).toBeLessThan(deck?.y ?? 0);
  const submit = await demo.button('Lock it in').boundingBox();
  expect((submit?.y ?? 999) + (submit?.height ?? 0)).toBeLessThan(760);
});
