// The demo for those who see, hear or move otherwise: axe on every place, and what axe cannot tell.
// Invariant: in the long run every place is opened in both languages, both themes and two widths, and checked at three
// stages; otherwise each place once, in a combination and at one of the earlier stages that change from place to place.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ROOMS, SCENES, type PlaceId } from '../../../../demo/src/model/places';
import { DemoPage } from '../demo-page';
import { IS_LONG } from '../../support/long';

const demo = new DemoPage();
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

interface Visit {
  readonly place: PlaceId;
  readonly language: 'en' | 'zh';
  readonly colorScheme: 'light' | 'dark';
  readonly width: number;
}

const ALL: Visit[] = [...ROOMS, ...SCENES].flatMap((place) =>
  (['en', 'zh'] as const).flatMap((language) =>
    (['light', 'dark'] as const).flatMap((colorScheme) =>
      [360, 1280].map((width) => ({ place, language, colorScheme, width })),
    ),
  ),
);
const COMBINATIONS = 8;
const visits = IS_LONG
  ? ALL
  : ALL.filter((_, i) => i % COMBINATIONS === Math.floor(i / COMBINATIONS) % COMBINATIONS);

/** The rules that the page breaks, with where. */
async function violations(): Promise<string[]> {
  return demo.page.evaluate(async () => {
    const { axe: checker } = window as unknown as {
      axe: { run(options: unknown): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations: found } = await checker.run({
      resultTypes: ['violations'],
      // Style sheets from other hosts, of which there are none.
      preload: false,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
  });
}

/** Texts under 11 pixels as they are drawn, and check boxes under 24. */
async function tooSmall(): Promise<string[]> {
  return demo.page.evaluate(() => {
    const found = new Set<string>();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const element = texts.currentNode.parentElement as unknown as HTMLElement | SVGTextElement | null;
      const isEmpty = texts.currentNode.textContent?.trim() === '';
      if (element === null || isEmpty || element.getBoundingClientRect().width === 0) continue;
      const { a, b } = ('getScreenCTM' in element ? element.getScreenCTM() : null) ?? { a: 1, b: 0 };
      const pixels = parseFloat(getComputedStyle(element).fontSize) * Math.hypot(a, b);
      if (pixels < 10.9) found.add(`${element.outerHTML.slice(0, 80)}: ${pixels.toFixed(1)}`);
    }
    for (const box of document.querySelectorAll('input[type=checkbox]')) {
      const { width, height } = box.getBoundingClientRect();
      if (width > 0 && Math.min(width, height) < 24) found.add(`a check box: ${width} x ${height}`);
    }
    return [...found];
  });
}

test.each(visits.map((visit, i) => [Object.values(visit).join(' '), visit, i % 2] as const))(
  '%s breaks no rule, at its start, in the middle and at its end, and no text is under 11 pixels',
  async (_, { place, language, colorScheme, width }, stage) => {
    const page = await demo.visit(`#v=1&s=${place}&l=${language}`, {
      colorScheme,
      viewport: { width, height: 900 },
    });
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe);
    if (IS_LONG || stage === 0) expect(await violations()).toEqual([]);
    const skip = page.locator('.ask-actions .is-quiet');
    if ((await skip.count()) > 0) await skip.first().click();
    else if ((await page.locator('.is-kick').count()) > 0) await page.locator('.is-kick').first().click();
    if (IS_LONG || stage === 1) expect(await violations()).toEqual([]);
    if ((await page.locator('.transport').count()) > 0 && place !== 'be') {
      await demo.leaveField();
      for (let i = 0; i < 12; ++i) await page.keyboard.press('End');
    }
    await page.evaluate(() =>
      document.querySelectorAll('details').forEach((details) => (details.open = true)),
    );
    expect(await violations()).toEqual([]);
    expect(await tooSmall()).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  },
);

describe('what axe cannot tell', () => {
  test('the live region tells every step in the words of the caption', async () => {
    const page = await demo.open();
    await page.locator('[aria-live=polite]').waitFor();
    await page.evaluate(() => {
      const heard: string[] = [];
      (window as unknown as { heard: string[] }).heard = heard;
      const region = document.querySelector('[aria-live=polite]');
      if (region)
        new MutationObserver(() => heard.push(region.textContent ?? '')).observe(region, {
          childList: true,
          subtree: true,
          characterData: true,
        });
    });
    await demo.button('Show me a kick').click();
    await demo.leaveField();
    await page.keyboard.press('Home');
    const captions: string[] = [];
    for (let i = 0; i < 12; ++i) {
      await page.keyboard.press('.');
      captions.push(await demo.caption());
    }
    const heard = await page.evaluate(() => (window as unknown as { heard: string[] }).heard);
    for (const caption of captions) expect(heard).toContain(caption);
  });

  test('the table reads as rows and cells', async () => {
    await demo.open('#v=1&s=lab&m=2&b=2&f=8&p=0&seed=1&k=5&way=reflect');
    expect(await demo.page.getByRole('grid').ariaSnapshot()).toBe(
      [
        '- grid "Table of 2 buckets with 2 slots each":',
        ...[0, 1].flatMap((bucket) => [
          `  - row "bucket ${bucket}bucket ${bucket}, slot 0, emptybucket ${bucket}, slot 1, empty":`,
          `    - rowheader "bucket ${bucket}": "${bucket}${bucket}"`,
          ...[0, 1].map((slot) => `    - gridcell "bucket ${bucket}, slot ${slot}, empty"`),
        ]),
      ].join('\n'),
    );
  });

  test('the Tab key reaches the first answer at its 13th press, or at the first after the link past the bar', async () => {
    const page = await demo.open('#v=1&s=kick');
    const presses = async (): Promise<number> => {
      for (let i = 1; i < 60; ++i) {
        await page.keyboard.press('Tab');
        if (await page.evaluate(() => document.activeElement?.matches('.option input'))) return i;
      }
      return Infinity;
    };
    expect(await presses()).toBeLessThanOrEqual(13);
    await page.reload();
    await page.locator('.option').first().waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await presses()).toBe(1);
  });

  test('a scene is walked from question to verdict with the Tab key, the space bar and Enter', async () => {
    const page = await demo.open('#v=1&s=delete');
    const focusOn = async (selector: string): Promise<void> => {
      for (let i = 0; i < 60; ++i) {
        if (await page.evaluate((text) => document.activeElement?.matches(text) ?? false, selector)) return;
        await page.keyboard.press('Tab');
      }
      throw new Error(`the Tab key does not reach ${selector}`);
    };
    await focusOn('.option input');
    await page.keyboard.press('Space');
    await focusOn('.ask-actions .is-primary');
    await page.keyboard.press('Enter');
    await focusOn('.ask > .button');
    await page.keyboard.press('Enter');
    await page.locator('.verdict').waitFor();
  });

  test('forced colours keep every fingerprint, arrow and mark in sight', async () => {
    const page = await demo.open('', { forcedColors: 'active' });
    await demo.button('Show me a kick').click();
    await demo.leaveField();
    await page.keyboard.press('End');
    const looks = await page
      .locator('.slot .chip-body')
      .first()
      .evaluate((chip) => {
        const { fill, stroke } = getComputedStyle(chip);
        return { fill, stroke };
      });
    expect(looks.fill).not.toBe(looks.stroke);
    expect(await page.locator('.arrow-badge').count()).toBeGreaterThan(0);
  });

  test('forced colours tell by a frame what is chosen, and bits that are set from those that are not', async () => {
    const page = await demo.open('#v=1&s=fail&x=graph:n1', { forcedColors: 'active' });
    const framed = (selector: string): Promise<string[]> =>
      page.locator(selector).evaluateAll((all) => all.map((each) => getComputedStyle(each).outlineStyle));
    await page.locator('.option').first().click();
    await page.locator('h1').click();
    expect(await framed('.option')).toEqual(['solid', 'none', 'none']);
    expect(await framed('.switch button')).toEqual(['none', 'solid']);
    await demo.open('#v=1&s=bits', { forcedColors: 'active' });
    await demo.button('Skip, just show it').click();
    const ground = (selector: string): Promise<string> =>
      demo.page
        .locator(selector)
        .first()
        .evaluate((bit) => getComputedStyle(bit).backgroundColor);
    expect(await ground('.bit-field .is-set')).not.toBe(await ground('.bit-field i:not(.is-set)'));
  });

  test('fingers have 44 by 44 pixels wherever they press', async () => {
    const page = await demo.open('', {
      viewport: { width: 360, height: 800 },
      hasTouch: true,
      isMobile: true,
    });
    for (const place of ['lab', 'homes', 'kick', 'bits', 'be', 'teach', 'start']) {
      await page.evaluate((to) => (location.hash = `#v=1&s=${to}`), place);
      await page.locator(`main[data-place=${place}]:not(:has(.is-loading)) h1`).waitFor();
      const skip = page.locator('.ask-actions .is-quiet');
      if ((await skip.count()) > 0) await skip.first().click();
      await page.evaluate(() =>
        document.querySelectorAll('details').forEach((details) => (details.open = true)),
      );
      const targets = await page.locator(TARGETS).evaluateAll((all) =>
        all
          .map((target) => ({
            name: `${target.tagName} ${target.textContent}`,
            box: target.getBoundingClientRect(),
          }))
          .filter(({ box }) => box.width > 1),
      );
      expect(targets.length).toBeGreaterThan(20);
      const small = targets.filter(({ box }) => box.height < 44 || box.width < 44).map(({ name }) => name);
      expect({ place, small }).toEqual({ place, small: [] });
    }
  });
});

/** All that can be pressed; a checkbox by its label. The skip link is for the keyboard. */
const TARGETS =
  'button, a:not(.skip), select, summary, textarea, .option, .toggle, [role=gridcell], ' +
  'input:not([type=checkbox], [type=radio])';
