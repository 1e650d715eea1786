// Your double: what a visitor sees of it, sends, and gets from a friend.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { seededFor } from '../../../../demo/src/core/filling';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();
const PHONE = { viewport: { width: 360, height: 740 } };

/** What the page says: the name, and its double. */
async function told(): Promise<readonly [string, string]> {
  // The double is looked for once its place is in sight.
  await demo.page.locator('.double-found').scrollIntoViewIfNeeded();
  await demo.page.locator('.double-picture').waitFor();
  const names = await demo.page.locator('.double-picture b').allInnerTexts();
  return [names[0] ?? '', names[1] ?? ''];
}

/** Whether a filter that holds the one name loses it when the other is deleted. */
function isDouble([one, other]: readonly [string, string]): boolean {
  const { bucketCount, bucketSize, fingerprintBits, addressing, hashSeed: seed } = seededFor(DEFAULTS, one);
  const filter = new CuckooFilter({
    ...{ capacity: bucketCount * bucketSize, semiSort: false },
    ...{ bucketCount, bucketSize, fingerprintBits, addressing, seed },
  });
  filter.add(one);
  return filter.contains(other) && filter.delete(other) && !filter.contains(one);
}

test.each(['en', 'zh'])(
  'the first screen of a phone asks for a name, and the second shows its double and the first minute, in %s',
  async (l) => {
    const page = await demo.open(`#v=1&l=${l}`, PHONE);
    expect(isDouble(await told())).toBe(true);
    for (const [part, screens] of [
      ['.double-name', 1],
      ['.double-said >> nth=0', 2],
      ['.double-table', 2],
      ['.guide .is-next', 2],
    ] as const) {
      const box = await page.locator(part).first().boundingBox();
      expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThanOrEqual(screens * 740);
    }
    await page.locator('.double-name').fill(l === 'zh' ? '李雷' : 'Grace');
    const [one, other] = await told();
    expect(one).toBe(l === 'zh' ? '李雷' : 'Grace');
    expect(isDouble([one, other])).toBe(true);
    for (const said of await page.locator('.double-said').allInnerTexts()) {
      expect(said).toContain(one);
      expect(said).toContain(other);
    }
  },
);

test('a friend who opens the link sees the sender’s double, and finds one for a name of their own', async () => {
  const page = await demo.open('', PHONE);
  await page.locator('.double-name').fill('Grace & Co');
  const sent = await told();
  await page.evaluate(() => {
    Object.assign(navigator.clipboard, {
      writeText: (text: string) => {
        Object.assign(window, { sent: text });
        return Promise.resolve();
      },
    });
    Object.defineProperty(navigator, 'share', { value: undefined });
  });
  await page.locator('.double-send button').click();
  const link = await page.evaluate(() => (window as unknown as { sent: string }).sent);
  expect(link.indexOf('Grace')).toBeGreaterThan(link.indexOf('#'));
  const theirs = await demo.open(link.slice(demo.address.length), { ...PHONE, locale: 'zh-CN' });
  expect(await told()).toEqual(sent);
  expect(await theirs.locator('.double-name').inputValue()).toBe('');
  await theirs.locator('.double-name').fill('Ada');
  expect((await told())[0]).toBe('Ada');
});

test.each(['en', 'zh'])(
  'the double is there for whoever scrolled past it at once, and moves nothing, in %s',
  async (l) => {
    const page = await demo.open(`#v=1&l=${l}`, PHONE);
    const card = page.locator('section.double');
    const heightOf = (): Promise<number> => card.evaluate((each) => (each as HTMLElement).offsetHeight);
    const empty = await heightOf();
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }));
    await card.locator('.double-send').waitFor();
    await demo.drawn();
    expect(await heightOf()).toBe(empty);
  },
);

test('a long name is taken whole, and its sentences leave its middle out', async () => {
  const page = await demo.open('', PHONE);
  const name = 'Wolfeschlegelsteinhausenbergerdorff';
  await page.locator('.double-name').fill(name);
  expect(await page.locator('.double-name').inputValue()).toBe(name);
  const [said, other] = await told();
  expect(said).toMatch(/^Wolfe\u2060…/);
  expect(isDouble([name, other])).toBe(true);
});

test('a name of signs that cannot be seen is taken for none, and the field says when it is full', async () => {
  const page = await demo.open('', PHONE);
  const example = await told();
  await page.locator('.double-name').fill('\u200b\u202e');
  expect(await told()).toEqual(example);
  await page.locator('.double-name').fill('x'.repeat(80));
  await page.getByText('The field takes up to 80 characters.').waitFor();
});

test('where the device can share, it is asked to', async () => {
  const page = await demo.open('', PHONE);
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'share', {
      value: (data: unknown) => {
        Object.assign(window, { shared: data });
        return Promise.reject(new Error('closed'));
      },
    }),
  );
  await told();
  await page.locator('.double-send button').click();
  expect(await page.evaluate(() => (window as unknown as { shared: { url: string } }).shared.url)).toContain(
    'from:tMarta',
  );
});

