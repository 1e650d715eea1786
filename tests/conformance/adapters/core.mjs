// The core in WebAssembly, by its classes.
import { ask, change, create, open, save, size } from '../core.mjs';
import { bytesOf, hexOf, serve } from './serve.mjs';

const kinds = ['plain', 'semi-sorted', 'growing', 'keyed', 'values', 'counters', 'periods', 'scalable'];
await serve({
  about: () => ({ name: 'the core in WebAssembly', reads: kinds, writes: kinds, grows: true }),
  open: ({ bytes, secret, limit }) => ({ size: open(bytesOf(bytes), bytesOf(secret), limit) }),
  create: (fields) => (create(fields), {}),
  ask: ({ keys }) => ({ answers: keys.map((key) => ask(bytesOf(key))) }),
  change: ({ words }) => ({ words: words.map(change), size: size() }),
  save: () => ({ bytes: hexOf(save()) }),
});
