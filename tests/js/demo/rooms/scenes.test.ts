// The scenes in a real browser: predict, run, compare, transfer; both languages; links.
import { describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

async function toResult(): Promise<void> {
  await demo.button('Show the result').click();
  await demo.page.locator('.verdict').waitFor();
}

describe('a question', () => {
  test('locks the table until it is answered, and then compares the guess with the trace', async () => {
    const page = await demo.open('#v=1&s=kick');
    await page.keyboard.press('End');
    expect(await page.locator('.scrubber-position').innerText()).toBe('');
    expect(await demo.button('Lock it in').isDisabled()).toBe(true);
    await page.locator('.option', { hasText: /^4$/ }).click();
    await demo.button('Lock it in').click();
    await toResult();
    expect(await page.locator('.verdict').innerText()).toContain('Right');
    expect(await page.locator('.ask-found').innerText()).toContain('bucket 4');
    await demo.button('The second question').click();
    expect(await page.locator('.ask-question').innerText()).toContain('Will the path end');
    await demo.button('Skip, just show it').click();
    await toResult();
    expect(await page.locator('.verdict').innerText()).toContain('The answer');
    await page.locator('.card').getByRole('link', { name: 'Next: When it fails' }).click();
    await page.getByRole('heading', { level: 1, name: 'When it fails' }).waitFor();
  });

  test('is answered by a press on the table and by keyboard alone', async () => {
    const page = await demo.open('#v=1&s=kick');
    await page.locator('[data-slot="2.0"]').click();
    expect(await page.locator('.option input:checked').getAttribute('value')).toBe('2');
    await page.locator('.option input').first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.locator('.ask .button').focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('.verdict').innerText()).toContain('You said 2.');
  });

  test('has other tables in other rounds, and the same one in the same round', async () => {
    const page = await demo.open('#v=1&s=delete&r=3');
    const before = [await page.locator('.ask-question').innerText(), await demo.picture()];
    await demo.open('#v=1&s=delete&r=3');
    expect([await demo.page.locator('.ask-question').innerText(), await demo.picture()]).toEqual(before);
    await demo.open('#v=1&s=delete&r=4');
    expect(await demo.page.locator('.ask-question').innerText()).not.toBe(before[0]);
  });
});

test('the scene of two homes ends with home 2, and answers no lookup', async () => {
  const page = await demo.open('#v=1&s=homes');
  await demo.button('Skip, just show it').click();
  await toResult();
  expect(await demo.caption()).toMatch(/^The second home is the first home XOR/);
  expect(await page.locator('.answer').count()).toBe(0);
  expect(await demo.button('One step forward').getAttribute('aria-disabled')).toBe('true');
});

test('a wrong guess of scene 4 is answered with the offset that would have led there', async () => {
  let wrong = 0;
  for (let guess = 0; guess < 8; ++guess) {
    const page = await demo.open('#v=1&s=kick');
    await page.locator('.option').nth(guess).click();
    await demo.button('Lock it in').click();
    await demo.button('Show the result').click();
    const told = await page.locator('.ask-found').innerText();
    const isRight = told.includes(`goes to bucket ${guess}.`);
    expect(told.includes('would lead')).toBe(!isRight);
    if (isRight) continue;
    const [, to, from, needed, there, own] = (
      /goes to bucket (\d)\. From bucket (\d), an offset of (\d) would lead to bucket (\d), but its offset is (\d)\./.exec(
        told,
      ) ?? []
    ).map(Number);
    expect([there, Number(from) ^ Number(needed), Number(from) ^ Number(own)]).toEqual([guess, guess, to]);
    ++wrong;
  }
  expect(wrong).toBe(7);
});

test('two homes are found column by column, and the columns are those of the numbers', async () => {
  const page = await demo.open('#v=1&s=homes');
  const sum = page.locator('.sum-steps').first();
  const bits = async (row: number): Promise<string> =>
    (await sum.locator('dd').nth(row).locator('.bits').innerText()).replace(/\s/g, '');
  // The question works out one column as an example, and no other.
  expect(await bits(3)).toMatch(/^\?{3}[01]$/);
  expect(await sum.locator('[role=status]').innerText()).toMatch(/^Column 1 of 4/);
  await demo.button('Skip, just show it').click();
  // The first column was the example, so playing begins with the second.
  for (const known of [/^\?\?[01]{2}$/, /^\?{3}[01]$/]) {
    expect(await bits(3)).toMatch(known);
    await sum.getByRole('button', { name: 'One column back' }).click();
  }
  expect(await bits(3)).toBe('????');
  for (let column = 1; column <= 4; ++column) {
    await sum.getByRole('button', { name: 'Next column' }).click();
    const [one, other, result] = [await bits(1), await bits(2), await bits(3)].map((row) => row[4 - column]);
    expect(await sum.locator('[role=status]').innerText()).toContain(
      [one, 'XOR', other, '=', result].join('\u00a0'),
    );
    expect(Number(result)).toBe(Number(one) ^ Number(other));
    expect(await sum.locator('.is-column').count()).toBe(3);
  }
  expect(await sum.getByRole('button', { name: 'Next column' }).isDisabled()).toBe(true);
  expect(parseInt(await bits(3), 2)).toBe(parseInt(await bits(1), 2) ^ parseInt(await bits(2), 2));
  await sum.getByRole('button', { name: 'One column back' }).click();
  expect((await bits(3))[0]).toBe('?');
});

