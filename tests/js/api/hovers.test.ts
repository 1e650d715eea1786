// What editors show beside a name is short: the doc comments of options, methods and classes in the package's sources.
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const sources = ['src', 'redis', 'redisbloom'].map((name) => join(__dirname, '../../../js', name));

/** The words of the doc comments in `code` before what `@example` shows, each with the line that it is about. */
function hoversOf(code: string): [name: string, words: number][] {
  const comments = [...code.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\n *(.*)/g)];
  return comments
    .filter(([, text = '']) => !text.includes('@internal'))
    .map(([, text = '', name = '']) => [
      name,
      (text.split('@example')[0] ?? '').split(/[\s*]+/).filter(Boolean).length,
    ]);
}

test('a hover has at most 60 words', () => {
  const files = sources.flatMap((source) =>
    readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join(source, name)),
  );
  const hovers = files.flatMap((name) => hoversOf(readFileSync(name, 'utf8')));
  expect(hovers.length).toBeGreaterThan(300);
  // Functions that are not exported are read in the source alone.
  const shown = hovers.filter(([name]) => !/^(async )?function /.test(name));
  expect(shown.filter(([, words]) => words > 60)).toEqual([]);
});
