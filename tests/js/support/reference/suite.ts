// The suite of the saved form (tests/conformance): its manifest, and a run of it against an implementation.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIME_LIMIT } from '../patience';
import type { Made } from './written';

export const SUITE = join(__dirname, '../../../conformance');
export const FILES = join(SUITE, 'files');

/** A saved filter of the manifest, with the operations that made it, and its answers. */
export interface Saved {
  readonly name: string;
  readonly file?: string;
  readonly class: string;
  readonly needs: readonly string[];
  readonly secret?: string;
  readonly size: number;
  /** Words: a sign and a key in hexadecimal. */
  readonly made?: string;
  /** Words: a key in hexadecimal, `=`, and the answer. */
  readonly answers: string;
}

/** Bytes that keep all rules, or break one, and the code with which they must be refused. */
export interface Ruled extends Made {
  readonly rule: string;
  readonly code: string;
  readonly about: string;
  readonly needs?: readonly string[];
  readonly secret?: string;
  readonly limit?: number;
  /** Of bytes that keep all rules, as those of a saved filter. */
  readonly answers?: string;
}

export const MANIFEST = JSON.parse(readFileSync(join(SUITE, 'manifest.json'), 'utf8')) as {
  readonly filters: readonly Saved[];
  readonly rules: readonly Ruled[];
};

export const bytesOfHex = (hex: string): Uint8Array => Buffer.from(hex, 'hex');
/** The keys that words of the manifest name. */
export const keysIn = (answers: string): Uint8Array[] =>
  answers.split(' ').map((word) => bytesOfHex(word.split('=')[0] as string));
export const savedBytes = (file: string): Uint8Array => readFileSync(join(FILES, file));
export const hashOf = (secret?: string) =>
  secret === undefined ? undefined : ({ algorithm: 'siphash-1-3', key: bytesOfHex(secret) } as const);

/** What the suite prints about an implementation. Throws, with the cases that failed, if any did. */
export function proved(...words: readonly string[]): string {
  const run = [join(SUITE, 'run.mjs'), ...words];
  return execFileSync(process.execPath, run, { encoding: 'utf8', stdio: 'pipe', ...TIME_LIMIT });
}
/** The words that start the program of an implementation in Node. */
export const adapter = (name: string): string[] => [
  '--',
  process.execPath,
  join(SUITE, `adapters/${name}.mjs`),
];
