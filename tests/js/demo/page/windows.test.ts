// The page in windows, scripts and keys that leave little room: low and narrow ones, long keys, keys from right to left,
// no scripts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { isolated } from '../../../../demo/src/model/text';
import { cellsOf, scrollFor } from '../../../../demo/src/model/picture/follow';
import { parseLink } from '../../../../demo/src/model/link';
import { SCENES } from '../../../../demo/src/model/places';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

describe('a low window', () => {
  // A screen of 1280 x 800 at a zoom of 200 %, and a phone on its side.
  test.each([
    [640, 400],
    [740, 360],
  ])('of %i x %i pixels shows both ends of every kick', async (width, height) => {
    const page = await demo.open('#v=1&s=kick', { viewport: { width, height } });
    await demo.button('Skip, just show it').click();
    await demo.leaveField();
    await page.keyboard.press('Home');
    let kicks = 0;
    for (let i = 0; i < 21; ++i) {
      await page.keyboard.press('.');
      const [, bucket = '', slot = '', to = ''] =
        /bucket (\d+).* slot (\d+)\..* bucket (\d+)\.$/.exec(await demo.caption()) ?? [];
      if (to === '') continue;
      ++kicks;
      const deck = await page.locator('.deck').boundingBox();
      for (const cell of [`${bucket}.${slot}`, `${to}.0`]) {
        const box = await page.locator(`[data-slot="${cell}"]`).boundingBox();
        const fits = Math.abs(Number(to) - Number(bucket)) < 4;
        if (cell === `${bucket}.${slot}` && !fits) continue;
        expect(box?.y).toBeGreaterThanOrEqual(0);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(deck?.y ?? 0);
      }
    }
    expect(kicks).toBeGreaterThan(0);
  });

  test('is scrolled no further than it must be', () => {
    const view = { top: 0, bottom: 300 };
    expect(scrollFor([{ top: 10, bottom: 50 }], view)).toBe(0);
    expect(scrollFor([{ top: 280, bottom: 320 }], view)).toBe(20);
    expect(scrollFor([{ top: -30, bottom: 10 }], view)).toBe(-30);
    expect(
      scrollFor(
        [
          { top: 500, bottom: 540 },
          { top: 10, bottom: 50 },
        ],
        view,
      ),
    ).toBe(240);
    expect(scrollFor([], view)).toBe(0);
    expect(scrollFor([{ top: 100, bottom: 900 }], view)).toBe(100);
  });

  test('follows the slots that the step’s event names', () => {
    const kick = { kind: 'kick', bucket: 2, slot: 1, otherBucket: 5 };
    const step = { kind: 'kick', event: kick, operation: 1, events: [] } as never;
    expect(cellsOf(step)).toEqual([
      { bucket: 5, slot: 0 },
      { bucket: 2, slot: 1 },
    ]);
  });
});

describe('a key', () => {
  const LONG = 'x'.repeat(300);

  test.each(['start', 'lookup', 'lab'])(
    'of 300 letters without a space makes %s no wider than a phone',
    async (place) => {
      const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width: 360, height: 740 } });
      if (place === 'lookup') await demo.toOwnTable();
      await page.getByLabel('Key', { exact: true }).first().fill(LONG);
      const insert = demo.button('Insert');
      if ((await insert.count()) > 0) {
        await insert.first().click();
        await page.getByText('Show the keys (the filter does not keep them)').first().click();
      }
      await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
      const deck = page.locator('.deck');
      if ((await deck.count()) > 0) expect((await deck.first().boundingBox())?.height).toBeLessThan(370);
    },
  );

  test('written from right to left turns nothing around it', async () => {
    expect(isolated('wren')).toBe('wren');
    expect(isolated('שלום 1')).toBe('\u2068שלום 1\u2069');
    // A sign that would end the isolation is shown as one that cannot be.
    expect(isolated('a\u2069b\u202ec')).toBe('\u2068a\ufffdb\ufffdc\u2069');
    const page = await demo.open();
    await demo.run('שלום 12', 'Insert');
    expect(await demo.caption()).toContain('“\u2068שלום 12\u2069” is in');
    await page.keyboard.press('Home');
    expect(await demo.caption()).toContain('insert \u2068שלום 12\u2069.');
    expect(await page.getByLabel('Key', { exact: true }).getAttribute('dir')).toBe('auto');
  });
});

