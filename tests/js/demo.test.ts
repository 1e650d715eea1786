// The demo in a real browser: what a visitor does by mouse and keyboard, and what the page then shows.
// Invariant: the page is built and served from a temporary folder; the browser may ask no other host for anything.
// Needs CHROMIUM_PATH; without it the tests fail, as an untested page is not a tested one.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launchChromium } from './chromium';

/** Vite is an ES module, which Jest cannot import: it runs beside the test, and prints the page's address. */
const SERVE = `
  import { build, preview } from 'vite';
  const [root, outDir] = process.argv.slice(1);
  const common = { root, logLevel: 'error', build: { outDir, emptyOutDir: true } };
  await build(common);
  const server = await preview({ ...common, preview: { host: '127.0.0.1', port: 0 } });
  console.log(server.resolvedUrls.local[0]);
`;

const demo = join(__dirname, '../../demo');
let folder: string;
let server: ChildProcess;
let address: string;
let browser: Browser;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoo-demo-'));
  server = spawn(process.execPath, ['--input-type=module', '--eval', SERVE, demo, folder], {
    cwd: demo,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  address = await firstLine(server);
  browser = await launchChromium();
});

afterAll(async () => {
  await browser?.close();
  server?.kill();
  if (folder) rmSync(folder, { recursive: true, force: true });
});

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += String(chunk);
      if (output.includes('\n')) resolve(output.trim());
    });
    child.on('exit', (code) => reject(new Error(`the page's server exited with ${code}`)));
  });
}

let context: BrowserContext;
let page: Page;
let complaints: string[];

beforeEach(async () => {
  await open({ viewport: { width: 1280, height: 900 } });
});

afterEach(async () => {
  await context.close();
  expect(complaints).toEqual([]);
});

/** Opens the page and listens for errors and for requests to other hosts. */
async function open(options: Parameters<Browser['newContext']>[0], path = ''): Promise<void> {
  await context?.close();
  context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  page = await context.newPage();
  complaints = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) complaints.push(`asked for ${request.url()}`);
  });
  await page.goto(address + path);
  await page.getByRole('grid').waitFor();
}

const button = (name: string) => page.getByRole('button', { name, exact: true });
const caption = () => page.getByRole('status').innerText();

/** What the table says to a reader: the name of every slot. */
function slotNames(): Promise<string[]> {
  return page
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
}

/** What the table shows: the text in every slot, as numbers. */
async function slotTexts(): Promise<number[]> {
  const texts = await page
    .getByRole('gridcell')
    .evaluateAll((cells) => cells.map((cell) => cell.querySelector('.chip-text')?.textContent ?? '0'));
  return texts.map((text) => parseInt(text, 16));
}

/** The fingerprints that the slots' names tell. */
async function namedFingerprints(): Promise<number[]> {
  return (await slotNames()).map((name) => parseInt(/fingerprint ([0-9a-f]+)/.exec(name)?.[1] ?? '0', 16));
}

/** Everything on the stage, to compare two visits of one step. */
function picture(): Promise<string> {
  return page.locator('.picture').evaluate((svg) => svg.outerHTML.replace(/ tabindex="-?\d"/g, ''));
}

