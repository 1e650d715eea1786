// The command as a program: its commands, exit codes, messages, files, and manners in a pipe and on a terminal.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CuckooFilter, type CuckooFilterOptions } from 'cuckoofilter-wasm';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { progressText } from '../../js/cli/progress';
import { COMMAND, command, inShell, printed } from './command';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-command-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const at = (name: string): string => join(folder, name);

function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(at(name), bytes);
  return at(name);
}

function numbered(count: number, first = 0): string {
  return Array.from({ length: count }, (_, i) => `line ${first + i}\n`).join('');
}

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
    expect([filter.size, filter.capacity, filter.has('a'), filter.has('b')]).toEqual([2, 10, true, true]);
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
      /^load +0\.0/m,
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
    [['-k2'], 'ann\n', '', 1],
    [['-k2', '-v'], 'ann\n', 'ann\n', 0],
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

  test('of filters that differ, or do not fit into one, says which and saves nothing', () => {
    const files = shards();
    const other = build('other-capacity', 0, 900);
    const { code, out, errors } = command(['merge', '-o', at('none'), ...files, other]);
    expect([code, out.length]).toEqual([2, 0]);
    expect(errors).toMatch(
      /^cuckoofilter-wasm: .*other-capacity: cannot merge: capacity is 700 in .*shard-0, 900 in this file\. Build all with the same --capacity, the number of keys of all together, and the same --rate\n$/,
    );
    const small = [0, 300].map((first) => build(`small-${first}`, first, 310));
    expect(command(['merge', '-o', at('none'), ...small]).errors).toMatch(
      /small-300: cannot merge: no room, with 300 keys in a filter for 310\. Build all with .*\n$/,
    );
    expect(readdirSync(folder)).not.toContain('none');
  });

  test.each<[Partial<CuckooFilterOptions>, RegExp]>([
    [{ bucketSize: 5 }, /: final bucket count is \d+ in .*one, \d+ in this file\. Build all/],
    [{ maxCapacity: 9000 }, /: largest capacity is 3000 in .*one, 9000 in this file\. Build all/],
  ])('names in words what differs in a filter with %j', (more, message) => {
    const options = { capacity: 100, maxCapacity: 3000, bucketSize: 4, fingerprintBits: 12, semiSort: false };
    const [one, other] = [options, { ...options, ...more }].map((each) => new CuckooFilter(each).serialize());
    const files = [file('one', one as Uint8Array), file('other', other as Uint8Array)];
    expect(command(['merge', '-o', at('none'), ...files]).errors).toMatch(message);
  });

  test('does not write a filter to a terminal', () => {
    const { code, errors } = command(['merge', ...shards()], '', 'process.stdout.isTTY = true');
    expect([code, errors]).toEqual([2, expect.stringMatching(/merge needs --output/)]);
  });
});

describe('what is wrong is said in one line, with exit code 2', () => {
  test.each<[readonly string[], RegExp]>([
    [[], /no command given; run cuckoofilter-wasm --help/],
    [['dedupe'], /unknown command "dedupe"/],
    [['dedup', '--size', '3'], /unknown option --size; did you mean --capacity\?/],
    [['dedup', '--capcity', '3'], /unknown option --capcity; did you mean --capacity\?/],
    [['dedup', '--frobnicate'], /unknown option --frobnicate; run cuckoofilter-wasm --help/],
    [['query', '--save', 'x'], /unknown option --save;/],
    [['dedup', '--capacity', 'many'], /--capacity must be a number, got "many"/],
    [['dedup', '--capacity', '-5'], /--capacity needs a value; if the value begins with -/],
    [['dedup', '--capacity', '0'], /: --capacity must be an integer from 1 to 2\^34, got 0/],
    [['dedup', '--capacity', '1.5'], /: --capacity must be an integer/],
    [['dedup', '--rate', '1.5'], /: --rate must be > 0 and < 1, got 1.5/],
    [
      ['dedup', '--key', '0'],
      /--key must be a field number \(1, 2, \.\.\.\) or a \/regular expression\/, got "0"/,
    ],
    [['dedup', '--key', '/(/'], /--key: Invalid regular expression/],
    [['dedup', '--delimiter', ','], /--delimiter needs --key with a field number/],
    [['dedup', '-k1', '--delimiter', 'ab'], /--delimiter must be one byte, got "ab"/],
    [['dedup', '--load', 'x', '--rate', '0.1'], /leave out --capacity and --rate with --load/],
    [['dedup', '/nowhere/lines'], /\/nowhere\/lines: no such file or directory/],
    [['dedup', '--capacity', '5', '/nowhere/lines'], /\/nowhere\/lines: no such file or directory/],
    [['dedup', '/'], /\/: is a directory/],
    [['dedup', '--load', '/nowhere/filter'], /\/nowhere\/filter: no such file or directory/],
    [['dedup', '--load', COMMAND], /cli\.js: cannot load these \d+ bytes: not a saved filter/],
    [['dedup', '--save', '/nowhere/filter', COMMAND], /\/nowhere\/filter: no such file or directory/],
    [['build'], /build needs --save FILE, the file to write the filter to\n/],
    [['query'], /query needs --load/],
    [['info'], /info needs files/],
    [['merge'], /merge needs files/],
    [['merge', '/nowhere/filter'], /\/nowhere\/filter: no such file or directory/],
    [['merge', COMMAND], /cli\.js: cannot load these \d+ bytes: not a saved filter/],
    [['merge', '--output', '/nowhere/filter', COMMAND], /\/nowhere\/filter: no such file or directory/],
    [['merge', '--capacity', '5', COMMAND], /unknown option --capacity;/],
  ])('%j', (parameters, message) => {
    const { code, out, errors } = command(parameters);
    expect(errors).toMatch(message);
    expect(errors).toMatch(/^cuckoofilter-wasm: [^\n]*\n$/);
    expect([code, out.toString()]).toEqual([2, '']);
  });

  test('nothing is printed where one of several files is not there', () => {
    const { code, out } = command(['dedup', '-c9', file('there', 'a\n'), at('not-there')]);
    expect([code, out.length]).toEqual([2, 0]);
  });
});

