// The rules of docs/inside/format.md that saved filters and layers must keep, as the reader and the class check them. The files
// that keep them or break one are those of the suite in tests/conformance.
import { describe, expect, test } from '@jest/globals';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { hashOf, MANIFEST, type Ruled } from '../support/reference/suite';
import { bytesOf, filterOf, layersOf, type Table } from '../support/reference/written';
import { classCode, codeOf } from './compared';

/** The code with which the reader and the class refuse `bytes`. */
function refusal(bytes: Uint8Array): string {
  const code = classCode(bytes);
  expect(codeOf(() => new FilterReader(bytes))).toBe(code);
  return code;
}

const remoteRefusal = (bytes: Uint8Array): string => codeOf(() => FilterReader.remote(bytes));

/** Rules of payloads and of what follows them, which are not looked at from afar. */
const isFar = ({ rule, cut }: Ruled): boolean => /^(2\.1|2\.3|4\.\d|9\.10)$/.test(rule) || cut === -1;
const read = MANIFEST.rules.filter(({ needs = [] }) =>
  needs.every((need) => ['plain', 'semi-sorted', 'growing', 'keyed', 'scalable'].includes(need)),
);

// The same for whole filters: format/golden.test.ts.
test.each(read)('from afar, rule $rule is kept or broken: $about', (made) => {
  const options = { hash: hashOf(made.secret), maxBytes: made.limit };
  const code = codeOf(() => FilterReader.remote(bytesOf(made), options));
  // A limit that a case with a broken payload has is then all that is left to refuse.
  const far = made.limit === undefined ? 'none' : 'too-large';
  expect(code).toBe(isFar(made) ? far : made.code);
});

describe('a filter', () => {
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