test.each([320, 360, 900, 1280])(
  'with one slot per bucket, the sentence in hand stays in its tray on %i pixels',
  async (width) => {
    const page = await demo.open('#v=1&m=8&b=1&f=8&p=50&seed=20&k=20&way=reflect', {
      viewport: { width, height: 900 },
    });
    await demo.button('Show me a kick').click();
    await demo.leaveField();
    for (let i = 0; i < 8; ++i) {
      await page.keyboard.press('.');
      const right = (selector: string): Promise<number> =>
        page
          .locator(selector)
          .evaluateAll((all) => Math.max(...all.map((each) => each.getBoundingClientRect().right)));
      expect(await right('.hand text')).toBeLessThanOrEqual(await right('.hand-tray'));
    }
  },
);

test('a number out of its range builds no table', async () => {
  const page = await demo.open();
  await demo.openTools();
  const field = page.getByLabel('Buckets (m)');
  for (const [text, buckets] of [
    ['9999', 8],
    ['', 8],
    ['16', 16],
  ] as const) {
    await field.fill(text);
    await demo.button('Build a new table').click();
    expect(await page.locator('.bucket').count()).toBe(buckets);
    expect(await field.evaluate((each) => (each as HTMLInputElement).validity.valid)).toBe(buckets === 16);
  }
});

test('a link to a table that the page cannot show gets the nearest one, and the page says so', async () => {
  for (const link of ['m=9999', 'm=12&way=xor', 'f=x'])
    expect(parseLink(`#v=1&${link}`)).toMatchObject({ isMoved: true });
  expect(parseLink('#v=1&m=16&b=4&f=8&way=xor')).toMatchObject({ isMoved: false });
  const page = await demo.open('#v=1&m=9999');
  expect(await page.locator('.warning').innerText()).toContain('cannot show');
  expect(await page.locator('.bucket').count()).toBe(32);
  await demo.open('#v=1&m=16');
  expect(await demo.page.locator('.warning').count()).toBe(0);
});

test('without scripts, and opened as a file, the page says what to do', async () => {
  const page = await demo.open('', {});
  const html = await (await page.request.get(demo.address)).text();
  const folder = mkdtempSync(join(tmpdir(), 'cuckoo-file-'));
  const file = join(folder, 'index.html');
  writeFileSync(file, html);
  try {
    const scriptless = await page.context().browser()?.newContext({ javaScriptEnabled: false });
    const other = await scriptless?.newPage();
    for (const address of [demo.address, `file://${file}`]) {
      await other?.goto(address);
      expect(await other?.locator('.waiting').innerText()).toContain('cuckoo-filter.html');
      expect(await other?.locator('.waiting').isVisible()).toBe(true);
    }
    await scriptless?.close();
    expect(await page.locator('.waiting').count()).toBe(0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(['homes', 'lookup', 'kick', 'fail', 'hunt', 'delete'])(
  'below the board of scene %s there is no empty half',
  async (place) => {
    const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width: 1280, height: 800 } });
    await demo.button('Skip, just show it').click();
    await page.locator('.more').waitFor();
    const bottom = (selector: string): Promise<number> =>
      page
        .locator(selector)
        .last()
        .evaluate((each) => each.getBoundingClientRect().bottom + scrollY);
    expect(await page.locator('.more').evaluate((each) => each.getBoundingClientRect().left)).toBeGreaterThan(
      360,
    );
    expect(
      (await bottom('.console-place > *, .panels:not(.more) > *')) - (await bottom('.more > *')),
    ).toBeLessThan(450);
  },
);

test.each(['start', 'lab'])('an open drawer of %s is wide, and no row of keys wraps', async (place) => {
  const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width: 1280, height: 800 } });
  await demo.openTools();
  expect((await page.locator('.tools').boundingBox())?.width).toBeGreaterThan(700);
  const heights = await page
    .locator('.shortcuts dt')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
  expect(Math.max(...heights)).toBeLessThan(30);
});

