// The first minute: what the page shows when it is opened, and that the address brings back what is shown.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { runs } from '../../support/long';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();

/** What of these is not wholly on the screen, or lies under something else. */
async function hidden(selector: string): Promise<string[]> {
  return demo.page.locator(selector).evaluateAll((all) =>
    all
      .filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        const isOut = left < 0 || top < 0 || right > innerWidth || bottom > innerHeight;
        const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
        return isOut || at === null || !(each.contains(at) || at.closest('.picture') !== null);
      })
      .map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
  );
}

describe.each([
  [1280, 800, 'en'],
  [360, 740, 'zh'],
] as const)('on a screen of %i by %i pixels', (width, height, own) => {
  const languages = runs([own], ['en', 'zh'] as const);

  test.each(languages)(
    'the first screen is a name that goes into a table, where names move for it, in %s',
    async (language) => {
      const page = await demo.open(`#v=1&l=${language}`, { viewport: { width, height } });
      expect(await hidden('.intro h1, .intro p, .double-name, .film > svg, .film li')).toEqual([]);
      const told = await page.locator('.film ol').innerText();
      const moved = page.locator('.film-chip.is-moved .film-name');
      const names = (await moved.allTextContents()).reverse();
      expect(names[0]).toBe(language === 'zh' ? '王小明' : 'Marta');
      expect(names.length).toBeGreaterThanOrEqual(3);
      for (const name of names) expect(told).toContain(name);
      // Whole words first: what is kept of them comes once they have moved.
      expect(await page.locator('.film-way').count()).toBe(names.length);
      await page.locator('.double-name').fill('another');
      expect(await moved.last().textContent()).toBe('another');
    },
  );

  test.each(languages)(
    'why two names are one is told in a sentence and a picture, in %s',
    async (language) => {
      const page = await demo.open(`#v=1&l=${language}`, { viewport: { width, height } });
      await page.locator('.double-found').scrollIntoViewIfNeeded();
      await page.locator('.why summary').click();
      const rows = await page.locator('.hash-bits > div').evaluateAll((all) =>
        all.map((row) =>
          [...row.children].map(({ className }) => ({
            bit: Number(/is-(\d)/.exec(className)?.[1]),
            className,
          })),
        ),
      );
      expect(rows.map((row) => row.length)).toEqual([64, 64]);
      const numberOf = (row: (typeof rows)[number], look: string): number =>
        parseInt(
          row
            .filter(({ className }) => className.includes(look))
            .map(({ bit }) => bit)
            .join(''),
          2,
        );
      const print = Number(await page.locator('.double-one .chip-text').textContent());
      expect(rows.map((row) => numberOf(row, 'is-kept'))).toEqual([print, print]);
      // The same bits choose home 1 in the table above.
      const [own = []] = rows;
      const primary = page.locator('.double-table .is-primary .film-number');
      expect(Number(await primary.textContent())).toBe(numberOf(own, 'is-home'));
      for (const name of await page.locator('.double-picture b').allInnerTexts())
        expect(await page.locator('.why > p').first().innerText()).toContain(name);
    },
  );

  test.each(languages)(
    'the first minute goes as its rows say, in any order and twice, in %s',
    async (language) => {
      const page = await demo.open(`#v=1&l=${language}`, { viewport: { width, height } });
      const rows = page.locator('.guide:not(.is-short) .guide-step');
      await rows.first().waitFor();
      expect(await page.locator('.key-actions .button:visible').count()).toBe(3);
      expect(await page.locator('.transport:visible, section.panel:not(.take):visible').count()).toBe(0);
      const wanted = ['done', 'maybe', 'never', 'maybe', 'done'];
      const labels = await page.locator('.guide:not(.is-short) .guide-step > :nth-child(2)').allInnerTexts();
      for (const row of [0, 1, 2, 3]) {
        await rows.nth(row).click();
        // No label changes under a hand.
        const now = page.locator('.guide:not(.is-short) .guide-step > :nth-child(2)');
        expect(await now.allInnerTexts()).toEqual(labels);
      }
      for (const row of [0, 1, 2, 3, 4, 4, 3, 2, 1, 0, 4, 4, 4, 4]) {
        await rows.nth(row).click();
        // No lookup answers before it has read.
        if (wanted[row] !== 'done') expect(await page.locator('.answer').count()).toBe(0);
        await demo.leaveField();
        await page.keyboard.press('End');
        expect(await demo.answer()).toBe(wanted[row]);
        const told = await rows.nth(row).locator('.guide-answer').innerText();
        if (row === 4) expect(told).toMatch(/^[123]\s(kicks?|次踢出)$/);
        if (row === 0) expect(told).toMatch(/^(Stored|已插入)$/);
        expect(await page.locator('.truth.is-falsePositive').count()).toBe(row === 3 ? 1 : 0);
      }
    },
  );

  test('the name typed at the top is the one that goes into the table first', async () => {
    const page = await demo.open('', { viewport: { width, height } });
    const first = page.locator('.guide:not(.is-short) .guide-step').first();
    expect(await first.innerText()).toContain('Insert Marta');
    // By the first hash, both homes of this name are one bucket; by the second, both are full.
    await page.locator('.double-name').fill('Robert');
    await page.locator('.double-found').scrollIntoViewIfNeeded();
    expect(await first.innerText()).toContain('Insert Robert');
    const print = await page.locator('.double-one .chip-text').innerHTML();
    await first.click();
    await demo.leaveField();
    await page.keyboard.press('End');
    expect(await first.locator('.guide-answer').innerText()).toBe('Stored');
    expect(await page.locator('.bucket.is-primary').count()).toBe(1);
    expect(await page.locator('.bucket.is-alternate').count()).toBe(1);
    expect((await demo.slotTexts()).map((value) => value.toString(16))).toContain(print.replace('0x', ''));
    await page.getByText('Table settings, link').click();
    expect(await page.getByLabel('Seed of the hash').inputValue()).toBe('2');
  });

  test('Chinese lines break between words, by elements alone, so that copied text is clean', async () => {
    const page = await demo.open('#v=1&l=zh', { viewport: { width, height } });
    await page.locator('.tour').scrollIntoViewIfNeeded();
    const main = page.locator('main');
    expect(await main.locator('p wbr').count()).toBeGreaterThan(20);
    expect(await main.innerText()).not.toMatch(/[\u200b\u2060\u00ad]/);
    const broken = await main.evaluate((element) => {
      const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      const parts: string[] = [];
      for (let node = texts.nextNode(); node !== null; node = texts.nextNode())
        for (const { index, 0: word } of (node.nodeValue ?? '').matchAll(/过滤器|候选桶|指纹|槽位|名字/g)) {
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) parts.push(word);
        }
      return parts;
    });
    expect(broken).toEqual([]);
    // A name stays whole, though it was typed letter by letter.
    for (const typed of ['诸', '诸葛', '诸葛明']) await page.locator('.double-name').fill(typed);
    await page.getByText('诸葛明的两个候选桶').waitFor();
    const sentences = await main.locator('p').evaluateAll((all) => all.map((each) => each.innerHTML).join());
    expect(sentences).toContain('诸葛明');
    expect(sentences).not.toMatch(/诸<wbr>|葛<wbr>/);
    // 没有 stays in one line with the word that follows it.
    await demo.visit('#v=1&s=hunt&l=zh');
    expect(await demo.page.locator('.code').innerHTML()).toContain('没有匹配');
  });

  test('a name on its way covers nothing of the field, and another language begins the film anew', async () => {
    const page = await demo.open('', { viewport: { width, height } });
    const covers = await page.locator('.film').evaluate((film) => {
      for (const each of film.getAnimations({ subtree: true })) {
        each.pause();
        each.currentTime = 0;
      }
      const field = film.querySelector('input');
      const { left, top, height: high } = field?.getBoundingClientRect() ?? new DOMRect();
      return document.elementFromPoint(left + 40, top + high - 6) !== field;
    });
    expect(covers).toBe(false);
    const picture = await page.locator('.film > svg').elementHandle();
    await page.getByRole('button', { name: '中文' }).click();
    await page.locator('html[lang=zh-CN]').waitFor({ state: 'attached' });
    await page.locator('.film-name', { hasText: '王小明' }).waitFor();
    expect(await picture?.evaluate((svg) => svg.isConnected)).toBe(false);
  });

  test('the caption of the first picture tells each kick as it happens, and moves nothing', async () => {
    const page = await demo.open('', { viewport: { width, height }, reducedMotion: 'no-preference' });
    const at = (seconds: number): Promise<{ told: string; size: number }> =>
      page.locator('.film').evaluate((film, ms) => {
        for (const each of film.getAnimations({ subtree: true })) {
          each.pause();
          each.currentTime = ms;
        }
        const parts = [...film.querySelectorAll('figcaption :is(li, p)')];
        const told = parts.filter((each) => getComputedStyle(each).opacity === '1');
        return { told: told.map((each) => each.textContent).join(' '), size: film.clientHeight };
      }, 1000 * seconds);
    const [, ...kicked] = (await page.locator('.film-chip.is-moved .film-name').allTextContents()).reverse();
    const moments = [await at(0)];
    for (const i of [0, ...kicked.keys()].keys()) moments.push(await at(2.9 + 1.3 * i));
    expect(moments[0]?.told).toMatch(/Both are full\.$/);
    kicked.forEach((name, i) => {
      expect(moments[i]?.told).not.toContain(name);
      expect(moments[i + 1]?.told).toContain(name);
    });
    expect(moments.at(-2)?.told).not.toContain('keeps no names');
    expect(moments.at(-1)?.told).toMatch(/there is room.*keeps no names.*are chosen/);
    expect(new Set(moments.map(({ size }) => size)).size).toBe(1);
  });

  test('a sentence of the first picture plays the kick that it tells when it is pressed', async () => {
    const page = await demo.open('', { viewport: { width, height }, reducedMotion: 'no-preference' });
    const times = await page.locator('.film li button').evaluateAll((buttons) =>
      buttons.map((button) => {
        (button as HTMLElement).click();
        const moves = button.closest('.film')?.getAnimations({ subtree: true }) ?? [];
        return [...new Set(moves.map(({ currentTime }) => Math.round(Number(currentTime))))];
      }),
    );
    expect(times).toEqual([[-300], [1000], [2300]]);
  });

  test('the longest first name has all its letters in the first picture', async () => {
    const page = await demo.open('', { viewport: { width, height } });
    await page.locator('.double-name').fill('Christopher');
    const chip = page.locator('.film-chip.is-moved', { hasText: 'Christopher' });
    const [name, body] = await Promise.all(
      ['.film-name', '.chip-body'].map((each) => chip.locator(each).boundingBox()),
    );
    expect(name?.width).toBeLessThan(body?.width ?? 0);
  });

  test('the first page ends with a few lines of a program, which give the answers that they say', async () => {
    const page = await demo.open('', { viewport: { width, height } });
    // The story comes first: only the end of the page names the package.
    const [install, api = ''] = await page.locator('.start-table > :last-child pre code').allTextContents();
    expect(install).toBe('npm install cuckoofilter-wasm');
    expect(await page.locator('main pre code').count()).toBe(2);
    // What only a buyer compares is folded away where it would be long.
    expect(await page.locator('.take-figures table').isVisible()).toBe(width > 1000);
    if (width < 1000)
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(6 * height);
    const lines = api.trim().split('\n');
    expect(lines.filter((line) => line.startsWith('//'))).toHaveLength(2);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(72);
    const program = lines
      .slice(1)
      .map((line) =>
        line.replace(/^seen\.(has|addIfAbsent)(.*?); \/\/ (\S+?):/, 'told.push([seen.$1$2, $3]); //'),
      )
      .join('\n');
    const told: [unknown, unknown][] = [];
    new Function('CuckooFilter', 'told', program)(CuckooFilter, told);
    expect(told.map(([answer]) => answer)).toEqual([true, false, true, false]);
    for (const [answer, said] of told) expect(answer).toBe(said);
  });

  test('in the middle of a kick the whole table and its sentence are in sight, and then all panels are there', async () => {
    const page = await demo.open('', { viewport: { width, height } });
    await demo.button('Show me a kick').click();
    await page.locator('.code').first().waitFor();
    await demo.leaveField();
    await page.keyboard.press('End');
    await page.keyboard.press('Home');
    for (let i = 0; !(await demo.caption()).startsWith('Kick 1'); ++i) {
      expect(i).toBeLessThan(40);
      await page.keyboard.press('.');
    }
    // On a phone, what to try next goes before the buttons.
    const below = width > 1000 ? '.transport' : '.guide.is-short .is-next';
    expect(await hidden(`.slot, .caption-text, .hand .chip, ${below}`)).toEqual([]);
    // The first minute has no sums yet.
    expect(await page.locator('.token-text').count()).toBe(0);
    expect(await page.locator('section.panel:not(.take):visible, details.panel:visible').count()).toBe(3);
  });
});

