// How large the command makes its filters, how they grow from day to day, merge, and get full.
import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { fullFailure } from '../../../js/cli/filters/full';
import { newFilterOptions, type Wanted } from '../../../js/cli/filters/new-filter';
import { Failure } from '../../../js/cli/words/failure';
import { command, inShell, printed } from '../support/command';
import { some } from '../support/long';
import { thrownBy } from '../support/random';
import { at, file, folder, numbered } from '../support/scratch';
import { ruleOf } from '../api/ruled';

function linesIn(text: Buffer | string): number {
  return text.toString().split('\n').length - 1;
}

function numberIn(text: string, pattern: RegExp): number {
  return Number((pattern.exec(text)?.[1] ?? 'none').replaceAll(',', ''));
}

describe('a filter of every day', () => {
  test('needs no option, from a small first day on', () => {
    printed(['build', '--save', at('seen'), file('ids', numbered(100))]);
    for (const [day, count] of [5000, 40_000, 41_000].entries()) {
      const out = printed([
        'dedup',
        '--load',
        at('seen'),
        '--save',
        at('seen'),
        file('new', numbered(count)),
      ]);
      const known = [100, 5000, 40_000][day] as number;
      expect(linesIn(out)).toBeGreaterThan(0.999 * (count - known));
      expect(linesIn(out)).toBeLessThanOrEqual(count - known);
    }
    expect(printed(['query', '-l', at('seen')], numbered(41_000))).toBe(numbered(41_000));
  });

  test.each([
    ['piped', ['-'], 'a\nb\n', 8000],
    ['compressed', ['zipped'], '', 8000],
    ['a file', ['plain'], '', 8000],
  ])('is a small file if it is small: %s', (_, files, input, bytes) => {
    file('zipped', gzipSync('a\nb\n'));
    file('plain', 'a\nb\n');
    printed(['build', '-s', at('small'), ...files.map((name) => (name === '-' ? name : at(name)))], input);
    expect(statSync(at('small')).size).toBeLessThan(bytes);
  });
});

describe('filters built with the same --rate and --max-capacity', () => {
  const flagsOfAll: readonly (readonly [string, readonly string[]])[] = [
    ['the defaults', []],
    ['a rate of 0.5', ['-r', '0.5']],
    ['a rate of 0.01', ['-r', '0.01']],
    ['a rate of 1e-5', ['-r', '1e-5']],
    ['a rate of 1e-7', ['-r', '1e-7']],
    ['a largest capacity', ['-m', '90000']],
    ['a largest capacity and a rate', ['-m', '90_000', '-r', '0.1']],
  ];
  test.each(some(flagsOfAll, 4))('merge whatever their inputs: %s', (_, flags) => {
    const parts = [1, 3000, 30_000, 10].map((count, i) => ({
      count,
      first: 30_000 * i,
      name: at(`part-${i}`),
    }));
    for (const { count, first, name } of parts)
      printed(['build', ...flags, '-s', name, file('lines', numbered(count, first))]);
    const piped = ['build', ...flags, '-s', at('piped')];
    printed(piped, numbered(2000, 200_000));
    printed(['build', ...flags, '-c', '50000', '-s', at('roomy')], numbered(20, 300_000));
    const names = [...parts.map(({ name }) => name), at('piped'), at('roomy')];
    printed(['merge', '-o', at('union'), ...names]);
    using union = CuckooFilter.deserialize(readFileSync(at('union')));
    for (const { count, first } of [...parts, { count: 2000, first: 200_000 }])
      expect(union.containsMany(numbered(count, first).trimEnd().split('\n'))).not.toContain(0);
    // In any order.
    expect(command(['merge', ...names.toReversed()]).code).toBe(0);
  });

  test('merge also if one has far more keys', () => {
    const options = newFilterOptions({ isSaved: true });
    const [large, small] = [new CuckooFilter(options), new CuckooFilter(options)];
    large.addMany(Uint32Array.from({ length: 300_000 }, (_, i) => i));
    small.add('one');
    writeFileSync(at('large'), large.serialize());
    writeFileSync(at('tiny'), small.serialize());
    for (const files of [
      [at('large'), at('tiny')],
      [at('tiny'), at('large')],
    ]) {
      printed(['merge', '-o', at('both'), ...files]);
      expect(CuckooFilter.deserialize(readFileSync(at('both'))).size).toBe(300_001);
    }
  });
});

