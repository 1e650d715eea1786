// The Chromium that the tests of pages run in: its headless shell, or where there is none all of it. Invariant: without
// one they fail, as an untested page is no tested one.
import { chromium, type Browser } from 'playwright-core';

export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts the browser that CHROMIUM_SHELL_PATH or CHROMIUM_PATH names, without a window. */
export function launchChromium(): Promise<Browser> {
  const executablePath = process.env['CHROMIUM_SHELL_PATH'] ?? process.env['CHROMIUM_PATH'];
  if (!executablePath) throw new Error('CHROMIUM_PATH must name the Chromium to test in');
  return chromium.launch({ executablePath, headless: true, args: FLAGS });
}
