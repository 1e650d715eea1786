// Filters as files.
// Invariant: an existing file is replaced by a whole filter or not at all, whenever the program ends.
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { Failure, naming } from './failure.js';

/** The filter saved in `file`. Throws Failure. */
export function loadFilter(file: string): CuckooFilter {
  const bytes = naming(file, () => readFileSync(file));
  try {
    return CuckooFilter.deserialize(bytes);
  } catch (error) {
    throw new Failure(`${file}: ${problemOf(error as Error)}`);
  }
}

/** The filter of `--load`. Throws Failure. */
export function loadForMore(file: string): CuckooFilter {
  if (existsSync(file)) return loadFilter(file);
  throw new Failure(`${file}: no such file or directory. Leave out --load to begin with an empty filter`);
}

/** In the words of the command line, where there is nothing that a program would have to do otherwise. */
function problemOf({ message, code }: Error & { code?: unknown }): string {
  if (message.startsWith('not enough memory')) return 'no memory for a filter of this size';
  if (code === 'wrong-key') return 'the filter has a secret key, which the command does not know';
  if (code === 'too-large') return 'the filter is too large';
  return message
    .replace(/, use \w+\.deserialize.*$/, ', which the command does not read')
    .replace(/^cannot load .*: not a saved filter/, 'not a filter saved by build or dedup')
    .replace(', they begin', ', it begins');
}

/** Throws Failure if nothing can be saved to `file`. Call it before the work, not after. */
export function checkSavable(file: string): void {
  naming(file, () => accessSync(dirname(file), constants.W_OK));
}

/** Saves `filter` to `file`. Throws Failure. Memory holds a copy meanwhile. */
export function saveFilter(filter: CuckooFilter, file: string): void {
  // A pipe or a device is written to; it cannot be replaced.
  const isReplaced = statSync(file, { throwIfNoEntry: false })?.isFile() ?? true;
  const written = isReplaced ? `${file}.${process.pid}.tmp` : file;
  try {
    naming(file, () => writeFileSync(written, filter.serialize()));
    if (isReplaced) naming(file, () => renameSync(written, file));
  } finally {
    if (isReplaced) rmSync(written, { force: true });
  }
}
