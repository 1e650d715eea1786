// The file for a plain <script>, put into a page as text, as builders of single pages do.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { createContext, runInContext } from 'node:vm';
import { join } from 'node:path';

const SCRIPT = readFileSync(join(__dirname, '../../dist/cuckoofilter-wasm.min.js'), 'utf8');
const TAG = '<script src="filters.js"></script>';
const PAGE = `<!doctype html><title>a page</title>${TAG}<p>after</p>`;

/** What the script answers in a realm of its own. */
function answer(script: string): unknown {
  const context = createContext({ WebAssembly, TextEncoder });
  return runInContext(
    `${script};
    const { CuckooFilter, ScalableCuckooFilter } = CuckooFilters;
    [CuckooFilter.from(['a']).has('a'), new ScalableCuckooFilter({ capacity: 9 }).add('b').has('b')].join()`,
    context,
  );
}

// grunt-html-build#6, inline-source#5, web-resource-inliner#4: `$&` in a script became a part of the page.
test('the script stands in a page as it is, even if String.replace puts it there', () => {
  const page = PAGE.replace(TAG, `<script>${SCRIPT}</script>`);
  const begin = page.indexOf('<script>') + '<script>'.length;
  const script = page.slice(begin, page.lastIndexOf('</script>'));
  expect(script === SCRIPT).toBe(true);
  expect(answer(script)).toBe('true,true');
});

// vite-plugin-singlefile#102, posthtml-inline-assets#18: such text ended the script, or began a comment of the page.
test('the script has no text that HTML takes for the end of a script or for a comment', () => {
  expect(SCRIPT).not.toMatch(/<\/script|<script|<!--|]]>/i);
});