describe('the plan of a new filter', () => {
  const planOf = (wanted: Omit<Wanted, 'isSaved'>, isSaved = true): ReturnType<typeof CuckooFilter.plan> =>
    CuckooFilter.plan(newFilterOptions({ ...wanted, isSaved }));

  test.each<readonly [Omit<Wanted, 'isSaved'>, number, number]>([
    [{}, 1907, 1e9],
    [{ capacity: 1 }, 1907, 1e9],
    [{ maxCapacity: 1 }, 1, 1],
    [{ lines: 1907 }, 1907, 1e9],
    [{ lines: 1908 }, 3814, 1e9],
    [{ lines: 1_000_000 }, 1_953_125, 1e9],
    [{ capacity: 1_000_000, lines: 5 }, 1_953_125, 1e9],
    [{ lines: 300_000_000 }, 500_000_000, 1e9],
    [{ lines: 1e9 }, 1e9, 1e9],
    [{ lines: 2e9 }, 2e9, 8e9],
    [{ rate: 1e-5 }, 244_140, 1e9],
    [{ rate: 1e-6 }, 125_000, 64e6],
    [{ rate: 1e-6, lines: 16e6 }, 16e6, 64e6],
    [{ rate: 1e-6, lines: 16e6 + 1 }, 31_250_000, 1e9],
    [{ rate: 1e-8, lines: 3e7 }, 3e7, 12e7],
    [{ maxCapacity: 100 }, 100, 100],
    [{ maxCapacity: 1_000_000 }, 1953, 1_000_000],
    [{ maxCapacity: 1_000_000, lines: 9_000_000 }, 1_000_000, 1_000_000],
    [{ maxCapacity: 1_000_000, capacity: 70_000 }, 125_000, 1_000_000],
    [{ maxCapacity: 70_000, capacity: 70_000 }, 70_000, 70_000],
  ])('for %j has room for %d keys, and grows to %d', (wanted, capacity, maxCapacity) => {
    const plan = planOf(wanted);
    expect([plan.currentCapacity, plan.maxCapacity]).toEqual([capacity, maxCapacity]);
  });

  test('that is not saved is made for the lines of its input, and a few times as many', () => {
    expect(planOf({ lines: 30_000 }, false)).toMatchObject({ currentCapacity: 30_000, maxCapacity: 120_000 });
    expect(planOf({ lines: 30_000, capacity: 10 }, false)).toMatchObject({ maxCapacity: 1e9 });
    expect(planOf({}, false)).toMatchObject({ maxCapacity: 1e9 });
  });

  test('keeps the rate, and takes fewest bits if it does not grow', () => {
    for (const rate of [0.3, 0.01, 0.001, 1e-5, 1e-7])
      for (const lines of [undefined, 1e5])
        expect(planOf({ rate, lines }).expectedFalsePositiveRate).toBeLessThanOrEqual(rate);
    const plain = planOf({ capacity: 1e6, maxCapacity: 1e6 });
    expect(plain).toEqual(CuckooFilter.plan({ capacity: 1e6 }));
  });

  test.each<readonly [Omit<Wanted, 'isSaved'>, string]>([
    [{ capacity: 0 }, '--capacity must be a whole number from 1 to 17,179,869,184, got 0'],
    [{ maxCapacity: 1.5 }, '--max-capacity must be a whole number from 1 to 17,179,869,184, got 1.5'],
    [
      { maxCapacity: 2 ** 35 },
      '--max-capacity must be a whole number from 1 to 17,179,869,184, got 34359738368',
    ],
    [{ capacity: 9, maxCapacity: 8 }, '--capacity must be at most --max-capacity, got 9 and 8'],
    [{ rate: 0 }, `--rate must be ${ruleOf('falsePositiveRate')}, got 0`],
    [{ rate: 1 }, `--rate must be ${ruleOf('falsePositiveRate')}, got 1`],
    [{ rate: 1e-11 }, '--rate 1e-11 is too low. Use 1e-9 or more'],
    [{ rate: 1e-11, capacity: 5, maxCapacity: 5 }, '--rate 1e-11 is too low. Use 1e-9 or more'],
    [{ rate: 1e-9, capacity: 2 ** 34 }, '--rate 1e-9 is too low. Use 1e-8 or more'],
  ])('for %j is refused', (wanted, message) => {
    const failure = thrownBy(Failure, () => planOf(wanted));
    expect(failure.message).toBe(message);
    const [, enough] = /Use (\S+) or more$/.exec(message) ?? [];
    if (enough !== undefined)
      expect(planOf({ ...wanted, rate: Number(enough) }).currentCapacity).toBeGreaterThan(0);
  });
});

test('a filter for which there is no memory is refused with its size', () => {
  const { errors, code } = command(['build', '-s', at('none'), '-c', '9e9', '-m', '9e9'], 'a\n');
  expect([code, errors]).toEqual([
    2,
    'cuckoofilter-wasm: no memory for a filter of 14 GB: lower --capacity and --max-capacity, or raise --rate\n',
  ]);
});

test('the size of a file that is standard input tells how many lines to expect', () => {
  const words = `"$0" "$1" build --save "$3" < "$2"`;
  expect(inShell(words, file('redirected', numbered(20_000)), at('from-input')).status).toBe(0);
  const filter = CuckooFilter.deserialize(readFileSync(at('from-input')));
  expect(filter.size).toBeGreaterThan(19_990);
  expect(filter.stats().growths).toEqual([]);
  expect(filter.currentCapacity).toBe(30_517);
});

