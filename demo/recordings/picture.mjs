// Makes public/og.png: the picture that a shared link shows, which is the page's own kick at 1200 x 630. Run after
// `npm run demo:build`: node demo/recordings/picture.mjs
/* global document -- in the page */
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { serve } from '../../scripts/serve.mjs';

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
  const style = `
    .page { display: block !important; padding: 0 !important; }
    .intro, .console, .panels, .tour, .theatre-head, .theatre-foot, .transport, .caption .button { display: none !important; }
    .theatre { position: static !important; border-radius: 0 !important; min-height: 630px; justify-content: center; }
    .deck { border: 0 !important; padding-inline: 274px !important; }`;
  await page.addStyleTag({ content: style });
  await page.screenshot({ path: join(demo, 'public/og.png') });
} finally {
  await browser.close();
  server.close();
}
