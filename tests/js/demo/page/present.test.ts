// Before an audience: the table, its sum and one line fill the window; and in a small frame the table comes first.
import { describe, expect, test } from '@jest/globals';
import type { Locator, Page } from 'playwright-core';
import { COURSES, isScene, MINUTES, SCENES } from '../../../../demo/src/model/places';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** Pixels of the smallest letters in sight, as they are on the screen. */
function smallestLetters(): Promise<number> {
  return demo.page.evaluate(() => {
    const main = document.querySelector('main');
    const scale = (main?.getBoundingClientRect().width ?? 0) / (main?.offsetWidth ?? 1);
    const zoomOf = (each: Element): number => (each as unknown as { currentCSSZoom: number }).currentCSSZoom;
    const sizes = [...document.querySelectorAll('main *')].flatMap((each) => {
      const isText = [...each.childNodes].some(
        (node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim() !== '',
      );
      const { width, height } = each.getBoundingClientRect();
      const isSeen = width > 1 && height > 1 && getComputedStyle(each).visibility === 'visible';
      return isText && isSeen ? [parseFloat(getComputedStyle(each).fontSize) * zoomOf(each) * scale] : [];
    });
    return Math.min(...sizes);
  });
}

/** Whether a window has no line below its edge. */
function isWhole(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollHeight <= innerHeight);
}

/** Through a talk by one press, to the answer of what is asked; waits for the stop that it leads to. */
async function goOn(): Promise<void> {
  const { keyboard } = demo.page;
  const next = demo.page.locator('.present [data-next=true]');
  if ((await next.count()) === 0) {
    await keyboard.press('End');
    return next.waitFor();
  }
  const place = /s=(\w+)/.exec((await next.getAttribute('href')) ?? '')?.[1];
  await keyboard.press('PageDown');
  if (place !== undefined) await demo.page.locator(`.present[data-place=${place}]`).waitFor();
}

/** What reaches out of the window. */
function outside(selector: string): Promise<number> {
  return demo.page.locator(selector).evaluateAll(
    (all) =>
      all.filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      }).length,
  );
}

test.each(['en', 'zh'])(
  'a kick fills a projector with letters of 28 pixels or more, in %s',
  async (language) => {
    const page = await demo.open(`#v=1&s=kick&l=${language}`, { viewport: { width: 1920, height: 1080 } });
    await page.locator('.theatre').waitFor();
    await page.keyboard.press('f');
    await page.locator('.present .slot').first().waitFor();
    expect(await page.locator('.bar, .card, .console, .panels, .options').count()).toBe(0);
    // The caption asks its question; nothing on the page gives the answer away.
    expect(await page.locator('.caption-text').innerText()).toMatch(/[?？]/);
    expect(await smallestLetters()).toBeGreaterThanOrEqual(28);
    expect(await outside('.slot, .caption-text, .present button')).toBe(0);
    await page.keyboard.press('.');
    for (let i = 0; (await page.locator('.arrow.is-latest').count()) === 0 && i < 20; ++i)
      await page.keyboard.press('.');
    expect(await page.locator('.token-text').count()).toBe(5);
    expect(await smallestLetters()).toBeGreaterThanOrEqual(28);
    expect(await outside('.slot, .caption-text, .token-text, .present button')).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('.bar').waitFor();
    expect(await page.locator('.present').count()).toBe(0);
  },
);

test.each([
  [1280, 720],
  [1366, 768],
  [1920, 1080],
])('the race fits into a full window of %i x %i', async (width, height) => {
  const page = await demo.visit('#v=1&s=race&chrome=none', { viewport: { width, height } });
  const isWhole = (): Promise<boolean> =>
    page.locator('.present-board').evaluate((board) => board.scrollHeight <= board.clientHeight);
  expect(await isWhole()).toBe(true);
  await demo.button('Show the answer').click();
  await page.locator('.run-bar').waitFor();
  expect(await isWhole()).toBe(true);
});

test('a link with chrome=none opens so, and the answer waits for whoever asks for it', async () => {
  const page = await demo.open('#v=1&s=delete&embed=1&chrome=none', {
    viewport: { width: 960, height: 540 },
  });
  await page.locator('.present .slot').first().waitFor();
  expect(await outside('.slot, .caption-text, .present button')).toBe(0);
  expect(await page.locator('.answer').count()).toBe(0);
  await demo.button('Show the answer').click();
  expect(await demo.answer()).not.toBeNull();
});

