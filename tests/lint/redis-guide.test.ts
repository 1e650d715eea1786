// The tables of errors in docs/guides/redis.md and docs/inside/redis.md are complete: they have each class and each code that the
// sources of js/redis name, and no other.
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as redis from 'cuckoofilter-wasm/redis';

const ROOT = join(__dirname, '../..');
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const sources = readdirSync(join(ROOT, 'js/redis'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => textOf(`js/redis/${name}`))
  .join('');
const guide = textOf('docs/guides/redis.md');

/** The first cells of the table below a heading of `page`. */
function firstCells(page: string, heading: string): string[] {
  const [, section = ''] = page.split(`\n## ${heading}\n`);
  const rows = (section.split('\n## ')[0] ?? '').match(/^\| .*$/gm) ?? [];
  return rows.slice(2).map((row) => row.split(' | ')[0] as string);
}

/** All that `pattern` captures in `text`. */
function captured(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].map(([, found = '']) => found);
}

test('the guide has each error class of the entry, with its code', () => {
  const classes = Object.values(redis).filter(
    (value): value is never => (value as { prototype?: unknown }).prototype instanceof Error,
  );
  const wanted = classes
    .map((Class: new (...given: unknown[]) => { name: string; code: unknown }) => new Class('', [], []))
    .map(({ name, code }) => `${name}: ${String(code)}`)
    // Of FilterFullError, only the subclass RedisFullError is thrown. FormatError has several codes.
    .filter((each) => !/^(FilterFullError|FormatError):/.test(each));
  const cells = firstCells(guide, 'Errors').map((cell) =>
    cell.replace(/^\| `(\w+)`.*: `([\w-]+)`$/, '$1: $2'),
  );
  expect(cells).toEqual(expect.arrayContaining(wanted));
  const others = cells.filter((cell) => !wanted.includes(cell)).map((cell) => cell.split(':')[0]);
  expect(new Set(others)).toEqual(new Set(['FormatError', 'TypeError', 'Error']));
});

test('the guide has each code that the sources name, and no other', () => {
  const named = [
    ...captured(sources, /\b(?:readonly code|NOT_SENT) = '([\w-]+)'/g),
    // Those of FormatError stand at the end of an entry of a table, or of a call.
    ...captured(sources, /'(not-a-filter|inconsistent|cut-short|damaged|too-large|wrong-key)',?\s*[\])]/g),
  ];
  const codes = captured(firstCells(guide, 'Errors').join('\n'), /: `([\w-]+)`$/gm);
  // Of the files in js/src that js/redis uses: what a header may be wrong about, options, keys and replicas.
  const others = ['filter-full', 'invalid-argument', 'invalid-key', 'out-of-memory', 'disposed'];
  expect(new Set(codes)).toEqual(new Set([...named, ...others, 'unsupported-version']));
});

test('the guide has each outcome', () => {
  const [, union = ''] = /type KeyOutcome = (.*);/.exec(sources) ?? [];
  const [, reasons = ''] = /type FullReason = (.*);/.exec(textOf('js/src/errors.ts')) ?? [];
  const outcomes = captured(firstCells(guide, 'Batches that fail in part').join('\n'), /`([\w-]+)`/g);
  expect(outcomes.sort()).toEqual(captured(`${union} ${reasons}`, /'([\w-]+)'/g).sort());
});

test('docs/inside/redis.md has each code of a server that the client knows', () => {
  const [, later = ''] = /const LATER = \/\^\(([\w|]+)\)\$\//.exec(sources) ?? [];
  const [, refused = ''] = /const REFUSED =\s*\/\^\(([\w|]+)\)\$\//.exec(sources) ?? [];
  const known = `${later}|${refused}|PARTIAL`.split('|');
  const page = textOf('docs/inside/redis.md');
  const [, section = ''] = page.split("\n## What the server's errors mean\n");
  const codes = captured(section.split('\n## ')[0] ?? '', /`([A-Z]+)`/g);
  // What the program finds in place of the shard becomes a FormatError.
  expect(new Set([...codes, 'CUCKOO', 'WRONGTYPE'])).toEqual(new Set(known));
});
