// The chunks of CF.SCANDUMP and CF.LOADCHUNK: a header of 38 bytes, then the sub-filters in pieces of at most 16 MiB.
// Invariant: a dump has at least as many fingerprints as its header counts; a dump from which the server would lose
// keys is refused.
import { FormatError, type FormatErrorCode } from '../src/basic-errors.js';
import { numberAt } from '../src/reader/bits.js';
import { check, viewOf } from '../src/reader/arguments.js';
import type { Bytes } from '../src/engine/bytes.js';
import { BloomTables, bucketsOf, type BloomParameters } from './tables.js';

/** A chunk, with the iterator that CF.SCANDUMP returned for it, for CF.LOADCHUNK. */
export type DumpChunk = [iterator: number, data: Bytes];

/** A filter as a dump holds it. */
export interface Dumped {
  readonly tables: BloomTables;
  /** Fingerprints stored. */
  readonly items: number;
  /** Deletes since the last compaction. */
  readonly deletes: number;
}

const HEADER = 38;
const MOST_CHUNK = 2 ** 24;

/** The filter in `chunks`. Throws FormatError, or TypeError if this is not a list of pairs of an iterator and bytes. */
export function readDump(chunks: Iterable<readonly [iterator: number | bigint, data: Uint8Array]>): Dumped {
  const [header, ...pieces] = checkedChunks(chunks);
  must(header?.[0] === 1, 'not-a-filter', 'the first chunk must be a header, with iterator 1');
  const [, bytes] = header as DumpChunk;
  must(
    bytes.length !== 32 && bytes.length !== 46,
    'unsupported-version',
    'the header was written by RedisBloom 2.2 or older: upgrade the server, and dump again',
  );
  must(bytes.length >= HEADER, 'cut-short', `the header has ${bytes.length} of ${HEADER} bytes`);
  must(bytes.length === HEADER, 'not-a-filter', `the header has ${bytes.length} bytes instead of ${HEADER}`);
  const [items, bucketCount, deletes, tableCount] = [0, 8, 16, 24].map((at) => numberAt(bytes, at)) as Four;
  const [bucketSize, maxIterations, expansion] = [32, 34, 36].map(
    (at) => (bytes[at] as number) + 256 * (bytes[at + 1] as number),
  ) as Three;
  must(
    isPowerOfTwo(bucketCount) &&
      bucketCount <= 2 ** 32 &&
      tableCount > 0 &&
      bucketSize > 0 &&
      bucketSize < 256 &&
      maxIterations > 0 &&
      (expansion === 0 ? tableCount === 1 : isPowerOfTwo(expansion)) &&
      Number.isSafeInteger(deletes),
    'inconsistent',
    'a field of the header is out of range',
  );
  const parameters = { bucketCount, bucketSize, maxIterations, expansion };
  const tables = readTables(parameters, tableCount, pieces);
  const stored = tables.reduce((sum, table) => sum + usedOf(table), 0);
  // More are possible: CF.SCANDUMP is not atomic, and keys may have been added after it gave the header.
  must(items <= stored, 'inconsistent', `the header counts ${items} items, the chunks hold only ${stored}`);
  return { tables: new BloomTables(parameters, tables), items, deletes };
}

type Four = [number, number, number, number];
type Three = [number, number, number];

/** The sub-filters that `pieces` make up. The pieces may come in any order, but must cover each byte exactly once. */
function readTables(parameters: BloomParameters, count: number, pieces: readonly DumpChunk[]): Uint8Array[] {
  const inOrder = pieces.toSorted(([one], [other]) => one - other);
  let begin = 0;
  for (const [iterator, data] of inOrder) {
    const isNext = data.length > 0 && iterator === begin + data.length + 1;
    must(
      isNext,
      'cut-short',
      `bytes are missing or duplicated before iterator ${iterator}: run CF.SCANDUMP again`,
    );
    begin += data.length;
  }
  const tables: Uint8Array[] = [];
  for (let end = 0; tables.length < count;) {
    const buckets = bucketsOf(parameters, tables.length);
    end += buckets * parameters.bucketSize;
    must(
      end <= begin,
      'cut-short',
      `sub-filter ${tables.length} needs ${end} bytes, the chunks have ${begin}: run CF.SCANDUMP again, to its end`,
    );
    must(buckets <= 2 ** 32, 'too-large', `sub-filter ${tables.length} has more than 2^32 buckets`);
    tables.push(new Uint8Array(buckets * parameters.bucketSize));
    must(
      tables.length < count || end === begin,
      'inconsistent',
      'there are chunks after the last sub-filter',
    );
  }
  let k = 0;
  let at = 0;
  for (const [iterator, data] of inOrder) {
    const table = tables[k] as Uint8Array;
    must(
      at + data.length <= table.length,
      'inconsistent',
      `the chunk with iterator ${iterator} spans two sub-filters`,
    );
    table.set(data, at);
    at += data.length;
    if (at < table.length) continue;
    ++k;
    at = 0;
  }
  return tables;
}

/** The chunks, read once. The end of a CF.SCANDUMP, which is iterator 0 without data, may be among them. */
function checkedChunks(chunks: unknown): DumpChunk[] {
  const isIterable =
    typeof (chunks as Partial<Iterable<unknown>> | undefined)?.[Symbol.iterator] === 'function';
  check('chunks', 'an iterable of pairs [iterator, data]', chunks, isIterable && typeof chunks !== 'string');
  return Array.from(chunks as Iterable<unknown>, (chunk, i): DumpChunk => {
    const [iterator, data] = Array.isArray(chunk) ? (chunk as [unknown, unknown]) : [];
    const isNumber = typeof iterator === 'number' || typeof iterator === 'bigint';
    check(`the iterator of chunk ${i}`, 'a number or a bigint', iterator, isNumber);
    const view = viewOf(data);
    const advice = 'bytes (have your client return Buffers, because strings damage a dump)';
    check(`the data of chunk ${i}`, advice, typeof data === 'string' ? 'text' : data, view !== undefined);
    return [Number(iterator), view as Bytes];
  }).filter(([iterator, data]) => iterator !== 0 || data.length > 0);
}

/** The chunks of a filter, as the server cuts them. Their bytes are copies. */
export function writeDump({ tables: { parameters, tables }, items, deletes }: Dumped): DumpChunk[] {
  const header = new Uint8Array(HEADER);
  const view = new DataView(header.buffer);
  const { bucketCount, bucketSize, maxIterations, expansion } = parameters;
  [items, bucketCount, deletes, tables.length].forEach((value, i) =>
    view.setBigUint64(8 * i, BigInt(value), true),
  );
  [bucketSize, maxIterations, expansion].forEach((value, i) => view.setUint16(32 + 2 * i, value, true));
  const chunks: DumpChunk[] = [[1, header]];
  let before = 1;
  for (const table of tables) {
    for (let at = 0; at < table.length; at += MOST_CHUNK) {
      const data = table.slice(at, at + MOST_CHUNK);
      chunks.push([before + at + data.length, data]);
    }
    before += table.length;
  }
  return chunks;
}

/** Slots of `table` in use. */
function usedOf(table: Uint8Array): number {
  let used = 0;
  for (let at = 0; at < table.length; ++at) if (table[at] !== 0) ++used;
  return used;
}

function isPowerOfTwo(value: number): boolean {
  return Number.isInteger(Math.log2(value));
}

function must(holds: boolean, code: FormatErrorCode, problem: string): void {
  if (!holds) throw new FormatError(`cannot load these chunks: ${problem}`, code);
}
