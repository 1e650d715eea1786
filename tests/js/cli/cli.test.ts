// The command as a program: its commands, exit codes, messages, files, and manners in a pipe and on a terminal.
import { beforeAll, describe, expect, test } from '@jest/globals';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { COMMAND, command, inShell, printed } from '../support/command';
import { MANIFEST, type Ruled } from '../support/reference/suite';
import { bytesOf } from '../support/reference/written';
import { at, file, folder, numbered } from '../support/scratch';

describe('a filter saved by one run', () => {
  test('is used by the next, which drops what the first has seen', () => {
    const own = mkdtempSync(at('own-'));
    const seen = join(own, 'seen');
    expect(printed(['dedup', '--rate', '1e-6', '--capacity', '100', '--save', seen], 'a\nb\na\n')).toBe(
      'a\nb\n',
    );
    expect(printed(['dedup', '--load', seen, '--save', seen], 'b\nc\n')).toBe('c\n');
    expect(printed(['dedup', '-l', seen], 'a\nb\nc\nd\n')).toBe('d\n');
    expect(readdirSync(own)).toEqual(['seen']);
  });

  test('is the filter of the library, in both directions', () => {
    printed(['build', '--save', at('built'), '-c', '10', '-r', '0.01'], 'a\nb\nb\n');
    const filter = CuckooFilter.deserialize(readFileSync(at('built')));
    expect([filter.size, filter.has('a'), filter.has('b')]).toEqual([2, true, true]);
    writeFileSync(at('saved'), CuckooFilter.from(['x', 'y']).serialize());
    expect(printed(['query', '--load', at('saved')], 'w\nx\ny\nz\n')).toBe('x\ny\n');
  });

  test('is described by info', () => {
    writeFileSync(at('described'), CuckooFilter.from(['x', 'y'], { capacity: 100, seed: 7 }).serialize());
    const text = printed(['info', at('described')]);
    for (const line of [
      /^keys +2$/m,
      /^capacity +100$/m,
      /^seed +7$/m,
      /^addressing +reflect$/m,
      /^load factor +0\.0/m,
    ])
      expect(text).toMatch(line);
  });
});

describe('query', () => {
  beforeAll(
    () => void printed(['build', '-s', at('names'), '-c', '1000', '-r', '1e-7', '-k1'], 'ann\t1\nbob\t2\n'),
  );

  test.each([
    [['-k1'], 'bob\tx\neve\ty\n', 'bob\tx\n', 0],
    [['-k1', '--invert'], 'bob\tx\neve\ty\n', 'eve\ty\n', 0],
    [[], 'eve\nbobby\n', '', 1],
    [['-v'], 'ann\nbob\n', '', 1],
    [['-k2'], 'ann\nx\ty\n', '', 1],
    [['-k2', '-v'], 'ann\nx\ty\n', 'ann\nx\ty\n', 0],
    [[], '', '', 1],
  ])('with %j prints its lines, and its exit code is that of grep', (flags, input, output, code) => {
    const ran = command(['query', '-l', at('names'), ...flags], input);
    expect([ran.out.toString(), ran.errors, ran.code]).toEqual([output, '', code]);
  });
});

describe('merge', () => {
  const build = (name: string, first: number, capacity: number): string => {
    printed(['build', '-s', at(name), '-c', `${capacity}`, '-r', '1e-6'], numbered(300, first));
    return at(name);
  };
  const shards = (): string[] => [0, 200, 400].map((first) => build(`shard-${first}`, first, 700));

  test('makes one filter of shards that saw some of the same keys, in a file or on standard output', () => {
    const files = shards();
    expect(printed(['merge', '--output', at('union'), ...files])).toBe('');
    expect(command(['merge', ...files]).out).toEqual(readFileSync(at('union')));
    expect(printed(['query', '--load', at('union')], numbered(1000))).toBe(numbered(700));
    expect(CuckooFilter.deserialize(readFileSync(at('union'))).size).toBe(700);
    printed(['merge', '-o', files[0] as string, ...files]);
    expect(readFileSync(files[0] as string)).toEqual(readFileSync(at('union')));
    expect(command(['merge', at('union')]).out).toEqual(readFileSync(at('union')));
  });

  test.each<readonly [string, readonly string[], RegExp, most?: string]>([
    [
      'grow to another size',
      ['-m', '900'],
      /other: cannot merge with .*one: this filter has room for at most 900 keys, the other for 300\. Build both with the same --max-capacity and --rate, or with neither\n$/,
    ],
    [
      'have another rate',
      ['-m', '300', '-r', '0.1'],
      /other: cannot merge with .*one: they were made with different --rate or --capacity values\. Build both with the same /,
    ],
    [
      'do not fit into one',
      ['-m', '300'],
      /other: cannot merge with .*one: no room, with 300 keys in a filter for 300\. Build both with a larger --max-capacity, or without it\n$/,
    ],
    [
      'have another rate and still grow',
      ['-m', '9000', '-r', '0.1'],
      /other: cannot merge with .*one: they were made with different --rate values\. Build both with the same --rate\n$/,
      '9000',
    ],
  ])('of filters that %s says so and saves nothing', (_, flags, message, most = '300') => {
    printed(['build', '-s', at('one'), '-m', most, '-r', '0.001'], numbered(300));
    printed(['build', '-s', at('other'), ...flags], numbered(300, 300));
    const { code, out, errors } = command(['merge', '-o', at('none'), at('one'), at('other')]);
    expect([code, out.length, errors]).toEqual([2, 0, expect.stringMatching(message)]);
    expect(readdirSync(folder)).not.toContain('none');
  });

  test('of filters whose seeds differ says so', () => {
    for (const seed of [1, 2])
      writeFileSync(at(`seed-${seed}`), CuckooFilter.from(['a'], { capacity: 9, seed }).serialize());
    expect(command(['merge', '-o', at('none'), at('seed-1'), at('seed-2')]).errors).toMatch(
      /seed-2: cannot merge with .*seed-1: their hashes have different seeds, 2 and 1, so a program must have set them\. Build both with the same seed, or with this command\n$/,
    );
  });
});

