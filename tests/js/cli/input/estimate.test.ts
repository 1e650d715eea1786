// How many lines files hold, estimated from their sizes and a few pieces of each.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { lineCount, totalBytes } from '../../../../js/cli/input/estimate';
import { Failure } from '../../../../js/cli/words/failure';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-estimate-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** What is read of a file that is larger. */
const READ = 16 * 2 ** 14;

test('files that are read whole have their lines counted, and one more each for a last one without an end', () => {
  const [one, two] = [file('one', 'a\nb\nc'), file('two', '\n\n\0x')];
  expect(lineCount([one], 10)).toBe(3);
  expect(lineCount([two], 10)).toBe(3);
  expect(lineCount([two], 0)).toBe(2);
  expect(lineCount([one, two, one], 10)).toBe(9);
  expect(lineCount([file('empty', '')], 10)).toBe(1);
  expect(lineCount([file('whole', '\n'.repeat(READ))], 10)).toBe(READ + 1);
});

describe('a larger file', () => {
  test.each([
    ['lines of ten bytes', '123456789\n', 1_000_000, 112_025],
    ['empty lines', '\n', 1_000_000, 1_106_459],
    ['lines as long as a piece', `${'x'.repeat(16_383)}\n`, 10_000_000, 1304],
  ])('of %s is taken to have rather more of them', (_, line, bytes, estimate) => {
    const lines = Math.ceil(bytes / line.length);
    const path = file('large', line.repeat(lines));
    const counted = lineCount([path], 10) ?? 0;
    expect(counted).toBeGreaterThan(lines);
    expect(counted).toBe(estimate);
  });

  test('of no line that was met is taken to have a few', () => {
    expect(lineCount([file('endless', Buffer.alloc(10 * READ, 1))], 10)).toBe(34);
  });

  test('is looked at in sixteen places from its first byte on', () => {
    const bytes = Buffer.alloc(100 * READ);
    const pieces = Array.from({ length: 16 }, (_, i) => Math.floor((i * bytes.length) / 16));
    for (const at of pieces) bytes.fill(10, at, at + 2 ** 14);
    const all = lineCount([file('places', bytes)], 10) ?? 0;
    expect(all / bytes.length).toBeGreaterThan(1.1);
    expect(all / bytes.length).toBeLessThan(1.12);
    for (const at of pieces) bytes.fill(0, at, at + 2 ** 14);
    for (const [i, at] of pieces.entries()) bytes.fill(10, at + 2 ** 14, pieces[i + 1]);
    expect(lineCount([file('between', bytes)], 10)).toBe(331);
  });
});

test('what is compressed, or no file, has no known size', () => {
  const plain = file('plain', 'a\nb\n');
  const zipped = file('zipped', gzipSync('a\n'));
  expect(lineCount([zipped], 10)).toBeUndefined();
  expect(lineCount([plain, zipped, plain], 10)).toBeUndefined();
  expect(lineCount([plain, '/dev/null'], 10)).toBeUndefined();
  expect(totalBytes([plain, '/dev/null'])).toBeUndefined();
});

test('only the first bytes tell that a file is compressed', () => {
  const bytes = Buffer.alloc(3 * READ);
  for (let i = 1; i < 16; ++i) bytes.set([0x1f, 0x8b], Math.floor((i * bytes.length) / 16));
  expect(lineCount([file('inside', bytes)], 10)).toBeGreaterThan(0);
});

test('the bytes of all files are summed, compressed or not', () => {
  const zipped = gzipSync('a\n');
  expect(totalBytes([])).toBe(0);
  expect(totalBytes([file('three', 'abc'), file('zip', zipped), file('none', '')])).toBe(3 + zipped.length);
});

test('a file that is not there is a failure with its name, and none stays open', () => {
  const none = join(folder, 'not-there');
  for (const ask of [() => lineCount([none], 10), () => totalBytes([none])])
    expect(ask).toThrow(new Failure(`${none}: no such file or directory`));
  if (process.platform !== 'linux') return;
  const open = (): number => readdirSync('/proc/self/fd').length;
  const before = open();
  const path = file('again', 'a\n');
  for (let i = 0; i < 5; ++i) lineCount([path], 10);
  expect(open()).toBe(before);
});
