// The words of a BITFIELD that reads numbers of FIELD bytes at given positions of a string.
import type { Bytes } from '../../src/engine/bytes.js';
import { CHECKSUM } from '../../src/reader/table.js';
import { RECORD, type Places } from './places.js';
import { FIELD } from './saved.js';

/** Numbers that one command reads, at most. */
const FIELDS = 2000;

/** As texts. Of each number, the first byte is the highest. */
export function* wordsOf(begins: Iterable<number>): Generator<string> {
  for (const begin of begins) {
    yield 'GET';
    yield `u${8 * FIELD}`;
    yield String(8 * begin);
  }
}

/**
 * The string under `key`, read as numbers with `read`: for clients that return text, which damages bytes. If others
 * change the filter in between, it reads again.
 */
export async function readByNumbers(
  key: string,
  { stringBytes, blocks }: Places,
  read: (begins: Float64Array) => Promise<Uint8Array>,
): Promise<Bytes> {
  const begins = Float64Array.from({ length: Math.ceil(stringBytes / FIELD) }, (_, i) => FIELD * i);
  const bytes = new Uint8Array(FIELD * begins.length);
  const records = begins.slice(0, blocks + 1).map((_, i) => stringBytes - CHECKSUM - RECORD * (blocks - i));
  const revision = async (): Promise<string> => String(await read(records));
  for (let attempt = 0; attempt < 20; ++attempt) {
    const before = await revision();
    for (let first = 0; first < begins.length; first += FIELDS)
      bytes.set(await read(begins.subarray(first, first + FIELDS)), FIELD * first);
    if ((await revision()) === before) return bytes.slice(0, stringBytes);
  }
  const advice = 'have `send` return bytes (Buffers) for GET, which reads it in one step';
  const error = new Error(`${key} changes faster than it can be read: ${advice}`);
  throw Object.assign(error, { code: 'filter-busy' });
}