describe('what is wrong is said in one line, with exit code 2', () => {
  test.each<[readonly string[], RegExp]>([
    [['dedupe'], /unknown command "dedupe"; did you mean dedup\?/],
    [['frobnicate'], /unknown command "frobnicate"; run cuckoofilter-wasm --help for the list/],
    [['help', 'frobnicate'], /unknown command "frobnicate"/],
    [['dedup', '--size', '3'], /unknown option --size; did you mean --capacity\?/],
    [['dedup', '--capcity', '3'], /unknown option --capcity; did you mean --capacity\?/],
    [['dedup', '--frobnicate'], /unknown option --frobnicate; run cuckoofilter-wasm help dedup for the list/],
    [['query', '--save', 'x'], /query does not take --save; run cuckoofilter-wasm help query for the list/],
    [['dedup', '--capacity', 'many'], /--capacity must be a number such as 1000000 or 1e6, got "many"/],
    [['dedup', '--capacity', '-5'], /--capacity must be a whole number from 1 to .*, got -5/],
    [['dedup', '--capacity', '--quiet'], /--capacity needs a value; if the value begins with -/],
    [['dedup', '--capacity', '0'], /: --capacity must be a whole number from 1 to 17,179,869,184, got 0\n/],
    [['dedup', '--capacity', '1.5'], /: --capacity must be a whole number from 1 to [\d,]+, got 1\.5\n/],
    [['dedup', '--rate', '1.5'], /: --rate must be .+, got 1\.5\n/],
    [['dedup', '--rate', '1e-12'], /: --rate 1e-12 is too low\. Use 1e-9 or more\n/],
    [['dedup', '--rate', '0,001'], /: --rate must be a number such as 0\.001, got "0,001"\n/],
    [['dedup', '-k', '1', '--key=2'], /: --key is given twice: leave one out\n/],
    [
      ['info', '/dev/null'],
      /\/dev\/null: the file is empty, so no filter was saved in it\. Delete it, or build it again\n/,
    ],
    [['plan', '-c9', '-m8'], /--capacity must be at most --max-capacity, got 9 and 8\n/],
    [['plan', 'file'], /plan takes no files; for a saved filter, run cuckoofilter-wasm info\n/],
    [
      ['dedup', '--key', '0'],
      /--key must be a field number \(1, 2, \.\.\.\) or a \/regular expression\/, got "0"/,
    ],
    [['dedup', '--key', '/(/'], /--key "\/\(\/" is not a valid regular expression: Unterminated group\n/],
    [['dedup', '--delimiter', ','], /--delimiter needs --key with a field number/],
    [['dedup', '-k1', '--delimiter', 'ab'], /--delimiter must be one byte, got "ab"; the default is a tab/],
    [
      ['dedup', '--load', 'x', '--rate', '0.1'],
      /leave out --rate: the filter in x keeps the size and rate it was made with\n/,
    ],
    [['dedup', '/nowhere/lines'], /\/nowhere\/lines: no such file or directory/],
    [['dedup', '--capacity', '5', '/nowhere/lines'], /\/nowhere\/lines: no such file or directory/],
    [['dedup', '/'], /\/: this is a directory: name the files in it/],
    [
      ['dedup', '--load', COMMAND],
      /cli\.js: not a filter saved by build or dedup; it begins with "#!\/usr\/bi"\n/,
    ],
    [['dedup', '--save', '/nowhere/filter', COMMAND], /filter: there is no folder \/nowhere\. Make it first/],
    [['info'], /info needs the names of filters saved by build or dedup\n/],
    [['merge'], /merge needs the names of filters saved by build or dedup\n/],
    [['merge', '/nowhere/filter'], /\/nowhere\/filter: no such file or directory/],
    [['merge', COMMAND], /cli\.js: not a filter saved by build or dedup; it begins with "#!\/usr\/bi"\n/],
    [
      ['merge', '--output', '/nowhere/filter', COMMAND],
      /filter: there is no folder \/nowhere\. Make it first/,
    ],
    [['merge', '--capacity', '5', COMMAND], /merge does not take --capacity;/],
  ])('%j', (parameters, message) => {
    const { code, out, errors } = command(parameters);
    expect(errors).toMatch(message);
    expect(errors).toMatch(/^cuckoofilter-wasm: [^\n]*\n$/);
    expect([code, out.toString()]).toEqual([2, '']);
  });

  test('a saved filter that was damaged is told so, and what to do', () => {
    printed(['build', '-s', at('whole')], 'a\n');
    const saved = readFileSync(at('whole'));
    const flipped = (at: number): Buffer =>
      Buffer.from(saved.map((byte, i) => (i === at ? byte ^ 255 : byte)));
    for (const [bytes, problem, rule, offset] of [
      [
        saved.subarray(0, 287),
        'the file is cut short, or goes on after the end of the filter. Copy or build it again',
        '2.1',
        287,
      ],
      [flipped(100), 'the file is damaged. Build it again', '2.3', saved.length - 8],
      [flipped(13), 'the file is damaged. Build it again', '3.7', 13],
      [flipped(8), 'newer format. Update cuckoofilter-wasm', '3.2', 8],
    ] as const) {
      const name = file('damaged', '');
      writeFileSync(name, bytes);
      const told = `cuckoofilter-wasm: ${name}: ${problem}`;
      expect(command(['query', '-l', name]).errors).toBe(`${told}\n`);
      expect(command(['info', name]).errors).toBe(
        `${told} (rule ${rule} of docs/inside/format.md, byte ${offset})\n`,
      );
    }
  });

  test('info names the rule of the format that each file of the suite breaks', () => {
    const isOfSets = ({ needs = [], limit, cut }: Ruled): boolean =>
      limit === undefined &&
      cut !== 0 &&
      !needs.some((need) => /values|counters|periods|scalable|keyed/.test(need));
    const told = MANIFEST.rules.filter(isOfSets).map((made) => {
      const { code, errors } = command(['info', file('ruled', bytesOf(made))]);
      const [, rules = 'none'] = /\(rule ([\d. or]+) of docs/.exec(errors) ?? [];
      return [made.about, code === 0 ? 'kept' : rules.split(' or ').includes(made.rule) ? made.rule : rules];
    });
    expect(told).toEqual(
      MANIFEST.rules
        .filter(isOfSets)
        .map(({ about, rule, code }) => [about, code === 'none' ? 'kept' : rule]),
    );
  });

  test('nothing is printed where one of several files is not there', () => {
    const { code, out } = command(['dedup', '-c9', file('there', 'a\n'), at('not-there')]);
    expect([code, out.length]).toEqual([2, 0]);
  });
});

describe('a filter', () => {
  test('that others made is refused in words of the command line', () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;
    writeFileSync(at('keyed'), CuckooFilter.from(['a'], { hash }).serialize());
    writeFileSync(at('layers'), ScalableCuckooFilter.from(['a']).serialize());
    expect(command(['info', at('keyed')]).errors).toMatch(
      /keyed: the filter has a secret key, and this command cannot take one\n$/,
    );
    expect(command(['info', at('layers')]).errors).toMatch(
      /layers: this is a saved ScalableCuckooFilter, which this command cannot read\n$/,
    );
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('output that cannot be written is an error', () => {
  const words = `"$0" "$1" dedup -c 9 "$2" > /dev/full`;
  const { status, stderr } = inShell(words, file('few', 'a\n'));
  expect(stderr.toString()).toMatch(/^cuckoofilter-wasm: standard output: .*no space left[^\n]*\n$/i);
  expect(status).toBe(2);
});

// Node opens /dev/null in place of what is closed, so that neither reading nor writing fails.
describe('a closed stream', () => {
  const onUnix = process.platform === 'win32' ? test.skip : test;

  onUnix.each([
    ['dedup "$2" >&-', 2],
    ['dedup "$2" --load "$3" --save "$3" >&-', 2],
    ['merge "$3" >&-', 2],
    ['info "$3" >&-', 2],
    ['plan >&-', 2],
    ['dedup <&-', 2],
    ['build --save "$3" <&-', 2],
    ['query --load "$3" - <&- 2>&-', 2],
    ['dedup no-file 2>&-', 2],
    // These runs do not need the stream that is closed.
    ['dedup "$2" <&- 2>&- > /dev/null', 0],
    ['dedup < /dev/null', 0],
    ['build --save "$4" "$2" <&- >&-', 0],
    ['query --load "$3" "$2" >&-', 0],
    ['merge --output "$4" "$3" >&-', 0],
  ])('%s ends with exit code %d', (words, code) => {
    writeFileSync(at('open-filter'), CuckooFilter.from(['a'], { capacity: 10 }).serialize());
    const before = readFileSync(at('open-filter'));
    const places = [file('open-input', 'a\nb\n'), at('open-filter'), at('open-other')];
    expect(inShell(`"$0" "$1" ${words}`, ...places).status).toBe(code);
    expect(readFileSync(at('open-filter'))).toEqual(before);
    expect(existsSync(at('open-filter.lock'))).toBe(false);
  });
});

test('the capacity of few but very long lines is enough for them', () => {
  const lines = file(
    'long-lines',
    Array.from({ length: 60 }, (_, i) => `${i}${'-'.repeat(100_000)}\n`).join(''),
  );
  expect(printed(['dedup', lines])).toHaveLength(readFileSync(lines).length);
});

describe('manners', () => {
  test('a reader that goes away ends it quietly', () => {
    const words = `"$0" "$1" dedup -c 300000 "$2" | head -n 1; echo done`;
    const { stdout, stderr } = inShell(words, file('long', numbered(300_000)));
    expect([stdout.toString(), stderr.toString()]).toEqual(['line 0\ndone\n', '']);
  });

  test('progress is shown on a terminal, and its line is cleared at the end', () => {
    const terminal = 'process.stderr.isTTY = true';
    const { errors } = command(['dedup', file('shown', numbered(100_000))], '', terminal);
    const [before, shown, ...others] = errors.split('\r\x1b[K');
    expect(before).toBe('');
    expect(shown).toMatch(/^[\d,]+ lines, ([\d,]+ a second, )?\d+ %(, \d+ s left)?$/);
    expect(others.at(-1)).toMatch(/^cuckoofilter-wasm dedup: /);
    const both = `${terminal}; process.stdout.isTTY = true`;
    expect(command(['dedup', at('shown')], '', both).errors).toMatch(/^cuckoofilter-wasm dedup: /);
    expect(command(['dedup', '-q', at('shown')], '', terminal).errors).toBe('');
  });

  onLinux('memory does not grow with the input', () => {
    // Not maxRSS, which counts the parent's memory before the program was started in its place.
    const peak = `import { readFileSync } from 'node:fs';
      process.on('exit', () => process.stderr.write(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));`;
    const peakOf = (lines: number): number =>
      Number(command(['dedup', '-c', '1000'], 'a line\n'.repeat(lines), peak).errors);
    expect(peakOf(6_000_000) - peakOf(1_000_000)).toBeLessThan(20_000);
  });

  test('--help lists the commands, on standard error with exit code 2 if there are no arguments', () => {
    const text = printed(['--help']);
    for (const name of ['dedup', 'build', 'query', 'merge', 'info', 'plan'])
      expect(text).toContain(`\n  ${name} `);
    expect(printed(['help'])).toBe(text);
    const { code, out, errors } = command([]);
    expect([code, out.toString(), errors]).toEqual([2, '', text]);
    expect(printed(['dedup', '--help'])).toBe(printed(['help', 'dedup']));
  });

  test('--version is that of the package', () => {
    const manifest = JSON.parse(readFileSync(join(__dirname, '../../../package.json'), 'utf8')) as {
      version: string;
    };
    for (const flag of ['--version', '-V']) expect(printed([flag])).toBe(`${manifest.version}\n`);
  });

  test('a pipe is written to, not replaced', () => {
    symlinkSync('/dev/fd/1', at('pipe'));
    const words = `echo a | "$0" "$1" build --save "$2" | "$0" "$1" info --json /dev/stdin`;
    const { stdout, stderr } = inShell(words, at('pipe'));
    expect(stderr.toString()).toBe('');
    expect(JSON.parse(stdout.toString())).toMatchObject({ keys: 1 });
    expect(lstatSync(at('pipe')).isSymbolicLink()).toBe(true);
  });
});