test('code is copied by a button, and selected where the browser refuses', async () => {
  const page = await demo.open('#v=1&s=end');
  await page.evaluate(() => {
    const copied: string[] = [];
    Object.assign(window, { copied });
    Object.assign(navigator.clipboard, {
      writeText: (text: string) => {
        if (copied.length > 0) return Promise.reject(new Error('forbidden'));
        copied.push(text);
        return Promise.resolve();
      },
    });
  });
  const told = page.locator('.take pre [role=status]');
  await demo.button('Copy').first().click();
  await told.first().getByText('Copied.').waitFor();
  expect(await page.evaluate(() => (window as unknown as { copied: string[] }).copied)).toEqual([
    'npm install cuckoofilter-wasm',
  ]);
  await demo.button('Copy').last().click();
  await told.last().getByText('Copying is refused here: the text is selected.').waitFor();
  const selected = await page.evaluate(() => String(getSelection()).trim());
  expect(selected).toMatch(/^import .*\n[^]*deserialize\(bytes\);$/);
  // Without a clipboard, the same.
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await demo.visit('#v=1&s=teach');
  await demo.button('Copy').click();
  await page.locator('.embed [role=status]').getByText('the text is selected').waitFor();
  expect(
    await page.locator('.embed textarea').evaluate((field: HTMLTextAreaElement) => field.selectionEnd),
  ).toBeGreaterThan(50);
});

