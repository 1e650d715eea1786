// Filters as files.
// Invariant: an existing file is replaced by a whole filter or not at all, even if the program is killed; and only one
// run at a time replaces it.
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { CuckooFilter, FormatError, OutOfMemoryError } from 'cuckoofilter-wasm';
import { Failure, fileFailure, naming } from '../words/failure.js';
import { removed, untilFree } from './held.js';
import { locked, temporary } from './lock.js';

/** Node reads and writes less than 2 GiB in one call. */
export const PIECE_BYTES = 2 ** 30;

/** The filter saved in `file`. Throws Failure. */
export function loadFilter(file: string): CuckooFilter {
  checkNamed(file);
  const bytes = naming(file, () => withFile(file, 'r', bytesOf));
  if (bytes.length === 0)
    throw new Failure(
      `${file}: the file is empty, so no filter was saved in it. Delete it, or build it again`,
    );
  try {
    return CuckooFilter.deserialize(bytes);
  } catch (error) {
    if (error instanceof OutOfMemoryError)
      throw new Failure(
        `${file}: not enough memory to load a filter of this size. Use a machine with more memory`,
      );
    if (error instanceof FormatError) throw new Failure(`${file}: ${problemOf(error)}`);
    throw error;
  }
}

/** The filter of `--load`; undefined if there is no such file and `mayLack` says that this is fine. Throws Failure. */
export function loadForMore(file: string, mayLack: boolean): CuckooFilter | undefined {
  checkNamed(file);
  // Undefined means ENOENT alone: a filter that cannot be reached is not missing.
  if (naming(file, () => statSync(file, { throwIfNoEntry: false })) !== undefined) return loadFilter(file);
  if (mayLack) return undefined;
  throw new Failure(
    `${file}: no such file or directory. To start with an empty filter, leave out --load, or add --create and --save`,
  );
}

function withFile<T>(file: string, flags: string, use: (fd: number) => T, mode = 0o666): T {
  const fd = openSync(file, flags, mode);
  try {
    return use(fd);
  } finally {
    closeSync(fd);
  }
}

/** All bytes of an open file, of any size. */
function bytesOf(fd: number): Uint8Array {
  const found = fstatSync(fd);
  if (!found.isFile()) return readFileSync(fd);
  const bytes = new Uint8Array(found.size);
  let length = 0;
  for (let got = 1; got > 0 && length < bytes.length; length += got)
    got = readSync(fd, bytes, length, Math.min(PIECE_BYTES, bytes.length - length), null);
  return bytes.subarray(0, length);
}

/** Flushes a folder, so that renames in it survive a crash. Windows cannot do that. */
function flushFolder(folder: string): void {
  try {
    withFile(folder, 'r', fsyncSync);
  } catch {
    // The file itself is flushed, and has its name.
  }
}

/** The problem in words for the command line, without advice that only helps programs. */
function problemOf({ message, code }: FormatError): string {
  if (code === 'wrong-key') return 'the filter has a secret key, and this command cannot take one';
  if (code === 'cut-short')
    return 'the file is cut short, or goes on after the end of the filter. Copy or build it again';
  if (code === 'damaged' || code === 'inconsistent') return 'the file is damaged. Build it again';
  // Only the message tells which class saved it.
  return message
    .replace(/\. Use \w+\.deserialize.*$/, ', which this command cannot read')
    .replace(/^cannot load .*: not a saved filter/, 'not a filter saved by build or dedup')
    .replace(/^cannot load [^:]*: /, '')
    .replace('; the bytes begin', '; it begins')
    .replace(/; they are (\w+ text): .*$/, '; it is $1: decode it')
    .replace(/(as text, which damages them): .*$/, '$1');
}

/** A file to save a filter to. Make it before the filter is loaded: until it is saved, no other run may save it. */
export class SavedFile {
  readonly #file: string;
  readonly #target: string;
  readonly #state: string | undefined;
  /** The file to be replaced. */
  readonly #found: Stats | undefined;
  /** Undefined for a pipe or a device: those are written to, because they cannot be replaced. */
  readonly #unlock: (() => void) | undefined;