test.each(SCENES)(
  'in a window of 1280 x 720, the buttons below the question of %s are in view',
  async (place) => {
    for (const language of ['en', 'zh']) {
      const page = await demo.open(`#v=1&s=${place}&l=${language}`, {
        viewport: { width: 1280, height: 720 },
      });
      const { y = NaN, height = NaN } = (await page.locator('.ask-actions').boundingBox()) ?? {};
      expect(y + height).toBeLessThanOrEqual(720);
    }
  },
);

test.each(['names', 'homes', 'fail', 'race', 'bits'])(
  'on a large screen, scene %s fills most of it',
  async (place) => {
    const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width: 1920, height: 1080 } });
    const { y = 0, height = 0 } = (await page.locator('.theatre').boundingBox()) ?? {};
    // The four tables of the race stand side by side, so they are lower.
    expect(height).toBeGreaterThan(place === 'race' ? 300 : 600);
    expect(y + height).toBeLessThanOrEqual(1080);
  },
);

test.each([
  ['lookup', 1280, 800],
  ['kick', 1280, 800],
  ['fail', 1280, 800],
  ['delete', 1280, 800],
  ['kick', 768, 1024],
  ['fail', 768, 1024],
] as const)(
  'the whole table of %s and its player are in view together at %i x %i',
  async (place, width, height) => {
    const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width, height } });
    const check = async (): Promise<void> => {
      const boxes = await Promise.all(
        ['.picture', '.transport'].map((each) => page.locator(each).boundingBox()),
      );
      for (const box of boxes) {
        expect(box?.y).toBeGreaterThanOrEqual(0);
        expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(height);
      }
      const [table, player] = boxes;
      expect((table?.y ?? NaN) + (table?.height ?? NaN)).toBeLessThanOrEqual(player?.y ?? NaN);
    };
    if (width >= 1000) await check();
    await demo.button('Skip, just show it').click();
    await page.locator('.scrubber-position', { hasText: /step [2-9]/ }).waitFor();
    await check();
    // Wherever its reader goes, the player goes along with the table.
    await page.evaluate(() => scrollTo(0, 0));
    const { y = NaN, height: high = NaN } = (await page.locator('.transport').boundingBox()) ?? {};
    expect(y + high).toBeLessThanOrEqual(height);
  },
);

test.each([
  ['lookup', 8],
  ['kick', 8],
  ['fail', 8],
  ['hunt', 8],
  ['delete', 8],
  ['be', 8],
] as const)('on a phone, %s opens with its title, its question and %i rows in view', async (place, least) => {
  const page = await demo.visit(`#v=1&s=${place}`, { viewport: { width: 360, height: 740 } });
  await page.locator('.ask-question').waitFor();
  const inSight = (selector: string): Promise<number> =>
    page.locator(selector).evaluateAll(
      (all) =>
        all.filter((each) => {
          const { top, bottom, left, width } = each.getBoundingClientRect();
          const at = document.elementFromPoint(left + width / 2, (top + bottom) / 2);
          return top >= 0 && bottom <= innerHeight && at !== null && at.closest('.card') === null;
        }).length,
    );
  expect(await page.evaluate(() => scrollY)).toBe(0);
  expect(await inSight('.bucket [data-slot$=".0"]')).toBeGreaterThanOrEqual(least);
  expect(await inSight('.intro h1')).toBe(1);
  const [lead = 0, table = 0, question = 0] = await Promise.all(
    ['.intro h1 ~ p', '.picture', '.ask-question'].map(async (each) => {
      return (await page.locator(each).last().boundingBox())?.y;
    }),
  );
  expect(question).toBeGreaterThanOrEqual(0);
  expect(question).toBeLessThan(700);
  // What the scene is about comes first, then the table, then what is asked of it.
  expect([lead, table, question].sort((a, b) => a - b)).toEqual([lead, table, question]);
  // Nothing to choose stands between them.
  expect(await page.locator('.console-place select').count()).toBe(0);
});

