// Filters as files: what is saved comes back, for every class; what is no such file is told; one call is enough for a
// program that goes on with a filter.
import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
} from 'node:fs';
import { relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CuckooFilter, Deduper, DisposedError, FormatError, OutOfMemoryError } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { load, save, take, type LoadFileOptions } from 'cuckoofilter-wasm/file';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { Random } from '../support/random';
import { at, file, folder } from '../support/scratch';

const KEYS = ['alice', 'bob', '日本語'];
const options = { capacity: 1000 };
const saved = CuckooFilter.from(KEYS).serialize();

/** What a promise rejects with. */
async function rejected(promise: Promise<unknown>): Promise<Error & { code?: string; cause?: unknown }> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new Error('not rejected');
  return error;
}

/** No call leaves anything else in the folder. */
function leftBeside(name: string): string[] {
  return readdirSync(folder).filter((each) => each.startsWith(`${name}.`));
}

describe('what was saved is loaded by its class', () => {
  const day = 86_400_000;
  const timed = { every: '1 h', now: () => 1000 * day } as const;

  test.each([
    ['CuckooFilter', CuckooFilter, () => CuckooFilter.from(KEYS), {}],
    ['a traced CuckooFilter', Traced, () => Traced.from(KEYS), {}],
    ['an audited CuckooFilter', CuckooFilter, () => audited(new CuckooFilter(options)).add('bob'), {}],
    ['Deduper', Deduper, () => new Deduper(CuckooFilter.from(KEYS)), {}],
    ['ScalableCuckooFilter', ScalableCuckooFilter, () => ScalableCuckooFilter.from(KEYS, options), {}],
    ['ExpiringFilter', ExpiringFilter, () => new ExpiringFilter({ ...options, ...timed, periods: 3 }), timed],
    ['CuckooCounter', CuckooCounter, () => new CuckooCounter(options).add('bob', 3), {}],
    ['CuckooValues', CuckooValues, () => new CuckooValues({ ...options, valueBits: 4 }).set('bob', 3), {}],
    [
      'SharedCuckooFilter',
      SharedCuckooFilter,
      () => SharedCuckooFilter.from(KEYS, options),
      { maxThreads: 3 },
    ],
  ])('%s', async (_, Class, make, given) => {
    const filter = make();
    const loadable = Class as typeof CuckooFilter;
    await save(at('class'), filter);
    const loaded = await load(at('class'), loadable, given as LoadFileOptions<typeof CuckooFilter>);
    expect(loaded?.serialize()).toEqual(filter.serialize());
    expect(loaded).toBeInstanceOf(Class);
    expect(leftBeside('class')).toEqual([]);
  });

  test('by a URL, and by a name in the present folder, even if that changes meanwhile', async () => {
    await save(pathToFileURL(at('by url')), CuckooFilter.from(KEYS));
    expect((await load(pathToFileURL(at('by url')), CuckooFilter))?.has('bob')).toBe(true);
    const before = process.cwd();
    try {
      process.chdir(folder);
      const saving = save('by-name', CuckooFilter.from(KEYS));
      process.chdir('/');
      await saving;
    } finally {
      process.chdir(before);
    }
    expect((await load(relative(before, at('by-name')), CuckooFilter))?.size).toBe(3);
  });

  test('with its secret key', async () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(7) } as const;
    await save(at('secret'), CuckooFilter.from(KEYS, { hash }));
    expect((await load(at('secret'), CuckooFilter, { hash }))?.has('bob')).toBe(true);
    expect(await rejected(load(at('secret'), CuckooFilter))).toMatchObject({ code: 'wrong-key' });
  });

  test('as it was when save was called', async () => {
    const filter = CuckooFilter.from(KEYS, options);
    const saving = save(at('then'), filter);
    filter.clear();
    filter.dispose();
    await saving;
    expect((await load(at('then'), CuckooFilter))?.size).toBe(3);
  });

  test('from a pipe, which take leaves', async () => {
    if (process.platform === 'win32') return;
    execFileSync('mkfifo', [at('pipe')]);
    const bytes = file(
      'for-the-pipe',
      CuckooFilter.from(Array.from({ length: 20_000 }, (_, i) => i)).serialize(),
    );
    const fed = (): unknown => spawn('sh', ['-c', 'cat "$0" > "$1"', bytes, at('pipe')]);
    fed();
    expect((await load(at('pipe'), CuckooFilter))?.size).toBe(20_000);
    fed();
    expect(await rejected(load(at('pipe'), CuckooFilter, { maxBytes: 1 }))).toMatchObject({
      code: 'too-large',
    });
    fed();
    const taken = await take(at('pipe'), CuckooFilter, () => CuckooFilter.from(['built']));
    expect([taken.size, existsSync(at('pipe'))]).toEqual([20_000, true]);
  });
});

