// Which mutants of C++ `npm run mutants` makes of a text, one by one and all at once.
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

/** The value of the expression `js`, in which `text` is HEADER and the functions of the script can be called. */
function made(js: string): unknown {
  const script = pathToFileURL(join(__dirname, '../../../scripts/mutants.mjs')).href;
  const code = `import { readFileSync } from 'node:fs';
    const { mutantsOf, withSwitches } = await import('${script}');
    const text = readFileSync(0, 'utf8');
    console.log(JSON.stringify(${js}));`;
  return JSON.parse(runModule(code, [], HEADER));
}

test('each mutant of C++ is one line of code with one change', () => {
  const lines = made('mutantsOf(text).map(({ at, to }) => at + to)') as string[];
  expect(lines.sort()).toEqual([
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

test('a program that holds all mutants of C++ has a switch around each change, and its lines are where they were', () => {
  const all = 'withSwitches(text, mutantsOf(text).map((mutant, number) => ({ ...mutant, number })))';
  expect((made(all) as string).split('\n').slice(1)).toEqual([
    '// a < b',
    'static_assert(kSize == 8);',
    '  if (static_cast<bool>(is_full(table) && mutants::At<1>() && [&] { return left > mutants::At<0>() > ' +
      '(mutants::is_on<3>() + 0); }) != mutants::is_on<4>()) return (true != mutants::is_on<2>());  // 5 + 5',
    'if (!mutants::is_on<7>())   kicks += mutants::At<5>() += (mutants::is_on<6>() + 9);',
    '}',
    '',
  ]);
});
