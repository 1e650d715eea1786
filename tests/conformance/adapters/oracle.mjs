// The independent reader, which the suite judges what others write by, against the suite itself.
import { open, siphash13, xxh64 } from '../oracle.mjs';
import { bytesOf, serve } from './serve.mjs';

let filter;
await serve({
  about: () => ({
    name: 'the independent reader',
    reads: ['plain', 'semi-sorted', 'growing', 'keyed', 'values', 'counters', 'periods', 'scalable'],
    hashes: true,
  }),
  hash({ bytes, seed, secret }) {
    const key = bytesOf(bytes);
    const hash = secret === undefined ? xxh64(key, BigInt(seed)) : siphash13(key, bytesOf(secret));
    return { hash: hash.toString(16).padStart(16, '0') };
  },
  open({ bytes, secret, limit }) {
    filter = open(bytesOf(bytes), bytesOf(secret), limit);
    return { size: filter.size };
  },
  ask: ({ keys }) => ({ answers: keys.map((key) => filter.ask(bytesOf(key))) }),
});
