// The cuckoo hash table in a real browser: its moves, its loop and rehash.
import { expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** What each slot holds, as it is read out: the name, or nothing. */
async function slots(): Promise<string[]> {
  const texts = await demo.page.locator('.names-stage li').allInnerTexts();
  return texts.map((text) => /: (.+), whose/.exec(text)?.[1] ?? '');
}

/** Goes on to the last frame, and gives all captions on the way. */
function captions(): Promise<string[]> {
  return demo.page.evaluate(async () => {
    const caption = document.querySelector('.caption-text');
    const forward = document.querySelector<HTMLButtonElement>('[data-action=forward]');
    const all = [caption?.textContent ?? ''];
    while (forward?.getAttribute('aria-disabled') === 'false') {
      forward.click();
      await new Promise(requestAnimationFrame);
      all.push(caption?.textContent ?? '');
    }
    return all;
  });
}

test('names go in, throw others out, and lie in one of their two places after every operation', async () => {
  const page = await demo.open('#v=1&s=names');
  await page.locator('.names-chip').first().waitFor();
  const homes = new Map<string, string[]>();
  for (let i = 0; i < 4; ++i) {
    const before = await slots();
    await demo.button('Put in the next sample name').click();
    const told = await captions();
    // The first sample throws a name out, which is what the scene is about.
    if (i === 0) expect(told.filter((text) => text.includes('is thrown out'))).toHaveLength(1);
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
  }
});

test.each(['en', 'zh'])(
  'no two of the first names in %s share both places, so that no line covers another, and the next throws one out',
  async (l) => {
    const page = await demo.open(`#v=1&s=names&l=${l}`);
    const ends = page.locator('.names-line circle');
    await ends.first().waitFor();
    const places = await ends.evaluateAll((all) =>
      all.map((each) => `${each.getAttribute('cx')} ${each.getAttribute('cy')}`),
    );
    const lines = Array.from({ length: 5 }, (_, i) => places.slice(2 * i, 2 * i + 2).join());
    expect(places).toHaveLength(10);
    expect(new Set(lines).size).toBe(5);
    await page.locator('.tries .is-kick').click();
    expect((await captions()).filter((text) => /is thrown out|踢出去/.test(text))).toHaveLength(1);
  },
);

test('the way to a loop can be skipped', async () => {
  const page = await demo.open('#v=1&s=names');
  await demo.button('Go on to a loop').click();
  await demo.button('Skip to its end').click();
  await page.locator('.caption-text', { hasText: 'go round in a loop' }).waitFor();
  expect(await demo.button('Skip to its end').count()).toBe(0);
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
  await demo.open(page.url().slice(demo.address.length));
  await demo.page.locator('.names-chip').first().waitFor();
  expect(await slots()).toEqual(after);
});
