// The rules of docs/inside/format.md that saved filters and layers must keep. Each file breaks one of them and keeps all
// others, and the reader and the class refuse it alike.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { xxh64 } from '../support/reference/xxh64';
import { classCode, codeOf } from './compared';

/** A filter to be written: what is left out is that of a plain table of four buckets for one key. */
interface Table {
  readonly storage?: 0 | 1;
  readonly addressing?: 0 | 1;
  readonly slots?: number;
  readonly width?: number;
  readonly quarters?: number;
  readonly doublings?: number;
  readonly flags?: number;
  readonly kicks?: number;
  readonly seed?: number;
  readonly buckets?: number;
  readonly capacity?: number;
  readonly size?: number;
  /** The first bytes of the payload; the others are 0. */
  readonly payload?: readonly number[];
}

const SEEDS = [0, 1].map((seed) => new CuckooFilter({ capacity: 1, seed }).serialize());

/** The saved form of `table`. A payload of more than a megabyte is cut short. */
function filterOf(table: Table): Uint8Array {
  const {
    storage = 0,
    addressing = 0,
    slots = 4,
    width = 8,
    quarters = 0,
    doublings = 0,
    kicks = 500,
  } = table;
  const { buckets = 4, capacity = 1, size = 0, seed = 0, flags = Number(doublings > 0) } = table;
  const bits = storage === 1 ? 4 * (width + doublings - 1) - quarters : slots * (width + doublings);
  const length = Math.ceil((buckets * bits) / 8);
  const bytes = new Uint8Array(72 + Math.min(length, 2 ** 20) + 8);
  bytes.set((SEEDS[seed] as Uint8Array).subarray(0, 72)); // for the magic, the seed and the check of the hash
  bytes.set(
    [Number(doublings > 0), storage, addressing, 1, slots, width, quarters + 4 * doublings, flags],
    9,
  );
  const view = new DataView(bytes.buffer);
  view.setUint32(20, kicks, true);
  for (const [at, value] of [[24, buckets], [32, capacity], [40, size], [64, length]] as const)
    view.setBigUint64(at, BigInt(value), true); // prettier-ignore
  bytes.set(table.payload ?? [], 72);
  view.setBigUint64(bytes.length - 8, xxh64(bytes.subarray(0, -8)), true);
  return bytes;
}

/** The saved form of layers, whose first began with `began` doublings. `more` bytes follow that belong to nothing. */
function layersOf(began: number, layers: readonly Uint8Array[], more = 0): Uint8Array {
  const bytes = Buffer.concat([new Uint8Array(24), ...layers, new Uint8Array(8 + more)]);
  bytes.set([0x89, 0x43, 0x4b, 0x53, 0x0d, 0x0a, 0x1a, 0x0a, 1, 0, 0, 0, layers.length, began]);
  bytes.writeUInt32LE(bytes.length, 16);
  const summed = Buffer.concat([bytes.subarray(0, 24), ...layers.map((layer) => layer.subarray(-8))]);
  bytes.writeBigUInt64LE(xxh64(summed), bytes.length - 8 - more);
  return bytes;
}

/** The code with which the reader and the class refuse `bytes`. */
function refusal(bytes: Uint8Array): string {
  const code = classCode(bytes);
  expect(codeOf(() => new FilterReader(bytes))).toBe(code);
  return code;
}

const remoteRefusal = (bytes: Uint8Array): string => codeOf(() => FilterReader.remote(bytes));

