// Queries a filter in a file without loading it: each lookup reads at most 33 bytes at each of two places. So many
// processes can query a filter that is larger than their memory, and the operating system caches what is read often.
import { open } from 'node:fs/promises';

import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';

/** The filter saved in `file`, kept open until `close`. Throws FormatError if there is no filter in it. */
export async function openFile(file) {
  const handle = await open(file);
  const read = async ({ offset, length }) => {
    const { buffer, bytesRead } = await handle.read(new Uint8Array(length), 0, length, offset);
    return buffer.subarray(0, bytesRead);
  };
  try {
    const remote = FilterReader.remote(await read({ offset: 0, length: REMOTE_HEADER_BYTES }));
    return {
      has: async (key) => remote.answer(key, await Promise.all(remote.locate(key).map(read))),
      close: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}
