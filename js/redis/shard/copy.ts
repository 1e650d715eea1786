// Copies a shard for a replica: its saved form, and later what has changed. Invariant: a saved form is the whole string
// as it was at one moment.
import type { Bytes } from '../../src/engine/bytes.js';
import { CHECKSUM } from '../../src/reader/table.js';
import { notAnswered } from '../server/answers.js';
import { FIELD, RECORD, TAIL, type Places } from './places.js';
import { numberAt, rangeOf, recordsIn, sealed, writeNumber } from './saved.js';
import type { Shard } from './shard.js';

/** A shard's saved form, and what tells which changes it has. */
export interface Copied {
  readonly bytes: Bytes;
  readonly places: Places;
  readonly epoch: number;
  readonly records: Uint8Array;
}

/** A copy of a shard; undefined if nothing has changed since `known`, whose saved form `current` returns. */
export function copyOf(
  shard: Shard,
  known: Omit<Copied, 'bytes'> | undefined,
  current: () => Uint8Array,
): Promise<Copied | undefined> {
  return shard.upToDate(async (places, least) => {
    const isLike = known?.places === places;
    const records = isLike ? known.records : new Uint8Array();
    const asked = new Uint8Array(FIELD + records.length);
    if (isLike) writeNumber(asked, 0, known.epoch);
    asked.set(records, FIELD);
    const answer = await shard.changed(places, least, asked);
    if (answer.length === 0 && isLike) return undefined;
    return copied(places, answer, isLike ? known.records : undefined, current);
  });
}

/** A copy, from the answer of the program (changed_since in ../lua/main.lua). */
function copied(
  places: Places,
  answer: Bytes,
  before: Uint8Array | undefined,
  current: () => Uint8Array,
): Copied {
  const { stringBytes, blocks } = places;
  const string = new Uint8Array(stringBytes);
  const tail = answer.subarray(1, 1 + TAIL);
  const records = answer.slice(1 + TAIL, 1 + TAIL + RECORD * blocks);
  let at = 1 + TAIL + records.length;
  const isPart = answer[0] === 1 && before !== undefined;
  const saved = isPart ? current() : places.header;
  string.set(isPart ? saved.subarray(0, saved.length - CHECKSUM) : saved);
  const take = (begin: number, end: number): void => {
    string.set(answer.subarray(at, at + end - begin), begin);
    at += end - begin;
  };
  if (!isPart) take(places.header.length, stringBytes - TAIL - records.length);
  else
    for (let i = 0; i < blocks; ++i) {
      const { begin, end } = rangeOf(places, i);
      const isSame = (_: unknown, k: number): boolean => records[RECORD * i + k] === before[RECORD * i + k];
      if (!Array.from({ length: RECORD }, isSame).every(Boolean)) take(begin, end);
    }
  if (at !== answer.length) throw notAnswered(answer);
  recordsIn(places, string).set(records);
  string.set(tail, stringBytes - TAIL);
  return { bytes: sealed(places, string), places, epoch: numberAt(tail, FIELD), records };
}
