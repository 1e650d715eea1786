// What others met with the files that a run writes: none is lost or spoiled, whatever the file is and however the run ends.
import { describe, expect, test } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, linkSync, readFileSync } from 'node:fs';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { loadFilter, SavedFile } from '../../js/cli/filters/filter-file';
import { COMMAND, command, importing, inShell, printed, TIME_LIMIT } from '../js/support/command';
import { IS_LONG } from '../js/support/long';
import { at, file } from '../js/support/scratch';

describe('an output that is also the input (BurntSushi/ripgrep#286, sharkdp/bat#1193)', () => {
  test.each([
    ['query --load "$3" "$2" >> "$2"', ''],
    ['query --load "$3" --invert "$2" >> "$2"', ''],
    ['query --load "$3" "$4" >> "$2"', ' by another name'],
    ['query --load "$3" < "$2" >> "$2"', ' as standard input'],
    ['dedup -D "$2" >> "$2"', ''],
    ['dedup < "$2" 1<> "$2"', ' in place'],
  ])('is refused: %s%s', (words) => {
    const ids = file('ids', 'a\nb\na\n');
    const filter = file('filter', CuckooFilter.from(['a', 'x']).serialize());
    if (!existsSync(at('twin'))) linkSync(ids, at('twin'));
    const { status, stderr } = inShell(`"$0" "$1" ${words}`, ids, filter, at('twin'));
    expect([status, String(stderr)]).toEqual([
      2,
      expect.stringMatching(
        /^cuckoofilter-wasm: .*: the output would overwrite this file\. Write to another file/,
      ),
    ]);
    expect(readFileSync(ids, 'utf8')).toBe('a\nb\na\n');
  });

  test.each([
    'dedup --load "$2" --save "$2" "$3" >> "$2"',
    'dedup --save "$2" "$3" >> "$2"',
    'merge "$2" "$2" >> "$2"',
    'info "$2" >> "$2"',
  ])('is refused where it would spoil a filter: %s', (words) => {
    const bytes = CuckooFilter.from(['a']).serialize();
    const filter = file('filter', bytes);
    const { status, stderr } = inShell(`"$0" "$1" ${words}`, filter, file('new', 'b\n'));
    expect([status, String(stderr)]).toEqual([
      2,
      expect.stringContaining('the output would overwrite this file'),
    ]);
    expect(readFileSync(filter).equals(bytes)).toBe(true);
  });

  test.each(['query --load "$3" --invert "$2" 2>> "$2"', 'build --save "$2" "$3" 2>> "$2"'])(
    'is refused for messages, too: %s',
    (words) => {
      const ids = file('told', CuckooFilter.from(['b']).serialize());
      const { status, stderr } = inShell(
        `"$0" "$1" ${words}`,
        ids,
        file('new', CuckooFilter.from(['a']).serialize()),
      );
      expect([status, String(stderr)]).toEqual([2, '']);
      expect(readFileSync(ids, 'latin1')).toMatch(/told: standard error is redirected to this file/);
    },
  );

  test('is refused where a pipe would get lines and a filter', () => {
    const { stdout } = inShell(
      '("$0" "$1" dedup --save /dev/stdout "$2" 2>&1; echo $?) | cat',
      file('new', 'b\n'),
    );
    expect(String(stdout)).toMatch(/the output would overwrite this file.*\n2\n$/);
  });

  test('is any other file otherwise, as where a filter is saved to standard output', () => {
    const { status } = inShell('echo a | "$0" "$1" build -q --save /dev/stdout > "$2"', at('made'));
    expect(status).toBe(0);
    expect(printed(['query', '--load', at('made')], 'a\n')).toBe('a\n');
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a filter is flushed before it replaces a file, and its folder after (zeek/zeek#1817)', () => {
  const words = [
    '-f',
    '-e',
    'trace=rename,renameat,renameat2,fsync',
    '-o',
    at('trace'),
    process.execPath,
    COMMAND,
  ];
  const { error, status } = spawnSync('strace', [...words, 'build', '-q', '--save', at('flushed')], {
    input: 'a\n',
  });
  if (error) return; // There is no strace.
  expect(status).toBe(0);
  expect(readFileSync(at('trace'), 'utf8').match(/fsync|rename/g)).toEqual(['fsync', 'rename', 'fsync']);
});

test('a signal ends a run inside a slow regular expression, and the next run works', async () => {
  const save = ['dedup', '--save', at('seen')];
  const slow = file('slow', `${'a'.repeat(60)}b\n`);
  const told = importing(`import { writeSync } from 'node:fs';
    const { exec } = RegExp.prototype;
    RegExp.prototype.exec = function (text) {
      if (this.source === '(a+)+$') writeSync(1, 'begun');
      return exec.call(this, text);
    };`);
  const child = spawn(process.execPath, [...told, COMMAND, ...save, '--key', '/(a+)+$/', slow], TIME_LIMIT);
  expect(String(await once(child.stdout, 'data'))).toBe('begun');
  expect(existsSync(at('seen.lock'))).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  expect(command(save, 'a\n')).toMatchObject({ code: 0, errors: '' });
  expect(existsSync(at('seen.lock'))).toBe(false);
});

const inLongRuns = IS_LONG ? test : test.skip;

inLongRuns('a filter above 2 GiB is saved and loaded (nodejs/node#55864)', async () => {
  const filter = new CuckooFilter({ capacity: 800_000_000, falsePositiveRate: 1e-6 });
  filter.add('a');
  await new SavedFile(at('big'), []).save(filter, () => Promise.resolve());
  filter.dispose();
  const loaded = await loadFilter(at('big'));
  expect([loaded.has('a'), loaded.size]).toEqual([true, 1]);
  loaded.dispose();
});