describe('a filter that gets full', () => {
  test.each([
    ['a file', (lines: string): readonly string[] => [file('many', lines)]],
    ['two files, one compressed', (lines: string) => [file('few', 'x\n'), file('many.gz', gzipSync(lines))]],
  ])('tells what was done, and what is enough, of %s', (_, filesOf) => {
    const files = filesOf(numbered(100_000));
    const { code, out, errors } = command(['dedup', '--max-capacity', '60000', ...files]);
    expect(code).toBe(2);
    expect(errors).toMatch(
      /^cuckoofilter-wasm: the filter is full, with 6\d,\d+ keys\. The output is complete up to line [\d,]+ of the input\. Nothing was saved\. Run again with --max-capacity \d+, the number of lines of the input\n$/,
    );
    // Every line up to there was printed or dropped, and each that the filter had room for was printed.
    expect(linesIn(out)).toBe(numberIn(errors, /with ([\d,]+) keys/));
    const done = numberIn(errors, /up to line ([\d,]+)/);
    expect(done).toBeGreaterThanOrEqual(linesIn(out));
    expect(done - linesIn(out)).toBeLessThan(100);
    const advised = String(numberIn(errors, /--max-capacity (\d+)/));
    expect(Number(advised)).toBe(100_000 + files.length - 1);
    expect(command(['dedup', '--max-capacity', advised, ...files]).code).toBe(0);
  });

  test('says what to do where the length of the input is not known', () => {
    const { errors, out } = command(['dedup', '--max-capacity', '100'], numbered(1000));
    expect(errors).toMatch(
      /^cuckoofilter-wasm: the filter is full, with \d+ keys\. The output is complete up to line \d+ of the input\. Nothing was saved\. Run again without --max-capacity, or with the largest number of different lines to expect\n$/,
    );
    expect(linesIn(out)).toBe(numberIn(errors, /with (\d+) keys/));
    const build = ['build', '--max-capacity', '100', '--save', at('unsaved')];
    expect(command(build, numbered(1000)).errors).toMatch(
      /full, with \d+ keys\. Nothing was saved\. Run again /,
    );
    expect(readdirSync(folder)).not.toContain('unsaved');
  });

  test('and was loaded is left as it was, and says how to get one that grows', () => {
    writeFileSync(at('plain'), CuckooFilter.from(['a'], { capacity: 10 }).serialize());
    const before = readFileSync(at('plain'));
    const { code, errors } = command(['dedup', '-l', at('plain'), '-s', at('plain')], numbered(1000));
    expect(code).toBe(2);
    expect(errors).toContain(
      `Nothing was saved: ${at('plain')} is as it was. It was made for at most 10 keys. ` +
        `Build a new one from all lines so far, which grows: cuckoofilter-wasm build --save ${at('plain')} ...\n`,
    );
    expect(readFileSync(at('plain')).equals(before)).toBe(true);
  });

  test('and printed nothing, was loaded, or found no memory to grow, says so', () => {
    const reached = { done: 0, total: undefined, isPrinting: true };
    const full = CuckooFilter.from(['a'], { capacity: 1 });
    for (const [files, target] of [
      [{ load: 'a' }, 'FILE'],
      [{ load: 'a', save: 'b' }, 'b'],
    ] as const)
      expect(fullFailure(full, { files: [], ...files }, { ...reached, isPrinting: false }).message).toBe(
        'the filter in a is full, with 1 key. Nothing was saved. It was made for at most 1 key. ' +
          `Build a new one from all lines so far, which grows: cuckoofilter-wasm build --save ${target} ...`,
      );
    expect(fullFailure(full, { files: [] }, reached).message).toBe(
      'the filter is full, with 1 key. No line was printed. Nothing was saved. ' +
        'Run again with --max-capacity N, where N is the largest number of different lines to expect',
    );
    const growing = CuckooFilter.from(['a', 'b'], { capacity: 1000, maxCapacity: 1e9 });
    expect(fullFailure(growing, { files: [] }, { ...reached, done: 1234 }).message).toBe(
      'the filter is full, with 2 keys. The output is complete up to line 1,234 of the input. Nothing was saved. ' +
        'There is not enough memory for it to grow beyond 7.7 kB. Split the input, or make a new filter with a higher --rate',
    );
  });

  test('is found out at the same line whether lines come in one batch or in many', () => {
    const lines = numbered(100_000).split('\n');
    const all = lines.flatMap((line, i) => [line, lines[i >> 1] ?? '']).join('\n');
    const { out, errors } = command(['dedup', '-m', '50000', '-r', '1e-8', file('twice', all)]);
    const done = all.split('\n').slice(0, numberIn(errors, /up to line ([\d,]+)/));
    expect(out.toString()).toBe([...new Set(done)].map((line) => `${line}\n`).join(''));
  });
});