test('leads from a question to its answer, to the second question and to the next scene', async () => {
  const page = await demo.open('#v=1&s=kick&chrome=none', { viewport: { width: 1920, height: 1080 } });
  await page.locator('.present .slot').first().waitFor();
  const [title, question] = await Promise.all([page.locator('.told h1').innerText(), demo.caption()]);
  expect(title).toBe('Scene 4 of 9 · The kick path');
  const another = demo.button('The second question');
  const next = page.getByText('Next: When it fails');
  const stepsTo = async (way: Locator): Promise<void> => {
    for (let i = 0; (await way.count()) === 0 && i < 60; ++i) await page.keyboard.press('.');
  };
  await stepsTo(another);
  expect(await demo.caption()).toMatch(
    /^“chough” kicked out 0x\w\w, which goes to bucket \d\. The whole path has \d+ kicks\.$/,
  );
  expect(await page.locator('.told h1').innerText()).toBe(title);
  await page.keyboard.press(',');
  await another.waitFor({ state: 'detached' });
  await stepsTo(another);
  await another.click();
  expect(await demo.caption()).not.toBe(question);
  await demo.button('Show the answer').waitFor();
  await stepsTo(next);
  expect(await outside('.slot, .told, .present button, .deck > .button')).toBe(0);
  await next.click();
  await page.locator('.told h1', { hasText: 'When it fails' }).waitFor();
  expect(await page.locator('.present .slot').count()).toBeGreaterThan(0);
});

describe.each(['en', 'zh'])('in %s', (language) => {
  test.each(['start', 'end'])(
    'the slide “%s” has sentences of 28 pixels, all above its foot',
    async (place) => {
      const page = await demo.visit(`#v=1&s=${place}&l=${language}&chrome=none`, {
        viewport: { width: 1920, height: 1080 },
      });
      const sentences = page.locator('.present-board :is(figcaption :is(li, p), .double-said, .is-end h1)');
      await sentences.nth(3).waitFor();
      // The parts appear one by one, and the slide is scaled only once the window has its new size.
      await page.waitForFunction(() => {
        const [deck] = document.querySelectorAll('.deck');
        const parts = [...document.querySelectorAll('.present :is(.film > *, .double, .is-end h1)')];
        const top = deck?.getBoundingClientRect().top ?? 0;
        return parts.length > 0 && parts.every((part) => part.getBoundingClientRect().bottom <= top);
      });
      const sizes = await sentences.evaluateAll((all) =>
        all.map((each) => {
          const main = each.closest('main');
          const scale = (main?.getBoundingClientRect().width ?? 0) / (main?.offsetWidth ?? 1);
          return parseFloat(getComputedStyle(each).fontSize) * scale;
        }),
      );
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(27.9);
    },
  );

  test.each(['names', ...SCENES])(
    '%s fills a projector with its own board, in letters of 28 pixels or more',
    async (place) => {
      const page = await demo.visit(`#v=1&s=${place}&l=${language}&chrome=none`, {
        viewport: { width: 1920, height: 1080 },
      });
      const own = { names: '.names', homes: '.sum', race: '.lanes', bits: '.plot-picture' } as Record<
        string,
        string
      >;
      await page
        .locator(`.present ${own[place] ?? '.slot'}`)
        .first()
        .waitFor();
      expect(await smallestLetters()).toBeGreaterThanOrEqual(27.9);
      const all =
        '.present :is(.slot, .hand-tray, .told-title, .caption-text, button, .lane, .sum, .plot, .names-chip)';
      expect(await outside(all)).toBe(0);
      // The whole story has more words: the remark about a mistake among them, and the question above its answer.
      if (place in own) return;
      for (let i = 0; i < 40; ++i) {
        await page.keyboard.press(i === 0 ? 'PageDown' : '.');
        expect(await outside(all)).toBe(0);
        expect((await page.locator('.hand-tray').boundingBox())?.y).toBeGreaterThanOrEqual(20);
        const [foot, deck] = await page.evaluate(() => [
          Math.max(
            ...[...document.querySelectorAll('.slot')].map((each) => each.getBoundingClientRect().bottom),
          ),
          document.querySelector('.deck')?.getBoundingClientRect().top ?? 0,
        ]);
        expect(foot).toBeLessThanOrEqual(deck ?? 0);
      }
      expect(await smallestLetters()).toBeGreaterThanOrEqual(27.9);
    },
  );
});

test('a sentence of many lines makes the table smaller, and cuts nothing of it off', async () => {
  const page = await demo.open('#v=1&s=delete&chrome=none', { viewport: { width: 1280, height: 720 } });
  await page.locator('.present .slot').first().waitFor();
  await page.evaluate(() => document.querySelector('.caption-text')?.append(' and so on'.repeat(40)));
  expect(await outside('.slot, .hand-tray, .caption-text')).toBe(0);
  const told = await page.locator('.told').boundingBox();
  expect((told?.y ?? NaN) + (told?.height ?? NaN)).toBeLessThanOrEqual(720 - 8);
  const foot = await page.locator('[data-slot="7.0"]').boundingBox();
  expect((foot?.y ?? NaN) + (foot?.height ?? NaN)).toBeLessThanOrEqual(
    (await page.locator('.deck').boundingBox())?.y ?? 0,
  );
});

