// Makes demo/public/og.png: the picture that a shared link shows, which is the page's own double at 1200 x 630.
// Run after `npm run demo:build`: node scripts/pages/picture.mjs
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { root } from '../run.mjs';
import { serve } from './serve.mjs';

const demo = join(root, 'demo');
const { server, address } = await serve(join(demo, 'dist'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM_PATH,
  args: ['--no-sandbox', '--disable-gpu'],
});
try {
  const page = await browser.newPage({
    viewport: { width: 1200, height: 630 },
    locale: 'en',
    reducedMotion: 'reduce',
    colorScheme: 'light',
  });
  await page.goto(address);
  await page.locator('.double-picture').waitFor();
  await page.addStyleTag({
    content: `
      .double { position: fixed; inset: 0; z-index: 9; width: auto; padding: 26px 150px; border-radius: 0; }
      .double > :is(.double-field, .double-send, .note) { display: none; }
      .double h2 { font-size: 58px; }
      .double-said { font-size: 32px; }
      .double-picture { zoom: 1.12; }`,
  });
  await page.screenshot({ path: join(demo, 'public/og.png') });
} finally {
  await browser.close();
  server.close();
}