describe('a filter', () => {
  test.each<[string, good: Table, bad: Table]>([
    ['1 slot or more in a bucket', { slots: 1 }, { slots: 0 }],
    ['8 slots or fewer', { slots: 8 }, { slots: 9 }],
    ['2 bits or more in a fingerprint', { width: 2 }, { width: 1 }],
    ['32 bits or fewer in a slot', { width: 31, doublings: 1 }, { width: 32, doublings: 1 }],
    ['5 bits or more if semi-sorted', { storage: 1, width: 5 }, { storage: 1, width: 4 }],
    [
      '6 bits or more in quarters',
      { storage: 1, width: 6, quarters: 1 },
      { storage: 1, width: 5, quarters: 1 },
    ],
    [
      '24 bits or fewer in quarters',
      { storage: 1, width: 24, quarters: 1 },
      { storage: 1, width: 25, quarters: 1 },
    ],
    ['1 bucket or more', { buckets: 1 }, { buckets: 0 }],
    [
      '2^32 buckets or fewer once it has grown',
      { width: 2, doublings: 30, buckets: 4 },
      { width: 2, doublings: 30, buckets: 8 },
    ],
    ['room for 1 key or more', { capacity: 1 }, { capacity: 0 }],
    ['a flag that says whether it may grow', { flags: 0 }, { flags: 1 }],
  ])('has %s', (_, good, bad) => {
    expect([refusal(filterOf(good)), remoteRefusal(filterOf(good))]).toEqual(['none', 'none']);
    expect([refusal(filterOf(bad)), remoteRefusal(filterOf(bad))]).toEqual(['inconsistent', 'inconsistent']);
  });

  const bucket = { buckets: 1, storage: 1, width: 8, capacity: 4 } as const;
  test.each<[string, Table]>([
    // All bits of the code are 1: it stands for low parts that are too large, or for none.
    ['a code that no low parts have', { ...bucket, size: 4, payload: [0xff, 0x0f] }],
    [
      'a code that no low parts have, at 7.75 bits',
      { ...bucket, quarters: 1, size: 4, payload: [0xff, 0x7f] },
    ],
    [
      'a code that no low parts have, at 7.5 bits',
      { ...bucket, quarters: 2, size: 4, payload: [0xff, 0x3f] },
    ],
    [
      'a code that no low parts have, at 7.25 bits',
      { ...bucket, quarters: 3, size: 4, payload: [0xff, 0x1f] },
    ],
    [
      'reserved bits but no fingerprint',
      { buckets: 1, slots: 1, width: 4, doublings: 2, size: 1, payload: [0x10] },
    ],
    [
      'reserved bits but no fingerprint, semi-sorted',
      { ...bucket, width: 5, doublings: 2, size: 1, payload: [0, 0, 0x40] },
    ],
  ])('with %s is refused', (_, table) => {
    expect(refusal(filterOf(table))).toBe('inconsistent');
  });

  test('with values of an unknown kind is of an unknown version', () => {
    const saved = CuckooValues.from([['a', 1]], { valueBits: 8, capacity: 20 }).serialize();
    const codes = [0, 1, 3, 4].map((kind) => {
      saved[72] = kind;
      return refusal(saved);
    });
    expect(codes).toEqual(['unsupported-version', 'not-a-filter', 'not-a-filter', 'unsupported-version']);
  });
});