describe('Chinese', () => {
  test('is what a Chinese browser gets, what the button gives, and what is remembered', async () => {
    const page = await demo.open('', { locale: 'zh-CN' });
    await page.getByRole('heading', { level: 1, name: '布谷鸟过滤器，一步一步看' }).waitFor();
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('zh-CN');
    await demo.button('English').click();
    await page.getByRole('heading', { level: 1, name: 'Cuckoo filter' }).waitFor();
    await page.reload();
    await page.locator('main').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Cuckoo filter' }).waitFor();
  });

  test('is chosen after the link, and then kept by the address', async () => {
    const page = await demo.open('#v=1&s=start&l=en');
    await demo.button('中文').click();
    await page.waitForURL(/l=zh/);
    await page.reload();
    await page.locator('h1', { hasText: '布谷鸟' }).waitFor();
  });

  test('comes with a link, and leaves no English sentence on a scene', async () => {
    const page = await demo.open('#v=1&s=kick&l=zh');
    await demo.button('跳过，直接看').click();
    await demo.button('直接看结果').click();
    await page.locator('.verdict').waitFor();
    const text = await page.locator('main').evaluate((main) => {
      main.querySelectorAll('code, kbd, svg, [lang=en]').forEach((element) => element.remove());
      return (main as HTMLElement).innerText;
    });
    expect(text.match(/[A-Za-z]{3,}(?: [A-Za-z]{2,})+/g) ?? []).toEqual([]);
    expect(
      await demo.open('#v=1&s=kick&l=zh').then((again) => again.locator('.terms').innerText()),
    ).toContain('踢出链 kick path');
  });
});

test('the hunt goes from one mistake of the table to the next, and tells how many were asked', async () => {
  const page = await demo.open('#v=1&s=hunt');
  await demo.button('Skip, just show it').click();
  await toResult();
  // The sum uses this table's own load.
  const why = await page.locator('.card p', { hasText: 'matches by chance' }).innerText();
  const [n = 0, values = 1, load = 0, rate = 0] =
    /: (\d+) ÷ (\d+) × (\d+) % = ([\d.]+) %/.exec(why)?.slice(1).map(Number) ?? [];
  expect((n / values) * load).toBeCloseTo(rate, 1);
  // Each absent key has a square.
  const [, mistakes = ''] = /for (\d+) of 10,000/.exec(await page.locator('.ask-found').innerText()) ?? [];
  await page.getByRole('img', { name: `10,000 absent keys, a square each. For the ${mistakes} ` }).waitFor();
  const keys = new Set<string>();
  for (const caught of [1, 2, 3]) {
    await demo.button('Hunt the next mistake').click();
    await page.getByText(new RegExp(`^\\d+ absent keys asked, ${caught} taken for present.$`)).waitFor();
    await demo.leaveField();
    await page.keyboard.press('End');
    expect(await demo.answer()).toBe('maybe');
    expect(await page.locator('.truth.is-falsePositive').count()).toBe(1);
    keys.add(await demo.caption());
  }
  expect(keys.size).toBe(3);
});

test('a copied link opens the same step again', async () => {
  const page = await demo.open();
  await demo.button('Show me a kick').click();
  await demo.leaveField();
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  for (let i = 0; i < 9; ++i) await page.keyboard.press('.');
  const before = [await demo.picture(), await demo.caption()];
  await demo.openTools();
  await demo.button('Copy a link to this step').click();
  await demo.open(page.url().slice(demo.address.length));
  expect([await demo.picture(), await demo.caption()]).toEqual(before);
});

test('a link that the browser refuses to copy does not lead away from where the visitor went since', async () => {
  const page = await demo.open();
  await demo.openTools();
  await page.evaluate(async () => {
    Object.assign(navigator.clipboard, { writeText: () => Promise.reject(new Error('no clipboard')) });
    document.querySelector<HTMLElement>('.share .is-primary')?.click();
    location.hash = '#v=1&s=lab';
    await new Promise((resolve) => setTimeout(resolve));
  });
  await page.locator('main[data-place=lab]').waitFor();
});

