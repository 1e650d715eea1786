// Copies a shard for a replica: its saved form, and later what has changed. Invariant: a saved form is the whole string
// as it was at one moment.
import { CHECKSUM } from '../../src/reader/table.js';
import type { Bytes } from '../../src/engine/bytes.js';
import { notAnswered } from '../program/answers.js';
import { stateOf, type ShardState } from './contents.js';
import { readByNumbers } from './fields.js';
import { RECORD, type Places } from './places.js';
import { fieldAt, rangeOf, recordsIn, sealed, sizeOf } from './saved.js';
import type { Shard } from './shard.js';

/** A shard's saved form. */
export type Saved = ShardState & { readonly bytes: Bytes };

/** The saved form, and what tells which changes it contains. */
export function savedOf(shard: Shard): Promise<Saved> {
  return shard.upToDate(async (places) => {
    const string =
      (await shard.whole(places)) ??
      (await readByNumbers(shard.key, places, (begins) => shard.fields(places, begins)));
    return savedAs(places, string, recordsIn(places, string), fieldAt(string, places.stringBytes - CHECKSUM));
  });
}

/**
 * The same if there were changes since `known`, whose saved form `current` returns. Fetches only the blocks that have
 * changed, unless these are most of the string.
 */
export async function savedSince(
  shard: Shard,
  known: ShardState,
  current: () => Uint8Array,
): Promise<Saved | undefined> {
  const { places, generation, records } = await stateOf(shard);
  const isLike = places === known.places && generation === known.generation;
  const count = isLike ? changedBlocks(known.records, records) : Infinity;
  if (count === 0) return undefined;
  if (count > places.blocks / 2 || !shard.givesBytes) return savedOf(shard);
  return shard.upToDate(async (now) => {
    const answer = now === known.places ? await shard.changed(now, known.records) : undefined;
    const isSame = answer !== undefined && fieldAt(answer, records.length) === generation;
    return isSame ? patched(known, current(), answer) : savedOf(shard);
  });
}

/** How many records differ. */
function changedBlocks(before: Uint8Array, after: Uint8Array): number {
  let count = 0;
  for (let at = 0; at < after.length; at += RECORD)
    count += Number(fieldAt(before, at) !== fieldAt(after, at));
  return count;
}

function savedAs(places: Places, string: Bytes, records: Uint8Array, generation: number): Saved {
  return { bytes: sealed(places, string), records, generation, places, size: sizeOf(records) };
}

/** `current`, updated with the answer of the program: the records, and the blocks whose records have changed. */
function patched({ places, records, generation }: ShardState, current: Uint8Array, answer: Bytes): Saved {
  const now = answer.slice(0, records.length);
  const string = new Uint8Array(places.stringBytes);
  string.set(current.subarray(0, current.length - CHECKSUM));
  let at = now.length + CHECKSUM;
  for (let i = 0; i < places.blocks; ++i) {
    const { begin, end } = rangeOf(places, i);
    if (fieldAt(now, RECORD * i) === fieldAt(records, RECORD * i)) continue;
    string.set(answer.subarray(at, at + end - begin), begin);
    at += end - begin;
  }
  if (at !== answer.length) throw notAnswered(answer);
  recordsIn(places, string).set(now);
  return savedAs(places, string, now, generation);
}
