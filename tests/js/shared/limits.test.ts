// The options of a shared filter at the ends of their ranges, its errors word by word, and the calls that no other test makes.
import { expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { CuckooFilter, FormatError, OutOfMemoryError } from 'cuckoofilter-wasm';
import {
  FilterBusyError,
  init,
  preload,
  SharedCuckooFilter,
  SharedMemoryError,
  type SharedCuckooFilterOptions,
} from 'cuckoofilter-wasm/shared';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { FILTER_ROLES, TABLE_ROLES, type Role } from '../../../js/src/abilities/roles';
import { SECRET } from '../support/secrets';
import { sameBytes, thrownBy } from '../support/random';
import { HEADER_BYTES, resealed } from '../support/reference/reader';

const planned = (options: object): SharedCuckooFilterOptions =>
  SharedCuckooFilter.plan({ capacity: 100, ...options }).options;

test('the first and the last value of a range are taken', () => {
  expect(planned({ maxThreads: 1 }).maxThreads).toBe(1);
  expect(planned({ maxThreads: 1024 }).maxThreads).toBe(1024);
  expect(planned({ semiSort: false }).semiSort).toBe(false);
});

test('a plan says how many threads only if the options did', () => {
  expect(planned({})).not.toHaveProperty('maxThreads');
  expect(planned({ maxThreads: undefined })).not.toHaveProperty('maxThreads');
  const made = new SharedCuckooFilter(planned({ maxThreads: 2 }));
  SharedCuckooFilter.attach(made.share());
  expect(() => SharedCuckooFilter.attach(made.share())).toThrow(/^all places are taken \(maxThreads is 2\)/);
});

test.each([
  [{ maxThreads: 0 }, RangeError, 'maxThreads must be an integer from 1 to 1,024, got 0'],
  [{ maxThreads: 1025 }, RangeError, 'maxThreads must be an integer from 1 to 1,024, got 1025'],
  [{ maxThreads: 1.5 }, RangeError, 'maxThreads must be an integer from 1 to 1,024, got 1.5'],
  [
    { maxThreads: '2' },
    TypeError,
    'maxThreads must be an integer from 1 to 1,024, got "2": pass Number(maxThreads)',
  ],
  [{ semiSort: true }, RangeError, 'semiSort must be false or left out in a shared filter, got true'],
])('%o are refused', (options, Class, message) => {
  const error = thrownBy(Class, () => planned(options));
  expect(error.message).toBe(message);
});

test('the number of a thread is from 1 on, and not one’s own', async () => {
  const filter = new SharedCuckooFilter({ capacity: 9, maxThreads: 3 });
  const rule = "thread must be the number of another thread, from that thread's filter.thread, got ";
  for (const wrong of [-1, 1, 0, 0.5])
    await expect(filter.reclaim(wrong)).rejects.toThrow(new RangeError(rule + wrong));
  await expect(filter.reclaim('1' as never)).rejects.toThrow(new TypeError(`${rule}"1"`));
  expect([await filter.reclaim(2), await filter.reclaim(1e10)]).toEqual([false, false]);
});

test('only what share() returned is attached', () => {
  const shared = new SharedCuckooFilter({ capacity: 9 }).share();
  const memory = new WebAssembly.Memory({ initial: 16, maximum: 16, shared: true });
  for (const wrong of [
    null,
    'shared',
    {},
    { ...shared, type: 'CuckooFilter' },
    { ...shared, memory: shared },
    { ...shared, memory: undefined },
    { ...shared, memory },
    { ...shared, memory: { buffer: new SharedArrayBuffer(65_536) } },
  ]) {
    const error = thrownBy(SharedMemoryError, () => SharedCuckooFilter.attach(wrong));
    expect([error.code, error.message]).toEqual([
      'not-shared',
      'attach takes what filter.share() returned, sent by postMessage or as workerData',
    ]);
  }
});

test('keys that arrive over time fill it, until a signal ends that', async () => {
  async function* arriving(): AsyncGenerator<string> {
    for (const key of ['a', 'b', 'c']) yield await Promise.resolve(key);
  }
  const filter = await SharedCuckooFilter.fromAsync(arriving(), { capacity: 10 });
  expect([filter.size, filter.has('a'), filter.has('c')]).toEqual([3, true, true]);
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(SharedCuckooFilter.fromAsync(arriving(), { capacity: 10, signal })).rejects.toThrow('enough');
});

test('what is loaded takes as many threads and bytes as its options say', () => {
  const bytes = SharedCuckooFilter.from(['a'], { hash: SECRET }).serialize();
  const { byteLength } = SharedCuckooFilter.deserialize(bytes, { hash: SECRET });
  const options = { hash: SECRET, maxThreads: 2, maxBytes: byteLength };
  const loaded = SharedCuckooFilter.deserialize(bytes, options);
  const second = SharedCuckooFilter.attach(loaded.share());
  expect([second.has('a'), loaded.clone().has('a')]).toEqual([true, true]);
  expect(() => SharedCuckooFilter.attach(loaded.share())).toThrow(
    /^all places are taken \(maxThreads is 2\)/,
  );
  for (const wrong of [{ ...options, maxBytes: byteLength - 1 }, { maxThreads: 2 }])
    expect(() => SharedCuckooFilter.deserialize(bytes, wrong)).toThrow(FormatError);
});

test('a table of several pieces is saved, loaded and copied whole', () => {
  const keys = Uint32Array.from({ length: 100_000 }, (_, i) => i);
  const filter = SharedCuckooFilter.from(keys);
  const saved = filter.serialize();
  const loaded = SharedCuckooFilter.deserialize(saved);
  for (const each of [CuckooFilter.deserialize(saved), loaded, loaded.clone()]) {
    expect([each.size, each.containsMany(keys).includes(0)]).toEqual([keys.length, false]);
    expect(sameBytes(each.serialize(), saved)).toBe(true);
  }
  expect([filter.equals(loaded), loaded.equals(filter.clone())]).toEqual([true, true]);
  expect([loaded.delete(5), filter.equals(loaded), loaded.equals(filter)]).toEqual([true, false, false]);
  // The first slot of a bucket is empty and the second is not, in the first piece; the other pieces are sound.
  filter.clear();
  const unsound = resealed(filter.serialize(), (view) => view.setUint8(HEADER_BYTES + 2, 1));
  expect(thrownBy(FormatError, () => SharedCuckooFilter.deserialize(unsound)).code).toBe('inconsistent');
});

/** A filter with room for one more key, in a thread that may wait and in one that may not, and a key to be refused. */
function nearlyFull(): { first: SharedCuckooFilter; second: SharedCuckooFilter; refused: number } {
  const wait = jest.spyOn(Atomics, 'wait').mockImplementation(() => {
    throw new TypeError('as on the main thread of a page');
  });
  const first = new SharedCuckooFilter({ capacity: 20 });
  const second = SharedCuckooFilter.attach(first.share()) as SharedCuckooFilter;
  wait.mockRestore();
  let refused = 0;
  while (first.tryAdd(refused) === 'added') ++refused;
  first.delete(0);
  return { first, second, refused };
}

/** Runs `act` while `filter` has the turn, and never gives it up for being slow. */
function whileItsTurn(filter: SharedCuckooFilter, act: () => void): void {
  // A clock that goes on only when it is asked, because a turn that lasts too long is taken over.
  let time = 1;
  const clock = jest.spyOn(performance, 'now').mockImplementation(() => ++time);
  // What serialize copies the table with, during its turn.
  const set = jest.spyOn(Uint8Array.prototype, 'set').mockImplementationOnce(() => {
    set.mockRestore();
    act();
  });
  filter.serialize();
  clock.mockRestore();
}

test('while another has the turn, calls that need it fail after two milliseconds, and the others do not', () => {
  const { first, second, refused } = nearlyFull();
  const fails: Record<string, () => unknown> = {
    add: () => second.add(refused),
    addIfAbsent: () => second.addIfAbsent(refused),
    addMany: () => second.addMany([0, refused, 1]),
    addManyIfAbsent: () => second.addManyIfAbsent([1, refused]),
    count: () => second.count(1),
    countMany: () => second.countMany([1]),
    clear: () => second.clear(),
    serialize: () => second.serialize(),
    clone: () => second.clone(),
  };
  const told: Record<string, unknown> = {};
  whileItsTurn(first, () => {
    for (const [name, call] of Object.entries(fails)) told[name] = thrownBy(FilterBusyError, call);
    expect([second.has(1), second.has('b'), second.size, second.delete(0)]).toEqual([
      true,
      false,
      refused,
      true,
    ]);
  });
  expect(Object.keys(told)).toEqual(Object.keys(fails));
  for (const [name, error] of Object.entries(told))
    expect(error).toMatchObject({ code: 'filter-busy', reason: 'busy', added: name === 'addMany' ? 1 : 0 });
  expect(told['addManyIfAbsent']).toMatchObject({ answers: Uint8Array.of(0) });
  expect([second.count(1), second.add(0).size]).toEqual([1, refused]);
});

const onEntries = Object.entries<Role>({ ...FILTER_ROLES, ...TABLE_ROLES })
  .map(([name, [effect, takes]]) => [name, effect, takes] as const)
  .filter(([name, effect]) => effect !== 'neither' && !name.endsWith('Async')); // They make calls of these.
test.each(onEntries)(
  'while another has the turn, %s, which %s, is busy or does all it does',
  (name, _, takes) => {
    const { refused } = nearlyFull();
    const given = {
      key: [[refused], [1], ['never']],
      'two keys': [
        [1, refused],
        [refused, 1],
        ['never', 'b'],
      ],
      keys: [[[1, refused]], [['never']]],
      filter: [],
      nothing: [[]],
    }[takes];
    for (const args of given) {
      const { first, second } = nearlyFull();
      const free = first.clone();
      const outcomeOf = (filter: SharedCuckooFilter): unknown => {
        try {
          const made = (filter as unknown as Record<string, (...given: unknown[]) => unknown>)[name]?.(
            ...args,
          );
          return made === filter ? 'itself' : made;
        } catch (error) {
          return error;
        }
      };
      let told: unknown;
      whileItsTurn(first, () => (told = outcomeOf(second)));
      if (told instanceof FilterBusyError) continue;
      expect([name, args, told]).toEqual([name, args, outcomeOf(free)]);
      expect([name, args, first.equals(free)]).toEqual([name, args, true]);
    }
  },
);

test.each<readonly [string, (filter: SharedCuckooFilter, other: SharedCuckooFilter) => unknown]>([
  ['serialize', (filter) => filter.serialize()],
  ['clone', (filter) => filter.clone()],
  ['equals', (filter, other) => other.equals(filter)],
])('%s of a filter whose every copy is spoiled says so, also in a thread that may wait', (_, call) => {
  const filter = SharedCuckooFilter.from(['a'], { capacity: 20, maxThreads: 1 });
  const other = filter.clone();
  const { buffer } = filter.share().memory as WebAssembly.Memory;
  const words = new BigUint64Array(buffer);
  const before = words.slice();
  let copies = 0;
  const set = jest.spyOn(Uint8Array.prototype, 'set').mockImplementation(() => {
    // The filter is the last thing in memory, and of its words a copy changes only the lock: as if it were taken over
    // and given back.
    const lock = words.findLastIndex((word, i) => word !== before[i]);
    Atomics.add(words, lock, 1n);
    ++copies;
  });
  const error = thrownBy(FilterBusyError, () => call(filter, other));
  set.mockRestore();
  expect(error).toMatchObject({ code: 'filter-busy', reason: 'spoiled', added: 0 });
  expect(error.message).not.toMatch(/block/);
  expect(copies).toBe(16);
  expect([filter.has('a'), filter.equals(other)]).toEqual([true, true]);
});

test('a secret key is kept as it was given, for clones', () => {
  const key = SECRET.key.slice();
  const hash = { algorithm: 'siphash-1-3', key } as const;
  const made = SharedCuckooFilter.from(['a'], { hash });
  const loaded = SharedCuckooFilter.deserialize(made.serialize(), { hash });
  key.fill(0);
  for (const filter of [made, loaded]) expect(filter.clone().clone().has('a')).toBe(true);
});

test.each([
  [{ bucketSize: 3 }, 'bucketSize'],
  [{ bucketSize: 4, fingerprintBits: 12, semiSort: false }, 'fingerprintBits'],
  [{ bucketSize: 4, fingerprintBits: 16, semiSort: true }, 'semiSort'],
])('a filter of %j cannot be shared, and says why', (options, option) => {
  const saved = new CuckooFilter({ capacity: 9, ...options }).serialize();
  expect(thrownBy(RangeError, () => SharedCuckooFilter.deserialize(saved)).message).toBe(
    `threads cannot share this filter: its ${option} does not fit 64-bit buckets. Make it with SharedCuckooFilter.plan(options).options`,
  );
});

test('bytes that are no filter, of another class or of a later version say so as for a CuckooFilter', () => {
  const saved = SharedCuckooFilter.from(['a']).serialize();
  for (const bytes of [
    new Uint8Array(3),
    saved.slice(1),
    resealed(saved, (view) => view.setUint8(8, 9)),
    new CuckooValues({ capacity: 9, valueBits: 3 }).serialize(),
    new ScalableCuckooFilter({ capacity: 9 }).serialize(),
  ])
    expect(thrownBy(FormatError, () => SharedCuckooFilter.deserialize(bytes))).toEqual(
      thrownBy(FormatError, () => CuckooFilter.deserialize(bytes)),
    );
});

test('memory that is not to be had is an OutOfMemoryError that says how much', () => {
  const error = thrownBy(OutOfMemoryError, () => new SharedCuckooFilter({ capacity: 3_000_000_000 }));
  expect(error.message).toMatch(
    /^not enough memory for a shared filter of \d{10} bytes: it can have at most 4 GiB$/,
  );
  expect(error.cause).toBeInstanceOf(RangeError);
});

test('the module may be given, and compiled beforehand; another one is refused', async () => {
  const bytes = readFileSync(require.resolve('cuckoofilter-wasm/shared.wasm'));
  await init(bytes);
  // Firefox compiles nothing from memory that threads share.
  const compile = jest.spyOn(WebAssembly, 'compile');
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  await init(shared);
  expect((compile.mock.lastCall?.[0] as Uint8Array).buffer).toBeInstanceOf(ArrayBuffer);
  compile.mockRestore();
  init(new WebAssembly.Module(bytes));
  await preload();
  expect(new SharedCuckooFilter({ capacity: 9 }).add('a').has('a')).toBe(true);
  const other = readFileSync(require.resolve('cuckoofilter-wasm/core.wasm'));
  await expect(init(other)).rejects.toThrow(TypeError);
  expect(() => init(new WebAssembly.Module(other))).toThrow(
    /^module must be this version's \.wasm file for this import path: /,
  );
});
