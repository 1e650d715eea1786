// The core alone, for benches that ask what the package adds to it. It is reached through the package's own sources, because
// no program can reach it through the package.
import { readFile } from 'node:fs/promises';
import { build } from 'esbuild';

const at = (path) => new URL(`../../${path}`, import.meta.url);

/** The class CuckooFilter of the sources in js/src, and `askCore`, which asks the core of such a filter. */
export async function coreOf() {
  const { outputFiles } = await build({
    stdin: {
      contents: `
        export { CuckooFilter } from './filters/cuckoo-filter.ts';
        export { handleOf } from './filters/filter.ts';
        export { Handle } from './engine/handle.ts';`,
      resolveDir: at('js/src').pathname,
    },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    write: false,
    plugins: [compiled],
  });
  const text = Buffer.from(outputFiles[0].contents).toString('base64');
  const { CuckooFilter, handleOf, Handle } = await import(`data:text/javascript;base64,${text}`);
  /** Lets the core look up integers, batch by batch; the answers stay where it leaves them. Returns one of them. */
  const askCore = (filter, keys) => {
    const handle = handleOf(filter);
    const { calls, instance } = handle;
    const address = Handle.addressOf(handle);
    const { words, answers, batchLength } = instance.scratch;
    const halves = new Uint32Array(keys.buffer, keys.byteOffset, 2 * keys.length);
    for (let first = 0; first < keys.length; first += batchLength) {
      const count = Math.min(batchLength, keys.length - first);
      words.set(halves.subarray(2 * first, 2 * (first + count)));
      calls.hashWords(address, count);
      calls.containsMany(address, count);
    }
    return answers[7];
  };
  return { CuckooFilter, askCore };
}

/** Puts the compiled core in place of its text. */
const compiled = {
  name: 'compiled',
  setup(plugin) {
    plugin.onResolve({ filter: /^#core$/ }, () => ({ path: 'core', namespace: 'compiled' }));
    plugin.onLoad({ filter: /.*/, namespace: 'compiled' }, async () => {
      const bytes = await readFile(at('build/wasm/bindings/core.wasm'), 'base64');
      return { contents: `export default new WebAssembly.Module(Buffer.from('${bytes}', 'base64'));` };
    });
  },
};
