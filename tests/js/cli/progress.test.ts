// The line on a terminal that tells how far the command is.
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { Progress, progressText } from '../../../js/cli/output/progress';
import { command } from '../support/command';
import { at, file } from '../support/scratch';

test.each([
  [0, 0.5, 1, '0 lines, 0 a second, 50 %, 1 s left'],
  [6_000_000, 0.25, 1.5, '6,000,000 lines, 4,000,000 a second, 25 %, 5 s left'],
  [9, 0.00001, 0.9, '9 lines, 0 %'],
  [1, undefined, 0.9, '1 line'],
  [100, 0.999, 10, '100 lines, 10 a second, 99 %, 1 s left'],
  [100, 1, 10, '100 lines, 10 a second, 100 %, 0 s left'],
  [100, 0.1, 10, '100 lines, 10 a second, 10 %, 90 s left'],
  [500, undefined, 2, '500 lines, 250 a second'],
  [500, 0, 2, '500 lines, 250 a second'],
])('%d lines, a share of %p and %d s are told as such', (lines, share, seconds, text) => {
  expect(progressText(lines, share, seconds)).toBe(text);
});

describe('progress', () => {
  let written: string[];
  let now: number;
  const { isTTY } = process.stderr;

  beforeEach(() => {
    written = [];
    now = 5000;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    jest.spyOn(process.stderr, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    process.stderr.isTTY = true;
  });
  afterEach(() => {
    jest.restoreAllMocks();
    process.stderr.isTTY = isTTY;
  });

  const shown = (text: string): string => `\r\x1b[K${text}`;

  test('is shown at once, then five times a second, each time over the last, and is gone at the end', () => {
    const progress = new Progress(1000, true);
    now += 100;
    progress.bytes = 250;
    progress.add(10);
    now += 199;
    progress.bytes = 500;
    progress.add(20);
    now += 1;
    progress.add(30);
    now += 700;
    progress.add(0);
    progress.end();
    expect(written).toEqual([
      shown('10 lines, 25 %'),
      shown('60 lines, 50 %'),
      shown('60 lines, 60 a second, 50 %, 1 s left'),
      shown(''),
    ]);
    expect(progress.lines).toBe(60);
  });

  test('has a share of the input where its size is known, of at most 1', () => {
    const progress = new Progress(200, true);
    const shares = [0, 50, 200, 300].map((bytes) => {
      progress.bytes = bytes;
      return progress.share;
    });
    expect(shares).toEqual([0, 0.25, 1, 1]);
    expect(new Progress(undefined, true).share).toBeUndefined();
  });

  test.each([
    ['where it is not wanted', true, false],
    ['where standard error is no terminal', false, true],
  ])('is counted but not shown %s', (_, isTerminal, isWanted) => {
    process.stderr.isTTY = isTerminal;
    const progress = new Progress(undefined, isWanted);
    now += 1000;
    progress.add(5);
    progress.add(6);
    progress.end();
    expect(written).toEqual([]);
    expect(progress.lines).toBe(11);
  });
});

describe('a run shows progress on a terminal that nothing else is printed to', () => {
  test.each<readonly [readonly string[], boolean, boolean]>([
    [['dedup'], false, true],
    [['dedup'], true, false],
    [['build', '-s', 'built'], true, true],
    [['build', '-s', 'built', '--quiet'], true, false],
  ])('%j, with lines on a terminal: %p', (words, isOutputTerminal, isShown) => {
    const terminals = `process.stderr.isTTY = true; process.stdout.isTTY = ${isOutputTerminal}`;
    const parameters = words.map((word) => (word === 'built' ? at(word) : word));
    const { errors } = command([...parameters, file('line', 'a\n')], '', terminals);
    const first = errors.split('\r\x1b[K')[1] ?? '';
    expect(/^1 line, ([\d,]+ a second, )?100 %(, 0 s left)?$/.test(first)).toBe(isShown);
  });
});
