// Files that a test file makes, in a folder of its own. Invariant: the folder is gone once its tests are over.
import { afterAll } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The path of the file `name`. */
export function at(name: string): string {
  return join(folder, name);
}

/** Writes the file `name`, and returns its path. */
export function file(name: string, bytes: string | Uint8Array): string {
  writeFileSync(at(name), bytes);
  return at(name);
}

/** `count` lines that differ, from number `first` on. */
export function numbered(count: number, first = 0): string {
  return Array.from({ length: count }, (_, i) => `line ${first + i}\n`).join('');
}