test('every scene has a button for it', async () => {
  for (const place of ['names', ...SCENES]) {
    const page = await demo.visit(`#v=1&s=${place}`);
    await demo.button('Full window (F)').click();
    await page.locator('.present .told h1').waitFor();
  }
});

test.each([10, 20])(
  'a way of %s minutes is gone with one key from the page for teachers and back, below tables and boards that leave the bar alone',
  async (course) => {
    const page = await demo.open('#v=1&s=teach', { viewport: { width: 1920, height: 1080 } });
    await page
      .getByText('Present it')
      .nth(course / 10 - 1)
      .click();
    await page.locator('.present').waitFor();
    const way = COURSES[course] ?? [];
    const places: (string | null)[] = [];
    const titles = new Set<string>();
    const boxes = new Set<string>();
    for (let i = 0; i < 60 * way.length; ++i) {
      const [place = null, title = '', ...parts] = await page.evaluate(() => [
        document.querySelector('main')?.dataset['place'],
        document.querySelector('.told-title')?.textContent?.split(' · ')[0],
        ...['.deck', '.present .picture'].map((each) => {
          const { top = 0, height = 0 } = document.querySelector(each)?.getBoundingClientRect() ?? {};
          return height === 0 ? '' : `${each} ${Math.round(top)} ${Math.round(height)}`;
        }),
      ]);
      parts.forEach((part) => part === '' || boxes.add(part ?? ''));
      if (places.at(-1) !== place) places.push(place);
      titles.add(title);
      await page.keyboard.press('PageDown');
      await page.evaluate(() => new Promise(requestAnimationFrame));
    }
    expect(places).toEqual(way);
    expect([...titles]).toEqual(way.map((_, i) => `Stop ${i + 1} of ${way.length}`));
    // The bar and the table have one size at all stops, whatever they show.
    expect([...boxes].map((box) => box.split(' ', 1)[0]).sort()).toEqual(['.deck', '.present']);
    await page.locator('.deck [data-next]').click();
    await page.locator('.bar').waitFor();
    expect(page.url()).toMatch(/s=teach(?!.*chrome=none)/);
  },
);

test('a clicker’s key darkens the screen of a talk, and the next key brings it back', async () => {
  const page = await demo.open('#v=1&s=kick&course=10&chrome=none');
  const question = await demo.caption();
  const isDark = (): Promise<boolean> =>
    page.evaluate(() => {
      const top = getComputedStyle(document.querySelector('.present') ?? document.body, '::after');
      return top.content !== 'none' && top.backgroundColor === 'rgb(0, 0, 0)';
    });
  for (const [key, other] of [
    ['b', 'b'],
    ['.', '.'],
    ['B', 'PageDown'],
  ] as const) {
    await page.keyboard.press(key);
    expect(await isDark()).toBe(true);
    await page.keyboard.press(other);
    expect(await isDark()).toBe(false);
    // It is as it was.
    expect(await demo.caption()).toBe(question);
  }
  await page.keyboard.press('PageDown');
  await demo.button('Show the answer').waitFor({ state: 'detached' });
});

test('the speaker is told what the next press does at every stop, the first and the last among them', async () => {
  const page = await demo.open('#v=1&s=start&course=10&chrome=none', { reducedMotion: 'no-preference' });
  await page.locator('.film.is-waiting').waitFor();
  const [speaker] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('s')]);
  await speaker.getByText('The room sees the pictures. Next press: “Play”.').waitFor();
  await page.keyboard.press('PageDown');
  await speaker.getByText('Next press: “To the end”.').waitFor();
  await page.keyboard.press('PageDown');
  await speaker.getByText('The room sees the pictures. Next press: “Next: Two homes by XOR”.').waitFor();
  await page.keyboard.press('PageDown');
  await speaker
    .getByText('The room sees the question. Next press: “One step forward”. End: the answer.')
    .waitFor();
  await page.keyboard.press('PageDown');
  await speaker.getByText('The room sees the steps. Next press: “One step forward”.').waitFor();
  await page.keyboard.press('End');
  await speaker.getByText('The room sees the answer. Next press: “The second question”.').waitFor();
  await page.keyboard.press('b');
  await speaker.getByText('The room sees a dark screen. Any key brings it back.').waitFor();
  await page.keyboard.press('b');
  await page.evaluate(() => (location.hash = '#v=1&s=end&course=10&chrome=none'));
  await speaker.getByText('The room sees the last slide. The keys lead no further.').waitFor();
});

