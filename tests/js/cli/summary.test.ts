// What the command tells after a run, of filters, and of plans: for people, and as JSON.
import { describe, expect, test } from '@jest/globals';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
import { about, count, counted, sized } from '../../../js/cli/words/figures';
import { command, printed } from '../support/command';
import { at, numbered } from '../support/scratch';

const END = String.raw`; [\d.]+ [MG]B used by the process, \d+\.\d s\n$`;

describe('numbers', () => {
  test('have commas, units and nouns', () => {
    expect([0, 999.4, 999.5, 1e6].map(count)).toEqual(['0', '999', '1,000', '1,000,000']);
    expect([0, 1, 2, 1000].map((value) => counted(value, 'key'))).toEqual([
      '0 keys',
      '1 key',
      '2 keys',
      '1,000 keys',
    ]);
    expect([0, 1, 999, 1000, 7626, 10_000, 36_274_176, 1.5e9, 2e12].map(sized)).toEqual([
      '0 bytes',
      '1 bytes',
      '999 bytes',
      '1.0 kB',
      '7.6 kB',
      '10 kB',
      '36 MB',
      '1.5 GB',
      '2000 GB',
    ]);
    expect([0, 0.0099, 0.01, 0.5, 3.4, 10, 12.3, 12_345].map(about)).toEqual([
      'about 0',
      'about 0',
      'about 0.01',
      'about 0.5',
      'about 3',
      'about 10',
      'about 12',
      'about 12,345',
    ]);
  });
});

