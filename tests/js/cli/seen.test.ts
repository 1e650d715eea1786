// Input with far more lines than its size let expect: the filter of the run is followed by others, and the rate is kept.
import { describe, expect, test } from '@jest/globals';
import { gzipSync } from 'node:zlib';
import { CuckooFilter, PackedKeys } from 'cuckoofilter-wasm';
import { isForLines, newFilter } from '../../../js/cli/filters/new-filter';
import { Seen } from '../../../js/cli/filters/seen';
import { countLines, lineCount } from '../../../js/cli/input/estimate';
import { Failure } from '../../../js/cli/words/failure';
import { command, inShell } from '../support/command';
import { Random, thrownBy } from '../support/random';
import { at, file, numbered } from '../support/scratch';

/** So low that no test meets a false positive. */
const EXACT = ['--rate', '1e-8'];

/** 100 long lines, with `count` short ones where no piece is read for the estimate. */
function uneven(count: number): string {
  return between(33, numbered(count), 67);
}

function between(before: number, short: string, after: number): string {
  const long = Array.from({ length: before + after }, (_, i) => `${i} ${'x'.repeat(100_000)}\n`);
  return [...long.slice(0, before), short, ...long.slice(before)].join('');
}

function linesIn(text: Buffer | string): number {
  return text.toString().split('\n').length - 1;
}

describe('a file of uneven lines', () => {
  const name = file('uneven', uneven(40_000));
  const zipped = file('uneven.gz', gzipSync(uneven(40_000)));

  test('is estimated far too low, and counted right', () => {
    expect(lineCount([name], 10)).toBeLessThan(1000);
    expect(countLines([name], 10)).toBe(40_101);
    expect(countLines([name, file('open', 'a\nb'), file('none', '')], 10)).toBe(40_101 + 2 + 1);
    expect(countLines([file('zero', 'a\nb\0c\0')], 0)).toBe(3);
    const none = at('not-there');
    expect(thrownBy(Failure, () => countLines([none], 10)).message).toBe(
      `${none}: no such file or directory`,
    );
  });

  test.each<readonly [string, readonly string[], number]>([
    ['alone', [name], 40_100],
    ['compressed', [zipped], 40_100],
    ['twice, compressed as well', [name, zipped, name], 40_100],
    ['between other files', [file('few', 'a\nb\n'), name, file('more', 'b\nc\n')], 40_103],
    ['by a field', ['--key', '1', '-d', ' ', name], 101],
    ['by what is in the short ones', ['--key', '/^line (\\d+)$/', name], 40_100],
  ])('goes through dedup whole: %s', (_, parameters, printed) => {
    const { code, out, errors } = command(['dedup', ...EXACT, ...parameters]);
    expect([code, errors, linesIn(out)]).toEqual([0, '', printed]);
  });

  test('goes through as standard input as well, and at the default rate', () => {
    const { status, stdout, stderr } = inShell('"$0" "$1" dedup --json < "$2" | wc -l', name);
    const { printed, dropped, keys, maxCapacity, falsePositiveRate } = JSON.parse(
      stderr.toString(),
    ) as Record<'printed' | 'dropped' | 'keys' | 'maxCapacity' | 'falsePositiveRate', number>;
    expect([status, Number(stdout), printed + dropped, keys]).toEqual([0, printed, 40_100, printed]);
    expect(dropped).toBeLessThan(40);
    expect(maxCapacity).toBeGreaterThan(40_100);
    expect(falsePositiveRate).toBeLessThan(0.001);
  });

  test('gives the duplicates that it has', () => {
    const { out } = command(['dedup', '-D', ...EXACT, file('twice', uneven(9000) + numbered(9000))]);
    expect(out.toString()).toBe(numbered(9000));
  });
});

/** Keys that differ, from number `first` on. */
function keysFrom(first: number, count: number): PackedKeys {
  const texts = Array.from({ length: count }, (_, i) => `${first + i} `);
  let end = 0;
  return new PackedKeys(
    Buffer.from(texts.join('')),
    Uint32Array.from(texts, ({ length }) => (end += length)),
  );
}

