// Makes public/og.png: the picture that a shared link shows, which is the page's own kick at 1200 x 630 below its title.
// Run after `npm run demo:build`: node demo/recordings/picture.mjs
/* global document -- in the page */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/pages/serve.mjs';

const demo = join(import.meta.dirname, '..');
const { server, address } = await serve(join(demo, 'dist'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const viewport = { width: 1200, height: 630 };
  const page = await browser.newPage({
    viewport,
    locale: 'en',
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  await page.goto(`${address}?embed=1`);
  await page.locator('.is-kick').first().click();
  await page.evaluate(() => document.activeElement.blur());
  await page.keyboard.press('End');
  await page.keyboard.press('Home');
  for (let i = 0; !(await page.locator('.caption-text').innerText()).startsWith('Kick 1'); ++i) {
    if (i > 60) throw new Error('no kick');
    await page.keyboard.press('.');
  }
  await page.keyboard.press('f');
  await page.locator('.present').waitFor();
  const title = await page.title();
  const style = `
    html, body { background: var(--surface) !important; }
    .present { translate: 262px; }
    .present .deck { display: none !important; }
    .headline { position: fixed; left: 40px; top: 0; bottom: 0; width: 480px; display: grid; align-content: center;
      font: 800 56px/1.08 var(--sans); letter-spacing: -0.03em; }`;
  await page.addStyleTag({ content: style });
  await page.evaluate((text) => {
    const headline = document.createElement('div');
    headline.className = 'headline';
    headline.textContent = text;
    document.body.append(headline);
  }, title);
  await page.screenshot({ path: join(demo, 'public/og.png') });
} finally {
  await browser.close();
  server.close();
}