/** The link that the page gives, opened in a window of its own. */
async function openAgain(): Promise<void> {
  await demo.openTools();
  await demo.button('Copy a link to this step').click();
  await demo.open(demo.page.url().slice(demo.address.length));
}

describe('a link from the middle of a scene', () => {
  test('brings the question, the answer given and the step back', async () => {
    const page = await demo.open('#v=1&s=kick&r=12345');
    await page.locator('.option').first().click();
    await demo.button('Lock it in').click();
    await toResult();
    await demo.leaveField();
    for (let i = 0; i < 3; ++i) await page.keyboard.press(',');
    await page.getByText('Show the keys (the filter does not keep them)').click();
    const seen = async (): Promise<unknown[]> => [
      await demo.page.locator('.stages, .verdict, .ask-found').allInnerTexts(),
      await demo.picture(),
      await demo.caption(),
    ];
    const before = await seen();
    await openAgain();
    await demo.page.locator('.verdict').waitFor();
    expect(await seen()).toEqual(before);
  });

  test('runs a measurement again to the same slots', async () => {
    const page = await demo.open('#v=1&s=race');
    await page.getByLabel('Slots in each table').selectOption('16384');
    await demo.button('Skip, just show it').click();
    await page.locator('.verdict').waitFor();
    const maps = (): Promise<string[]> =>
      demo.page
        .locator('canvas')
        .evaluateAll((all) => all.map((canvas) => (canvas as HTMLCanvasElement).toDataURL()));
    // The verdict comes with the first series, the summary with the second.
    const ended = (): Promise<void> =>
      demo.page.locator('.run-summary').filter({ hasText: 'Load at' }).waitFor();
    await ended();
    expect(await page.locator('progress').count()).toBe(0);
    const before = [await maps(), await page.locator('.run-summary').innerText()];
    await openAgain();
    await demo.page.locator('.verdict').waitFor();
    await ended();
    expect([await maps(), await demo.page.locator('.run-summary').innerText()]).toEqual(before);
  });

  test.each([
    ['rates', '.measure > .figures', (page: Page) => page.locator('.slider.is-wide input').fill('-4')],
    ['Bloom', '.pair:has(.beside-answer)', () => demo.button('One that is there').click()],
  ])('brings back what was set on the board of bits: %s', async (_, board, set) => {
    const page = await demo.open('#v=1&s=bits');
    await demo.button('Skip, just show it').click();
    await page.locator('.verdict').waitFor();
    await set(page);
    const before = await page.locator(board).textContent();
    await openAgain();
    await demo.page.locator(board).waitFor({ state: 'attached' });
    expect(await demo.page.locator(board).textContent()).toBe(before);
  });
});

test('the scene of the delete says how long its fingerprints are', async () => {
  const page = await demo.open('#v=1&s=delete');
  await page.locator('.ask-question', { hasText: '(6 bits)' }).waitFor();
});

test('a link of another version opens the start and says so', async () => {
  const page = await demo.open('#v=2&s=lab');
  expect(await page.locator('.warning').innerText()).toContain('damaged');
});

