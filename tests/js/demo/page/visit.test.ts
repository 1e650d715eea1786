// The demo in a real browser: what a visitor does by mouse and keyboard, and what the page then shows.
// Needs CHROMIUM_PATH; without it the tests fail, as an untested page is not a tested one.
import { beforeEach, describe, expect, test } from '@jest/globals';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();
const opened = async (): Promise<void> => {
  await demo.open();
};

describe('by mouse', () => {
  beforeEach(opened);

  test('a key that was inserted may be present, and after its deletion it is definitely not', async () => {
    const before = await demo.slotTexts();
    await demo.run('zebra 1', 'Look up');
    expect(await demo.answer()).toBe('never');
    expect(await demo.page.locator('.answer').innerText()).toBe('Definitely not');
    await demo.run('zebra 1', 'Insert');
    expect(await demo.caption()).toContain('“zebra 1” is in');
    expect((await demo.slotTexts()).filter((slot) => slot !== 0)).toHaveLength(
      before.filter((slot) => slot !== 0).length + 1,
    );
    await demo.run('zebra 1', 'Look up');
    expect(await demo.answer()).toBe('maybe');
    expect(await demo.page.locator('.answer').innerText()).toBe('Maybe present');
    expect(await demo.page.locator('.answer circle').count()).toBe(1);
    await demo.run('zebra 1', 'Delete');
    await demo.run('zebra 1', 'Look up');
    expect(await demo.answer()).toBe('never');
    expect(await demo.page.locator('.answer rect').count()).toBe(1);
    // A kick on the way in may have moved another fingerprint to its other candidate bucket.
    expect((await demo.slotTexts()).sort()).toEqual(before.sort());
  });

  test('an empty field inserts nothing: it is where to type', async () => {
    for (const action of ['Insert', 'Look up', 'Delete']) await demo.button(action).click();
    expect(await demo.page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('key');
    expect(await demo.caption()).toMatch(/^The table is/);
  });

  test('an operation plays by itself and can be paused', async () => {
    await demo.run('zebra 1', 'Look up');
    await demo.page.getByLabel('Key', { exact: true }).fill('okapi');
    await demo.button('Insert').click();
    await demo.button('Pause').waitFor();
    await demo.button('Pause').click();
    await demo.button('Play').click();
    await demo.page.locator('.answer').waitFor();
    expect(await demo.button('Play').count()).toBe(1);
    expect(await demo.caption()).toContain('“okapi” is in');
  });

  test('a part that is gone from the server, as after a new build, opens the page anew at the same link', async () => {
    const { page } = demo;
    let refusals = 0;
    await page.route(/lab-page/, (route) => {
      if (refusals++ > 0) return route.continue();
      return route.fulfill({ status: 404 });
    });
    await page.goto(`${demo.address}#v=1&s=lab&m=4&b=2&f=8&p=0&seed=1&k=5&way=reflect`);
    await page.locator('main[data-place=lab] h1').waitFor();
    await demo.drawn();
    expect(refusals).toBe(2);
    expect(await page.getByRole('gridcell').count()).toBe(8);
    demo.forgive(/404/);
  });

  test('an address that changes while the page is being opened is the one that is shown', async () => {
    const { page } = demo;
    await page.goto('about:blank');
    await page.route(/scenes/, async (route) => {
      await page.evaluate(() => (location.hash = '#v=1&s=teach'));
      await route.continue();
    });
    await page.goto(`${demo.address}#v=1&s=kick`);
    await page.locator('main[data-place=teach] h1').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  test('emptying the table empties it, and one step back brings all of it back', async () => {
    await demo.run('zebra 1', 'Insert');
    const before = await demo.slotTexts();
    await demo.button('Empty the table').click();
    await demo.page.keyboard.press('Tab');
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    expect((await demo.slotTexts()).every((slot) => slot === 0)).toBe(true);
    await demo.page.keyboard.press('Home');
    expect(await demo.slotTexts()).toEqual(before);
  });

  test('what is typed into the settings stays while steps go by', async () => {
    const { page } = demo;
    await demo.openTools();
    await demo.run('zebra 1', 'Insert');
    await page.getByLabel('Buckets (m)').fill('6');
    await demo.leaveField();
    await page.keyboard.press(',');
    expect(await page.getByLabel('Buckets (m)').inputValue()).toBe('6');
  });

  test('settings build another table, and those that the core refuses change nothing', async () => {
    await demo.openTools();
    await demo.page.getByLabel('Buckets (m)').fill('6');
    await demo.page.getByLabel('Slots per bucket (b)').fill('3');
    await demo.page.getByLabel('Way to the other home').selectOption('xor');
    await demo.button('Build a new table').click();
    expect(await demo.page.getByRole('alert').innerText()).toContain('power of two');
    expect(await demo.slotNames()).toHaveLength(32);
    await demo.page.getByLabel('Way to the other home').selectOption('reflect');
    await demo.button('Build a new table').click();
    expect(await demo.slotNames()).toHaveLength(18);
    expect(await demo.page.getByRole('alert').innerText()).toBe('');
  });
});

test('a number out of range is refused in the page’s own language, not the browser’s', async () => {
  const page = await demo.open('#v=1&l=zh');
  await page.locator('.tools > summary').click();
  await page.getByLabel('桶数').fill('99');
  await demo.button('新建一张表').click();
  expect(await page.getByRole('alert').innerText()).toMatch(/桶数.*1.*32/);
  expect(await demo.slotNames()).toHaveLength(32);
  expect(await page.locator('.settings').evaluate((form) => (form as HTMLFormElement).noValidate)).toBe(true);
});

describe('by keyboard', () => {
  beforeEach(opened);

  test('a kick is reached step by step, and every step back shows what was there', async () => {
    await demo.open('#v=1&s=lab');
    await demo.button('Insert a sample').focus();
    await demo.page.keyboard.press('Enter');
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    await demo.page.keyboard.press('Home');
    const pictures = [await demo.picture()];
    for (let steps = 0; !(await demo.caption()).startsWith('Kick 2'); ++steps) {
      expect(steps).toBeLessThan(60);
      await demo.page.keyboard.press('.');
      pictures.push(await demo.picture());
      expect(await demo.slotTexts()).toEqual(await demo.namedFingerprints());
    }
    expect(await demo.page.locator('.stage .arrow-badge').count()).toBe(2);
    expect(await demo.page.locator('.path li').count()).toBe(2);
    for (let i = pictures.length - 1; i > 0; --i) {
      expect(await demo.picture()).toBe(pictures[i]);
      await demo.page.keyboard.press(',');
    }
    expect(await demo.picture()).toBe(pictures[0]);
  });

  test('a failed insert plays its undo, and the table is what it was', async () => {
    // Before the first operation there is no other button for samples.
    await demo.run('a key', 'Insert');
    for (let tries = 0; tries < 40; ++tries) {
      await demo.button('Insert a sample').click();
      await demo.leaveField();
      await demo.page.keyboard.press('End');
      if ((await demo.answer()) === 'refused') break;
    }
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    await demo.page.keyboard.press('Home');
    const before = await demo.slotNames();
    let undone = 0;
    for (let steps = 0; (await demo.page.locator('.answer').count()) === 0; ++steps) {
      expect(steps).toBeLessThan(300);
      await demo.page.keyboard.press('.');
      undone += (await demo.caption()).includes('is taken back') ? 1 : 0;
    }
    expect(undone).toBe(20);
    expect(await demo.caption()).toContain('Nothing changed and nothing was lost');
    expect(await demo.slotNames()).toEqual(before);
  });

  test('Enter inserts, and letters, commas and spaces in the field stay there', async () => {
    await demo.page.getByLabel('Key', { exact: true }).focus();
    await demo.page.keyboard.type('a, b. c');
    await demo.page.keyboard.press('Home');
    await demo.page.keyboard.press('Enter');
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    expect(await demo.caption()).toContain('“a, b. c” is in');
  });

  test('arrow keys walk the table, and A jumps between the two homes of a fingerprint', async () => {
    await demo.page.locator('[data-slot="0.0"]').focus();
    await demo.page.keyboard.press('ArrowRight');
    await demo.page.keyboard.press('ArrowDown');
    const focused = () => demo.page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    expect(await focused()).toMatch(/^bucket 1, slot 1, fingerprint 0x[0-9a-f]{2}, other home \d$/);
    const other = /other home (\d+)/.exec(await focused())?.[1];
    expect(await demo.page.locator('.home-link').count()).toBe(1);
    await demo.page.keyboard.press('a');
    expect(await focused()).toContain(`bucket ${other}, slot 1`);
    expect(await demo.page.locator('[role=gridcell][tabindex="0"]').count()).toBe(1);
  });
});

test('of two links that are followed at once, the later one decides the language', async () => {
  const page = await demo.open();
  await page.evaluate(async () => {
    location.hash = '#v=1&s=bits&l=en';
    await new Promise((go) => setTimeout(go));
    location.hash = '#v=1&s=bits&l=zh';
  });
  await page.locator('h1', { hasText: '每个键要多少比特' }).waitFor();
  await demo.pass(300);
  expect(await page.locator('h1').innerText()).toBe('每个键要多少比特');
});

test('a pasted list becomes its keys, and a pasted word one key', async () => {
  const page = await demo.open('#v=1&s=lab');
  const paste = (text: string): Promise<void> =>
    page.getByLabel('Key', { exact: true }).evaluate((field, data) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text', data);
      field.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, text);
  await paste('one\r\n\r\ntwo\nthree\n');
  // Each as an operation of its own, the last one in sight.
  await demo.leaveField();
  await page.keyboard.press('End');
  for (const key of ['three', 'two', 'one']) {
    await page.keyboard.press('Home');
    expect(await demo.caption()).toContain(`insert ${key}.`);
  }
  await paste('four');
  expect(await demo.caption()).toContain('insert one.');
  // Of a list that is too long, what was taken and what was left is said.
  await paste(Array.from({ length: 1400 }, (_, i) => `line ${i}`).join('\n'));
  const told = await page.getByText(/^Of 300 keys inserted/).innerText();
  expect(Number(/(\d+) found room/.exec(told)?.[1])).toBeLessThanOrEqual(128);
  expect(told).toContain('The other 1,100 lines were left out');
  // The next key is not from that list.
  await demo.run('one more', 'Insert');
  expect(await page.getByText(/^Of 301 keys inserted/).innerText()).not.toContain('left out');
});

test('what plays waits while it is out of sight, and goes on when it is back', async () => {
  const page = await demo.open('', {
    viewport: { width: 360, height: 500 },
    reducedMotion: 'no-preference',
  });
  await demo.button('Show me a kick').click();
  await page.locator('.scrubber-position', { hasText: /step [1-9]/ }).waitFor({ state: 'attached' });
  const position = (): Promise<string> => page.locator('.scrubber-position').innerText();
  await page.locator('.tour li').last().scrollIntoViewIfNeeded();
  const frames = (count: number): Promise<void> =>
    page.evaluate(async (all) => {
      for (let i = 0; i < all; ++i) await new Promise(requestAnimationFrame);
    }, count);
  await frames(2);
  const before = await position();
  // Longer than any step is shown.
  await frames(120);
  expect(await position()).toBe(before);
  await page.locator('.theatre').scrollIntoViewIfNeeded();
  await page.waitForFunction(
    (text) => document.querySelector('.scrubber-position')?.textContent !== text,
    before,
  );
});