test.each(['lookup', 'kick', 'fail', 'delete'])(
  'on a phone, %s plays with all rows in view, however far down the question was answered',
  async (place) => {
    const page = await demo.open(`#v=1&s=${place}`, PHONE);
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await demo.button('Skip, just show it').tap();
    await page.locator('.scrubber-position', { hasText: /step [2-9]/ }).waitFor();
    const rows = await page
      .locator('.bucket')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect));
    expect(Math.min(...rows.map(({ top }) => top))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...rows.map(({ bottom }) => bottom))).toBeLessThanOrEqual(740);
  },
);

test('a tap on an unset handle takes its middle', async () => {
  const page = await demo.open('#v=1&s=hunt', PHONE);
  await page.locator('.slider [type=range]').tap();
  expect(await page.locator('.slider [type=number]').inputValue()).toBe('1000');
  expect(await demo.button('Lock it in').isEnabled()).toBe(true);
});

test('on a phone, both questions about XOR have its idea in a picture, the bits and the rule, all in view', async () => {
  const page = await demo.visit('#v=1&s=homes', { viewport: { width: 360, height: 740 } });
  for (const next of ['The second question', null]) {
    const question = page.locator('.ask-question');
    expect(await question.innerText()).toMatch(
      /Second home = first home XOR .*Equal bits give 0.*Which bucket/s,
    );
    // Whoever reads no bits gets along without a number in base 16.
    expect(await page.locator('main').innerText()).not.toContain('0x');
    await page.waitForFunction((hasFew) => {
      const [idea, sum, asked, buttons] = ['.twice', '.sum', '.ask-question', '.ask > .ask-actions'].map(
        (each) => document.querySelector(each)?.getBoundingClientRect(),
      );
      if (idea === undefined || sum === undefined || asked === undefined || buttons === undefined)
        return false;
      const isInOrder = idea.y >= 0 && idea.bottom <= sum.y && sum.bottom <= asked.y;
      // Of 32 buckets to choose from, the last are further down.
      return isInOrder && (hasFew ? buttons.bottom <= 740 : asked.bottom <= 740);
    }, next !== null);
    await demo.button('Skip, just show it').click();
    await demo.button('Show the result').click();
    if (next !== null) await demo.button(next).click();
  }
});

test.each([
  [360, true],
  [768, true],
  [1280, false],
])(
  'bits to flip stand in columns with their sum, each number on one line, at %i pixels',
  async (width, hasTouch) => {
    const page = await demo.open('#v=1&s=homes', {
      viewport: { width, height: 740 },
      hasTouch,
      isMobile: hasTouch,
    });
    for (const press of [
      'Skip, just show it',
      'Show the result',
      'The second question',
      'Skip, just show it',
    ])
      await demo.button(press).click();
    await demo.button('Show the result').click();
    const own = page.locator('.explore');
    for (const count of [8, 16, 32]) {
      await own.getByLabel('Buckets').selectOption(String(count));
      const rows = await own.locator('dd').evaluateAll((all) =>
        all.map((row) => {
          const boxes = [...row.querySelectorAll('.bit')].map((bit) => bit.getBoundingClientRect());
          const number = row.querySelector('b')?.getBoundingClientRect();
          return {
            columns: boxes.map(({ left, right }) => `${left} ${right}`),
            lines: new Set(boxes.map(({ top }) => top)).size,
            isBeside: number === undefined || number.top < (boxes[0]?.bottom ?? 0),
          };
        }),
      );
      expect(rows.map(({ lines, isBeside }) => [lines, isBeside])).toEqual(Array(4).fill([1, true]));
      const [, one, other, sum] = rows.map(({ columns }) => columns);
      expect(one).toHaveLength(Math.log2(count));
      expect([other, sum]).toEqual([one, one]);
    }
  },
);

