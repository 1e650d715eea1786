// Scene 0 in a real browser: the cuckoo hash table of the lab, its moves, its loop and rehash, and how full it gets.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** What each slot holds, as it is read out: the name, or nothing. */
async function slots(): Promise<string[]> {
  const texts = await demo.page.locator('.names-stage li').allInnerTexts();
  return texts.map((text) => /: (.+), whose/.exec(text)?.[1] ?? '');
}

/** Goes on to the last frame, and gives all captions on the way. */
async function captions(): Promise<string[]> {
  const all = [await demo.caption()];
  const forward = demo.button('One step forward');
  while (!(await forward.isDisabled())) {
    await forward.click();
    all.push(await demo.caption());
  }
  return all;
}

test('names go in, throw others out, and lie in one of their two places after every operation', async () => {
  const page = await demo.open('#v=1&s=names');
  await page.locator('.names-chip').first().waitFor();
  const homes = new Map<string, string[]>();
  for (let i = 0; i < 6; ++i) {
    const before = await slots();
    await demo.button('Put in the next sample name').click();
    const told = await captions();
    const [, name = '', one = '', other = ''] =
      /^“(.+)” has two places: (.+) and (.+)\.$/.exec(told[0] ?? '') ?? [];
    homes.set(name, [one, other]);
    const after = await slots();
    expect(after.filter((each) => each !== '').sort()).toEqual(
      [...before.filter((each) => each !== ''), name].sort(),
    );
    const isRehashed = told.some((text) => text.includes('rehash'));
    if (isRehashed) homes.clear();
    for (const [each, places] of homes) {
      const slot = after.indexOf(each);
      expect(places).toContain(`place ${slot % 6} of table ${slot < 6 ? 0 : 1}`);
    }
    await page.getByRole('textbox', { name: 'A name' }).fill(name);
    await demo.button('Look up').click();
    expect(await demo.caption()).toContain('is found');
  }
  await page.getByRole('textbox', { name: 'A name' }).fill('nobody');
  await demo.button('Look up').click();
  expect(await demo.caption()).toContain('is not there');
});

test('a loop is taken back move by move, and a rehash finds a place for everybody', async () => {
  const page = await demo.open('#v=1&s=names');
  await demo.button('Go on to a loop').click();
  const before = await slots();
  const told = await captions();
  expect(told.filter((text) => text.includes('is thrown out'))).toHaveLength(13);
  expect(told.at(-2)).toContain('go round in a loop');
  expect(told.at(-1)).toContain('This is called a rehash');
  const after = await slots();
  expect(after.filter((name) => name !== '')).toHaveLength(before.filter((name) => name !== '').length + 1);
  await demo.button('One step back').click();
  expect(await slots()).toEqual(before);
  // The address has it all by now.
  await page.waitForFunction(() => location.hash.includes('names:'));
  await page.waitForFunction(() => /before:n1(?!\d)/.test(location.hash));
  await demo.open(page.url().slice(demo.address.length));
  await demo.page.locator('.names-chip').first().waitFor();
  expect(await slots()).toEqual(before);
  expect(await demo.caption()).toContain('go round in a loop');
});

test('names fade to fingerprints, in one notation', async () => {
  const page = await demo.open('#v=1&s=names');
  await page.locator('.names-chip').first().waitFor();
  const names = await slots();
  await demo.button('Forget the names').click();
  const prints = await slots();
  expect(prints.map((print) => print !== '')).toEqual(names.map((name) => name !== ''));
  expect(prints.filter((print) => print !== '' && !/^0x[0-9a-f]{2}$/.test(print))).toEqual([]);
  expect(await page.locator('.names-line').count()).toBe(0);
  await demo.button('Show the names again').click();
  expect(await slots()).toEqual(names);
});

test('tables get as full as published figures say, within a few points', async () => {
  const page = await demo.open('#v=1&s=names');
  await page.getByLabel('Functions').waitFor();
  for (const [slots, percent] of [
    [1, 50],
    [2, 84],
    [4, 95],
    [8, 98],
  ] as const) {
    await page.getByLabel('Slots per bucket').fill(String(slots));
    const result = page.locator('.names-dials [role=status]', { hasText: /full at/ });
    await result.waitFor({ timeout: 30_000 });
    const text = await result.innerText();
    expect(text).toContain(`Published figures say ${percent} %`);
    expect(Math.abs(Number(/full at ([\d.]+)/.exec(text)?.[1]) - percent)).toBeLessThan(6);
  }
  await page.getByLabel('Functions').selectOption('3');
  await page.getByLabel('Slots per bucket').fill('1');
  const result = page.locator('.names-dials [role=status]', { hasText: /3 functions.*full at/ });
  await result.waitFor({ timeout: 30_000 });
  expect(Number(/full at ([\d.]+)/.exec(await result.innerText())?.[1])).toBeGreaterThan(85);
});