describe('load', () => {
  test('gives undefined if there is no such file, and for nothing else', async () => {
    expect(await load(at('none'), CuckooFilter)).toBeUndefined();
    expect(await load(at('no-folder/none'), CuckooFilter)).toBeUndefined();
    symlinkSync('nowhere', at('leads-nowhere'));
    expect(await load(at('leads-nowhere'), CuckooFilter)).toBeUndefined();
    symlinkSync('circle', at('circle'));
    expect(await rejected(load(at('circle'), CuckooFilter))).toMatchObject({ code: 'ELOOP' });
    const error = await rejected(load(folder, CuckooFilter));
    expect([error.message, error.code]).toEqual([
      `cannot load ${folder}: this is a folder. Name a file`,
      'EISDIR',
    ]);
  });

  test.each([
    ['nothing', new Uint8Array(), 'not-a-filter'],
    ['text', Buffer.from('alice\nbob\n'), 'not-a-filter'],
    ['a part', saved.subarray(0, -1), 'cut-short'],
    ['more', Buffer.concat([saved, new Uint8Array(1)]), 'cut-short'],
    ['a changed byte', saved.map((byte, i) => (i === 75 ? byte ^ 1 : byte)), 'damaged'],
    ['a newer format', saved.map((byte, i) => (i === 8 ? 99 : byte)), 'unsupported-version'],
    ['zeros', new Uint8Array(200), 'not-a-filter'],
  ])('rejects with FormatError for %s, and says of which file', async (_, bytes, code) => {
    const name = file('damaged', bytes);
    const error = await rejected(load(name, CuckooFilter));
    expect(error).toBeInstanceOf(FormatError);
    expect([error.code, error.cause]).toEqual([code, expect.objectContaining({ code })]);
    expect(error.message).toMatch(/^\/.*\/damaged: cannot load these \d+ bytes: ./);
    expect(readFileSync(name)).toEqual(Buffer.from(bytes));
  });

  test('rejects with FormatError for any bits changed at random', async () => {
    const random = new Random(1);
    for (let i = 0; i < 100; ++i) {
      const bytes = saved.slice();
      for (let k = 0; k <= i % 3; ++k)
        bytes[random.below(bytes.length)] = random.below(256) ^ (bytes[k] as number);
      if (Buffer.compare(bytes, saved) === 0) continue;
      expect(await rejected(load(file('changed', bytes), CuckooFilter))).toBeInstanceOf(FormatError);
    }
  });

  test('names the class of a filter that another one saved', async () => {
    await save(at('counter'), new CuckooCounter(options));
    await save(at('scalable'), new ScalableCuckooFilter(options));
    for (const [name, Class, message] of [
      [
        'counter',
        CuckooFilter,
        'a saved CuckooCounter. Use CuckooCounter.deserialize from cuckoofilter-wasm/counter',
      ],
      ['scalable', Deduper, 'a saved ScalableCuckooFilter. Use ScalableCuckooFilter.deserialize from'],
      ['counter', ScalableCuckooFilter, 'a saved CuckooCounter.'],
    ] as const) {
      const error = await rejected(load(at(name), Class as typeof CuckooFilter));
      expect([error.code, error.message]).toEqual(['not-a-filter', expect.stringContaining(message)]);
    }
  });

  test('reads no file that is larger than maxBytes allows', async () => {
    const name = file('large', saved);
    expect(await rejected(load(name, CuckooFilter, { maxBytes: 1 }))).toMatchObject({ code: 'too-large' });
    expect((await load(name, CuckooFilter, { maxBytes: 1000 }))?.size).toBe(3);
    truncateSync(name, 2 ** 40); // a file with a hole, which takes no room
    const error = await rejected(load(name, CuckooFilter, { maxBytes: 1000 }));
    expect([error.name, error.code]).toEqual(['FormatError', 'too-large']);
    expect(error.message).toMatch(/large: the file has more than maxBytes \(1000\)/);
    expect(await rejected(load(name, CuckooFilter))).toBeInstanceOf(OutOfMemoryError);
  });

  test('has the layers of a scalable filter within its limit', async () => {
    const filter = ScalableCuckooFilter.from(
      Array.from({ length: 5000 }, (_, i) => i),
      {
        capacity: 1,
        maxCapacity: 1,
      },
    );
    expect(filter.layers).toBeGreaterThan(8);
    await save(at('layers'), filter);
    const maxBytes = filter.byteLength;
    expect((await load(at('layers'), ScalableCuckooFilter, { maxBytes }))?.size).toBe(filter.size);
  });
});

