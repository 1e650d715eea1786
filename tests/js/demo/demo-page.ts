// The demo in Chromium, as serve.mjs built it, for the tests of what a visitor does. All files share one browser, and the
// tests of a file one page, which is emptied for each.
// Invariant: a page opens as for a first visitor, with nothing kept on the device; the browser may ask no other host for
// anything, and no error or warning may appear in its console.
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals';
import { chromium, type Browser, type BrowserContext, type Locator, type Page } from 'playwright-core';
import { complaintsOf, patient } from '../support/chromium';

/** What a page can be told after it is made. */
interface Look {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme: 'light' | 'dark' | null;
  readonly reducedMotion: 'reduce' | 'no-preference';
  readonly forcedColors: 'active' | 'none';
}

/** Without motion, which would have to be waited for. */
const LOOK: Look = {
  viewport: { width: 1280, height: 900 },
  colorScheme: null,
  reducedMotion: 'reduce',
  forcedColors: 'none',
};

type Options = Partial<Look> & Omit<NonNullable<Parameters<Browser['newContext']>[0]>, keyof Look>;

interface Kept {
  readonly context: BrowserContext;
  readonly page: Page;
}

export class DemoPage {
  /** Of the page, with a slash at its end. */
  readonly address = process.env['DEMO_ADDRESS'] ?? '';
  readonly #complaints: string[] = [];
  #browser: Browser | undefined;
  /** The page that tests share, and the one in use. */
  #shared: Kept | undefined;
  #current: Kept | undefined;

  constructor() {
    beforeAll(async () => {
      this.#browser = patient(await chromium.connect(process.env['DEMO_BROWSER'] ?? ''));
    });
    afterEach(async () => {
      await this.#leave();
      // It would fetch every file, beside the tests.
      this.forgive(/Service Worker .* blocked/);
      expect(this.#complaints.splice(0)).toEqual([]);
    });
    afterAll(async () => {
      await this.#browser?.close();
    });
  }

  get page(): Page {
    return this.#open.page;
  }

  get context(): BrowserContext {
    return this.#open.context;
  }

  /** For what a test brings about on purpose. */
  forgive(complaint: RegExp): void {
    this.#complaints.splice(0, Infinity, ...this.#complaints.filter((text) => !complaint.test(text)));
  }

  get #open(): Kept {
    if (this.#current === undefined) throw new Error('open the page first');
    return this.#current;
  }

  /**
   * Opens a place as for a first visitor, in the page that tests share, unless the options ask for another; what is put
   * into a page for good asks for one by `isOwn`.
   */
  async open(path = '', { isOwn = false, ...options }: Options & { isOwn?: boolean } = {}): Promise<Page> {
    const { viewport, colorScheme, reducedMotion, forcedColors, ...own } = { ...LOOK, ...options };
    const look = { viewport, colorScheme, reducedMotion, forcedColors };
    await this.#leave();
    if (isOwn || Object.keys(own).length > 0) this.#current = await this.#made({ ...look, ...own });
    else {
      this.#current = this.#shared ??= await this.#made(look);
      // Away from the page, so that nothing of it keeps anything more, nor is laid out anew.
      await this.page.goto(`${this.address}icon.svg`);
      await this.page.evaluate(() => localStorage.clear());
      await this.#dress(look);
    }
    await this.page.goto(this.address + path);
    await this.drawn();
    return this.page;
  }

  /** Opens another place in the page that the last test left open: quicker than `open`, for tests that need no fresh page. */
  async visit(link: string, look: Partial<Look> = {}): Promise<Page> {
    // Otherwise the page would keep the language of the previous visit.
    const hash = link.includes('&l=') ? link : `${link}&l=en`;
    const place = /[#&]s=(\w+)/.exec(hash)?.[1] ?? 'start';
    await this.#leave();
    this.#current = this.#shared;
    const here = await this.#shared?.page.evaluate(() => document.querySelector('main')?.dataset['place']);
    // A wait for the place it is at would end at once, so the page is opened afresh.
    if (here === undefined || here === place) return this.open(hash, look);
    const { page } = this;
    await this.#dress({ ...LOOK, ...look });
    await page.evaluate((to) => (location.hash = to), hash);
    await page.locator(`main[data-place=${place}]`).waitFor();
    await this.drawn();
    return page;
  }

  /** Waits until the whole place is drawn: the page draws its parts one after the other. */
  async drawn(): Promise<void> {
    await this.page.locator('main:not(:has(.is-loading))').waitFor();
  }

  async #made(options: Options): Promise<Kept> {
    const context = await this.#browser?.newContext({ locale: 'en', serviceWorkers: 'block', ...options });
    if (context === undefined) throw new Error('there is no browser');
    const page = await context.newPage();
    complaintsOf(page, this.address, this.#complaints);
    return { context, page };
  }

  async #dress({ viewport, ...media }: Look): Promise<void> {
    const { page } = this;
    await page.emulateMedia({ media: null, ...media });
    await page.setViewportSize(viewport);
    await page.mouse.move(0, 0);
  }

  /** A page of a test's own is closed. */
  async #leave(): Promise<void> {
    if (this.#current === this.#shared) await this.#shared?.page.unrouteAll();
    else await this.#current?.context.close();
    this.#current = undefined;
  }

  /** Waits until every timer of the page that is due within so many milliseconds has gone off: to see that something does not happen. */
  async pass(milliseconds: number): Promise<void> {
    // A timer of the page itself: the page runs its timers in order, however late.
    await this.page.evaluate((ms) => new Promise((go) => setTimeout(go, ms)), milliseconds);
  }

  button(name: string): Locator {
    return this.page.getByRole('button', { name, exact: true });
  }

  /** The file that a link gives, with its name. */
  async download(link: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
    const [file] = await Promise.all([this.page.waitForEvent('download'), this.page.getByText(link).click()]);
    const chunks: Buffer[] = [];
    for await (const chunk of await file.createReadStream()) chunks.push(chunk as Buffer);
    return { name: file.suggestedFilename(), bytes: Buffer.concat(chunks) };
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