describe('the scenes that measure', () => {
  test('the controls of the race tell what its tables were filled with, and each start takes other keys', async () => {
    const page = await demo.open('#v=1&s=race&q=1.predict');
    await page.getByLabel('Slots in each table').selectOption('16384');
    await demo.button('Skip, just show it').click();
    await page.locator('.verdict').waitFor();
    const kicks = page.getByLabel('Most kicks per insert');
    expect(await kicks.inputValue()).toBe('0');
    const ended = page.locator('.run-summary').filter({ hasText: /\S/ });
    const before = await ended.innerText();
    await demo.button('Start the race').click();
    await ended.filter({ hasNotText: before }).waitFor();
    await kicks.selectOption('1');
    await ended.waitFor({ state: 'detached' });
    expect(await page.locator('.lanes').isVisible()).toBe(false);
  });

  test('race four tables, tell how full they got, and can be stopped', async () => {
    const page = await demo.open('#v=1&s=race');
    // Nothing that looks like a result stands there before.
    expect(await page.locator('.heat-map:visible, .plot').count()).toBe(0);
    const fields = page.locator('.sliders input[type=number]');
    expect(await fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))).toEqual([
      '',
      '',
      '',
      '',
    ]);
    expect(await demo.button('Lock it in').isDisabled()).toBe(true);
    expect(await page.locator('.sliders .is-unset').count()).toBe(4);
    await fields.first().fill('50');
    expect(await page.locator('.lane b').allInnerTexts()).toEqual(['50\u00a0%', '', '', '']);
    expect(await page.locator('.sliders .is-unset').count()).toBe(3);
    expect(await demo.button('Lock it in').isDisabled()).toBe(true);
    for (const i of [1, 2]) await fields.nth(i).fill('90');
    await page.locator('.sliders .is-unset').click();
    expect(await fields.last().inputValue()).toBe('50');
    await demo.button('Lock it in').click();
    await demo.button('Stop').click();
    const searching = page.locator('.run-summary', { hasText: 'by this library’s search …' }).waitFor();
    await demo.button('Start the race').click();
    await page.locator('.verdict').waitFor();
    await searching;
    expect(await page.locator('.lane', { hasText: 'You said 50 %.' }).count()).toBe(2);
    const loads =
      (await page.locator('.ask-found').innerText()).match(/\d+(\.\d)?(?=\s%)/g)?.map(Number) ?? [];
    expect(loads).toHaveLength(4);
    expect(loads).toEqual([...loads].sort((a, b) => a - b));
    // By key, as what still runs moves it.
    await page.locator('.plot-data summary').press('Enter');
    await page.locator('.plot-data tbody tr').nth(30).waitFor();
    expect(await page.locator('.plot-data thead th').count()).toBe(5);
    // Before the tables that the library's own search fills are full.
    await demo.button('The second question').click();
    await demo.button('Skip, just show it').click();
    await page.locator('.ask-found', { hasText: 'Without kicks' }).waitFor();
    await demo.button('Again, on another table').click();
    expect(await page.locator('.heat-map:visible, .plot').count()).toBe(0);
  });

  test('race in tables that are as high before as after, all in one row of a wide window', async () => {
    const page = await demo.open('#v=1&s=race', { viewport: { width: 1920, height: 1080 } });
    const boxes = (): Promise<{ readonly top: number; readonly height: number }[]> =>
      page.locator('.heat-map').evaluateAll((all) =>
        all.map((each) => {
          const { top, height } = each.getBoundingClientRect();
          return { top, height };
        }),
      );
    const before = await boxes();
    expect(new Set(before.map(({ top }) => top)).size).toBe(1);
    await demo.button('Skip, just show it').click();
    await page.locator('.verdict').waitFor();
    expect((await boxes()).map(({ height }) => height)).toEqual(before.map(({ height }) => height));
  });

  test('show the curves only after the prediction', async () => {
    const page = await demo.open('#v=1&s=bits');
    expect(await page.locator('.plot-picture').textContent()).toContain('Your turn');
    expect(
      await page
        .locator('.plot-picture .series-line')
        .evaluateAll((all) => all.map((line) => line.getAttribute('d')).join('')),
    ).toBe('');
    expect(await page.locator('.figures, .plot-data').count()).toBe(0);
    await page.locator('.option', { hasText: /^0\.37/ }).click();
    await demo.button('Lock it in').click();
    expect(await page.locator('.verdict').innerText()).toContain('Right');
    expect(await page.locator('.plot .series-line').count()).toBeGreaterThanOrEqual(4);
  });

  test('look a key up in a Bloom filter and in a cuckoo filter', async () => {
    const page = await demo.open('#v=1&s=bits');
    expect(await page.locator('.bit-field').count()).toBe(0);
    await demo.button('Skip, just show it').click();
    await demo.button('One that is there').click();
    expect(await page.locator('.beside-answer').allInnerTexts()).toEqual([
      expect.stringContaining('Maybe present 7 bits read'),
      expect.stringContaining('Maybe present'),
    ]);
    expect(await page.locator('.bit-field .is-set.is-read').count()).toBe(7);
    // Of each: the rate by its formula, counted, and bits per key.
    const rates = await page.locator('.pair dd').allInnerTexts();
    expect(rates).toHaveLength(6);
    for (const [computed = '', counted = '', bits] of [rates.slice(0, 3), rates.slice(3)]) {
      const [least, most] = (/\((.+) to (.+)\s%\)/.exec(counted)?.slice(1) ?? []).map(Number);
      expect(parseFloat(computed)).toBeGreaterThanOrEqual(least ?? NaN);
      expect(parseFloat(computed)).toBeLessThanOrEqual(most ?? NaN);
      expect(bits).toBe('10.7');
    }
    await page.getByText(/only 75\s% full.* 10\.7 bits per key would give 0\.712\s%/).waitFor();
    await page.getByRole('slider', { name: 'false positive rate' }).fill('-0.3');
    await page.getByText('1 bit', { exact: true }).waitFor();
    await page.getByLabel('Look up a key in both').fill('no such bird');
    await demo.button('Look up').click();
    expect(await page.locator('.beside-answer').first().innerText()).toContain('Definitely not');
  });
});
