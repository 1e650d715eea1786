// The hash of RedisCuckooFilter, which is computed in JavaScript, beside the core's: the same place for every kind of key, and the
// same errors for what is no key. The server is a function that keeps what was asked of it.
import { expect, test } from '@jest/globals';
import {
  CuckooFilter,
  digestKeys,
  hashKey,
  hashKeys,
  InvalidKeyError,
  PackedKeys,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { RedisCuckooFilter, type Send } from 'cuckoofilter-wasm/redis';
import { Random, thrownBy } from '../../support/random';
import { lengthOf } from './fake-server';

/** A filter so large that nearly all bits of a hash tell where a key belongs; and where the keys went that were added to it. */
async function recording(shards: number) {
  const taken: string[] = [];
  const made = new Map<string, Uint8Array>();
  let epoch = 1;
  const send: Send = (command) => {
    const [, , count, key] = command;
    const [action, header, words] = command.slice(3 + Number(count)) as [string, Uint8Array, Uint8Array];
    if (action === 'look') {
      const found = made.get(String(key));
      if (found === undefined)
        return Promise.resolve(Buffer.concat([Buffer.alloc(6), Buffer.from(String(key))]));
      const tail = Buffer.alloc(32).fill(1, 11, 12);
      const length = Buffer.alloc(6);
      length.writeUIntBE(lengthOf(Buffer.from(found)), 0, 6);
      return Promise.resolve(Buffer.concat([length, found, tail]));
    }
    // No shard has an identity until all of them exist.
    if (action === 'make') made.set(String(key), header.slice().fill(0, 58, 64));
    if (action !== 'change')
      return Promise.resolve({ make: 'created', hold: 'made' }[String(action)] ?? action);
    const numbers = new Uint32Array(words.slice().buffer);
    for (let at = 0; at < numbers.length; at += 3)
      taken.push(`${String(key)} ${numbers.slice(at, at + 3).join()}`);
    return Promise.resolve(`${'0'.repeat(numbers.length / 3)}.${++epoch}`);
  };
  const capacity = Math.min(2 ** 32 * shards, 2 ** 34) - (shards > 1 ? 2 ** 24 : 0);
  const filter = await RedisCuckooFilter.open({
    send,
    name: 'any',
    shards,
    capacity,
    falsePositiveRate: 1e-6,
  });
  const placeOf = async (key: Key): Promise<string> => {
    await filter.add(key);
    return taken.splice(0).join();
  };
  /** In any order, because the shards are asked at once. */
  const placesOf = async (keys: Keys): Promise<string[]> => {
    await filter.addMany(keys);
    return taken.splice(0).sort();
  };
  return { filter, placeOf, placesOf };
}

const random = new Random(20);
const SHARDS = [1, 2, 3, 257, 1000];

function randomText(length: number): string {
  // Of one byte, of two, of three, halves of surrogate pairs, and whole ones.
  const begins = [0, 0x80, 0x800, 0xd800, 0x10000];
  const begin = begins[random.below(begins.length)] as number;
  return Array.from({ length }, () => String.fromCodePoint(begin + random.below(0x80))).join('');
}

/** Keys of every kind and many lengths. */
function allKinds(): Key[] {
  const bytes = Uint8Array.from({ length: 4000 }, () => random.below(256));
  const lengths = [...Array(80).keys(), 127, 128, 500, 511, 512, 513, 1535, 1536, 1537, 4000];
  const wide = Uint16Array.from({ length: 40 }, () => random.below(65_536));
  const shared = new Uint8Array(new SharedArrayBuffer(100));
  shared.set(bytes.subarray(0, 100));
  const powers = [0, 1, 7, 31, 32, 33, 52].map((power) => 2 ** power);
  return [
    ...lengths.flatMap((length) => [
      randomText(length),
      bytes.slice(0, length),
      bytes.subarray(7, length + 7),
    ]),
    ...['\ud800', 'a\udfff', '\udfff\ud800', 'é\ud83d\ude00', '\0'],
    ...[wide, new DataView(bytes.buffer, 3, 50), bytes.buffer, shared, new Float64Array([1.5])],
    ...powers.flatMap((power) => [power, -power, power - 1, 1 - power]),
    ...[
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      -0,
      0n,
      -1n,
      2n ** 63n,
      -(2n ** 63n),
      2n ** 64n - 1n,
    ],
    ...Array.from({ length: 100 }, () => BigInt(random.below(2 ** 32)) * BigInt(random.below(2 ** 32))),
  ];
}

test.each(SHARDS)('is that of the core for every kind of key, with the seed of %i shards', async (shards) => {
  const { placeOf, placesOf } = await recording(shards);
  const seed = shards - 1;
  const keys = allKinds();
  for (const key of keys) expect(await placeOf(key)).toBe(await placeOf(hashKey(key, { seed })));
  const wanted = await placesOf(hashKeys(keys, { seed }));
  expect(wanted).toHaveLength(keys.length);
  expect(await placesOf(keys)).toEqual(wanted);
  expect(await placesOf(new Set(keys))).toEqual(await placesOf(hashKeys(new Set(keys), { seed })));
  const numbers = Float64Array.from({ length: 2500 }, () => random.below(2 ** 32) - 2 ** 31);
  const big = BigInt64Array.from(numbers, BigInt);
  const digests = Array.from({ length: 100 }, (_, i) => new Uint8Array(i % 2 === 0 ? 8 : 16).fill(i));
  const packed = new PackedKeys(
    Uint8Array.from({ length: 3000 }, (_, i) => i),
    new Uint32Array([0, 3, 3, 900, 3000]),
  );
  for (const many of [numbers, Int32Array.from(numbers), big, new BigUint64Array(big.buffer), packed])
    expect(await placesOf(many)).toEqual(await placesOf(hashKeys(many, { seed })));
  for (const digest of digests)
    expect(await placesOf(digestKeys([digest]))).toEqual([await placeOf(digestKeys([digest]).at(0) as Key)]);
  expect(await placesOf(Int16Array.of(1, -2))).toEqual(await placesOf([1, -2]));
});

test('refuses what is no key as the core does, with the same words', async () => {
  const { filter, placesOf } = await recording(3);
  const local = new CuckooFilter({ capacity: 10, seed: 2 });
  const gone = new Uint8Array(8);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  const wrong = [
    NaN,
    1.5,
    2 ** 53,
    null,
    undefined,
    {},
    [],
    true,
    Symbol.iterator,
    2n ** 64n,
    -(2n ** 63n) - 1n,
    gone,
  ];
  for (const key of [...wrong, hashKey('a', { seed: 7 })] as Key[]) {
    const { message } = thrownBy(InvalidKeyError, () => local.add(key));
    await expect(filter.add(key)).rejects.toThrow(new InvalidKeyError(message));
    await expect(filter.addMany(['a', key])).rejects.toMatchObject({ code: 'invalid-key', index: 1 });
  }
  for (const numbers of [Float64Array.of(1, 2, 0.5), Float32Array.of(NaN)]) {
    const error = thrownBy(InvalidKeyError, () => local.addMany(numbers as never));
    await expect(filter.addMany(numbers as never)).rejects.toMatchObject({
      message: error.message,
      index: error.index,
    });
  }
  await expect(filter.addMany(new PackedKeys(Uint8Array.of(1, 2), Uint32Array.of(2, 1)))).rejects.toThrow(
    RangeError,
  );
  await placesOf([]);
});

test('changes with the seed, the place of a key too', async () => {
  const places = await Promise.all([1, 2, 3].map(async (shards) => (await recording(shards)).placeOf('a')));
  expect(new Set(places).size).toBe(3);
});
