// A copy of a shard in memory: a CuckooFilter, brought up to date with the blocks that have changed. Only replicas load this file.
import { CuckooFilter } from '../../src/index.js';
import { HIGH, xxh64 } from '../../src/reader/hash64.js';
import { CHECKSUM, HEADER } from '../../src/reader/table.js';
import { bytesOfAnswer, notAnswered } from '../server/answers.js';
import type { Asking } from '../server/line.js';
import { checkOf, FIELD, RECORD, TAIL, type Places } from './places.js';
import { numberAt, randomIdentity, SIZE, STAMP } from './saved.js';
import type { Shard } from './shard.js';

/** A copy of a shard, and what tells which changes it has: its epoch, the random bytes of its records, then these, one a block. */
export interface Copy {
  readonly places: Places;
  readonly filter: CuckooFilter;
  readonly known: Uint8Array;
}

/** Where the records begin in what is known of a copy. */
const RECORDS = 2 * FIELD;

/** A copy of a shard as it is now; `before` itself if nothing has changed since. */
export function copyOf(shard: Shard, before: Copy | undefined, asking: Asking): Promise<Copy> {
  return shard.upToDate(async (now) => {
    const { places } = now;
    const same = before?.places === places ? before : undefined;
    const given = Uint8Array.of(...randomIdentity(), ...(same?.known ?? new Uint8Array(RECORDS)));
    const answer = bytesOfAnswer(await shard.ask('changed', now, given));
    if (answer.length === 0 && same !== undefined) return same;
    const tail = answer.subarray(1, 1 + TAIL);
    shard.check(numberAt(tail, FIELD), shard.shared.acceptStale ? { ...now, least: 0 } : now);
    const begin = 1 + TAIL + RECORD * places.blocks;
    const [epoch, random] = [tail.subarray(FIELD, 2 * FIELD), tail.subarray(4 * FIELD, 5 * FIELD)];
    const known = Uint8Array.of(...epoch, ...random, ...answer.subarray(1 + TAIL, begin));
    const table = answer.subarray(begin);
    const bytes = answer[0] === 1 && same ? patched(same, table, known) : whole(places, table);
    const saved = sealed(bytes, numberAt(tail, 0), places);
    return { places, filter: CuckooFilter.deserialize(saved, { hash: shard.shared.hash }), known };
  }, asking);
}

/** The saved form with this table, but for what `sealed` writes. */
function whole({ saved, table: { end } }: Places, table: Uint8Array): Uint8Array {
  if (HEADER + table.length !== end) throw notAnswered(table);
  const bytes = new Uint8Array(end + CHECKSUM);
  bytes.set(saved);
  bytes.set(table, HEADER);
  return bytes;
}

/** The same from the copy before, and the blocks whose records differ. */
function patched({ places, filter, known }: Copy, changed: Uint8Array, now: Uint8Array): Uint8Array {
  const bytes = filter.serialize();
  const { buckets, blockSpan } = places;
  const { doublings, parameters } = places.table;
  const bitOf = (block: number): number =>
    buckets.bits * Math.min(Math.ceil((block * blockSpan) / 2 ** doublings), parameters.bucketCount);
  let at = 0;
  for (let i = 0; i < places.blocks; ++i) {
    const record = RECORDS + RECORD * i;
    const isSame = now.subarray(record, record + RECORD).every((byte, k) => byte === known[record + k]);
    const [first, after] = [bitOf(i), bitOf(i + 1)];
    if (isSame || first === after) continue;
    const begin = HEADER + Math.floor(first / 8);
    const length = HEADER + Math.ceil(after / 8) - begin;
    bytes.set(changed.subarray(at, at + length), begin);
    at += length;
  }
  if (at !== changed.length) throw notAnswered(changed);
  return bytes;
}

/** Writes the size, the check of the hash and the checksum, which a shard does not have, into a saved form. */
function sealed(bytes: Uint8Array, size: number, { hash }: Places): Uint8Array {
  const view = new DataView(bytes.buffer);
  view.setBigUint64(SIZE, BigInt(size), true);
  bytes.set(checkOf(hash), STAMP);
  const end = bytes.length - CHECKSUM;
  view.setInt32(end, xxh64(bytes, end, 0, 0), true);
  view.setInt32(end + 4, HIGH[0] as number, true);
  return bytes;
}
