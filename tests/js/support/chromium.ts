// The Chromium that the tests of pages run in: its headless shell, or where there is none all of it. Invariant: without
// one they fail, as an untested page is no tested one.
import { afterAll, beforeAll } from '@jest/globals';
import { createServer, type OutgoingHttpHeaders } from 'node:http';
import { chromium, type Browser, type Page } from 'playwright-core';
import FLAGS from './chromium-flags.json';
import { close, listen } from './local-server';
import { PATIENCE } from './patience';

export { FLAGS };

/** Starts the browser that CHROMIUM_SHELL_PATH or CHROMIUM_PATH names, without a window. */
export async function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_SHELL_PATH'] ?? process.env['CHROMIUM_PATH'];
  if (!executablePath) throw new Error('CHROMIUM_PATH must name the Chromium to test in');
  return patient(await chromium.launch({ executablePath, headless: true, args: FLAGS, timeout: PATIENCE }));
}

/** `browser`, whose pages wait for whatever a test waits for, however busy the machine is. */
export function patient(browser: Browser): Browser {
  return browser.on('context', (context) => context.setDefaultTimeout(PATIENCE));
}

/** What is wrong with a page from now on: errors, warnings, and requests beyond `address`. Grows while the page is open. */
export function complaintsOf(page: Page, address: string, complaints: string[] = []): string[] {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(address) && !/^(data|blob):/.test(url)) complaints.push(`asked for ${url}`);
  });
  return complaints;
}

/** A type, a content, and headers besides. */
export type ServedFile = readonly [
  type: string,
  body: string | Uint8Array | undefined,
  headers?: OutgoingHttpHeaders,
];

/** Serves what `fileAt` gives for a path, and has a Chromium ready, for the tests of a file or of a `describe`. */
export function inChromium(fileAt: (path: string) => ServedFile | undefined): {
  address: string;
  browser: Browser;
} {
  const served = { address: '', browser: undefined as unknown as Browser };
  const server = createServer((request, response) => {
    const [type = 'text/plain', body, headers] = fileAt(request.url ?? '') ?? [];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      ...headers,
    });
    response.end(body);
  });
  beforeAll(async () => {
    served.address = await listen(server);
    served.browser = await launchChromium();
  });
  afterAll(async () => {
    try {
      await served.browser.close();
    } finally {
      await close(server); // Even if there is no browser, or the process would not end.
    }
  });
  return served;
}
