// Which mutants of C++ `npm run mutants` makes of a text.
import { expect, test } from '@jest/globals';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { runModule } from '../support/command';

const HEADER = `#pragma once
// a < b
static_assert(kSize == 8);
  if (is_full(table) && left > 0) return true;  // 5 + 5
  kicks += 9;
}
`;

test('each mutant of C++ is one line of code with one change', () => {
  const script = pathToFileURL(join(__dirname, '../../../scripts/mutants.mjs')).href;
  const code = `import { readFileSync } from 'node:fs';
    const { mutantsOf } = await import('${script}');
    console.log(JSON.stringify(mutantsOf(readFileSync(0, 'utf8')).map(({ at, to }) => at + to)));`;
  expect((JSON.parse(runModule(code, [], HEADER)) as string[]).sort()).toEqual([
    '3  if (!(is_full(table) && left > 0)) return true;',
    '3  if (is_full(table) && left > 0) return false;',
    '3  if (is_full(table) && left > 1) return true;',
    '3  if (is_full(table) && left >= 0) return true;',
    '3  if (is_full(table) || left > 0) return true;',
    '4',
    '4  kicks += 10;',
    '4  kicks -= 9;',
  ]);
});