test.each([
  [1280, 800],
  [1920, 1080],
])('a question can be read from the last row at %i by %i pixels', async (width, height) => {
  for (const place of SCENES) {
    const page = await demo.visit(`#v=1&s=${place}&course=20&chrome=none`, { viewport: { width, height } });
    const size = await page.locator('.told > .caption-text').evaluate((text) => {
      const zoom = (text as unknown as { currentCSSZoom: number }).currentCSSZoom;
      const main = text.closest('main');
      const scale = (main?.getBoundingClientRect().width ?? 0) / (main?.offsetWidth ?? 1);
      return parseFloat(getComputedStyle(text).fontSize) * zoom * scale;
    });
    // A thirtieth of the screen's height and more.
    expect(size).toBeGreaterThan(height / 30);
    expect(await outside('.told')).toBe(0);
  }
});

test('the notes say for how long and what at each stop of the long talk', async () => {
  const page = await demo.open('#v=1&s=teach');
  for (const course of [10, 20])
    expect(MINUTES[course]?.reduce((sum, minutes) => sum + minutes, 0)).toBe(course);
  await page.locator('.notes summary').click();
  const said = await page.locator('.notes li > p:first-child').allInnerTexts();
  expect(said).toHaveLength(COURSES[20]?.length ?? 0);
  expect(said.filter((text) => !/^\d min .+ · .+\.$/.test(text))).toEqual([]);
  await page.locator('.notes li', { hasText: 'Until minute 20 of 20' }).waitFor();
});

test.each(['en', 'zh'])(
  'the notes have what the speaker’s window has at the same stop, in %s',
  async (language) => {
    const page = await demo.open(`#v=1&s=teach&l=${language}`);
    await page.locator('.notes summary').click();
    const way = COURSES[20] ?? [];
    await page
      .locator('.notes li')
      .nth(way.indexOf('delete'))
      .getByText(/Marta|王小明/)
      .first()
      .waitFor();
    const notes = await page
      .locator('.notes li')
      .evaluateAll((all) =>
        all.map((each) => [...each.querySelectorAll('h2, h2 ~ p')].map(({ textContent }) => textContent)),
      );
    await page.locator('.courses .is-present').last().click();
    await page.locator('.present .double-said').first().waitFor();
    const [speaker] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('s')]);
    for (const scene of way.filter(isScene)) {
      while (!(await page.locator(`.present[data-place=${scene}]`).isVisible())) await goOn();
      const own = notes[way.indexOf(scene)] ?? [];
      expect(own).toHaveLength(10);
      await speaker.locator('.panel', { hasText: own[1] ?? '?' }).waitFor();
      const told = speaker.locator('.panel :is(h2, p)');
      expect([scene, ...(await told.allTextContents())]).toEqual([scene, ...own.slice(0, 5)]);
    }
  },
);

test('in a window of 1024 x 768, the first stop keeps its sentences within their cards', async () => {
  const page = await demo.open('#v=1&s=start&course=20&chrome=none', {
    viewport: { width: 1024, height: 768 },
  });
  await page.locator('.double-said').first().waitFor();
  const cards = page.locator('.present :is(.film figcaption, .double)');
  expect(await cards.evaluateAll((all) => all.map((each) => each.scrollWidth - each.clientWidth))).toEqual([
    0, 0,
  ]);
});

