// Your double: the library itself confuses the two names, and the lists of names hold each name once.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { seededFor, tried } from '../../../../demo/src/core/filling';
import { doubleOf } from '../../../../demo/src/core/double';
import { namesOf as firstNames } from '../../../../demo/src/i18n/en-first-names';
import { namesOf as fullNames } from '../../../../demo/src/i18n/zh-first-names';
import { nameIn, shortened } from '../../../../demo/src/model/text';
import { CHINESE_DEFAULTS, DEFAULTS } from '../../../../demo/src/model/settings';
import { endOf } from '../../../../demo/src/model/trace/state';

describe.each([
  ['English', firstNames],
  ['Chinese', fullNames],
] as const)('with %s names', (_, names) => {
  test('no name stands twice in a batch', () => {
    for (const batch of [0, 1, 2]) expect(new Set(names(batch)).size).toBe(names(batch).length);
  });

  test('whoever types a name has a double, whose deletion takes the name away', () => {
    for (const name of [
      ...names(0).slice(0, 60),
      'Zaphod',
      'łukasz',
      '司马相如',
      '\u{1f426}',
      "O'Neil",
      ' x',
    ]) {
      const double = doubleOf(name, names);
      expect(double.name.toLowerCase()).not.toBe(name.toLowerCase());
      expect(double.location.homesCoincide).toBe(false);
      const { bucketCount, bucketSize, fingerprintBits, addressing, hashSeed } = seededFor(DEFAULTS, name);
      const filter = new CuckooFilter({
        ...{ capacity: bucketCount * bucketSize, semiSort: false },
        ...{ bucketCount, bucketSize, fingerprintBits, addressing, seed: hashSeed },
      });
      filter.add(name);
      expect(filter.contains(double.name)).toBe(true);
      expect(filter.delete(double.name)).toBe(true);
      expect(filter.contains(name)).toBe(false);
      filter.dispose();
    }
  });
});

test('whatever name a visitor brings, it or its double goes into the first table without a kick', () => {
  for (const [table, names, others] of [
    [DEFAULTS, firstNames, ['robin', '王小明', 'x'.repeat(80), '\u{1f426}']],
    [CHINESE_DEFAULTS, fullNames, ['麻雀', 'Marta', ' x']],
  ] as const)
    for (const name of [...names(0).slice(0, 300), ...others]) {
      const other = doubleOf(name, names).name;
      const ends = tried(seededFor(table, name), ({ engine }) =>
        [name, other].map((key) => endOf(engine.tryInsert(key))),
      );
      for (const end of ends)
        expect([name, end]).toEqual([name, expect.objectContaining({ result: 'added', kicks: 0 })]);
    }
});

test('the names that were asked are counted: not the name itself, and no batch twice', () => {
  const batches: (readonly string[])[] = [['Ada', 'ADA'], ['Eve'], firstNames(0)];
  const { tried, found, name } = doubleOf('Ada', (index) => batches[index] ?? firstNames(index));
  expect(tried).toBeGreaterThanOrEqual(1);
  expect(found).toBeGreaterThanOrEqual(1);
  expect(name).not.toBe('ADA');
});

test('a name is the same however its accents were typed, and one that nobody can see is none', () => {
  expect(nameIn(' Jose\u0301 ')).toBe('Jos\u00e9');
  expect(nameIn('Zo\u200b\u00eb\u202e')).toBe('Zo\u00eb');
  for (const unseen of ['', ' ', '\u200b', '\u200d\u2060', '\u202e\u2066', '\u3164', '\ufe0f'])
    expect(nameIn(unseen)).toBe('');
  for (const seen of ['\u{1f426}', '\u2764\ufe0f', 'علی\u200cرضا', '-']) expect(nameIn(seen)).toBe(seen);
});

test('a shown name keeps two accents on a letter, and is never cut between a letter and its accents', () => {
  expect(shortened('e\u0301\u0302\u0308\u0323x', 9)).toBe('e\u0301\u0302x');
  expect(shortened('abcde\u0301', 3)).toBe('a…e\u0301');
});