describe('a summary', () => {
  /** A filter of one line, built once. */
  let one: Uint8Array | undefined;
  const built = (): Uint8Array => {
    printed(['build', '-s', at('one')], 'a\n');
    return readFileSync(at('one'));
  };
  /** The commands that were also run on a terminal, and without --summary. */
  const isTold = new Set<string>();

  test.each<readonly [string, readonly string[], string, RegExp]>([
    [
      'dedup',
      [],
      'a\nb\na\n',
      /^cuckoofilter-wasm dedup: 3 lines read, 2 printed, 1 dropped, about 0 new ones taken for duplicates by mistake; 2 keys in a filter of [\d.]+ kB/,
    ],
    [
      'dedup',
      ['-k2', '--duplicates'],
      'a\t1\nb\nc\t1\n',
      /dedup: 3 lines read, 1 printed, 2 dropped, 1 without the key, about 0 /,
    ],
    ['dedup', ['--csv', '-k', 'b'], 'a,b\n1,x\n', /dedup: 1 row read, 1 printed, 0 dropped, about 0 /],
    [
      'dedup',
      ['--csv', '-k', 'b'],
      'a,b\n1,\n2,""\n3,x\n',
      /3 rows read, 2 printed, 1 dropped, 2 with an empty key, about 0 /,
    ],
    [
      'dedup',
      ['--csv', '-k', 'b', '--keep-empty'],
      'a,b\n1,\n2,""\n3,x\n',
      /3 rows read, 3 printed, 0 dropped, 2 without the key, about 0 /,
    ],
    ['dedup', ['-m', '100000', '-c', '100000'], numbered(90_000), /, about 38 new ones taken for/],
    [
      'query',
      ['-l', 'one'],
      'a\nb\n',
      /^cuckoofilter-wasm query: 2 lines read, 1 printed; 1 key in a filter of [\d.]+ kB/,
    ],
    [
      'build',
      ['-s', 'built'],
      'a\na\n',
      /^cuckoofilter-wasm build: 2 lines read, 1 key added, 1 repeat not added, about 0 new ones taken for duplicates by mistake; 1 key in .*, saved to .*built/,
    ],
    [
      'build',
      ['-l', 'one', '-s', 'built'],
      'a\nb\n',
      /build: 2 lines read, 1 key added, 1 repeat not added.*; 2 keys in/,
    ],
    ['build', ['-s', 'built'], 'a\nb\n', /build: 2 lines read, 2 keys added; 2 keys in/],
    [
      'merge',
      ['-o', 'merged', 'one', 'one'],
      '',
      /^cuckoofilter-wasm merge: 1 key in a filter of [\d.]+ kB, saved to .*merged/,
    ],
  ])('of %s %j', (name, flags, input, text) => {
    writeFileSync(at('one'), (one ??= built()));
    const words = flags.map((word) => (/^(one|built|merged)$/.test(word) ? at(word) : word));
    const { errors } = command([name, ...words, '--summary'], input);
    expect(errors).toMatch(text);
    const place = flags.some((word) => /^-[so]$/.test(word)) ? String.raw`, saved to \S+` : '';
    expect(errors).toMatch(new RegExp(String.raw`in a filter of [\d.]+ kB${place}${END}`));
    // A terminal gets it without being asked, anything else only then: whatever the flags are.
    if (isTold.has(name)) return;
    isTold.add(name);
    const terminal = command([name, ...words], input, 'process.stderr.isTTY = true').errors;
    expect(terminal).toMatch(text.source.startsWith('^') ? new RegExp(text.source.slice(1)) : text);
    expect(command([name, ...words], input).errors).toBe('');
    expect(
      command([name, ...words, '--summary', '--quiet'], input, 'process.stderr.isTTY = true').errors,
    ).toBe('');
  });

  test('counts the mistakes of its own run', () => {
    const flags = ['-m', '50000', '-c', '50000'];
    printed(['dedup', ...flags, '-s', at('days')], numbered(30_000));
    const mistakes = (file: string): number => {
      const filter = CuckooFilter.deserialize(readFileSync(file));
      const share = new Deduper(filter).droppedShare;
      return (filter.size * share) / (1 - share);
    };
    const before = mistakes(at('days'));
    const { errors } = command(
      ['dedup', '-l', at('days'), '-s', at('days'), '--json'],
      numbered(10_000, 40_000),
    );
    const { expectedDroppedByMistake } = JSON.parse(errors) as { expectedDroppedByMistake: number };
    expect(expectedDroppedByMistake).toBeCloseTo(mistakes(at('days')) - before, 9);
    expect(expectedDroppedByMistake).toBeGreaterThan(0.2 * before);
  });

  test('as JSON is one line, on standard output where nothing else is there', () => {
    const start = performance.now();
    const built = printed(['build', '-s', at('json'), '--json'], 'a\nb\na\n');
    const figures = JSON.parse(built) as Record<string, unknown>;
    expect(1000 * (figures['seconds'] as number)).toBeLessThan(performance.now() - start);
    const filter = CuckooFilter.deserialize(readFileSync(at('json')));
    expect(figures).toEqual({
      command: 'build',
      lines: 3,
      withoutKey: 0,
      emptyKeys: 0,
      added: 2,
      repeated: 1,
      expectedDroppedByMistake: expect.closeTo(0, 5),
      keys: 2,
      filterBytes: filter.byteLength,
      maxCapacity: 1e9,
      falsePositiveRate: filter.expectedFalsePositiveRate,
      savedTo: at('json'),
      memoryBytes: expect.any(Number),
      seconds: expect.any(Number),
    });
    const dedup = command(['dedup', '--json'], 'a\na\n');
    expect(dedup.out.toString()).toBe('a\n');
    expect(JSON.parse(dedup.errors)).toMatchObject({ lines: 2, printed: 1, dropped: 1 });
    const query = command(['query', '-l', at('json'), '--json'], 'a\nx\n');
    expect([query.out.toString(), JSON.parse(query.errors)]).toEqual([
      'a\n',
      expect.objectContaining({ lines: 2, printed: 1, keys: 2 }),
    ]);
    const merged = command(['merge', '--json', at('json')]);
    expect(CuckooFilter.deserialize(merged.out).size).toBe(2);
    expect(JSON.parse(merged.errors)).toMatchObject({ command: 'merge', keys: 2 });
    expect(JSON.parse(printed(['merge', '--json', '-o', at('union'), at('json')]))).toMatchObject({
      keys: 2,
    });
  });
});