test('a talk ends with the double of its beginning, and the speaker sees in a window what to say', async () => {
  const page = await demo.open('#v=1&s=start&course=10&chrome=none', {
    viewport: { width: 1920, height: 1080 },
  });
  await page.locator('.double-name').fill('Xavier');
  const said = await page.getByText('The filter cannot tell Xavier from').innerText();
  const double = /from (.+)\.$/.exec(said)?.[1] ?? '';
  // The clock goes as the test says.
  await page.evaluate(() => {
    const at = Date.now();
    Object.assign(window, { minutes: 0 });
    Date.now = () => at + 60_000 * (window as unknown as { minutes: number }).minutes;
  });
  const [speaker] = await Promise.all([
    page.waitForEvent('popup'),
    page
      .locator('.present .button')
      .last()
      .focus()
      .then(() => page.keyboard.press('s')),
  ]);
  await speaker.getByText('Until minute 2 of 10 · Next: Two homes by XOR').waitFor();
  const clock = speaker.getByRole('timer');
  expect(await clock.innerText()).toBe('0:00');
  // Three minutes later, the stop of two minutes should have ended.
  await page.evaluate(() => Object.assign(window, { minutes: 3 }));
  await speaker.getByText('behind the plan').waitFor();
  expect(await clock.innerText()).toBe('3:00');
  await speaker.getByText('Start the clock again').click();
  expect(await clock.innerText()).toBe('0:00');
  // The field takes letters, but pages turn, and keep the name.
  const field = page.locator('.double-name');
  await field.focus();
  await page.keyboard.press('PageDown');
  await page.locator('.present[data-place=homes]').waitFor();
  await page.keyboard.press('PageUp');
  await field.waitFor();
  expect(await field.inputValue()).toBe('Xavier');
  await page.getByText(`The filter cannot tell Xavier from ${double}.`).waitFor();
  await field.focus();
  const isAt = (place: string): Promise<boolean> => page.locator(`.present[data-place=${place}]`).isVisible();
  while (!(await isAt('delete'))) await goOn();
  expect(await demo.caption()).toContain(`“${double}”`);
  await speaker.getByText('2 min The deadly delete ·').waitFor();
  // The answer, before the audience sees it.
  expect(await demo.caption()).toContain('Which key is no longer found?');
  expect(await speaker.locator('.panel').innerText()).toContain('Xavier');
  // From the last stop, back to the same names.
  while (!(await isAt('end'))) await goOn();
  await page.keyboard.press('PageUp');
  await page.locator('.present[data-place=delete]').waitFor();
  const caption = page.locator('.caption-text');
  for (let told = ''; !told.includes('yet gets'); told = await caption.innerText()) {
    const other = caption.filter({ hasNotText: await caption.innerText() });
    await page.keyboard.press('PageUp');
    await other.waitFor();
  }
  expect(await demo.caption()).toContain(`“${double}”`);
  await speaker.locator('.panel', { hasText: 'Xavier' }).waitFor();
  // Once the address tells where the page is.
  await page.waitForURL((url) => !url.hash.includes('q='));
  await page.reload();
  await page.locator('.present .slot').first().waitFor();
  expect(await demo.caption()).toContain(`“${double}”`);
});

test.each(['en', 'zh'])(
  'at every stop of the talk the speaker’s window has the question, and the answer that the room gets, in %s',
  async (language) => {
    const page = await demo.open(`#v=1&s=homes&course=20&l=${language}&chrome=none`, {
      viewport: { width: 1920, height: 1080 },
    });
    await page.locator('.present .sum').waitFor();
    const [speaker] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('s')]);
    const reveal = page.locator('.deck .is-primary');
    const onward = page.locator('.deck [data-next]');
    const told = speaker.locator('.panel');
    await speaker.setViewportSize({ width: 640, height: 520 });
    for (const scene of COURSES[20]?.filter(isScene) ?? [])
      for (const part of [1, 2]) {
        await page.locator(`.present[data-place=${scene}]`).waitFor();
        await reveal.waitFor();
        const [question, answer] = await told.locator('p').allInnerTexts();
        expect(await isWhole(speaker)).toBe(true);
        expect(await told.locator('h2').first().innerText()).toContain(String(part));
        // Behind the question, the room gets what to choose from.
        expect((await demo.caption()).startsWith(question ?? '?')).toBe(true);
        await page.keyboard.press('PageDown');
        if (scene !== 'bits') await page.keyboard.press('End');
        await onward.waitFor();
        expect([scene, part, answer]).toEqual([scene, part, await demo.caption()]);
        // And why, as large as the rest.
        const why = page.locator('.present .reason');
        expect(await why.innerText()).toBe(await told.locator('p').last().innerText());
        expect(await outside('.told')).toBe(0);
        await page.keyboard.press('PageDown');
      }
  },
);

test('at the first stop Enter plays, back shows the still picture again, and Escape in the field leaves', async () => {
  const page = await demo.open('#v=1&s=start&course=20&chrome=none', { reducedMotion: 'no-preference' });
  const waiting = page.locator('.film.is-waiting');
  await waiting.waitFor();
  const field = page.locator('.double-name');
  await field.fill('Bartholomew Featherstone');
  await field.press('Enter');
  await waiting.waitFor({ state: 'detached' });
  expect(await field.evaluate((each) => each === document.activeElement)).toBe(false);
  await page.keyboard.press('PageUp');
  await waiting.waitFor();
  expect(await field.inputValue()).toBe('Bartholomew Featherstone');
  await field.press('Escape');
  await page.locator('.bar').waitFor();
});

