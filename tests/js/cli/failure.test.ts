// What the command says of a file that it cannot use, of a machine that lacks what it needs, and of its own bugs.
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { CuckooFilter, FilterFullError, OutOfMemoryError, PackedKeys } from 'cuckoofilter-wasm';
import { loadFilter } from '../../../js/cli/filters/filter-file';
import { mergedFrom } from '../../../js/cli/filters/merge';
import { newFilter, newFilterOptions } from '../../../js/cli/filters/new-filter';
import { Seen } from '../../../js/cli/filters/seen';
import { Failure, fileFailure, naming } from '../../../js/cli/words/failure';
import { inShell } from '../support/command';
import { thrownBy } from '../support/random';
import { file } from '../support/scratch';

test.each([
  ['ENOENT', 'a file: no such file or directory'],
  ['EISDIR', 'a file: this is a directory: name the files in it'],
  ['EACCES', 'a file: permission denied'],
  ['EIO', 'a file: told by the test'],
  [undefined, 'a file: told by the test'],
])('an error with the code %p is told as %p', (code, message) => {
  const error = Object.assign(new Error('told by the test'), code === undefined ? {} : { code });
  expect(fileFailure('a file', error)).toBeInstanceOf(Failure);
  expect(fileFailure('a file', error).message).toBe(message);
  const act = (): never => {
    throw error;
  };
  expect(thrownBy(Failure, () => naming('a file', act)).message).toBe(message);
});

/** The message of the Failure that a promise rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<string> {
  const error: unknown = await promise.catch((each: unknown) => each);
  return thrownBy(Failure, () => {
    throw error;
  }).message;
}

test('what succeeds gives what it gives', () => {
  expect(naming('a file', () => 5)).toBe(5);
});

describe('where WebAssembly cannot be started, every command says so', () => {
  const NONE =
    'WebAssembly is disabled. Run Node without --jitless and --no-expose-wasm, and take them out of NODE_OPTIONS';

  test.each([
    ['--jitless', 'dedup', NONE],
    ['--jitless', 'plan', NONE],
    ['--no-expose-wasm', 'query --load none', NONE],
    [
      `--import 'data:text/javascript,WebAssembly.Instance=class{constructor(){throw(Error("no%20room"))}}'`,
      'info none',
      'WebAssembly could not start: no room. If `ulimit -v` limits the address space, raise it, or set NODE_OPTIONS=--disable-wasm-trap-handler',
    ],
  ])('%s %s', (flag, words, message) => {
    const { status, stderr } = inShell(`echo a | "$0" ${flag} "$1" ${words}`);
    expect(stderr.toString().split('\n').slice(-2)).toEqual([`cuckoofilter-wasm: ${message}`, '']);
    expect(status).toBe(2);
  });

  test('but help and the version need none', () => {
    expect(inShell('"$0" --jitless "$1" --version').status).toBe(0);
    expect(inShell('"$0" --jitless "$1" help dedup').status).toBe(0);
  });
});

describe('an error of the package that nobody foresaw is not told as a failure of the user', () => {
  const bug = new TypeError('a bug');
  const fail = (): never => {
    throw bug;
  };
  afterEach(() => void jest.restoreAllMocks());

  test('in a plan', () => {
    jest.spyOn(CuckooFilter, 'plan').mockImplementation(fail);
    expect(() => newFilterOptions({ isSaved: true })).toThrow(bug);
    expect(() => newFilter({ isSaved: false, rate: 0.1 })).toThrow(bug);
  });

  test('nor one about a range where no option gave a rate', () => {
    const range = new RangeError('a bug');
    jest.spyOn(CuckooFilter, 'plan').mockImplementation(() => {
      throw range;
    });
    expect(() => newFilterOptions({ isSaved: true })).toThrow(range);
  });

  test('nor where a filter is loaded, merged or added to', async () => {
    const saved = file('saved', CuckooFilter.from(['a'], { capacity: 10 }).serialize());
    const merging = jest.spyOn(CuckooFilter.prototype, 'mergeIfAbsent').mockImplementation(fail);
    await expect(mergedFrom([saved, saved])).rejects.toBe(bug);
    merging.mockRestore();
    const seen = new Seen(await loadFilter(saved));
    jest.spyOn(CuckooFilter.prototype, 'addManyIfAbsent').mockImplementation(fail);
    expect(() => seen.add(new PackedKeys(new Uint8Array(1), Uint32Array.of(1)))).toThrow(bug);
    jest.spyOn(CuckooFilter, 'deserialize').mockImplementation(fail);
    await expect(loadFilter(saved)).rejects.toBe(bug);
  });

  test('while memory that is refused is', async () => {
    const saved = file('saved', CuckooFilter.from(['a'], { capacity: 10 }).serialize());
    const refuse = (): never => {
      throw new OutOfMemoryError('not enough memory for a table of 9 bytes for capacity 9');
    };
    const merging = jest.spyOn(CuckooFilter.prototype, 'mergeIfAbsent').mockImplementation(refuse);
    expect(await failureOf(mergedFrom([saved, saved]))).toBe(
      `${saved}: cannot merge with ${saved}: there is not enough memory for both. Merge on a machine with more memory`,
    );
    const growing = CuckooFilter.from(['a'], { capacity: 1000, maxCapacity: 1e9 });
    merging.mockImplementation(() => {
      throw Object.create(FilterFullError.prototype);
    });
    const large = file('large', growing.serialize());
    expect(await failureOf(mergedFrom([large, large]))).toMatch(
      /: there is not enough memory for a larger filter, with 1 key so far\. Merge on a machine with more memory$/,
    );
    merging.mockRestore();
    jest.spyOn(CuckooFilter, 'deserialize').mockImplementation(refuse);
    expect(await failureOf(loadFilter(saved))).toBe(
      `${saved}: not enough memory to load a filter of this size. Use a machine with more memory`,
    );
  });
});
