// Asks a filter on a web server without downloading it: its header once, then for each key only the bytes that decide.
// Any server will do that answers Range requests for files. Needs nothing but `fetch`.
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';

/** The filter saved at `url`. `has(key)` makes one or two small requests. Throws FormatError if there is no such filter. */
export async function openRemote(url) {
  const head = await rangeOf(url, { offset: 0, length: REMOTE_HEADER_BYTES });
  const remote = FilterReader.remote(head.bytes);
  return {
    async has(key) {
      const parts = await Promise.all(remote.locate(key).map((range) => rangeOf(url, range)));
      if (parts.some(({ etag }) => etag !== head.etag)) throw new Error(`${url} has changed: open it again`);
      return remote.answer(
        key,
        parts.map(({ bytes }) => bytes),
      );
    },
  };
}

async function rangeOf(url, { offset, length }) {
  const response = await fetch(url, { headers: { range: `bytes=${offset}-${offset + length - 1}` } });
  // 200 would be the whole file, from a server that ignores ranges.
  if (response.status !== 206) throw new Error(`${url}: a part was asked for, got status ${response.status}`);
  return { bytes: new Uint8Array(await response.arrayBuffer()), etag: response.headers.get('etag') };
}