  /**
   * Throws Failure if nothing can be saved to `file`; if it holds something other than a filter, which would be lost;
   * or if it is one of `sources` under another name, because only one of the two would be replaced.
   */
  constructor(file: string, sources: readonly string[]) {
    checkNamed(file);
    this.#file = file;
    const found = naming(file, () => statSync(file, { throwIfNoEntry: false }));
    if (found?.isDirectory() === true)
      throw new Failure(`${file}: this is a folder. Name a file to save the filter to`);
    if (found?.isFile() === false) {
      this.#target = file; // A pipe has no other name: /dev/stdout is a link to one.
      return;
    }
    this.#target = naming(file, () => targetOf(file));
    checkTemporary(this.#target, file);
    const before = stateOf(this.#target);
    const isLoaded = sources.some((source) => naming(source, () => stateOf(source)) === before);
    this.#unlock = locked(this.#target, file, isLoaded);
    this.#found = found;
    this.#state = stateOf(this.#target);
    this.#check(sources);
  }

  /** Whether saving replaces a filter. */
  get isReplacing(): boolean {
    return this.#found !== undefined && this.#found.size > 0;
  }

  #check(sources: readonly string[]): void {
    const file = this.#file;
    if (this.#state === undefined) return;
    if (!naming(file, () => isFilterOrEmpty(this.#target)))
      throw new Failure(
        `${file}: not a filter, and saving would replace it. Name another file, or remove this one`,
      );
    for (const source of sources)
      if (naming(source, () => stateOf(source)) === this.#state && realpathSync(source) !== this.#target)
        throw new Failure(
          `${source} and ${file} are two names for the same file, and saving would replace only the second. Use the same name for both`,
        );
  }

  #checkUnchanged(): void {
    if (stateOf(this.#target) !== this.#state)
      throw new Failure(
        `${this.#file}: another program changed this file during the run, so nothing was saved. Run this again`,
      );
  }

  /**
   * Saves `filter`. The file keeps its permissions and, where the system allows that, its owner. `report` runs once the
   * filter is known to fit on the disk; if it rejects, nothing is saved. Rejects with Failure. Needs memory for a copy.
   */
  async save(filter: CuckooFilter, report: () => Promise<void>): Promise<void> {
    const target = this.#target;
    const found = this.#found;
    if (this.#unlock === undefined) {
      await report();
      return naming(this.#file, () => withFile(target, 'w', (fd) => writeBytes(fd, filter.serialize())));
    }
    const written = temporary(target, process.pid);
    try {
      naming(this.#file, () => {
        removed(written);
        // Made anew, so that no link can lead elsewhere, and private until it has the permissions of the old file.
        withFile(
          written,
          'wx',
          (fd) => {
            if (found !== undefined) becomeAs(fd, found);
            writeBytes(fd, filter.serialize());
            fsyncSync(fd);
          },
          found && 0o600,
        );
      });
      await report();
    } catch (error) {
      removed(written);
      throw error;
    }
    this.#replaceBy(written);
    this.#unlock();
  }

  /** Gives the file `written`, which is whole, the target's name. If that fails, it is kept: it holds the run's result. */
  #replaceBy(written: string): void {
    const target = this.#target;
    try {
      untilFree(() => {
        // As late as possible, so that hardly any time is left in which another program can save.
        this.#checkUnchanged();
        renameSync(written, target);
      });
    } catch (error) {
      if (error instanceof Failure) {
        removed(written);
        throw error;
      }
      throw new Failure(
        `${this.#file}: this file could not be replaced (${(error as Error).message}). The filter is saved as ${written}: close the programs that use ${target}, then rename ${written} to ${target}`,
      );
    }
    flushFolder(dirname(target));
  }
}

/** Throws Failure if the file that is written before it replaces `target` would have too long a name. */
function checkTemporary(target: string, file: string): void {
  const written = temporary(target, process.pid);
  try {
    lstatSync(written, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENAMETOOLONG') throw fileFailure(file, error);
    const extra = written.length - target.length;
    throw new Failure(
      `${file}: the name is too long, because a filter is first saved under a name with ${extra} more characters. Choose a shorter one`,
    );
  }
}

/** Gives an open file the owner and permissions of another, as far as the system lets this user. */
function becomeAs(fd: number, { uid, gid, mode }: Stats): void {
  for (const [owner, group] of [
    [-1, gid],
    [uid, -1],
  ] as const)
    try {
      fchownSync(fd, owner, group);
    } catch {
      // Then the file belongs to whoever runs the command.
    }
  fchmodSync(fd, mode); // Last, because a new owner loses some of them.
}

/** A string that identifies the file and changes with every save; undefined if there is no file. */
function stateOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && [found.dev, found.ino, found.size, found.mtimeNs].join();
}

/** `-` is only for lines. Throws Failure. */
function checkNamed(file: string): void {
  if (file === '-') throw new Failure('give the name of a file for the filter: "-" stands for lines only');
}

/** Whether the file begins as saved filters do, or has no bytes. */
function isFilterOrEmpty(file: string): boolean {
  const begin = Buffer.alloc(3);
  const isEmpty = withFile(file, 'r', (fd) => readSync(fd, begin)) === 0;
  return isEmpty || begin.equals(Buffer.from([0x89, 0x43, 0x4b]));
}

/** The file itself, if `file` is a link, even if it does not exist yet. Throws Failure if its folder does not exist. */
function targetOf(file: string): string {
  try {
    return realpathSync(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    throw new Failure(`${file}: there is no folder ${folder}. Make it first`);
  const path = join(realpathSync(folder), basename(file));
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(dirname(path), readlinkSync(path))) : path;
}

/** Writes all bytes, however few the system takes at once. */
export function writeBytes(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;)
    at += writeSync(fd, bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
}