describe('take', () => {
  const built = (): CuckooFilter => CuckooFilter.from(['built']);
  const never = (): CuckooFilter => {
    throw new Error('not to be called');
  };

  test('gives the saved filter, and leaves no file', async () => {
    await save(at('taken'), CuckooFilter.from(KEYS));
    expect((await take(at('taken'), CuckooFilter, never)).size).toBe(3);
    expect(existsSync(at('taken'))).toBe(false);
    expect((await take(at('taken'), CuckooFilter, built)).has('built')).toBe(true);
  });

  test('gives the filter that is built if there is none, and tells why', async () => {
    const told: unknown[] = [];
    const build = async (damage: FormatError | undefined): Promise<Deduper> => {
      told.push(damage?.code);
      return Promise.resolve(new Deduper(options));
    };
    for (const bytes of [undefined, new Uint8Array(), saved.subarray(1), saved.subarray(0, -1)]) {
      if (bytes !== undefined) file('to-build', bytes);
      expect((await take(at('to-build'), Deduper, build)).size).toBe(0);
      expect(existsSync(at('to-build'))).toBe(false);
    }
    expect(told).toEqual([undefined, 'not-a-filter', 'not-a-filter', 'cut-short']);
  });

  test('keeps a damaged file if the filter cannot be built', async () => {
    const name = file('kept', 'half a filter');
    const reason = new Error('no database');
    for (const build of [
      () => Promise.reject(reason),
      () => {
        throw reason;
      },
    ])
      await expect(take(name, CuckooFilter, build)).rejects.toBe(reason);
    // A missing `return`, and keys in place of a filter.
    for (const built of [undefined, KEYS])
      await expect(take(name, CuckooFilter, () => built as never)).rejects.toThrow(
        /^what build returns must be a filter with serialize\(\), got (undefined|an array)/,
      );
    expect(readFileSync(name, 'utf8')).toBe('half a filter');
  });

  test('takes its turn among the saves of the program, and loses none of them', async () => {
    const [older, newer] = [CuckooFilter.from(['old']), CuckooFilter.from(['old', 'new'])];
    for (let round = 0; round < 20; ++round) {
      const name = at(`turns-${round}`);
      await save(name, older);
      const saving = save(name, newer);
      const [taken] = await Promise.all([take(name, CuckooFilter, never), saving]);
      expect([taken.has('new'), existsSync(name)]).toEqual([true, false]);
      await save(name, older);
      const taking = take(name, CuckooFilter, never);
      await Promise.all([taking, save(name, newer)]);
      expect((await load(name, CuckooFilter))?.has('new')).toBe(true);
    }
    // take removes the damaged file that it found, but not a new one that build saves in its place.
    const name = file('saved-meanwhile', 'damaged');
    const build = async (): Promise<CuckooFilter> => save(name, newer).then(() => older);
    expect(await take(name, CuckooFilter, build)).toBe(older);
    expect((await load(name, CuckooFilter))?.has('new')).toBe(true);
  });

  test('keeps a link, and the next save goes where it leads', async () => {
    file('real', saved);
    symlinkSync('real', at('link'));
    const filter = await take(at('link'), CuckooFilter, never);
    expect([existsSync(at('real')), lstatSync(at('link')).isSymbolicLink()]).toEqual([false, true]);
    await save(at('link'), filter);
    expect([statSync(at('real')).size, lstatSync(at('link')).isSymbolicLink()]).toEqual([saved.length, true]);
  });

  test('fails at the start where nothing can be saved at the end', async () => {
    const error = await rejected(take(at('no-folder/seen'), CuckooFilter, never));
    expect([error.message, error.code]).toEqual([
      `cannot take ${at('no-folder/seen')}: there is no folder ${at('no-folder')}. Make it first`,
      'ENOENT',
    ]);
  });

  test('does not take a filter that it may not change', async () => {
    const reason = new Error('enough');
    const controller = new AbortController();
    const name = file('aborted', 'damaged');
    const { signal } = controller;
    const build = (): CuckooFilter => {
      controller.abort(reason);
      return built();
    };
    await expect(take(name, CuckooFilter, build, { signal })).rejects.toBe(reason);
    expect(existsSync(name)).toBe(true);
  });
});

