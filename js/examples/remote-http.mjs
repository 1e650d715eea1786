// Queries a filter on a web server without downloading it: reads its header once, then for each key only the bytes that
// decide. Works with any server that answers Range requests for files, with an ETag. Needs nothing but `fetch`.
import { fetchRanges, FilterReader } from 'cuckoofilter-wasm/reader';

/**
 * The filter saved at `url`. `has(key)` makes one or two small requests. Throws FormatError if there is no such filter, and
 * FetchRangesError for answers that are not parts of it; with the code `changed`, open it again.
 */
export async function openRemote(url) {
  const { header, read } = await fetchRanges(url);
  const remote = FilterReader.remote(header);
  return {
    has: async (key) => remote.answer(key, await read(remote.locate(key))),
  };
}
