// A filter on a Redis server, with both clients; tests/js/redis has every call, shard, fault and replica.
import { expect, test } from '@jest/globals';
import { RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { CLIENTS, newName } from '../redis/clients';

test.each(CLIENTS)('keys go in, are found and go out, with %s', async (_, send) => {
  const filter = await RedisCuckooFilter.open({ send: send(), name: newName(), capacity: 1000 });
  expect(await filter.addMany(['a', 5, 'é'])).toBe(3);
  expect(await filter.containsMany(['a', 5, 'é', '5'])).toEqual(Uint8Array.of(1, 1, 1, 0));
  expect(await filter.delete('a')).toBe(true);
  expect(await filter.has('a')).toBe(false);
  await filter.drop();
});
