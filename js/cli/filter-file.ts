// Filters as files.
// Invariant: an existing file is replaced by a whole filter or not at all, whenever the program ends.
import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
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

/** In the words of the command line, where there is nothing that a program would have to do otherwise. */
function problemOf({ message, code }: Error & { code?: unknown }): string {
  if (code === 'wrong-key') return 'the filter has a secret key, which the command does not know';
  return message.replace(/, use \w+\.deserialize.*$/, ', which the command does not read');
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