test('a number that is typed takes the place of the one that was there', async () => {
  const page = await demo.open('#v=1&s=teach');
  const field = page.locator('.sheet input').last();
  await field.click();
  await page.keyboard.type('7');
  expect(await field.inputValue()).toBe('7');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('9');
  expect(await page.locator('.sheet input').first().inputValue()).toBe('9');
});

test('the hunt’s table fits into a window of 1280 x 800, and nothing lies over home 1', async () => {
  const page = await demo.visit('#v=1&s=hunt', { viewport: { width: 1280, height: 800 } });
  await demo.button('Skip, just show it').click();
  await demo.button('Show the result').click();
  await page.locator('.bucket.is-primary').waitFor();
  const deck = await page.locator('.deck').boundingBox();
  const rows = await page
    .locator('.bucket')
    .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
  expect(rows).toHaveLength(8);
  expect(Math.max(...rows)).toBeLessThanOrEqual(deck?.y ?? 0);
});

test('a phone gets no hints for a keyboard', async () => {
  const page = await demo.open('#v=1&s=kick', PHONE);
  await page.evaluate(() => document.querySelectorAll('details').forEach((each) => (each.open = true)));
  expect(await page.locator('kbd:visible').count()).toBe(0);
});

test.each(['en', 'zh'])('the board of bits is not cut off on a phone, in %s', async (language) => {
  const page = await demo.open(`#v=1&s=homes&l=${language}`, { viewport: { width: 360, height: 740 } });
  await demo.toOwnTable();
  const cut = await page
    .locator('.board *')
    .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().right > innerWidth).length);
  expect(cut).toBe(0);
});

test.each(['en', 'zh'])('a name fits into its chip whole on a phone, in %s', async (language) => {
  const page = await demo.visit(`#v=1&s=delete&l=${language}`, { viewport: { width: 360, height: 740 } });
  const width = (await page.locator('.slot .chip-body').first().boundingBox())?.width ?? 0;
  const names = await page
    .locator('.chip-name')
    .evaluateAll((all) => all.map((each) => [each.textContent, each.getBoundingClientRect().width] as const));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter(([name, wide]) => name.includes('…') || wide > width)).toEqual([]);
});

test('a fingerprint without a name stands in the middle of its chip, also where names are shown', async () => {
  const page = await demo.visit('#v=1&s=delete', { viewport: { width: 1280, height: 800 } });
  await demo.button('Skip, just show it').click();
  await demo.leaveField();
  await page.keyboard.press('End');
  const moved = (chip: string): Promise<string> =>
    page
      .locator(`${chip} .chip-text`)
      .first()
      .evaluate((each) => getComputedStyle(each).transform);
  expect(await moved('.slot')).not.toBe('none');
  expect(await moved('.hand.is-sought')).toBe('none');
});

test('what marks a slot is explained below the table', async () => {
  const page = await demo.visit('#v=1&s=lookup');
  const signs = page.locator('.legend li:has(.slot-mark)');
  expect(await signs.allInnerTexts()).toEqual(['read', 'found']);
});

test('a guess stays in front of the slots on a phone', async () => {
  const page = await demo.open('#v=1&s=kick', { viewport: { width: 360, height: 740 } });
  await page.locator('.options input, .option').first().click();
  const label = await page.locator('.bucket.is-guessed .bucket-home').boundingBox();
  const slot = await page.locator('.slot .chip-body').first().boundingBox();
  expect((label?.x ?? NaN) + (label?.width ?? NaN)).toBeLessThan(slot?.x ?? NaN);
});

test.each(['', '&chrome=none'])('the arrow between two homes covers no label, with %p', async (look) => {
  const page = await demo.open(`#v=1&s=delete&l=zh${look}`, { viewport: { width: 360, height: 740 } });
  const arrow = await page.locator('.sum-arrow').boundingBox();
  const [left, right] = [arrow?.x ?? NaN, (arrow?.x ?? NaN) + (arrow?.width ?? NaN)];
  const covered = await page
    .locator('.bucket text')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect()))
    .then((labels) => labels.filter((label) => !(label.left >= right || label.right <= left)));
  expect(covered).toEqual([]);
});