describe('info and plan', () => {
  test('info --json gives a line for each filter', () => {
    const filters = [CuckooFilter.from(['a'], { capacity: 9, seed: 7 }), new CuckooFilter({ capacity: 5 })];
    const files = filters.map((filter, i) => {
      writeFileSync(at(`info-${i}`), filter.serialize());
      return at(`info-${i}`);
    });
    const lines = printed(['info', '--json', ...files])
      .trimEnd()
      .split('\n');
    for (const [i, filter] of filters.entries()) {
      const { bucketCount, bucketSize, fingerprintBits, byteLength, capacity, maxCapacity } = filter;
      expect(JSON.parse(lines[i] ?? '')).toEqual({
        file: files[i],
        keys: filter.size,
        ...{ capacity, maxCapacity, byteLength, bucketCount, bucketSize, fingerprintBits },
        falsePositiveRate: filter.expectedFalsePositiveRate,
        loadFactor: filter.loadFactor,
        bitsPerKey: filter.size === 0 ? null : filter.bitsPerKey,
        addressing: 'reflect',
        seed: String(filter.seed),
      });
    }
    const empty = printed(['info', files[1] as string]);
    expect(empty).toMatch(/^bits per key +-$/m);
    expect(empty).toMatch(/^false positive rate +0$/m);
  });

  test('plan tells the sizes of a filter that build would make', () => {
    const flags = ['--capacity', '70000', '--max-capacity', '70000', '--rate', '0.01'];
    const plan = CuckooFilter.plan({ capacity: 70_000, falsePositiveRate: 0.01 });
    const { capacity, byteLength, maxCapacity, maxByteLength, bitsPerKey } = plan;
    const { expectedFalsePositiveRate: falsePositiveRate, bucketSize, fingerprintBits } = plan;
    expect(JSON.parse(printed(['plan', ...flags, '--json']))).toEqual({
      ...{ capacity, byteLength, maxCapacity, maxByteLength },
      ...{ bitsPerKey, falsePositiveRate, bucketSize, fingerprintBits },
    });
    const rows = printed(['plan', ...flags])
      .trimEnd()
      .split('\n');
    expect(rows.map((row) => row.split(/ {2,}/))).toEqual([
      ['capacity', '70000'],
      ['bytes of the table', String(byteLength)],
      ['largest capacity', '70000'],
      ['largest table, bytes', String(byteLength)],
      ['bits per key, full', bitsPerKey.toFixed(2)],
      ['rate when full', falsePositiveRate.toPrecision(3)],
      ['slots per bucket', String(bucketSize)],
      ['fingerprint bits', String(fingerprintBits)],
    ]);
    printed(['build', ...flags, '-s', at('planned')], 'a\n');
    expect(CuckooFilter.deserialize(readFileSync(at('planned'))).byteLength).toBe(byteLength);
  });
});

describe('if no line has the key, the command says so, and saves nothing', () => {
  const EMPTY = [
    [['--csv', '-k2'], '\n'],
    [['--csv', '-ka', '--keep-empty'], 'a\n""\n'],
    [['-k1', '--keep-empty'], '\tb\n'],
    [['-k/x*/', '--keep-empty'], 'a\n'],
    [['--keep-empty'], '\n\n'],
    [['--json-key', 'id', '--keep-empty'], '{"id":""}\n{"id":null}\n'],
  ] as const;

  test.each<readonly [readonly string[], string, string]>([
    [['-k3'], 'a b c\n', 'has field 3 (fields are separated by a tab). Check --key and --delimiter'],
    [['-k2', '-d,'], 'a\nb\n', 'has field 2 (fields are separated by ","). Check --key and --delimiter'],
    [['-k/x/'], 'a\n', 'matches /x/. Check --key'],
    [['--json-key', 'ids', '--keep-empty'], '{"id":1}\n', 'has a property "ids". Check --json-key'],
    ...EMPTY.map(([flags, input]) => [flags, input, 'has a key that is not empty. Check the input'] as const),
  ])('%j of %j', (flags, input, advice) => {
    const { code, out, errors } = command(['dedup', '--save', at('unsaved'), ...flags], input);
    expect([code, out.toString(), errors]).toEqual([2, input, `cuckoofilter-wasm: no line ${advice}\n`]);
    expect(existsSync(at('unsaved'))).toBe(false);
  });

  test.each<readonly [readonly string[], string]>([
    [['-k2'], 'a\nb\tc\n'],
    [['-k2'], ''],
    [['--csv', '-k2'], ''],
    [['--csv', '-ka', '--keep-empty'], 'a\n'],
    [['-k1', '--keep-empty'], '\tb\na\n'],
  ])('but not for %j of %j', (flags, input) => {
    expect(command(['dedup', ...flags], input).errors).toBe('');
  });
});
