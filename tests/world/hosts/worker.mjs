// A worker of the page: runs the program, or adds strings to a filter that it shares with the page and with others.

/* global postMessage -- in a worker */
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { textsOf } from './keys.mjs';
import { check } from './program.mjs';

self.onmessage = async ({ data }) => {
  if (data === 'check') return postMessage(await check());
  const filter = SharedCuckooFilter.attach(data.shared);
  const texts = textsOf(data.thread);
  const half = texts.length / 2;
  filter.addMany(texts.slice(0, half));
  for (const text of texts.slice(half)) filter.add(text);
  const missed = texts.filter((text) => !filter.has(text)).length;
  const bytes = filter.serialize();
  filter.dispose();
  postMessage({ missed, isShared: !(bytes.buffer instanceof ArrayBuffer) });
};