/** Gives the keyboard to the page as a whole. */
async function leaveField(): Promise<void> {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

async function run(key: string, action: 'Insert' | 'Look up' | 'Delete'): Promise<void> {
  await page.getByLabel('Key', { exact: true }).fill(key);
  await button(action).click();
  await leaveField();
  await page.keyboard.press('End');
}

const answer = () => page.locator('.answer').getAttribute('data-answer');

describe('by mouse', () => {
  test('a key that was inserted may be present, and after its deletion it is definitely not', async () => {
    const before = await slotTexts();
    await run('zebra 1', 'Look up');
    expect(await answer()).toBe('never');
    expect(await page.locator('.answer').innerText()).toBe('Definitely not');
    await run('zebra 1', 'Insert');
    expect(await caption()).toContain('"zebra 1" is in');
    expect((await slotTexts()).filter((slot) => slot !== 0)).toHaveLength(
      before.filter((slot) => slot !== 0).length + 1,
    );
    await run('zebra 1', 'Look up');
    expect(await answer()).toBe('maybe');
    expect(await page.locator('.answer').innerText()).toBe('Maybe present');
    expect(await page.locator('.answer circle').count()).toBe(1);
    await run('zebra 1', 'Delete');
    await run('zebra 1', 'Look up');
    expect(await answer()).toBe('never');
    expect(await page.locator('.answer rect').count()).toBe(1);
    // A kick on the way in may have moved another fingerprint to its other home.
    expect((await slotTexts()).sort()).toEqual(before.sort());
  });

  test('an operation plays by itself and can be paused', async () => {
    await page.getByLabel('Key', { exact: true }).fill('okapi');
    await page.getByLabel('Speed').selectOption('4');
    await button('Insert').click();
    await button('Pause').waitFor();
    await button('Pause').click();
    await button('Play').click();
    await page.locator('.answer').waitFor();
    expect(await button('Play').count()).toBe(1);
    expect(await caption()).toContain('"okapi" is in');
  });

  test('emptying the table empties it, and one step back brings all of it back', async () => {
    const before = await slotTexts();
    await button('Empty the table').click();
    await page.keyboard.press('Tab');
    await leaveField();
    await page.keyboard.press('End');
    expect((await slotTexts()).every((slot) => slot === 0)).toBe(true);
    await page.keyboard.press('Home');
    expect(await slotTexts()).toEqual(before);
  });

  test('settings build another table, and those that the core refuses change nothing', async () => {
    await page.getByText('Table settings').click();
    await page.getByLabel('Buckets (m)').fill('6');
    await page.getByLabel('Slots per bucket (b)').fill('3');
    await page.getByLabel('Way to the other home').selectOption('xor');
    await button('Build a new table').click();
    expect(await page.getByRole('alert').innerText()).toContain('power of two');
    expect(await slotNames()).toHaveLength(32);
    await page.getByLabel('Way to the other home').selectOption('reflect');
    await button('Build a new table').click();
    expect(await slotNames()).toHaveLength(18);
    expect(await page.getByRole('alert').innerText()).toBe('');
  });
});

describe('by keyboard', () => {
  test('a kick is reached step by step, and every step back shows what was there', async () => {
    await button('Show me a kick').focus();
    await page.keyboard.press('Enter');
    await leaveField();
    await page.keyboard.press('Home');
    const pictures = [await picture()];
    for (let steps = 0; !(await caption()).startsWith('Kick 3'); ++steps) {
      expect(steps).toBeLessThan(60);
      await page.keyboard.press('.');
      pictures.push(await picture());
      expect(await slotTexts()).toEqual(await namedFingerprints());
    }
    expect(await page.locator('.arrow-badge').count()).toBeGreaterThanOrEqual(3);
    expect(await page.locator('.path li').count()).toBe(3);
    expect(await page.locator('.hand').textContent()).toContain('kicked out, goes to bucket');
    for (let i = pictures.length - 1; i > 0; --i) {
      expect(await picture()).toBe(pictures[i]);
      await page.keyboard.press(',');
    }
    expect(await picture()).toBe(pictures[0]);
  });

  test('a failed insert plays its undo, and the table is what it was', async () => {
    for (
      let tries = 0;
      tries < 12 && (await page.getByText('Not stored', { exact: true }).count()) === 0;
      ++tries
    ) {
      await button('Show me a kick').click();
    }
    await leaveField();
    await page.keyboard.press('Home');
    const before = await slotNames();
    let undone = 0;
    for (let steps = 0; (await page.locator('.answer').count()) === 0; ++steps) {
      expect(steps).toBeLessThan(300);
      await page.keyboard.press('.');
      undone += (await caption()).includes('is taken back') ? 1 : 0;
    }
    expect(undone).toBe(20);
    expect(await caption()).toContain('Nothing changed and nothing was lost');
    expect(await slotNames()).toEqual(before);
  });

  test('Enter inserts, and letters, commas and spaces in the field stay there', async () => {
    await page.getByLabel('Key', { exact: true }).focus();
    await page.keyboard.type('a, b. c');
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await leaveField();
    await page.keyboard.press('End');
    expect(await caption()).toContain('"a, b. c" is in');
  });

  test('arrow keys walk the table, and A jumps between the two homes of a fingerprint', async () => {
    await page.locator('[data-slot="0.0"]').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    expect(await focused()).toMatch(/^bucket 1, slot 1, fingerprint [0-9a-f]{2}, other home \d$/);
    const other = /other home (\d+)/.exec(await focused())?.[1];
    expect(await page.locator('.home-link').count()).toBe(1);
    await page.keyboard.press('a');
    expect(await focused()).toContain(`bucket ${other}, slot 1`);
    expect(await page.locator('[role=gridcell][tabindex="0"]').count()).toBe(1);
  });
});

describe('for every reader', () => {
  test('every slot has a name, and the caption is the one polite live region', async () => {
    expect(
      (await slotNames()).every((name) =>
        /^bucket \d+, slot \d+, (empty|fingerprint [0-9a-f]+, other home \d+)$/.test(name),
      ),
    ).toBe(true);
    expect(await page.getByRole('row').count()).toBe(8);
    expect(await page.locator('[aria-live=polite]').count()).toBe(1);
    expect(await page.locator('[aria-live=polite]').innerText()).toBe(await caption());
  });

  test.each([360, 768, 1280, 1920])('nothing is wider than a screen of %i pixels', async (width) => {
    await open({ viewport: { width, height: 800 } });
    await button('Show me a kick').click();
    await page.getByText('Table settings').click();
    await page.getByText('Keyboard', { exact: true }).click();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    await page.getByLabel('Slots per bucket (b)').fill('8');
    await page.getByLabel('Fingerprint bits (f)').fill('16');
    await page.getByLabel('Buckets (m)').fill('32');
    await button('Build a new table').click();
    await expectChipsApart();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  });

  test.each(['light', 'dark'] as const)(
    'in the %s theme every fingerprint can be read on its chip',
    async (colorScheme) => {
      await open({ viewport: { width: 1280, height: 900 }, colorScheme });
      const contrasts = await page.locator('.slot .chip').first().evaluate(contrastOfEveryHue);
      expect(contrasts).toHaveLength(360);
      expect(Math.min(...contrasts)).toBeGreaterThanOrEqual(4.5);
    },
  );

  test('less motion means no motion, with the same steps', async () => {
    await button('Show me a kick').click();
    await leaveField();
    await page.keyboard.press('End');
    await page.keyboard.press(',');
    await page.keyboard.press('.');
    expect(await page.locator('.flights').count()).toBe(0);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
  });

  test('with motion, a chip is in the air between two steps and in its slot after', async () => {
    await open({ viewport: { width: 1280, height: 900 }, reducedMotion: 'no-preference' });
    await button('Show me a kick').click();
    await page.locator('.flights').first().waitFor({ timeout: 30_000 });
    await leaveField();
    await page.keyboard.press('End');
    expect(await page.locator('.flights').count()).toBe(0);
    expect(await slotTexts()).toEqual(await namedFingerprints());
  });
});

async function expectChipsApart(): Promise<void> {
  const boxes = await page
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

/** Runs in the page: the contrast of a chip's text with its ground (WCAG 2.2), for each hue. */
function contrastOfEveryHue(chip: Element): number[] {
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
  return Array.from({ length: 360 }, (_, hue) => {
    (chip as SVGElement).style.setProperty('--hue', String(hue));
    const [text, ground] = [luminance('.chip-text'), luminance('.chip-body')];
    return (Math.max(text, ground) + 0.05) / (Math.min(text, ground) + 0.05);
  });
}
