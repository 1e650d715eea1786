// The demo in Chromium, as serve.mjs built it, for the tests of what a visitor does.
// Invariant: the browser may ask no other host for anything, and no error or warning may appear in its console.
import { afterAll, afterEach, beforeAll, expect, jest } from '@jest/globals';
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core';
import { complaintsOf, launchChromium } from '../support/chromium';

export class DemoPage {
  /** Of the page, with a slash at its end. */
  readonly address = process.env['DEMO_ADDRESS'] ?? '';
  complaints: string[] = [];
  #browser: Browser | undefined;
  #context: BrowserContext | undefined;
  #page: Page | undefined;

  constructor() {
    // On a busy machine a page may be read before it has answered: such a test is tried again, and both outcomes are told.
    jest.retryTimes(2, { logErrorsBeforeRetry: true });
    beforeAll(async () => {
      this.#browser = await launchChromium();
    });
    afterEach(async () => {
      await this.#context?.close();
      this.#context = undefined;
      expect(this.complaints).toEqual([]);
    });
    afterAll(async () => {
      await this.#browser?.close();
    });
  }

  get page(): Page {
    if (this.#page === undefined) throw new Error('open the page first');
    return this.#page;
  }

  get context(): BrowserContext {
    if (this.#context === undefined) throw new Error('open the page first');
    return this.#context;
  }

  /** Opens a place, and listens for errors and for requests to other hosts. */
  async open(path = '', options: Parameters<Browser['newContext']>[0] = {}): Promise<Page> {
    await this.#context?.close();
    const viewport = { width: 1280, height: 900 };
    this.#context = await this.#browser?.newContext({
      reducedMotion: 'reduce',
      locale: 'en',
      viewport,
      ...options,
    });
    const page = await this.context.newPage();
    this.#page = page;
    this.complaints = complaintsOf(page, this.address);
    await page.goto(this.address + path);
    await page.locator('main').waitFor();
    // The table of the first page comes once its opening is drawn.
    await page.locator('main[data-place=start] > .is-loading').waitFor({ state: 'detached' });
    return page;
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  caption(): Promise<string> {
    return this.page.locator('.caption-text').innerText();
  }

  answer(): Promise<string | null> {
    return this.page.locator('.answer').getAttribute('data-answer');
  }

  /** What the table says to a reader: the name of every slot. */
  slotNames(): Promise<string[]> {
    return this.page
      .getByRole('gridcell')
      .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label') ?? ''));
  }

  /** What the table shows: the text in every slot, as numbers. */
  async slotTexts(): Promise<number[]> {
    const texts = await this.page
      .getByRole('gridcell')
      .evaluateAll((cells) => cells.map((cell) => cell.querySelector('.chip-text')?.textContent ?? '0'));
    return texts.map((text) => parseInt(text, 16));
  }

  /** The fingerprints that the slots' names tell. */
  async namedFingerprints(): Promise<number[]> {
    return (await this.slotNames()).map((name) =>
      parseInt(/fingerprint (0x[0-9a-f]+)/.exec(name)?.[1] ?? '0', 16),
    );
  }

  /** Everything on the stage, to compare two visits of one step. */
  picture(): Promise<string> {
    return this.page.locator('.picture').evaluate((svg) => svg.outerHTML.replace(/ tabindex="-?\d"/g, ''));
  }

  /** Gives the keyboard to the page as a whole. */
  async leaveField(): Promise<void> {
    await this.page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  }

  /** Skips both questions of a scene: then the table is the visitor's own. */
  async toOwnTable(): Promise<void> {
    for (const part of [0, 1]) {
      await this.page.locator('.ask-actions .is-quiet').click();
      await this.page.locator('.ask > .button').click();
      await this.page.locator('.verdict').waitFor();
      if (part === 0) await this.page.locator('.ask-actions .is-primary').click();
    }
  }

  /** Opens the drawer below the table. */
  async openTools(): Promise<void> {
    await this.page.locator('.tools > summary').click();
  }

  /** Runs an operation to its end. */
  async run(key: string, action: 'Insert' | 'Look up' | 'Delete'): Promise<void> {
    await this.page.getByLabel('Key', { exact: true }).fill(key);
    await this.button(action).click();
    await this.leaveField();
    await this.page.keyboard.press('End');
  }
}