test('a long name stays in one line at the first stop, and its double above the bar', async () => {
  const page = await demo.open('#v=1&s=start&course=20&chrome=none', {
    viewport: { width: 1280, height: 720 },
  });
  await page.locator('.double-name').fill('Bartholomew Featherstone');
  await page.locator('.double-said', { hasText: 'Bartholomew' }).first().waitFor();
  const [long, short] = await page
    .locator('.double-picture b')
    .evaluateAll((all) => all.map((each) => each.getClientRects()[0]?.height));
  expect(long).toBe(short);
  const last = await page.locator('.double-picture').boundingBox();
  const deck = await page.locator('.deck').boundingBox();
  expect((last?.y ?? NaN) + (last?.height ?? NaN)).toBeLessThanOrEqual(deck?.y ?? 0);
});

test('an audience has four numbers to choose from, for both questions about mistakes', async () => {
  const page = await demo.open('#v=1&s=hunt&course=20&chrome=none');
  const options = page.locator('.told-options li');
  for (const part of [0, 1]) {
    await demo.button('Show the answer').waitFor();
    const numbers = (await options.allInnerTexts()).map((text) => Number(text.replace(/\D/g, '')));
    expect(numbers).toHaveLength(4);
    await page.keyboard.press('PageDown');
    await page.keyboard.press('End');
    await page.locator('.is-answer').waitFor();
    const right = Number(/for ([\d,]+) of/.exec(await demo.caption())?.[1]?.replace(',', ''));
    const near = numbers.filter((each) => Math.abs(Math.log2(each / right)) < 0.5);
    expect([part, near]).toEqual([part, [expect.any(Number)]]);
    await page.keyboard.press('PageDown');
  }
});

test('the key in hand has its name, and the one that would be lost is ringed at the end', async () => {
  const page = await demo.open('#v=1&s=fail&course=20&chrome=none');
  await page.keyboard.press('PageDown');
  await page.keyboard.press('End');
  await page.locator('.is-answer').waitFor();
  const [, lost, added] = /^That of “(.+)”, which .* before “(.+)” came/.exec(await demo.caption()) ?? [];
  expect(await page.locator('.slot:has(.is-changed)').getAttribute('aria-label')).toContain(lost);
  expect(await page.locator('.chip-name').last().textContent()).toBe(added);
});

test('on a slide, a long name stands whole below its fingerprint, in letters of 28 pixels or more', async () => {
  const page = await demo.open('#v=1&s=lab', { viewport: { width: 1920, height: 1080 } });
  await demo.run('Maximiliane-Josephine', 'Insert');
  await page.getByText('Show the keys (the filter does not keep them)').first().click();
  await demo.leaveField();
  await page.keyboard.press('f');
  await page.locator('.present .slot').first().waitFor();
  expect(await page.locator('.chip-name').allTextContents()).toContain('Maximiliane-Josephine');
  expect(await smallestLetters()).toBeGreaterThanOrEqual(28);
  const [print, name] = await page
    .locator('.slot:has(.chip-text) .chip-text, .chip-name')
    .evaluateAll((all) =>
      [all[0], all.find((each) => each.classList.contains('chip-name'))].map((each) => {
        const { top = NaN, bottom = NaN } = each?.getBoundingClientRect() ?? {};
        return (top + bottom) / 2;
      }),
    );
  expect((name ?? NaN) - (print ?? NaN)).toBeGreaterThanOrEqual(28);
  expect(await outside('.slot, .caption-text, .present button')).toBe(0);
});

test('each press of a clicker shows what is new, and a press back the step before', async () => {
  const page = await demo.open('#v=1&s=homes&course=20&chrome=none');
  const told = page.locator('.present .sum-steps > p');
  const caption = page.locator('.present .caption-text');
  const see = (key: string, text: string | RegExp, where = caption): Promise<void> =>
    page.keyboard.press(key).then(() => where.filter({ hasText: text }).waitFor());
  await told.filter({ hasText: 'Column 1 of 4' }).waitFor();
  for (const column of [2, 3, 4]) await see('PageDown', `Column ${column} of 4`, told);
  await see('PageDown', 'is 15, the other home');
  await demo.visit('#v=1&s=lookup&course=20&chrome=none');
  await demo.caption();
  await see('PageDown', 'The hash of');
  await see('PageDown', 'The second home is');
  for (const bucket of [4, 2]) await see('PageDown', `is not in bucket ${bucket}`);
  await demo.visit('#v=1&s=fail&course=20&chrome=none');
  const question = await demo.caption();
  // What the stops before have told goes faster.
  await see('PageDown', 'The second home is');
  for (const bucket of [1, 7]) await see('PageDown', `No: bucket ${bucket} is full`);
  for (let kick = 1; kick <= 3; ++kick) await see('PageDown', `Kick ${kick}:`);
  await see('PageUp', 'is full as well');
  await see('PageDown', 'Kick 3:');
  // The other kicks play, until the next press.
  await see('PageDown', 'Kick 4:');
  await see('PageDown', 'it took every kick back');
  await see('PageUp', question);
  // One key leads over all of it, and over the second question.
  await see('End', 'it took every kick back');
  await see('End', 'A lookup compares up to');
});

