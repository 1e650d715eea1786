// Keys packed into one array: whatever takes many keys takes them as it takes an array of the same keys, and bad ends
// are refused by index.
import { expect, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, PackedKeys } from 'cuckoofilter-wasm';
import { Random, sameBytes, thrownBy, withSeed } from './random';

const encoder = new TextEncoder();

function pack(keys: readonly Uint8Array[]): PackedKeys {
  const bytes = new Uint8Array(keys.reduce((sum, { length }) => sum + length, 0));
  let end = 0;
  const ends = keys.map((key) => {
    bytes.set(key, end);
    return (end += key.length);
  });
  return new PackedKeys(bytes, Uint32Array.from(ends));
}

/** Lengths around everything that the way in treats differently: empty, a batch's bytes, longer than those. */
function someKeys(random: Random, count: number): Uint8Array[] {
  const lengths = [0, 1, 7, 40, 1000, 65_535, 65_536, 65_537, 200_000];
  return Array.from({ length: count }, (_, i) =>
    random.bytes(i % 1500 === 0 ? (lengths[random.below(lengths.length)] ?? 0) : random.below(3)),
  );
}

test(
  'batches of packed keys do what batches of an array of them do',
  withSeed(7, (random) => {
    const keys = someKeys(random, 12_000);
    const packed = pack(keys);
    using one = new CuckooFilter({ capacity: 20_000 });
    using other = new CuckooFilter({ capacity: 20_000 });
    expect(packed.length).toBe(keys.length);
    expect(sameBytes(one.addManyIfAbsent(packed), other.addManyIfAbsent(keys))).toBe(true);
    expect(one.equals(other)).toBe(true);
    const half = pack(keys.slice(0, 6000));
    expect(one.deleteMany(half)).toBe(other.deleteMany(keys.slice(0, 6000)));
    expect(sameBytes(one.containsMany(packed), other.containsMany(keys))).toBe(true);
  }),
);

test('they are iterable, and a filter can be made from them', () => {
  const packed = pack(['a', '', 'bc'].map((text) => encoder.encode(text)));
  expect([...packed].map((key) => new TextDecoder().decode(key))).toEqual(['a', '', 'bc']);
  using filter = CuckooFilter.from(packed);
  expect([filter.capacity, filter.has('a'), filter.has(''), filter.has('bc'), filter.has('b')]).toEqual([
    3,
    true,
    true,
    true,
    false,
  ]);
});

test('no keys at all are nothing to do', () => {
  using filter = new CuckooFilter({ capacity: 1 });
  expect(filter.addManyIfAbsent(new PackedKeys(new Uint8Array(5), new Uint32Array(0)))).toHaveLength(0);
});

test.each([
  ['falls', [1, 3, 2, 4], 2],
  ['lies past the bytes', [1, 2, 9], 2],
  ['is bad from the first', [9], 0],
])('an end that %s is refused with its index, and the keys before it are in', (_, ends, index) => {
  using filter = new CuckooFilter({ capacity: 10 });
  const packed = new PackedKeys(encoder.encode('abcd'), Uint32Array.from(ends));
  expect(thrownBy(RangeError, () => filter.addMany(packed)).message).toMatch(`key ${index}: its end must be`);
  expect(filter.size).toBe(index);
});

test('a filter that gets full says how many of them went in', () => {
  using filter = new CuckooFilter({ capacity: 4 });
  const keys = Array.from({ length: 500 }, (_, i) => encoder.encode(`key ${i}`));
  const error = thrownBy(FilterFullError, () => filter.addManyIfAbsent(pack(keys)));
  expect(error.added).toBe(filter.size);
});
