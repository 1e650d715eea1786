// Keeps filters in files. A filter is written to a temporary file, which then replaces the old one: even after a crash,
// a reader finds a whole filter. For a Deduper, `loadFrom(file, Deduper)`; for an ExpiringFilter with a clock,
// `loadFrom(file, ExpiringFilter, { every: '1 h' })`.
import { createReadStream } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';

import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';

/** Saves `filter` in `file`, in place of what was there before. */
export async function saveTo(file, filter) {
  const beside = `${file}.${process.pid}.tmp`;
  await writeFile(beside, filter.serialize(), { flush: true });
  await whenFree(() => rename(beside, file));
}

/** The filter that was saved in `file`, or undefined if there is no such file. */
export async function loadFrom(file, Filter = CuckooFilter, options = {}) {
  // As a stream, because readFile reads at most 2 GiB.
  const bytes = await buffer(createReadStream(file)).catch((error) => {
    if (error.code !== 'ENOENT') throw error;
  });
  return bytes && Filter.deserialize(bytes, options);
}

/** Loads the file and deletes it, for a filter that you go on to change: a crash leaves no file that lacks the newest keys. */
export async function takeFrom(file, Filter = CuckooFilter, options = {}) {
  const filter = await loadFrom(file, Filter, options).catch((error) => {
    if (!(error instanceof FormatError)) throw error;
    console.warn(`${file} is not used: ${error.message}`); // It is damaged, or of another version.
  });
  await whenFree(() => rm(file, { force: true }));
  return filter;
}

/** On Windows, a virus scanner can keep a file from being replaced or removed for a moment: tries for ten seconds. */
async function whenFree(action) {
  for (let pause = 10; ; pause *= 2)
    try {
      return await action();
    } catch (error) {
      if (pause > 5120 || !['EBUSY', 'EPERM', 'EACCES'].includes(error.code)) throw error;
      await setTimeout(pause);
    }
}