describe('the address', () => {
  /** Waits until it has changed, and gives it. */
  async function changed(before: string): Promise<string> {
    await demo.page.waitForFunction((old) => location.href !== old, before);
    return demo.page.url();
  }

  test('brings the same step back after a reload, and in another window', async () => {
    const page = await demo.open();
    const first = page.url();
    expect(first).toBe(demo.address);
    await demo.run('zebra 1', 'Insert');
    // The pointer may stand on a kick of the list, which lights its arrow.
    await page.mouse.move(0, 0);
    await page.keyboard.press(',');
    const seen = async (): Promise<unknown[]> => [await demo.picture(), await demo.caption()];
    const before = await seen();
    await changed(first);
    // The last of several changes.
    await page.waitForFunction(() => /&at=\d+$/.test(location.hash));
    const steps = await page.locator('.scrubber-position').innerText();
    await page.waitForFunction(
      (at) => location.hash.endsWith(`&at=${at}`),
      /step (\d+)/.exec(steps)?.[1] ?? '',
    );
    await page.reload();
    await demo.drawn();
    expect(await seen()).toEqual(before);
    await demo.open(page.url().slice(demo.address.length));
    expect(await seen()).toEqual(before);
  });

  test.each([
    [1280, 800],
    [360, 740],
  ])(
    'of a step on the first page brings its rows back and the table into view, at %i by %i',
    async (width, height) => {
      const page = await demo.open('', { viewport: { width, height } });
      const rows = page.locator('.guide:not(.is-short) .guide-step');
      for (const row of [0, 3]) {
        await rows.nth(row).click();
        await demo.leaveField();
        await page.keyboard.press('End');
      }
      await demo.pass(700); // The address is written 600 ms after a change.
      await page.waitForURL(/tries:l1;0;0;2;0.*&at=\d+$/);
      const seen = async (): Promise<unknown[]> => [
        await rows.allInnerTexts(),
        await page.locator('.guide:not(.is-short) .is-next').innerText(),
        await demo.caption(),
      ];
      const before = await seen();
      await page.reload();
      await demo.drawn();
      expect(await seen()).toEqual(before);
      expect(await hidden('.caption-text')).toEqual([]);
    },
  );

  test('keeps the place before it for the back button', async () => {
    const page = await demo.open('#v=1&s=lookup');
    const scene = page.url();
    await demo.button('Skip, just show it').click();
    const left = await changed(scene);
    await page.getByRole('link', { name: 'Lab' }).click();
    await page.locator('main[data-place=lab] h1').waitFor();
    await page.goBack();
    await page.locator('main[data-place=lookup] h1').waitFor();
    await demo.drawn();
    expect(page.url().replace(/&at=\d+/, '')).toBe(left.replace(/&at=\d+/, ''));
    expect(await page.locator('.stages [aria-current]').innerText()).not.toBe('Predict');
  });

  test('is not written over by a change that waits while the visitor goes on', async () => {
    const page = await demo.open('#v=1&s=lookup', { isOwn: true });
    // The browser changes the address before it tells the page of it, here long before.
    await page.addInitScript(() => {
      const { addEventListener } = window;
      const late = (type: string, listener: () => void): void =>
        addEventListener(type, type === 'hashchange' ? () => setTimeout(listener, 2000) : listener);
      Object.assign(window, { addEventListener: late });
    });
    await page.reload();
    await demo.button('Skip, just show it').click();
    await page.evaluate(() => (location.hash = '#v=1&s=lab'));
    await page.locator('main[data-place=lab] h1').waitFor();
  });

  test('is not changed in a frame, whose page chose it', async () => {
    const page = await demo.open('#v=1&s=lab&embed=1');
    const before = page.url();
    await demo.run('zebra 1', 'Insert');
    expect(await page.locator('.stage').isVisible()).toBe(true);
    await demo.pass(1500);
    expect(page.url()).toBe(before);
  });
});

test('a shared link has a title, a sentence and a picture of the size that it says', () => {
  const html = readFileSync(join(__dirname, '../../../../demo/index.html'), 'utf8');
  const content = (name: string): string =>
    new RegExp(`property="og:${name}"\\s+content="([^"]+)"`).exec(html)?.[1] ?? '';
  expect(content('title')).not.toBe('');
  expect(content('description')).not.toBe('');
  const picture = readFileSync(join(__dirname, '../../../../demo/public', content('image')));
  expect(picture.toString('latin1', 1, 4)).toBe('PNG');
  expect([16, 20].map((at) => String(picture.readUInt32BE(at)))).toEqual([
    content('image:width'),
    content('image:height'),
  ]);
});
