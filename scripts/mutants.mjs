// `npm run mutants`: changes the code in one small place after another, and tells which changes no test notices.
// Invariant: the exit code is 0 only if at least SHARE of the mutants are killed, in each half.
// `-- js` or `-- cpp` runs one half; words after it are for that half, such as the files to mutate.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { root, say } from './run.mjs';

const HALVES = { js: 'mutantsJs', cpp: 'mutantsCpp' };

const [first, ...words] = process.argv.slice(2);
if (first !== undefined && !Object.hasOwn(HALVES, first)) {
  console.error(`no half "${first}"; there are ${Object.keys(HALVES).join(' and ')}`);
  process.exit(2);
}
const halves = first === undefined ? Object.keys(HALVES) : [first];
for (const half of halves) {
  const script = join(root, `scripts/mutants/${half}.mjs`);
  say(`mutants: ${half}`);
  const { [HALVES[half]]: run } = await import(pathToFileURL(script).href);
  await run(words);
}