describe('layers', () => {
  const xor = { addressing: 1 } as const;
  const first: Table = { ...xor, buckets: 16, capacity: 40 };
  const second: Table = { ...xor, buckets: 64, capacity: 160 };
  const third: Table = { ...xor, buckets: 256, capacity: 640 };
  const layered = (...tables: Table[]): Uint8Array => layersOf(1, tables.map(filterOf));

  test.each<[string, tables: Table[], code: string]>([
    ['as they must be', [first, second, third], 'none'],
    ['that may still grow', [first, { ...second, buckets: 16, doublings: 2 }], 'none'],
    ['of which the first may grow more often than it began with', [{ ...first, buckets: 4, doublings: 2 }], 'inconsistent'],
    ['of which one may grow more often', [first, { ...second, buckets: 8, doublings: 3 }], 'inconsistent'],
    ['that are not xor', [{ ...first, addressing: 0 }], 'inconsistent'],
    ['of which one is not xor', [first, { ...second, addressing: 0 }], 'inconsistent'],
    ['of two widths', [first, { ...second, width: 9 }], 'inconsistent'],
    ['of two seeds', [first, { ...second, seed: 1 }], 'inconsistent'],
    ['with too many buckets', [first, { ...second, buckets: 128 }], 'inconsistent'],
    ['with another capacity', [first, { ...second, capacity: 161 }], 'inconsistent'],
    ['with more keys than fit', [first, { ...second, size: 81 }], 'inconsistent'],
    ['of which one has values', [first, { ...second, flags: 2, payload: [1] }], 'unsupported-version'],
  ])('%s', (_, tables, code) => {
    expect([refusal(layered(...tables)), remoteRefusal(layered(...tables))]).toEqual([code, code]);
  }); // prettier-ignore

  test('fill the bytes, no more and no less', () => {
    const saved = layered(first, second);
    const shorter = layersOf(1, [filterOf(first), filterOf(second).subarray(0, -20)]);
    const longer = layersOf(1, [first, second].map(filterOf), 8);
    for (const bytes of [shorter, longer]) {
      expect([refusal(bytes), remoteRefusal(bytes)]).toEqual(['cut-short', 'cut-short']);
    }
    // As short as a layer may be, so its bytes are looked at.
    expect(refusal(layersOf(1, [new Uint8Array(80)]))).toBe('not-a-filter');
    expect(refusal(layersOf(1, [new Uint8Array(79)]))).toBe('cut-short');
    expect(remoteRefusal(saved.subarray(0, 24 + 72 + 64 + 8 + 72))).toBe('none');
  });

  test.each([
    [8, { ...first, capacity: 40 }, 4],
    [20, { ...xor, slots: 1, width: 20, buckets: 2 ** 13 }, 12],
    [31, { ...xor, width: 31, buckets: 4 }, 1],
    [32, { ...xor, width: 32, buckets: 4 }, 0],
  ])('of %d bits begin with as many doublings as their bits and buckets leave room for', (_, table, most) => {
    const begun = Array.from({ length: 40 }, (_, began) => layersOf(began, [filterOf(table)]));
    const allowed = begun.map((bytes) => refusal(bytes) === 'none');
    expect(allowed).toEqual(begun.map((_, began) => began <= most));
  });

  test('have the capacities of the class, of which a later layer has a smaller share', () => {
    const saved = [first, second, third].map((_, k) => layered(...[first, second, third].slice(0, k + 1)));
    expect(saved.map((bytes) => new FilterReader(bytes).currentCapacity)).toEqual([
      40,
      40 + 80,
      40 + 80 + 160,
    ]);
    for (const bytes of [...saved, layered(first, { ...second, buckets: 16, doublings: 2 })]) {
      using filter = ScalableCuckooFilter.deserialize(bytes);
      const { capacity, currentCapacity, maxCapacity, totalCapacity } = filter;
      expect(new FilterReader(bytes)).toMatchObject({
        capacity,
        currentCapacity,
        maxCapacity,
        totalCapacity,
      });
    }
  });

  test('have the total capacity of all that may follow', () => {
    for (const width of [2, 8, 27, 28, 29, 30, 31, 32]) {
      for (const [began, buckets] of [
        [0, 1],
        [0, 4],
        [1, 4],
        [2, 4],
        [2, 2 ** 10],
      ] as const) {
        const bytes = layersOf(began, [filterOf({ ...xor, width, buckets, capacity: buckets })]);
        if (refusal(bytes) !== 'none') continue;
        using filter = ScalableCuckooFilter.deserialize(bytes);
        expect([width, began, buckets, new FilterReader(bytes).totalCapacity]).toEqual([
          width, began, buckets, filter.totalCapacity,
        ]); // prettier-ignore
      }
    }
  });

  test('have no more than one layer for each bit that a slot has left, and the first', () => {
    const tables = [first, second, third].map((table) => ({ ...table, width: 31 }));
    expect([1, 2, 3].map((count) => refusal(layered(...tables.slice(0, count))))).toEqual([
      'none',
      'none',
      'inconsistent',
    ]);
  });
});
