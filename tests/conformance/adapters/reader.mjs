// FilterReader, the reader without WebAssembly.
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { bytesOf, serve } from './serve.mjs';

let filter;
await serve({
  about: () => ({ name: 'FilterReader', reads: ['plain', 'semi-sorted', 'growing', 'keyed', 'scalable'] }),
  open({ bytes, secret, limit }) {
    const hash = secret && { algorithm: 'siphash-1-3', key: bytesOf(secret) };
    filter = new FilterReader(bytesOf(bytes), { hash, maxBytes: limit });
    return { size: filter.size };
  },
  ask: ({ keys }) => ({ answers: keys.map((key) => filter.count(bytesOf(key))) }),
});