describe('filters that follow each other', () => {
  test.each([0.4, 0.1, 0.01])('keep the rate %d together, and know every key', (rate) => {
    const made: number[] = [];
    const seen = new Seen(newFilter({ rate, lines: 500, isSaved: false }), (share, offered) => {
      made.push(share, offered);
      return newFilter({ rate: share * rate, lines: 4 * offered, isSaved: false });
    });
    for (let first = 0; first < 30_000; first += 100) {
      const keys = keysFrom(first, 100);
      const before = seen.size;
      const answers = seen.add(keys);
      expect(seen.size - before).toBe(answers.reduce((sum, answer) => sum + answer, 0));
      expect(seen.add(keys)).toEqual(new Uint8Array(100));
    }
    expect(made.length).toBeGreaterThan(2);
    expect(made.filter((_, i) => i % 2 === 0)).toEqual([0.5, 0.25, 0.125].slice(0, made.length / 2));
    expect(seen.contains(keysFrom(0, 30_000)).every((answer) => answer === 1)).toBe(true);
    const wrong =
      seen.contains(keysFrom(1_000_000, 100_000)).reduce((sum, answer) => sum + answer, 0) / 100_000;
    expect(wrong).toBeLessThan(rate + 4 * Math.sqrt(rate / 100_000));
    expect(seen.expectedFalsePositiveRate).toBeLessThan(rate);
  });

  test('are asked for no more once there can be none, and the last goes on until it is full', () => {
    let asked = 0;
    const seen = new Seen(new CuckooFilter({ capacity: 100, maxCapacity: 400 }), () => {
      ++asked;
      throw new Failure('no memory');
    });
    const answers = seen.add(keysFrom(0, 1000));
    expect(answers.reduce((sum, answer) => sum + answer, 0)).toBe(seen.size);
    expect(answers.length).toBeGreaterThanOrEqual(400);
    seen.add(keysFrom(5000, 10));
    expect(asked).toBe(1);
    expect([seen.maxCapacity, seen.currentCapacity]).toEqual([
      seen.only.maxCapacity,
      seen.only.currentCapacity,
    ]);
  });

  test('are not made where an error is not a failure', () => {
    const bug = new TypeError('a bug');
    const seen = new Seen(new CuckooFilter({ capacity: 1 }), () => {
      throw bug;
    });
    expect(() => seen.add(keysFrom(0, 1000))).toThrow(bug);
  });

  test('expect as many mistakes as they make', () => {
    const random = new Random(5);
    const seen = new Seen(newFilter({ rate: 0.1, lines: 2000, isSaved: false }), (share, offered) =>
      newFilter({ rate: 0.1 * share, lines: offered, isSaved: false }),
    );
    let mistakes = 0;
    for (let i = 0; i < 100; ++i)
      mistakes +=
        200 - seen.add(keysFrom(2 ** 20 * random.below(2000) + 200 * i, 200)).reduce((a, b) => a + b, 0);
    expect(mistakes).toBeGreaterThan(100);
    expect(Math.abs(seen.mistakes / mistakes - 1)).toBeLessThan(0.2);
  });
});

test('a saved filter of a low rate has room for all lines of its first input, and three times as many to come', () => {
  const short = Array.from({ length: 300_000 }, (_, i) => `${i.toString(36)}\n`).join('');
  const lines = file('many', between(80, short, 160));
  const { code, out } = command(['build', '--rate', '1e-9', '--save', at('low'), '--json', lines]);
  expect(code).toBe(0);
  const { keys, maxCapacity } = JSON.parse(out.toString()) as { keys: number; maxCapacity: number };
  expect(keys).toBe(300_240);
  expect(maxCapacity).toBeGreaterThanOrEqual(4 * keys);
});

test('the usual filter is as it was: made for the estimate, with room for four times as many', () => {
  for (const isSaved of [true, false])
    for (const capacity of [undefined, 5])
      for (const maxCapacity of [undefined, 9])
        for (const lines of [undefined, 7])
          expect(isForLines({ isSaved, capacity, maxCapacity, lines })).toBe(
            !isSaved && capacity === undefined && maxCapacity === undefined && lines !== undefined,
          );
  const { maxCapacity } = newFilter({ lines: 30_000, isSaved: false });
  expect(maxCapacity).toBe(120_000);
});

test('a file that grows while it is read goes through whole', () => {
  const name = file('growing', uneven(3000));
  const grow = `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    const plain = fs.readSync;
    let calls = 0;
    fs.readSync = (...words) => {
      if (++calls === 20) fs.appendFileSync(${JSON.stringify(name)}, Array.from({ length: 60000 }, (_, i) => 'new ' + i + '\\n').join(''));
      return plain(...words);
    };
    syncBuiltinESMExports();`;
  const { code, out, errors } = command(['dedup', ...EXACT, name], '', grow);
  expect([code, errors, linesIn(out)]).toEqual([0, '', 63_100]);
});
