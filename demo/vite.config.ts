// How the page is built. Invariant: every address in the output is relative, so that the folder can be served from
// any path of any host, and it asks no other host for anything.
import { defineConfig } from 'vite';

export default defineConfig({
  base: './',
  // The Bloom filter's module goes into the code: a page opened from a folder can fetch nothing.
  assetsInclude: ['**/*.wasm'],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // The first of each that knows light-dark().
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // A polyfill would be code for browsers that cannot run the module anyway.
    modulePreload: { polyfill: false },
    // Fonts and pictures as data: addresses are refused by the page's content security policy.
    assetsInlineLimit: 0,
  },
});
