// `dedup --output`: a file holds all lines or what it held before.
import { beforeEach, describe, expect, test } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { command, inShell, printed } from '../support/command';
import { at, file, folder, numbered } from '../support/scratch';

const INPUT = 'a\nb\na\n';
beforeEach(() => {
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
});

function left(): string[] {
  return readdirSync(folder).toSorted();
}

test('dedup --output writes the lines to a file, and nothing to standard output', () => {
  expect(printed(['dedup', '--output', at('out')], INPUT)).toBe('');
  expect([readFileSync(at('out'), 'utf8'), left()]).toEqual(['a\nb\n', ['out']]);
  expect(printed(['dedup', '-D', '-o', at('out')], INPUT)).toBe('');
  expect(readFileSync(at('out'), 'utf8')).toBe('a\n');
  expect(printed(['dedup', '-o', at('none')], '')).toBe('');
  expect(readFileSync(at('none'), 'utf8')).toBe('');
});

test('large output comes whole, with the byte order mark of the input', () => {
  const lines = numbered(200_000);
  printed(['dedup', '-o', at('out')], `\ufeff${lines}${lines}`);
  expect(readFileSync(at('out'), 'utf8') === `\ufeff${lines}`).toBe(true);
});

test('a file that is replaced keeps its permissions and its link', () => {
  writeFileSync(at('real'), 'old');
  chmodSync(at('real'), 0o640);
  symlinkSync('real', at('link'));
  printed(['dedup', '-o', at('link')], INPUT);
  expect([readFileSync(at('real'), 'utf8'), statSync(at('real')).mode & 0o777]).toEqual(['a\nb\n', 0o640]);
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
});

test('with --save, both are there at the end, and a second run goes on', () => {
  const words = ['dedup', '--load', at('seen'), '--save', at('seen'), '--create', '-q', '-o', at('out')];
  printed(words, INPUT);
  expect([readFileSync(at('out'), 'utf8'), left()]).toEqual(['a\nb\n', ['out', 'seen']]);
  printed(words, 'b\nc\n');
  expect([readFileSync(at('out'), 'utf8'), left()]).toEqual(['c\n', ['out', 'seen']]);
});

test('figures as JSON then go to standard output', () => {
  for (const more of [[], ['--save', at('seen')]]) {
    const figures = JSON.parse(printed(['dedup', '--json', '-o', at('out'), ...more], INPUT)) as object;
    expect(figures).toMatchObject({ command: 'dedup', lines: 3, printed: 2 });
    expect(figures).toEqual(
      more.length > 0
        ? expect.objectContaining({ savedTo: at('seen') })
        : expect.not.objectContaining({ savedTo: expect.anything() }),
    );
  }
});

describe('a run that fails leaves what the file held before, and nothing else', () => {
  const begun = (): void => {
    writeFileSync(at('out'), 'old\n');
    file('ids', INPUT);
  };

  test.each<[string, () => readonly string[], RegExp]>([
    ['for a key that no line has', () => ['--key', '2', at('ids')], /no line has field 2/],
    ['where a later file is missing', () => ['-c9', at('ids'), at('missing')], /missing: no such file/],
    [
      'for a full filter',
      () => ['-c1', '-m1', '-r', '0.5', file('many', numbered(100))],
      /is full, with \d+ keys?\. Nothing was saved\./,
    ],
    ['for a filter that is none', () => ['--load', at('ids'), at('ids')], /not a filter saved by/],
  ])('%s', (_, words, message) => {
    begun();
    const { code, out, errors } = command(['dedup', '-o', at('out'), ...words()]);
    expect([code, out.toString(), errors]).toEqual([2, '', expect.stringMatching(message)]);
    expect(readFileSync(at('out'), 'utf8')).toBe('old\n');
    expect(left().filter((name) => !/^(out|ids|many)$/.test(name))).toEqual([]);
  });

  test('where a disk is full, and then no filter is saved either', () => {
    begun();
    file('many', numbered(9000));
    const words = 'ulimit -f 16; exec "$0" "$1" dedup --save "$3" -o "$2" "$4"';
    const { status, stderr } = inShell(words, at('out'), at('seen'), at('many'));
    expect([status, stderr.toString()]).toEqual([
      2,
      `cuckoofilter-wasm: ${at('out')}: EFBIG: file too large, write\n`,
    ]);
    expect([readFileSync(at('out'), 'utf8'), left()]).toEqual(['old\n', ['ids', 'many', 'out']]);
  });

  test('where the filter has no room, the lines are not there either', () => {
    begun();
    const words = 'ulimit -f 8; exec "$0" "$1" dedup --capacity 1e6 --save "$3" -o "$2" "$4"';
    const { status, stderr } = inShell(words, at('out'), at('seen'), at('ids'));
    expect([status, stderr.toString()]).toEqual([2, expect.stringMatching(/seen: EFBIG/)]);
    expect([readFileSync(at('out'), 'utf8'), left()]).toEqual(['old\n', ['ids', 'out']]);
  });
});

describe('is refused before anything is read', () => {
  test.each<[string, () => readonly string[], string]>([
    ['for an input', () => [at('ids')], 'ids: the output would overwrite this file'],
    [
      'for an input by another name',
      () => [(linkSync(at('ids'), at('twin')), at('twin'))],
      'twin: the output would overwrite',
    ],
    ['for the filter', () => ['--load', at('ids')], 'ids: the output would overwrite this file'],
    [
      'for a filter that is to be made',
      () => ['--save', at('new')],
      'new: --save and --output name the same file',
    ],
  ])('%s', (name, words, message) => {
    file('ids', INPUT);
    const output = name.includes('to be made') ? `${folder}/./new` : at('ids');
    const { code, out, errors } = command(['dedup', '-o', output, ...words()], INPUT);
    expect([code, out.toString(), errors]).toEqual([2, '', expect.stringContaining(message)]);
    expect([readFileSync(at('ids'), 'utf8'), existsSync(at('new'))]).toEqual([INPUT, false]);
  });

  test('in a folder that is not there, and for a folder', () => {
    expect(command(['dedup', '-o', at('no/out')], INPUT).errors).toMatch(
      /no\/out: there is no folder .*\/no\. Make it first\n$/,
    );
    expect(command(['dedup', '-o', folder], INPUT).errors).toMatch(/this is a directory/);
  });
});

test('the output may be a pipe, and standard output closed', () => {
  const { stdout } = inShell('"$0" "$1" dedup -q -o /dev/stdout "$2" | cat', file('ids', INPUT));
  expect(stdout.toString()).toBe('a\nb\n');
  expect(inShell('"$0" "$1" dedup -q -o "$2" "$3" >&-', at('out'), at('ids')).status).toBe(0);
  expect(readFileSync(at('out'), 'utf8')).toBe('a\nb\n');
});