test.each(['en', 'zh'])(
  'on a phone, every slide of a talk shows all of its board, in %s',
  async (language) => {
    for (const place of COURSES[20] ?? []) {
      const page = await demo.visit(`#v=1&s=${place}&course=20&l=${language}&chrome=none`, {
        viewport: { width: 360, height: 740 },
      });
      await page
        .locator('.present :is(.double-picture, .sum, .plot-picture, .slot, .is-end h1)')
        .first()
        .waitFor();
      if (isScene(place)) await page.keyboard.press('End');
      await page.locator('.deck [data-next]').waitFor();
      const parts =
        '.present :is(.film, .double-picture, .sum, .plot, .slot, .is-end h1, .told, .deck .button)';
      expect([place, await outside(parts)]).toEqual([place, 0]);
      const [board] = await page
        .locator('.present-board')
        .evaluateAll((all) => all.map((each) => each.scrollHeight - each.clientHeight));
      expect([place, board ?? 0]).toEqual([place, 0]);
    }
  },
);

test('the last slide has a table for the next name, and one sentence', async () => {
  const page = await demo.open('#v=1&s=end&course=20&chrome=none');
  await page.getByText(/^A few bits of each name .* only what you added\.$/).waitFor();
  await page.locator('.double-name').fill('Xavier');
  await page.locator('.film-name', { hasText: 'Xavier' }).waitFor();
  expect(await demo.caption()).toBe('Whose name next? Type it above the table.');
});

test('while the sum of a talk plays, its columns are filled in one after the other', async () => {
  const page = await demo.open('#v=1&s=homes&course=20&chrome=none');
  await page.locator('.present .sum').waitFor();
  await page.evaluate(() => {
    const told = new Set<string>();
    Object.assign(window, { told });
    new MutationObserver(() => told.add(document.querySelector('.sum-steps > p')?.textContent ?? '')).observe(
      document.body,
      { subtree: true, childList: true, characterData: true },
    );
  });
  await page.keyboard.press('Space');
  // Nothing else is told meanwhile, such as the lookup that the sum is part of.
  expect(await page.locator('.told').innerText()).not.toContain('jay');
  await demo.button('The second question').waitFor();
  const told = await page.evaluate(() => [...(window as unknown as { told: Set<string> }).told]);
  const columns = told.map((text) => /^Column (\d) of 4/.exec(text)?.[1]).filter((at) => at !== undefined);
  expect(columns).toEqual(['2', '3', '4']);
});

test.each([
  ['PageDown', 'PageUp'],
  ['ArrowRight', 'ArrowLeft'],
])('what %s led through, question by question, %s leads back through', async (onward, back) => {
  const page = await demo.open('#v=1&s=homes&course=10&chrome=none', {
    viewport: { width: 1920, height: 1080 },
  });
  const reveal = demo.button('Show the answer');
  const seen: string[] = [];
  const see = async (text: RegExp): Promise<string> => {
    const last = seen.at(-1);
    const caption = page.locator('.caption-text', { hasText: text }).filter({ hasNotText: last ?? /^$/ });
    await caption.waitFor();
    seen.push(await caption.innerText());
    return seen.at(-1) ?? '';
  };
  for (const answer of [/^\d+ XOR/, /^\d+ XOR/, /kicked out/, /^(Yes|No):/]) {
    await reveal.waitFor();
    await see(/\?/);
    await page.keyboard.press(onward);
    await reveal.waitFor({ state: 'detached' });
    await page.keyboard.press('End');
    await see(answer);
    await page.keyboard.press(onward);
  }
  await page.locator('.present[data-place=delete]').waitFor();
  for (const text of seen.reverse()) {
    await page.keyboard.press(back);
    await page.locator('.caption-text', { hasText: text }).waitFor();
  }
  for (let i = 0; i < 2; ++i) {
    await page.keyboard.press(back);
    await page.locator('.present[data-place=start] .film').waitFor();
  }
});

