// Errors of the server at every step of every call, one of each kind. How codes
// are told apart is tested in ../offline/refusals.test.ts.
import { expect, test } from '@jest/globals';
import { fromNodeRedis, RedisBatchError } from 'cuckoofilter-wasm/redis';
import { keysTo, node, open } from '../clients';

test('an error of each kind at every step of every call leaves the filter as it says, and is over with its cause', async () => {
  const messages = [
    "OOM command not allowed when used memory > 'maxmemory'.",
    'LOADING Redis is loading the dataset in memory',
    'NOPERM this user has no permissions',
    'NOSCRIPT No matching script',
  ];
  for (const message of messages)
    for (const method of ['addMany', 'addManyIfAbsent', 'deleteMany', 'containsMany'] as const) {
      const given = fromNodeRedis(node);
      const options = { capacity: 60, maxCapacity: 2000, falsePositiveRate: 1e-6 };
      let left = Infinity;
      const filter = await open({
        ...options,
        send: (command) => (--left === 0 ? Promise.reject(new Error(message)) : given(command)),
      });
      const keys = keysTo(200);
      for (let at = 1; at < 12; ++at) {
        await filter.reset();
        if (method === 'deleteMany') await filter.addMany(keys);
        left = at;
        const asking: Promise<unknown> = filter[method](keys);
        const error: unknown = await asking.then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        left = Infinity;
        if (error === undefined) continue;
        expect(error).toBeInstanceOf(RedisBatchError);
        if (method === 'containsMany') continue;
        const { outcomes } = error as RedisBatchError;
        expect(outcomes).not.toContain('unknown');
        const wanted = outcomes.map((outcome) => Number((outcome === 'done') !== (method === 'deleteMany')));
        expect([message, method, at, await filter.containsMany(keys)]).toEqual([
          message,
          method,
          at,
          Uint8Array.from(wanted),
        ]);
      }
      await filter.drop();
    }
});
