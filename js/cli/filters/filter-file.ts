// Filters as files.
// Invariant: an existing file is replaced by a whole filter or not at all, even if the program is killed; and only one
// run at a time replaces it.
import { lstatSync, openSync, closeSync, readSync, realpathSync, statSync, type Stats } from 'node:fs';
import { dirname } from 'node:path';
import { CuckooFilter, FormatError, OutOfMemoryError } from 'cuckoofilter-wasm';
import { load } from 'cuckoofilter-wasm/file';
import { nameBeside, Replacement, targetOf } from '../../file/replacement.js';
import { Failure, fileFailure, naming } from '../words/failure.js';
import { removed } from './held.js';
import { locked } from './lock.js';

/**
 * The filter saved in `file`. Rejects with Failure: if there is no such file, with `advice`, and if it is refused, with what
 * `reason` tells about it.
 */
export async function loadFilter(
  file: string,
  { advice = '', reason }: { readonly advice?: string; readonly reason?: Reason } = {},
): Promise<CuckooFilter> {
  const filter = await loadIfThere(file, reason);
  if (filter === undefined) throw new Failure(`${file}: no such file or directory${advice}`);
  return filter;
}

type Reason = (file: string) => string;

/** Likewise; undefined if there is no such file. */
export async function loadIfThere(
  file: string,
  reason: Reason = () => '',
): Promise<CuckooFilter | undefined> {
  checkNamed(file);
  try {
    return await load(file, CuckooFilter);
  } catch (error) {
    const { cause } = error as { readonly cause?: unknown };
    if (error instanceof OutOfMemoryError)
      throw new Failure(
        `${file}: not enough memory to load a filter of this size. Use a machine with more memory`,
      );
    if (cause instanceof FormatError) throw new Failure(`${file}: ${problemOf(cause)}${reason(file)}`);
    throw cause === undefined ? error : fileFailure(file, cause);
  }
}

/** The problem in words for the command line, without advice that only helps programs. */
function problemOf({ message, code }: FormatError): string {
  if (code === 'wrong-key') return 'the filter has a secret key, and this command cannot take one';
  if (code === 'cut-short')
    return 'the file is cut short, or goes on after the end of the filter. Copy or build it again';
  if (code === 'damaged' || code === 'inconsistent') return 'the file is damaged. Build it again';
  if (message.startsWith('cannot load these 0 bytes'))
    return 'the file is empty, so no filter was saved in it. Delete it, or build it again';
  // Only the message tells which class saved it.
  return message
    .replace(/\. Use \w+\.deserialize.*$/, ', which this command cannot read')
    .replace(/^cannot load .*: not a saved filter/, 'not a filter saved by build or dedup')
    .replace(/^cannot load [^:]*: /, '')
    .replace('; they begin', '; it begins')
    .replace(/; they are (base64|hexadecimal).*$/, '; it is $1 text: decode it')
    .replace(/; they were (read as text): .*$/, '; it was $1, which damages it');
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
    // It refuses fchmod, by which a new file gets the permissions of the old one: that would show after all the work.
    if ('permission' in process)
      throw new Failure(
        `${file}: no filter can be saved under Node's permission model. Run without --permission`,
      );
    const found = naming(file, () => statSync(file, { throwIfNoEntry: false }));
    if (found?.isDirectory() === true)
      throw new Failure(`${file}: this is a folder. Name a file to save the filter to`);
    if (found?.isFile() === false) {
      this.#target = file; // A pipe has no other name: /dev/stdout is a link to one.
      return;
    }
    naming(file, () => checkFolder(file));
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

  /**
   * Saves `filter`. The file keeps its permissions and, where the system allows that, its owner. `report` runs once the
   * filter is known to fit on the disk; if it rejects, nothing is saved. Rejects with Failure. Needs memory for a copy.
   */
  async save(filter: CuckooFilter, report: () => Promise<void>): Promise<void> {
    if (this.#unlock === undefined) await report(); // A pipe gets the filter last.
    const replacement = await this.#written(filter);
    try {
      if (this.#unlock !== undefined) await report();
    } catch (error) {
      await replacement.discard();
      throw error;
    }
    await this.#replaceBy(replacement);
    this.#unlock?.();
  }

  /** The new file, whole and on the disk. */
  async #written(filter: CuckooFilter): Promise<Replacement> {
    let replacement: Replacement | undefined;
    try {
      removed(nameBeside(this.#target, process.pid));
      replacement = await Replacement.begin(this.#target, process.pid);
      await replacement.write(filter.serialize());
      await replacement.finish();
      return replacement;
    } catch (error) {
      await replacement?.discard();
      throw fileFailure(this.#file, error);
    }
  }

  /** Gives the new file the target's name. If that fails, it is kept: it holds the run's result. */
  async #replaceBy(replacement: Replacement): Promise<void> {
    const { written = '' } = replacement;
    const target = this.#target;
    try {
      // As late as possible, so that hardly any time is left in which another program can save.
      await replacement.replace(() => {
        if (stateOf(target) !== this.#state)
          throw new Failure(
            `${this.#file}: another program changed this file during the run, so nothing was saved. Run this again`,
          );
      });
    } catch (error) {
      if (error instanceof Failure) {
        await replacement.discard();
        throw error;
      }
      throw new Failure(
        `${this.#file}: this file could not be replaced (${(error as Error).message}). The filter is saved as ${written}: close the programs that use ${target}, then rename ${written} to ${target}`,
      );
    }
  }
}

/** Throws Failure if the file that is written before it replaces `target` would have too long a name. */
function checkTemporary(target: string, file: string): void {
  const written = nameBeside(target, process.pid);
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
  const fd = openSync(file, 'r');
  try {
    return readSync(fd, begin) === 0 || begin.equals(Buffer.from([0x89, 0x43, 0x4b]));
  } finally {
    closeSync(fd);
  }
}

/** Throws Failure if there is no folder for `file`. */
export function checkFolder(file: string): void {
  const folder = dirname(file);
  if (statSync(folder, { throwIfNoEntry: false }) === undefined)
    throw new Failure(`${file}: there is no folder ${folder}. Make it first`);
}
