// How the page is built. Invariant: every address in the output is relative, so that the folder can be served from
// any path of any host, and it asks no other host for anything; but the picture for link previews gets the whole address
// that DEMO_ADDRESS names. The mode `single` makes one HTML file instead.
import { defineConfig } from 'vite';
import { previewPicture, serviceWorker, singleFile } from './offline.ts';

/** Few files, as each costs a slow network a round trip: what the first picture needs, and what every table does. */
const GROUPS = [
  { name: 'first', tags: ['$initial' as const], test: /src|preact/, priority: 1 },
  {
    name: 'stage',
    test: /src\/(view\/(stage\/(?!graph)|width)|controls\/grid)/,
    priority: 1,
    maxSize: 40_000,
  },
  { name: 'zh', test: /src\/(i18n\/zh(-panels|-rest|-rooms|-steps)?\.ts|browser\/phrases)/ },
  { name: 'words', test: /src\/i18n\/en-(rest|rooms|steps)/ },
  {
    name: 'beside',
    test: /src\/(view\/(panels|scenes\/tour)|model\/statistics|controls\/(settings|console))/,
  },
];

export default defineConfig(({ mode }) => {
  const isSingle = mode === 'single';
  return {
    base: './',
    // The demo's own modules go into the code: a page opened from a folder can fetch nothing.
    assetsInclude: ['**/*.wasm'],
    plugins: isSingle ? [singleFile()] : [serviceWorker(), previewPicture(process.env['DEMO_ADDRESS'])],
    publicDir: isSingle ? false : 'public',
    build: {
      outDir: 'dist',
      emptyOutDir: !isSingle,
      target: 'es2022',
      // The first of each that knows light-dark().
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      // A polyfill would be code for browsers that cannot run the module anyway.
      modulePreload: { polyfill: false },
      // Fonts and pictures as data: addresses are refused by the page's content security policy.
      assetsInlineLimit: 0,
      rolldownOptions: { output: { codeSplitting: isSingle ? false : { groups: GROUPS } } },
    },
  };
});
