// The demo for every reader: names for what is drawn, every width, both themes, less motion.
import { describe, expect, test } from '@jest/globals';
import { ROOMS, SCENES } from '../../../../demo/src/model/places';
import { DemoPage } from '../demo-page';
import { IS_LONG, some } from '../../support/long';

const demo = new DemoPage();

describe('for every reader', () => {
  test('every slot has a name, and the caption is the one polite live region', async () => {
    await demo.open();
    expect(
      (await demo.slotNames()).every((name) =>
        /^bucket \d+, slot \d+, (empty|fingerprint 0x[0-9a-f]+, other home \d+)$/.test(name),
      ),
    ).toBe(true);
    expect(await demo.page.getByRole('grid').getByRole('row').count()).toBe(8);
    // What the chips show is written the same way.
    const texts = await demo.page.locator('.slot .chip-text').allTextContents();
    expect(texts.filter((text) => !/^0x[0-9a-f]{2}$/.test(text))).toEqual([]);
    expect(await demo.page.locator('[aria-live=polite]').count()).toBe(1);
    expect(await demo.page.locator('[aria-live=polite]').innerText()).toBe(await demo.caption());
  });

  test.each([360, 768, 1280, 1920])('nothing is wider than a screen of %i pixels', async (width) => {
    await demo.open('', { viewport: { width, height: 800 } });
    await demo.button('Show me a kick').click();
    await demo.openTools();
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await demo.page.getByLabel('Slots per bucket (b)').fill('8');
    await demo.page.getByLabel('Fingerprint bits (f)').fill('16');
    await demo.page.getByLabel('Buckets (m)').fill('32');
    await demo.button('Build a new table').click();
    await expectChipsApart();
    const room = await demo.page
      .locator('.slot .chip')
      .evaluateAll((all) =>
        all.map(
          (chip) =>
            chip.getBoundingClientRect().width - (chip.lastElementChild?.getBoundingClientRect().width ?? 0),
        ),
      );
    expect(Math.min(...room)).toBeGreaterThan(0);
    // A sliver of a window, as one that is being resized: no part of a picture gets a size below 0.
    await demo.page.setViewportSize({ width: 80, height: 600 });
    await demo.page.setViewportSize({ width, height: 800 });
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  // 640 is a screen of 1280 at a zoom of 200 %, 320 at 400 %.
  test.each(some([320, 360, 640, 768, 1000, 1280], 2))(
    'no place is wider than a screen of %i pixels, and no name runs out of the picture',
    async (width) => {
      for (const [i, place] of [...ROOMS, ...SCENES].entries()) {
        // A place has one language at one width, and the other at the next.
        const languages = ['en', 'zh'] as const;
        for (const language of IS_LONG ? languages : [languages[(i + Number(width > 500)) % 2]]) {
          await demo.visit(`#v=1&s=${place}&l=${language}`, { viewport: { width, height: 800 } });
          const skip = demo.page.locator('.ask-actions .is-quiet');
          if ((await skip.count()) > 0) await skip.first().click();
          await demo.leaveField();
          await demo.page.keyboard.press('End');
          const wide = await demo.page.evaluate(outside);
          expect({ place, language, wide }).toEqual({ place, language, wide: [] });
        }
      }
    },
  );

  test.each(['light', 'dark'] as const)(
    'in the %s theme every fingerprint can be read on its chip',
    async (colorScheme) => {
      await demo.open('', { viewport: { width: 1280, height: 900 }, colorScheme });
      const contrasts = await demo.page.locator('.slot .chip').first().evaluate(contrastOfEveryColour);
      expect(contrasts).toHaveLength(4 * 360);
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('less motion means no motion, with the same steps', async () => {
    await demo.open();
    await demo.button('Show me a kick').click();
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    await demo.page.keyboard.press(',');
    await demo.page.keyboard.press('.');
    expect(await demo.page.locator('.flights').count()).toBe(0);
    expect(await demo.page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  test('with motion, a chip is in the air between two steps and in its slot after', async () => {
    await demo.open('', { viewport: { width: 1280, height: 900 }, reducedMotion: 'no-preference' });
    await demo.button('Show me a kick').click();
    await demo.page.locator('.flights').first().waitFor();
    await demo.leaveField();
    await demo.page.keyboard.press('End');
    expect(await demo.page.locator('.flights').count()).toBe(0);
    expect(await demo.slotTexts()).toEqual(await demo.namedFingerprints());
  });
});

/** Runs in the page: what is wider than the screen, and texts that leave their picture. */
function outside(): string[] {
  const page = document.documentElement.scrollWidth > innerWidth ? ['the page'] : [];
  const texts = [...document.querySelectorAll('svg[viewBox] text')].filter((text) => {
    const [box, picture] = [text.getBoundingClientRect(), text.closest('svg')?.getBoundingClientRect()];
    return picture !== undefined && (box.left < picture.left - 1 || box.right > picture.right + 1);
  });
  return [...page, ...texts.map((text) => text.textContent ?? '')];
}

async function expectChipsApart(): Promise<void> {
  const boxes = await demo.page
    .locator('.slot > :first-child')
    .evaluateAll((slots) =>
      slots
        .map((slot) => slot.getBoundingClientRect())
        .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
    );
  const overlaps = boxes.filter((a, i) =>
    boxes
      .slice(i + 1)
      .some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom),
  );
  expect(boxes).toHaveLength(256);
  expect(overlaps).toEqual([]);
}

/** Runs in the page: the contrast of a chip's text with its ground (WCAG 2.2), for each hue and tone. */
function contrastOfEveryColour(chip: Element): number[] {
  const context = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const luminance = (part: string): number => {
    const shape = chip.querySelector(part);
    if (context === null || shape === null) return NaN;
    context.fillStyle = getComputedStyle(shape).fill;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0] = [...context.getImageData(0, 0, 1, 1).data]
      .map((value) => value / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return Array.from({ length: 4 * 360 }, (_, i) => {
    (chip as SVGElement).style.setProperty('--hue', String(i % 360));
    (chip as SVGElement).style.setProperty('--tone', String(Math.floor(i / 360)));
    const [text, ground] = [luminance('.chip-text'), luminance('.chip-body')];
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
  });
}
