// Keys packed into one array: whatever takes many keys takes them as it takes an array of the same keys, and bad ends
// are refused by index.
import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import {
  CuckooFilter,
  Deduper,
  FilterFullError,
  type InvalidKeyError,
  PackedKeys,
  type Key,
} from 'cuckoofilter-wasm';
import { Random, sameBytes, thrownBy, withSeed } from '../support/random';

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
  using filter = CuckooFilter.from<Key>(packed);
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
  expect(thrownBy(RangeError, () => filter.addMany(packed)).message).toMatch(
    `key ${index}: ends[${index}] must be from `,
  );
  expect(filter.size).toBe(index);
});

test('a wrong end is an error with answers, at once and later', async () => {
  for (const wrong of [0, 2, 2500]) {
    const packed = pack(Array.from({ length: 3000 }, (_, i) => encoder.encode(`key ${i % 2000}`)));
    packed.ends[wrong] = 2 ** 31;
    const [deduper, later] = [new Deduper({ capacity: 4000 }), new Deduper({ capacity: 4000 })];
    const { message, answers } = thrownBy(RangeError, () => deduper.areNew(packed)) as InvalidKeyError;
    expect(answers).toHaveLength(wrong);
    await expect(later.areNewAsync(packed)).rejects.toMatchObject({ message, answers });
    expect(sameBytes(later.serialize(), deduper.serialize())).toBe(true);
  }
});

describe('packed keys are made of', () => {
  const bytes = encoder.encode('abc');
  const ends = Uint32Array.of(1, 3);

  test.each([
    ['abc', '"abc"'],
    [[97, 98, 99], 'an array'],
    [new Uint16Array(3), '[object Uint16Array]'],
    [new Uint8ClampedArray(3), '[object Uint8ClampedArray]'],
    [new ArrayBuffer(3), '[object ArrayBuffer]'],
    [undefined, 'undefined'],
    [null, 'null'],
  ])('bytes, not of %p', (wrong, shown) => {
    expect(thrownBy(TypeError, () => new PackedKeys(wrong as never, ends)).message).toBe(
      `PackedKeys: bytes must be a Uint8Array, got ${shown}`,
    );
  });

  test.each([
    [[1, 2], 'an array'],
    [[NaN, 3], 'an array'],
    [new Uint8Array(2), '[object Uint8Array]'],
    [new Float64Array(2), '[object Float64Array]'],
    [undefined, 'undefined'],
  ])('ends, not of %p', (wrong, shown) => {
    expect(thrownBy(TypeError, () => new PackedKeys(bytes, wrong as never)).message).toBe(
      `PackedKeys: ends must be a Uint32Array, got ${shown}`,
    );
  });

  test('arrays of any realm and subclass', () => {
    const foreign = runInNewContext('[Uint8Array.of(97, 98, 99), Uint32Array.of(1, 3)]') as [
      Uint8Array,
      Uint32Array,
    ];
    for (const packed of [new PackedKeys(...foreign), new PackedKeys(Buffer.from('abc'), ends)])
      expect(CuckooFilter.from<Key>(packed).containsMany(['a', 'bc'])).toEqual(Uint8Array.of(1, 1));
  });
});

describe.each(['bytes', 'ends'] as const)('packed keys whose %s', (part) => {
  const uses: readonly [string, (packed: PackedKeys) => unknown][] = [
    ...(['addMany', 'addManyIfAbsent', 'containsMany', 'deleteMany'] as const).map(
      (name) => [name, (packed: PackedKeys) => new CuckooFilter({ capacity: 10 })[name](packed)] as const,
    ),
    ['from', (packed) => CuckooFilter.from(packed)],
    ['areNew', (packed) => new Deduper({ capacity: 10 }).areNew(packed)],
    ['an iterator', (packed) => [...packed]],
  ] as [string, (packed: PackedKeys) => unknown][];

  test.each(uses)('were transferred away are refused by %s', (_, use) => {
    const packed = new PackedKeys(encoder.encode('abc'), Uint32Array.of(1, 3));
    structuredClone(packed[part], { transfer: [packed[part].buffer] });
    expect(thrownBy(TypeError, () => use(packed)).message).toBe(
      `PackedKeys: ${part} has no bytes left: its buffer was transferred or shrunk. Transfer a slice()`,
    );
  });

  test.each(uses)('were replaced by something else are refused by %s', (_, use) => {
    const packed = new PackedKeys(encoder.encode('abc'), Uint32Array.of(1, 3));
    Object.assign(packed, { [part]: [1, 3] });
    expect(() => use(packed)).toThrow(`PackedKeys: ${part} must be a Uint`);
  });

  test('are gone already cannot be packed', () => {
    const arrays = { bytes: encoder.encode('abc'), ends: Uint32Array.of(1, 3) };
    structuredClone(arrays[part], { transfer: [arrays[part].buffer] });
    expect(() => new PackedKeys(arrays.bytes, arrays.ends)).toThrow('has no bytes left');
  });
});

test('a filter that gets full says how many of them went in', () => {
  using filter = new CuckooFilter({ capacity: 4 });
  const keys = Array.from({ length: 500 }, (_, i) => encoder.encode(`key ${i}`));
  const error = thrownBy(FilterFullError, () => filter.addManyIfAbsent(pack(keys)));
  expect(error.added).toBe(filter.size);
});