describe('arguments', () => {
  const filter = CuckooFilter.from(KEYS);
  const build = (): CuckooFilter => filter;
  const wrong = (value: unknown): never => value as never;

  test.each<[string, () => Promise<unknown>]>([
    [
      'path must be the name of a file, or a file: URL, got a CuckooFilter',
      () => save(wrong(filter), wrong('a')),
    ],
    ['path must be the name of a file, or a file: URL, got ""', () => load('', CuckooFilter)],
    ['path must be .* URL, got \\[object URL\\]', () => load(new URL('http://localhost/a'), CuckooFilter)],
    // Without new, it would be the name of a file that does not exist.
    [
      'path must be .* URL, as new URL\\(path\\), got "file:///.*"',
      () => load(pathToFileURL(at('a')).href, CuckooFilter),
    ],
    ['filter must be a filter with serialize\\(\\), got undefined', () => save(at('a'), wrong(undefined))],
    [
      'filter must be a filter with serialize\\(\\), got \\[object Uint8Array\\]',
      () => save(at('a'), wrong(saved)),
    ],
    [
      'what serialize\\(\\) returns must be a Uint8Array, got \\[object Promise\\]',
      () => save(at('a'), { serialize: wrong(async () => Promise.resolve(saved)) }),
    ],
    [
      'what serialize\\(\\) returns must be a Uint8Array, got \\[object DataView\\]',
      () => save(at('a'), { serialize: wrong(() => new DataView(saved.slice().buffer)) }),
    ],
    ['Class must be a class with deserialize\\(\\), got undefined', () => load(at('a'), wrong(undefined))],
    ['Class must be a class with deserialize\\(\\), got a CuckooFilter', () => load(at('a'), wrong(filter))],
    [
      'build must be a function that makes the filter, got an object',
      () => take(at('a'), CuckooFilter, wrong({})),
    ],
    ['options must be a plain object, got a function', () => load(at('a'), CuckooFilter, wrong(build))],
    ['signal must be an AbortSignal, got 5', () => load(at('a'), CuckooFilter, { signal: wrong(5) })],
    ['signal must be an AbortSignal, got 5', () => take(at('a'), CuckooFilter, build, { signal: wrong(5) })],
    ['signal must be an AbortSignal, got 5', () => save(at('a'), filter, { signal: wrong(5) })],
    ['unknown option maxBytes; .*', () => save(at('a'), filter, wrong({ maxBytes: 5 }))],
    [
      'unknown option maxbytes; did you mean maxBytes\\?',
      () => load(file('any', saved), CuckooFilter, wrong({ maxbytes: 5 })),
    ],
    [
      'maxBytes must be a number, 0 or more, got "5": pass Number\\(maxBytes\\)',
      () => load(file('any', saved), CuckooFilter, wrong({ maxBytes: '5' })),
    ],
  ])('%s', async (message, call) => {
    const error = await rejected(call());
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ code: 'invalid-argument' });
    expect(error.message).toMatch(new RegExp(`^${message}$`));
    expect(existsSync(at('a'))).toBe(false);
  });

  test('a filter that was disposed of is not saved', async () => {
    const gone = CuckooFilter.from(KEYS);
    gone.dispose();
    const name = file('stays', saved);
    expect(await rejected(save(name, gone))).toBeInstanceOf(DisposedError);
    expect(readFileSync(name)).toEqual(Buffer.from(saved));
    mkdirSync(at('empty-folder'));
    expect(await rejected(save(at('empty-folder/new'), gone))).toBeInstanceOf(DisposedError);
    expect(readdirSync(at('empty-folder'))).toEqual([]);
  });
});
