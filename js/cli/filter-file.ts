// Filters as files.
// Invariant: an existing file is replaced by a whole filter or not at all, whenever the program ends.
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  existsSync,
  openSync,
  readFileSync,
  readSync,
  realpathSync,
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
  checkNamed(file);
  const bytes = naming(file, () => readFileSync(file));
  try {
    return CuckooFilter.deserialize(bytes);
  } catch (error) {
    throw new Failure(`${file}: ${problemOf(error as Error)}`);
  }
}

/** The file of `--load`, and what it was then, to find at the end that another run has saved it meanwhile. */
let loaded: { file: string; state: string } | undefined;

/** What changes with every save of `file`. */
function stateOf(file: string): string {
  const { ino, size, mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? {};
  return [ino, size, mtimeMs].join();
}

/** The filter of `--load`. Throws Failure. */
export function loadForMore(file: string): CuckooFilter {
  checkNamed(file);
  loaded = { file, state: stateOf(file) };
  if (existsSync(file)) return loadFilter(file);
  throw new Failure(`${file}: no such file or directory. Leave out --load to begin with an empty filter`);
}

/** In the words of the command line, where there is nothing that a program would have to do otherwise. */
function problemOf({ message, code }: Error & { code?: unknown }): string {
  if (message.startsWith('not enough memory')) return 'no memory for a filter of this size';
  if (code === 'wrong-key') return 'the filter has a secret key, which the command does not know';
  if (code === 'too-large') return 'the filter is too large';
  if (code === 'cut-short')
    return 'the file is cut short, or goes on after the end of the filter. Build it again';
  if (code === 'damaged' || code === 'inconsistent') return 'the file is damaged. Build it again';
  return message
    .replace(/; use \w+\.deserialize.*$/, ', which the command does not read')
    .replace(/^cannot load .*: not a saved filter/, 'not a filter saved by build or dedup')
    .replace(/^cannot load [^:]*: /, '')
    .replace('; they begin', '; it begins');
}

/**
 * Throws Failure if nothing can be saved to `file`, or if it has something else than a filter, which would be lost. Call it
 * before the work, not after.
 */
export function checkSavable(file: string): void {
  checkNamed(file);
  const target = targetOf(file);
  naming(file, () => accessSync(dirname(target), constants.W_OK));
  const state = statSync(target, { throwIfNoEntry: false });
  if (state?.isDirectory() === true)
    throw new Failure(`${file}: a folder. Name a file to save the filter to`);
  if (state?.isFile() !== true || state.size === 0) return;
  if (!naming(file, () => isFilter(target)))
    throw new Failure(
      `${file}: not a filter, and saving would replace it. Name another file, or remove this one`,
    );
}

/** Only lines come and go by `-`. Throws Failure. */
function checkNamed(file: string): void {
  if (file === '-') throw new Failure('a filter is in a file: name it instead of "-"');
}

/** Whether the file begins as saved filters do. */
function isFilter(file: string): boolean {
  const begin = Buffer.alloc(3);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, begin);
  } finally {
    closeSync(descriptor);
  }
  return begin.equals(Buffer.from([0x89, 0x43, 0x4b]));
}

/** The file itself, where `file` is a link to it. */
function targetOf(file: string): string {
  return existsSync(file) ? realpathSync(file) : file;
}

/** Saves `filter` to `file`, which keeps its permissions. Throws Failure. Memory holds a copy meanwhile. */
export function saveFilter(filter: CuckooFilter, file: string): void {
  if (loaded?.file === file && loaded.state !== stateOf(file))
    throw new Failure(`${file}: another run has saved it meanwhile, so nothing is saved. Run this one again`);
  const target = targetOf(file);
  const state = statSync(target, { throwIfNoEntry: false });
  // A pipe or a device is written to; it cannot be replaced.
  const isReplaced = state?.isFile() ?? true;
  const written = isReplaced ? `${target}.${process.pid}.tmp` : target;
  try {
    naming(file, () => writeFileSync(written, filter.serialize(), { mode: state?.mode ?? 0o666 }));
    if (isReplaced && state !== undefined) naming(file, () => chmodSync(written, state.mode));
    if (isReplaced) naming(file, () => renameSync(written, target));
  } finally {
    if (isReplaced) rmSync(written, { force: true });
  }
}