test('the picture is the same without motion, and moves once with it', async () => {
  const page = await demo.open('', { ...PHONE, reducedMotion: 'no-preference' });
  await page.locator('.double-name').fill('Ada');
  await told();
  const repeats = await page
    .locator('.double')
    .evaluate((section) =>
      section.getAnimations({ subtree: true }).map(({ effect }) => effect?.getTiming().iterations),
    );
  expect(repeats.length).toBeGreaterThan(0);
  expect(new Set(repeats)).toEqual(new Set([1]));
});

test('in the middle of its film, the double’s names take the colours of another theme', async () => {
  const page = await demo.open('', { ...PHONE, reducedMotion: 'no-preference' });
  await told();
  const colours = await page.locator('.double').evaluate((section) => {
    for (const each of section.getAnimations({ subtree: true })) {
      each.pause();
      each.currentTime = 1000;
    }
    document.documentElement.setAttribute('data-theme', 'dark');
    return [section, ...section.querySelectorAll('b')].map((each) => getComputedStyle(each).color);
  });
  expect(colours.length).toBeGreaterThan(2);
  expect(new Set(colours).size).toBe(1);
});

/** The buckets outlined as home 1 and home 2. */
function homesShown(): Promise<string[]> {
  const number = (home: string): Promise<string> =>
    demo.page
      .locator(`.bucket.is-${home} .bucket-number`)
      .evaluate((text) => text.firstChild?.textContent ?? '');
  return Promise.all([number('primary'), number('alternate')]);
}

/** The numbers of the two buckets that the question gives as homes. */
async function homesAsked(): Promise<string[]> {
  const question = await demo.page.locator('.ask-question').innerText();
  return /homes are buckets (\d+) and (\d+)/.exec(question)?.slice(1) ?? [];
}

test('a link beside why leads to the scene of the delete, with the name and its double', async () => {
  const page = await demo.open();
  // The two names of this double have their homes the other way round.
  await page.locator('.double-name').fill('Bob');
  const [, other] = await told();
  await page.locator('.why summary').click();
  await page.locator('.why a').click();
  await page.locator('main[data-place=delete] h1').waitFor();
  expect(await page.locator('.ask-question').innerText()).toContain(`“${other}” was never inserted`);
  expect(await page.locator('.chip-name').allTextContents()).toContain('Bob');
  expect(await homesShown()).toEqual(await homesAsked());
  await page.locator('.option', { hasText: 'Bob' }).click();
  await demo.button('Lock it in').click();
  await demo.button('Show the result').click();
  expect(await page.locator('.verdict').innerText()).toContain('Right');
  expect(await page.locator('.chip-name').allTextContents()).not.toContain('Bob');
  await page.waitForFunction(() => location.hash.includes('q=0.compare'));
  await page.reload();
  expect(await page.locator('.verdict').innerText()).toContain('Right');
  // The second question is about the scene's own table.
  await demo.button('The second question').click();
  expect(await page.locator('.chip-name').allTextContents()).not.toContain('Bob');
});

test('an input method may compose a name before the page looks at it', async () => {
  const page = await demo.open('#v=1&l=zh', PHONE);
  const before = await told();
  const name = page.locator('.double-name');
  const typed = (kind: string, value: string): Promise<void> =>
    name.evaluate(
      (input: HTMLInputElement, [type, text]: readonly string[]) => {
        input.value = text ?? '';
        const isComposing = type === 'input';
        const event = isComposing
          ? new InputEvent('input', { bubbles: true, isComposing })
          : new CompositionEvent('compositionend', { bubbles: true });
        input.dispatchEvent(event);
      },
      [kind, value] as const,
    );
  await typed('input', 'li');
  expect(await told()).toEqual(before);
  await typed('compositionend', '李雷');
  await page.getByText('李雷的两个候选桶').waitFor();
  expect((await told())[0]).toBe('李雷');
});

test.each(['lookup', 'kick', 'fail', 'hunt', 'delete'])(
  'on a phone, the verdict of %s is in view with the table that gave it, and leads to its reasons',
  async (place) => {
    const page = await demo.open(`#v=1&s=${place}`, PHONE);
    await demo.button('Skip, just show it').click();
    await demo.button('Show the result').click();
    await page.locator('.verdict').waitFor();
    const [top, bottom] = await Promise.all(
      ['.picture', '.ask-found'].map((each) => page.locator(each).boundingBox()),
    );
    expect(top?.y).toBeGreaterThanOrEqual(0);
    expect((bottom?.y ?? NaN) + (bottom?.height ?? NaN)).toBeLessThanOrEqual(740);
    // As in Safari, where pressing a button does not focus it, so the reasons keep the focus.
    await page.locator('.verdict-below button').evaluate((each) => (each as HTMLElement).click());
    const why = page.locator('.ask-why');
    expect(await why.evaluate((each) => each === document.activeElement)).toBe(true);
    const box = await why.boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect((box?.y ?? NaN) + (box?.height ?? NaN)).toBeLessThan(740);
  },
);