describe('a filter that gets full', () => {
  test('ends the run with what was done and the capacity to give, which is then enough', () => {
    const lines = file('many', numbered(100_000));
    const { code, out, errors } = command(['dedup', '--capacity', '60000', lines]);
    expect(code).toBe(2);
    const [, done = '', capacity = ''] =
      /is full, with 6\d,\d+ keys\. .* up to line ([\d,]+) of the input; .*--capacity (\d+)\n$/.exec(
        errors,
      ) ?? [];
    // Every line up to there was printed or dropped, and each that the filter had room for was printed.
    const [, kept = ''] = /with ([\d,]+) keys/.exec(errors) ?? [];
    const printedLines = out.toString().split('\n').length - 1;
    expect(printedLines).toBe(Number(kept.replaceAll(',', '')));
    expect(Number(done.replaceAll(',', '')) - printedLines).toBeLessThan(100);
    expect(out.toString()).toContain(`\nline ${printedLines - 1}\n`);
    expect(command(['dedup', '--capacity', capacity, lines]).code).toBe(0);
  });

  test('asks for the number of lines where the size of the input is not known', () => {
    const { errors, out } = command(['dedup', '--capacity', '100'], numbered(1000));
    expect(errors).toMatch(
      /^cuckoofilter-wasm: the filter is full, with (\d+) keys\. The output is complete up to line \d+ of the input; nothing is saved\. Start again with a new filter: --capacity N, where N is the number of different lines to expect\n$/,
    );
    expect(out.toString().split('\n').length - 1).toBe(Number(/with (\d+) keys/.exec(errors)?.[1]));
    const build = ['build', '--capacity', '100', '--save', at('full')];
    expect(command(build, numbered(1000)).errors).toMatch(
      /full, with \d+ keys\. Nothing is saved\. Start again /,
    );
  });

  test('is found out at the same line whether lines come in one batch or in many', () => {
    const lines = numbered(100_000).split('\n');
    const all = lines.flatMap((line, i) => [line, lines[i >> 1] ?? '']).join('\n');
    const { out, errors } = command(['dedup', '-c', '50000', '-r', '1e-8', file('twice', all)]);
    const [, last = ''] = /up to line ([\d,]+)/.exec(errors) ?? [];
    const done = all.split('\n').slice(0, Number(last.replaceAll(',', '')));
    expect(out.toString()).toBe([...new Set(done)].map((line) => `${line}\n`).join(''));
  });

  test('that others made is refused in words of the command line', () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16) } as const;
    writeFileSync(at('keyed'), CuckooFilter.from(['a'], { hash }).serialize());
    writeFileSync(at('layers'), ScalableCuckooFilter.from(['a']).serialize());
    expect(command(['info', at('keyed')]).errors).toMatch(
      /keyed: the filter has a secret key, which the command does not know\n$/,
    );
    expect(command(['info', at('layers')]).errors).toMatch(
      /layers: .*: a saved ScalableCuckooFilter, which the command does not read\n$/,
    );
  });

  test('grows instead where it was made to, as it is where the size of the input is not known', () => {
    writeFileSync(at('growing'), new CuckooFilter({ capacity: 50, maxCapacity: 100_000 }).serialize());
    const lines = numbered(60_000);
    const { code, out } = command(['dedup', '--load', at('growing'), '--save', at('growing')], lines + lines);
    expect(code).toBe(0);
    const kept = out.toString().split('\n').length - 1;
    expect(kept).toBeGreaterThan(60_000 * 0.999);
    expect(kept).toBeLessThanOrEqual(60_000);
    expect(printed(['info', at('growing')])).toMatch(/^largest capacity +100000$/m);
    expect(CuckooFilter.deserialize(readFileSync(at('growing'))).capacity).toBeGreaterThan(50_000);
  });

  test('is not saved', () => {
    command(['dedup', '--capacity', '100', '--save', at('unsaved')], numbered(1000));
    expect(readdirSync(folder)).not.toContain('unsaved');
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('output that cannot be written is an error', () => {
  const words = `"$0" "$1" dedup -c 9 "$2" > /dev/full`;
  const { status, stderr } = inShell(words, file('few', 'a\n'));
  expect(stderr.toString()).toMatch(/^cuckoofilter-wasm: standard output: .*no space left[^\n]*\n$/i);
  expect(status).toBe(2);
});

test('the capacity of few but very long lines is enough for them', () => {
  const lines = file(
    'long-lines',
    Array.from({ length: 60 }, (_, i) => `${i}${'-'.repeat(100_000)}\n`).join(''),
  );
  expect(printed(['dedup', lines])).toHaveLength(readFileSync(lines).length);
});

test('the capacity comes from the size of a file that is standard input, too', () => {
  const words = `"$0" "$1" build --save "$3" < "$2"`;
  const path = file('redirected', numbered(1000));
  expect(inShell(words, path, at('from-input')).status).toBe(0);
  const filter = CuckooFilter.deserialize(readFileSync(at('from-input')));
  expect(filter.size).toBeGreaterThan(990);
  expect(filter.capacity).toBeLessThan(1100);
});

test('the capacity comes from the size of files, is enough, and not much more', () => {
  const short = Array.from({ length: 30_000 }, (_, i) => `${i}\n`).join('');
  const long = Array.from({ length: 3000 }, (_, i) => `${i}${'-'.repeat(i % 900)}\n`).join('');
  const files = [file('short', short), file('long', long)];
  printed(['build', '--save', at('estimated'), ...files]);
  const { capacity } = CuckooFilter.deserialize(readFileSync(at('estimated')));
  expect(capacity).toBeGreaterThanOrEqual(33_000);
  expect(capacity).toBeLessThan(45_000);
  printed(['build', '--save', at('default'), ...files, file('zipped', gzipSync('a\n'))]);
  const unknown = CuckooFilter.deserialize(readFileSync(at('default')));
  expect([unknown.capacity, unknown.maxCapacity]).toEqual([10_000_000, 640_000_000]);
});

describe('manners', () => {
  test('a reader that goes away ends it quietly', () => {
    const words = `"$0" "$1" dedup -c 3000000 "$2" | head -n 1; echo done`;
    const { stdout, stderr } = inShell(words, file('long', numbered(2_000_000)));
    expect([stdout.toString(), stderr.toString()]).toEqual(['line 0\ndone\n', '']);
  });

  test('progress is shown on a terminal, and its line is cleared at the end', () => {
    const terminal = 'process.stderr.isTTY = true';
    const { errors } = command(['dedup', file('shown', numbered(100_000))], '', terminal);
    // eslint-disable-next-line no-control-regex -- what clears a terminal's line
    expect(errors).toMatch(/^\r\x1b\[K[\d,]+ lines, [\d,]+ a second, \d+ %, \d+ s left.*\r\x1b\[K$/s);
    expect(command(['dedup', at('shown')], '', `${terminal}; process.stdout.isTTY = true`).errors).toBe('');
  });

  test('progress tells lines, rate, and time left where it can', () => {
    expect(progressText(1_200_000, 0.25, 0.3)).toBe('1,200,000 lines, 4,000,000 a second, 25 %, 1 s left');
    expect(progressText(500, undefined, 2)).toBe('500 lines, 250 a second');
  });

  onLinux('memory does not grow with the input', () => {
    // Not maxRSS, which counts the parent's memory before the program was started in its place.
    const peak = `import { readFileSync } from 'node:fs';
      process.on('exit', () => process.stderr.write(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1]));`;
    const peakOf = (lines: number): number =>
      Number(command(['dedup', '-c', '1000'], 'a line\n'.repeat(lines), peak).errors);
    expect(peakOf(15_000_000) - peakOf(1_000_000)).toBeLessThan(20_000);
  });

  test('--help lists the commands, --version is that of the package', () => {
    const text = printed(['--help']);
    for (const name of ['dedup', 'build', 'query', 'merge', 'info']) expect(text).toContain(`\n  ${name} `);
    expect(printed(['dedup', '--help'])).toBe(text);
    const manifest = JSON.parse(readFileSync(join(__dirname, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(printed(['--version'])).toBe(`${manifest.version}\n`);
  });

  test('a pipe or a device is written to, not replaced', () => {
    symlinkSync('/dev/null', at('null'));
    expect(printed(['dedup', '-c9', '--save', at('null')], 'a\n')).toBe('a\n');
    expect(readFileSync('/dev/null')).toHaveLength(0);
  });
});
