// Filters as files, in Node, Bun and Deno: save, load, and take.
// Invariants: an existing file is replaced by a whole filter or not at all, even if the program is killed or the power
// fails; of several saves of one program to one file, the last call wins; and once `take` has given a filter, no file is
// left that would lack the keys added to it.
import { lstatSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { check, FormatError } from '../src/errors.js';
import { checkedSignal, reasonOf, signalOf, stopIfAborted, stoppable } from '../src/keys/signals.js';
import type { AsyncOptions } from '../src/keys/signals.js';
import { isPlain } from '../src/options/plain.js';
import { whenFree } from './held.js';
import { bytesOf } from './reading.js';
import { flushFolder, Replacement, targetOf } from './replacement.js';

declare global {
  /** Lets programs without a library that declares URL read these types. With one, it adds nothing. */
  // eslint-disable-next-line -- its members are those of the library's own declaration
  interface URL {}
}

/** What can be saved: a filter of any class. */
export interface Saveable {
  serialize(): Uint8Array;
}

/** A class whose filters can be loaded: CuckooFilter, Deduper and every other one with `deserialize`. */
export interface Loadable {
  deserialize(bytes: Uint8Array, options?: object): object;
}

/** What a class loads: of `CuckooFilter<number>`, a filter of numbers. */
export type Loaded<Class extends Loadable> = Class extends abstract new (...args: never) => infer Filter
  ? Filter
  : ReturnType<Class['deserialize']>;

/** The options of a class's `deserialize`, such as `maxBytes`, and a signal. */
export type LoadFileOptions<Class extends Loadable> = NonNullable<Parameters<Class['deserialize']>[1]> &
  AsyncOptions;

/**
 * Saves `filter`, as it is when this is called, in the file at `path`. The new file is first written beside the old one,
 * and replaces it once it is whole and on the disk. It keeps the permissions of the old file and, where the system
 * allows that, its owner. If `path` is a link, the file that it leads to is replaced. Rejects with the system's `code`,
 * or with the signal's reason; the old file is then as it was. A program that is killed meanwhile leaves the new file,
 * whose name ends with `.tmp`. Needs memory for a copy of the filter. Only one process should save a file.
 */
export async function save(path: string | URL, filter: Saveable, options: AsyncOptions = {}): Promise<void> {
  const file = pathOf(path);
  checkHas('filter', 'serialize', filter, 'a filter');
  const signal = signalOf(options);
  stopIfAborted(signal);
  const bytes: unknown = filter.serialize();
  const isBytes = Object.prototype.toString.call(bytes) === '[object Uint8Array]'; // of any realm
  check('what serialize() returns', 'a Uint8Array', bytes, isBytes);
  try {
    await inTurn(targetOf(file), signal, () => replace(file, bytes as Uint8Array, signal));
  } catch (error) {
    throw inWords(error, 'save', file, signal);
  }
}

/**
 * The filter that was saved in the file at `path`, loaded by `Class`; undefined if there is no such file. Rejects with
 * FormatError if the file is damaged, was saved by another class, or is larger than `options.maxBytes` allows (`code`
 * says which); with OutOfMemoryError; with the system's `code`; and with the signal's reason. For a filter that the
 * program goes on to change, call `take`.
 */
export async function load<Class extends Loadable>(
  path: string | URL,
  Class: Class,
  options?: LoadFileOptions<Class>,
): Promise<Loaded<Class> | undefined> {
  const file = pathOf(path);
  checkHas('Class', 'deserialize', Class, 'a class');
  const { signal: given, ...rest } = optionsOf(options);
  const signal = checkedSignal(given);
  stopIfAborted(signal);
  let bytes: Uint8Array;
  try {
    // The class checks maxBytes.
    bytes = await bytesOf(file, typeof rest.maxBytes === 'number' ? rest.maxBytes : Infinity, signal);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw inWords(error, 'load', file, signal);
  }
  try {
    return Class.deserialize(bytes, rest) as Loaded<Class>;
  } catch (error) {
    throw named(error, file);
  }
}

/**
 * Loads a filter as `load` does and removes its file, for a filter that the program goes on to change: a crash then
 * leaves no file that lacks the newest keys. If there is no file, or one that gives a FormatError, `build` makes the
 * filter, from the keys themselves; it is given that error. The file is removed last, so if `build` fails, or returns no
 * filter, it is kept. Save the filter again only when the program ends: after a crash, a file saved earlier would lack
 * keys. Rejects as `load` does but for FormatError, with what `build` throws, and with the system's `code` if the file
 * cannot be removed.
 */
export async function take<Class extends Loadable, Filter extends Loaded<Class>>(
  path: string | URL,
  Class: Class,
  build: (damage: FormatError | undefined) => Filter | PromiseLike<Filter>,
  options?: LoadFileOptions<Class>,
): Promise<Filter> {
  const file = pathOf(path);
  check('build', 'a function that makes the filter', build, typeof build === 'function');
  const signal = checkedSignal(optionsOf(options).signal);
  stopIfAborted(signal);
  /** Runs what is done with the file in the program's order, with the system's errors in words. */
  const inOrder = async <Result>(action: (target: string) => Promise<Result>): Promise<Result> => {
    try {
      const target = targetOf(file);
      return await inTurn(target, signal, () => action(target));
    } catch (error) {
      throw inWords(error, 'take', file, signal);
    }
  };
  let damage: FormatError | undefined;
  let found: number | undefined;
  const removeFound = async (target: string): Promise<void> => {
    stopIfAborted(signal);
    await remove(target, found);
  };
  const loaded = await inOrder(async (target) => {
    await checkReplaceable(file);
    found = inodeOf(target);
    const filter = (await load(file, Class, options).catch((error: unknown) => {
      if (!isFormatError(error)) throw error;
      damage = error;
      return undefined;
    })) as (Filter & { dispose?(): void }) | undefined;
    if (filter !== undefined)
      await removeFound(target).catch((error: unknown) => {
        filter.dispose?.();
        throw error;
      });
    return filter;
  });
  if (loaded !== undefined) return loaded;
  const built = await build(damage); // It may save to this file, so it is not in the turn.
  checkHas('what build returns', 'serialize', built, 'a filter');
  await inOrder(removeFound);
  return built;
}

/** The file's absolute name, so that it stays the same if the program changes its folder. Throws TypeError. */
function pathOf(path: string | URL): string {
  const isName = typeof path === 'string' ? path !== '' : path instanceof URL && path.protocol === 'file:';
  // No file has such a name: without this, `load` would take it for a file that does not exist.
  const isUrl = typeof path === 'string' && /^[a-z][\w+.-]+:\/\//i.test(path);
  check(
    'path',
    `the name of a file, or a file: URL${isUrl ? ', as new URL(path)' : ''}`,
    path,
    isName && !isUrl,
  );
  return resolve(typeof path === 'string' ? path : fileURLToPath(path));
}

function checkHas(name: string, method: string, value: unknown, what: string): void {
  const has = typeof (value as Record<string, unknown> | null | undefined)?.[method] === 'function';
  check(name, `${what} with ${method}()`, value, has);
}

/** A copy of the options, which the class checks. Throws TypeError. */
function optionsOf(options: unknown = {}): { readonly signal?: unknown; readonly maxBytes?: unknown } {
  check('options', 'a plain object', options, isPlain(options));
  return { ...(options as object) };
}

/** The saves and takes under way, by file, each until those before it have ended as well. */
const saves = new Map<string, Promise<unknown>>();

/** Runs `action` after those that were begun earlier for this file. */
async function inTurn<Result>(
  target: string,
  signal: AbortSignal | undefined,
  action: () => Promise<Result>,
): Promise<Result> {
  const before = saves.get(target) ?? Promise.resolve();
  const turn = stoppable(before, signal).then(action);
  const all = Promise.allSettled([before, turn]);
  saves.set(target, all);
  void all.then(() => saves.get(target) === all && saves.delete(target));
  return turn;
}

async function replace(file: string, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<void> {
  const replacement = await Replacement.begin(file);
  try {
    await replacement.write(bytes, signal);
    await replacement.finish();
    stopIfAborted(signal);
    await replacement.replace();
  } catch (error) {
    await replacement.discard();
    throw error;
  }
}

/** Where no new file can be made, none can be removed either, nor saved when the program ends. A pipe would wait. */
async function checkReplaceable(file: string): Promise<void> {
  const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
  if (!isPipe) await (await Replacement.begin(file)).discard();
}

/** What tells the file from one that replaces it; undefined if there is none, or if it is no file. */
function inodeOf(target: string): number | undefined {
  const stats = lstatSync(target, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.ino : undefined;
}

/** Removes the file for good, if it is still the one that was found. */
async function remove(target: string, found: number | undefined): Promise<void> {
  if (found === undefined || inodeOf(target) !== found) return;
  await whenFree(() => rm(target, { force: true }));
  await flushFolder(dirname(target)); // Otherwise it may be back after a crash.
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** Also one of another copy of the package, such as the CommonJS one. */
function isFormatError(error: unknown): error is FormatError {
  return error instanceof Error && error.name === 'FormatError';
}

/** A FormatError, with the name of the file; anything else as it is. */
function named(error: unknown, file: string): unknown {
  if (!isFormatError(error)) return error;
  return Object.assign(new FormatError(`${file}: ${error.message}`, error.code), { cause: error });
}

/** What codes mean where the system's own words would speak of the file beside. */
const WORDS: Record<string, (file: string) => string> = {
  ENOENT: (file) => `there is no folder ${dirname(file)}. Make it first`,
  EACCES: (file) => `no permission to write in the folder ${dirname(file)}, where the new file is made`,
  EISDIR: () => 'this is a folder. Name a file',
  ENAMETOOLONG: () => 'the name is too long, because the new file first has 13 more characters',
};

/** The system's error for `file`, with its code, in words that name this file; anything else as `named` has it. */
function inWords(
  error: unknown,
  action: 'load' | 'save' | 'take',
  file: string,
  signal: AbortSignal | undefined,
): unknown {
  if (signal?.aborted) return reasonOf(signal);
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return named(error, file);
  const words = action === 'load' && code !== 'EISDIR' ? undefined : WORDS[code]?.(file);
  // Without the name of the call and of the file beside.
  const reason = words ?? message.replace(/, \w+( '.*)?$/s, '');
  return Object.assign(new Error(`cannot ${action} ${file}: ${reason}`, { cause: error }), {
    code,
    path: file,
  });
}
