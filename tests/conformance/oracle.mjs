// The reader that is written from docs/inside/format.md alone (tests/js/support/reference), for programs in Node. Invariant: it
// shares nothing with the library, so that an agreement of the two means something.
import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';

const contents = ['reader', 'layers', 'written', 'xxh64', 'siphash']
  .map((name) => `export * from './${name}';`)
  .join('\n');
const resolveDir = fileURLToPath(new URL('../js/support/reference', import.meta.url));
const { outputFiles } = buildSync({
  stdin: { contents, resolveDir },
  bundle: true,
  format: 'esm',
  write: false,
});
export const { bytesOf, homesOf, resealed, SavedFilter, SavedLayers, siphash13, xxh64 } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
);

const KINDS = { 1: 'values', 2: 'counters', 3: 'periods' };

/** A saved filter of any kind, opened: what it needs of a reader, its size, and what it answers. Throws Refusal. */
export function open(bytes, secret, limit) {
  const isScalable = bytes[3] === 0x53;
  const saved = new (isScalable ? SavedLayers : SavedFilter)(bytes, secret, limit);
  const [first] = isScalable ? saved.layers : [saved];
  const kind = KINDS[first.kind];
  const needs = [
    first.semiSorted ? 'semi-sorted' : 'plain',
    ...(first.doublings > 0 || isScalable ? ['growing'] : []),
    ...(first.isKeyed ? ['keyed'] : []),
    ...(isScalable ? ['scalable'] : kind === undefined ? [] : [kind]),
  ];
  const ask = (key) => {
    const hash = saved.hashOf(key);
    if (kind === undefined) return saved.countOfHash(hash);
    const found = saved.valuesOfHash(hash);
    if (kind === 'values') return found;
    if (kind === 'counters') return found.length === 0 ? 0 : found[0] + 1;
    return found.length === 0 ? -1 : Math.min(...found.map((value) => saved.age(value)));
  };
  return { needs, size: saved.size, ask, saved };
}
