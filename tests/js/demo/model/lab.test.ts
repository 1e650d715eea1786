// What the comparison's page and its worker agree on: names in the order of the C++ enumerations, results folded from
// messages, and the files that are made of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { comparisonSvg, HEADINGS, tableRows } from '../../../../demo/src/compare/pictures';
import { FIGURES, KINDS, MOST_LINES, REFUSALS, type Message } from '../../../../demo/src/compare/protocol';
import { formulas, nativeCurve, nativeRow, NATIVE_NAMES } from '../../../../demo/src/compare/native';
import {
  barOf,
  best,
  heard,
  longest,
  stopped,
  waiting,
  type Results,
} from '../../../../demo/src/compare/results';

const root = join(__dirname, '../../../..');

function source(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** The names of an enumeration, as TypeScript writes them. */
function enumeration(path: string, name: string): string[] {
  const body = new RegExp(`enum class ${name} [^{]*{([^}]*)}`).exec(source(path))?.[1] ?? '';
  return body
    .replaceAll(/\/\/.*/g, '')
    .split(',')
    .map((each) => each.trim().replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .filter((each) => each !== '');
}

test('the page counts kinds, figures and refusals as cpp/lab does', () => {
  expect(enumeration('cpp/lab/contenders.h', 'Kind')).toEqual([...KINDS]);
  expect(enumeration('cpp/lab/comparison.h', 'Figure')).toEqual([...FIGURES]);
  expect(enumeration('cpp/lab/fit.h', 'Refusal')).toEqual([...REFUSALS]);
  const [, names = ''] = /kNames = {([^}]*)}/.exec(source('cpp/lab/contenders.h')) ?? [];
  expect([...names.matchAll(/"([^"]*)"/g)].map(([, name]) => name)).toEqual([...NATIVE_NAMES]);
  expect(source('demo/cpp/lab.cpp')).toContain(
    `kMostLines = ${String(MOST_LINES).replaceAll(/\B(?=(\d{3})+$)/g, "'")};`,
  );
});

test('every filter of the paper’s evaluation has its native row and curves', () => {
  for (const kind of KINDS.filter((each) => each !== 'cuckooTable')) {
    expect(nativeRow(kind)?.items).toBeGreaterThan(1e6);
    expect(nativeCurve('5', kind)).toHaveLength(5);
    for (const line of ['6 absent', '6 present', '7'])
      expect(nativeCurve(line, kind).length > 5).toBe(kind !== 'binaryFuse');
  }
  expect(nativeRow('cuckoo')?.paper).toEqual([127.78, 12.6, 0.0019, 5]);
  expect(nativeCurve('8', 'quotient')).toHaveLength(20);
  expect(formulas().map(([name]) => name)).toEqual([
    'lower bound',
    'Bloom, best k',
    'CF, b = 4',
    'ss-CF, b = 4',
  ]);
});

const RUN: Message[] = [
  { type: 'begin', kind: 'cuckoo' },
  { type: 'figures', kind: 'cuckoo', figures: { bitsPerKey: 12, buildSpeed: 3 } },
  { type: 'figures', kind: 'cuckoo', figures: { asked: 1000, found: 2, buildSpeed: 6, lookupSpeed: 20 } },
  { type: 'end', kind: 'cuckoo', refusal: null },
  { type: 'begin', kind: 'bloom' },
  { type: 'figures', kind: 'bloom', figures: { bitsPerKey: 13, buildSpeed: 9 } },
];

function after(messages: readonly Message[]): Results {
  return messages.reduce(heard, waiting(['cuckoo', 'bloom', 'quotient']));
}

describe('results', () => {
  test('are the last figures told of each filter, and a stopped run leaves no half of one', () => {
    const results = after(RUN);
    expect(results.cuckoo?.figures.buildSpeed).toBe(6);
    expect(results.bloom?.state).toBe('running');
    expect(results.quotient?.state).toBe('waiting');
    expect(stopped(results).bloom).toEqual(results.quotient);
    expect(stopped(results).cuckoo).toEqual(results.cuckoo);
    expect(heard(results, { type: 'begin', kind: 'dLeft' })).toEqual(results);
  });

  test('give bars only of what is measured, and winners only among what is done', () => {
    const results = after(RUN);
    const [cuckoo, quotient] = [results.cuckoo, results.quotient];
    expect(cuckoo && barOf(cuckoo, 'rate')).toBe(0.002);
    expect(cuckoo && barOf(cuckoo, 'eraseSpeed')).toBeUndefined();
    expect(quotient && barOf(quotient, 'rate')).toBeUndefined();
    expect(longest(results, 'buildSpeed')).toBe(9);
    expect(best(results, 'buildSpeed')).toBe('cuckoo');
    expect(best(waiting(['bloom']), 'bitsPerKey')).toBeNull();
    const done = heard(results, { type: 'end', kind: 'bloom', refusal: null });
    expect([best(done, 'buildSpeed'), best(done, 'bitsPerKey')]).toEqual(['bloom', 'cuckoo']);
  });

  test('become a picture and a table, with the reason of what is not there', () => {
    const results = after([...RUN, { type: 'end', kind: 'quotient', refusal: 'tooFewBits' }]);
    const words = {
      title: 'a < b',
      name: (kind: string) => kind,
      bar: (bar: string) => bar,
      value: (_: string, value: number) => String(value),
      missing: () => 'too few & too small',
    };
    const svg = comparisonSvg(results, words, 'https://here.test/#x&y');
    expect(svg).toContain('<title>a &lt; b</title><desc>https://here.test/#x&amp;y</desc>');
    expect(svg).toContain('too few &amp; too small');
    expect(svg.match(/<rect x=/g)).toHaveLength(6);
    const rows = tableRows(results, (kind) => kind);
    expect(rows.map(([kind, state]) => [kind, state])).toEqual([
      ['cuckoo', 'done'],
      ['bloom', 'running'],
      ['quotient', 'refused'],
    ]);
    for (const row of rows) expect(row).toHaveLength(HEADINGS.length);
    expect(rows[0]?.[HEADINGS.indexOf('found')]).toBe(2);
  });
});