test('the keys in the speaker’s window drive the talk, also after it was brought to the front again', async () => {
  const page = await demo.open('#v=1&s=homes&course=10&chrome=none');
  await page.locator('.present .sum').waitFor();
  const [speaker] = await Promise.all([page.waitForEvent('popup'), page.keyboard.press('s')]);
  await speaker.getByText('Two homes by XOR').first().waitFor();
  await page.keyboard.press('s');
  await page.evaluate(() => new Promise(requestAnimationFrame));
  const [reveal, another] = [demo.button('Show the answer'), demo.button('The second question')];
  await speaker.keyboard.press('Space');
  await reveal.waitFor({ state: 'detached' });
  await speaker.keyboard.press('End');
  await another.waitFor();
  await speaker.keyboard.press('PageUp');
  await reveal.waitFor();
  await speaker.keyboard.press('PageUp');
  await page.locator('.present[data-place=start]').waitFor();
  await speaker.keyboard.press('PageDown');
  await page.locator('.present[data-place=homes]').waitFor();
  await speaker.getByText('Until minute 4 of 10').waitFor();
});

test('the first pictures of a talk wait for a press, and show how they begin', async () => {
  const page = await demo.open('#v=1&s=start&course=20&chrome=none', {
    reducedMotion: 'no-preference',
    isOwn: true,
  });
  const states = (): Promise<string[]> =>
    page.evaluate(() => {
      const moving = document.getAnimations().filter(({ effect }) => {
        const { target } = effect as KeyframeEffect;
        return target?.closest('.film, .double') !== null;
      });
      return [...new Set(moving.map(({ playState }) => playState))];
    });
  await page.locator('.double-said').first().waitFor({ state: 'attached' });
  expect(await states()).toEqual(['paused']);
  await page.getByRole('heading', { name: 'Who is your double?' }).waitFor();
  await page.keyboard.press('PageDown');
  await page.locator('.film:not(.is-waiting)').waitFor();
  expect(await states()).not.toContain('paused');
  // A press while it plays jumps to its end, and stays at the stop.
  await page.keyboard.press('PageDown');
  expect(await states()).not.toContain('running');
  await page.locator('.present[data-place=start]').waitFor();
  await page.keyboard.press('PageDown');
  await page.locator('.present[data-place=homes]').waitFor();
});

test('the choices of a question are a list below its sentence, and go with it', async () => {
  const page = await demo.open('#v=1&s=fail&chrome=none');
  const choices = page.locator('.told-options li');
  await choices.first().waitFor();
  expect(await choices.allInnerTexts()).toEqual(['the new key', 'a key accepted earlier', 'nobody’s']);
  expect(await demo.caption()).toMatch(/whose would be lost\?$/);
  await page.keyboard.press('PageDown');
  await choices.first().waitFor({ state: 'detached' });
});

test('before an audience nobody is asked to type a name, as there is no field', async () => {
  const page = await demo.open('#v=1&s=names&chrome=none');
  await page.getByText('Go on to a loop').waitFor();
  expect(await page.locator('input:visible').count()).toBe(0);
  expect(await demo.caption()).toBe('Put in the next sample name');
});

test('the race asks again with empty tables', async () => {
  const page = await demo.open('#v=1&s=race&chrome=none', { viewport: { width: 1920, height: 1080 } });
  await page.locator('.present .lanes').waitFor();
  // Maps are painted some frames after they appear.
  const emptied = () =>
    page.waitForFunction(() =>
      [...document.querySelectorAll('canvas')].every((canvas) => {
        const image = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(image?.data.buffer ?? []).filter((pixel) => pixel !== 0)).size === 1;
      }),
    );
  await emptied();
  await page.keyboard.press('PageDown');
  await demo.button('The second question').waitFor();
  expect(await page.locator('.lanes').innerText()).toContain('%');
  await demo.button('The second question').click();
  await demo.button('Show the answer').waitFor();
  expect(await page.locator('.lane').count()).toBe(1);
  await page.keyboard.press('PageUp');
  await demo.button('The second question').waitFor();
  await page.keyboard.press('PageUp');
  await demo.button('Show the answer').waitFor();
  expect(await page.locator('.lanes').innerText()).not.toContain('%');
  await emptied();
});

test('a graph before an audience is the scene’s own', async () => {
  const page = await demo.open('#v=1&s=fail&x=graph:n1&chrome=none', {
    viewport: { width: 1920, height: 1080 },
  });
  await page.locator('.present .edge').first().waitFor();
  expect(await page.locator('.present .slot').count()).toBe(0);
  expect(await outside('.node, .edge .chip')).toBe(0);
});

test('in a frame of 640 by 480 pixels the table is seen first', async () => {
  const page = await demo.open('#v=1&s=kick&embed=1', { viewport: { width: 640, height: 480 } });
  await page.locator('.slot').first().waitFor();
  const rows = await page
    .locator('.bucket')
    .evaluateAll((all) => all.filter((row) => row.getBoundingClientRect().bottom <= innerHeight).length);
  expect(rows).toBeGreaterThanOrEqual(5);
});
