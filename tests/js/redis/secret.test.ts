// A filter whose hash has a secret key, which the server never gets.
import { expect, test } from '@jest/globals';
import { CuckooFilter, FormatError, hashKeys } from 'cuckoofilter-wasm';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { fromNodeRedis, type Send } from 'cuckoofilter-wasm/redis';
import { rejected } from '../support/random';
import { keysTo, newName, node, open } from './clients';

const key = Uint8Array.from({ length: 16 }, (_, i) => 17 * i);
const hash = { algorithm: 'siphash-1-3', key } as const;
const keys = keysTo(3000);

test.each([
  [1, undefined],
  [3, undefined],
  [300, undefined],
  [1, 20_000],
])(
  '%i shards, with maxCapacity %s, answer as a local filter with that key does',
  async (shards, maxCapacity) => {
    const given = fromNodeRedis(node);
    const sent: Uint8Array[] = [];
    const send: Send = (command, options) => {
      sent.push(Buffer.concat(command.map((word) => Buffer.from(word))));
      return given(command, options);
    };
    const options = {
      name: newName(),
      capacity: maxCapacity === undefined ? 4000 : 500,
      maxCapacity,
      shards,
      hash,
    };
    const filter = await open({ ...options, send });
    await filter.addMany(keys);
    expect(await filter.containsMany(keys)).not.toContain(0);
    expect((await filter.containsMany(keysTo(3000, 'absent'))).filter(Boolean).length).toBeLessThan(30);
    expect(await filter.containsMany(hashKeys(keys, { hash }))).not.toContain(0);
    const again = await open({ ...options, create: false });
    expect([again.identity, await again.deleteMany(keysTo(10))]).toEqual([filter.identity, 10]);
    using replica = await filter.replica({ refreshMs: 0 });
    expect([replica.size, replica.containsMany(keys.slice(10)).includes(0)]).toEqual([2990, false]);
    await filter.add('later');
    await replica.refresh(); // In part.
    expect(replica.contains('later')).toBe(true);
    const [saved] = replica.serializeShards() as [Uint8Array];
    expect(new FilterReader(saved, { hash }).size).toBe(CuckooFilter.deserialize(saved, { hash }).size);
    await filter.reset();
    await filter.publish(replica);
    expect(await filter.containsMany(keys.slice(10))).not.toContain(0);
    expect(sent.some((bytes) => Buffer.from(bytes).includes(Buffer.from(key)))).toBe(false);
    expect(JSON.stringify(await filter.info())).not.toContain('"key":');
  },
);

test('one shard takes a local filter with the same key, and with no other', async () => {
  const filter = await open({ hash });
  using local = new CuckooFilter((await filter.info()).options);
  local.addMany(keysTo(900));
  await filter.publish(local);
  expect(await filter.containsMany(keysTo(900))).not.toContain(0);
  const { options } = await filter.info();
  for (const other of [undefined, { ...hash, key: new Uint8Array(16) }]) {
    using wrong = new CuckooFilter({ ...options, hash: other });
    await expect(filter.publish(wrong)).rejects.toThrow(/^the filter has other options/);
  }
});

test('another key, or none, or one where there is none, is an error of open, and of drop by options', async () => {
  const [keyed, plain] = [newName(), newName()];
  await open({ name: keyed, hash });
  await open({ name: plain });
  for (const [name, other] of [
    [keyed, { ...hash, key: new Uint8Array(16) }],
    [keyed, 'xxh64'],
    [plain, hash],
  ] as const) {
    const error = await rejected(FormatError, open({ name, hash: other }));
    expect([error.code, error.message]).toEqual([
      'wrong-key',
      `${name} was made with another hash, or another secret key. Open it with the same options.hash, or choose another name`,
    ]);
  }
  expect((await open({ name: keyed, hash })).created).toBe(false);
  expect((await open({ name: plain, hash: { algorithm: 'xxh64' } })).created).toBe(false);
});
