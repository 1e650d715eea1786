// What the engine's garbage collector is told of WebAssembly memory: as much as is in use, give or take 33 MiB.
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { Weights } from '../../../js/src/engine/weights';

const MEGABYTE = 2 ** 20;
const Original = ArrayBuffer;
let made: number[] = [];
let isRefused = false;

beforeEach(() => {
  made = [];
  isRefused = false;
  globalThis.ArrayBuffer = new Proxy(Original, {
    construct(target, given: [number]) {
      const [bytes] = given;
      if (bytes >= 30 * MEGABYTE) made.push(Math.floor(bytes / MEGABYTE));
      if (isRefused) throw new RangeError('Array buffer allocation failed');
      return new target(...given);
    },
  });
});
afterEach(() => {
  globalThis.ArrayBuffer = Original;
});

/** The weights made, in megabytes, while `use` runs; the engine may refuse them. */
function during(use: () => void): number[] {
  made = [];
  use();
  return made;
}

/** The classes as a program has them that has just started, with a memory of their own. */
function fresh() {
  const { requireActual } = jest;
  const load = () => ({
    ...requireActual<typeof import('cuckoofilter-wasm')>('cuckoofilter-wasm'),
    ...requireActual<typeof import('cuckoofilter-wasm/expiring')>('cuckoofilter-wasm/expiring'),
    ...requireActual<typeof import('cuckoofilter-wasm/shared')>('cuckoofilter-wasm/shared'),
    Traced: requireActual<typeof import('cuckoofilter-wasm/trace')>('cuckoofilter-wasm/trace').CuckooFilter,
  });
  const loaded: ReturnType<typeof load>[] = [];
  jest.isolateModules(() => loaded.push(load()));
  return loaded[0] as ReturnType<typeof load>;
}

/** The options of a table of this many megabytes. */
const tableOf = (megabytes: number) => ({
  capacity: 1,
  bucketCount: (megabytes * MEGABYTE) / 4,
  bucketSize: 4 as const,
  fingerprintBits: 8,
  semiSort: false,
});

test('the engine is told of 33 MiB and more, of what came since, and of less once that much is free', () => {
  const weights = new Weights();
  const tell = (megabytes: number) => during(() => weights.update(megabytes * MEGABYTE));
  expect(tell(32)).toEqual([]);
  expect(tell(40)).toEqual([40]);
  expect(tell(72)).toEqual([]);
  expect(tell(100)).toEqual([60]);
  expect(tell(70)).toEqual([]);
  expect(tell(100)).toEqual([]);
  expect(tell(66)).toEqual([]); // 60 are let go of
  expect(tell(100)).toEqual([60]);
  expect(tell(0)).toEqual([]); // all
  expect(tell(33)).toEqual([33]);
});

test('a refused weight raises no error, and is not asked for again before as much more is in use', () => {
  const weights = new Weights();
  isRefused = true;
  const tell = (megabytes: number) => during(() => weights.update(megabytes * MEGABYTE));
  expect(tell(40)).toEqual([40]);
  expect(tell(72)).toEqual([]);
  expect(tell(73)).toEqual([33]);
  const { CuckooFilter } = fresh();
  expect(during(() => new CuckooFilter(tableOf(70)).add('a').dispose())).toEqual([70]);
});

test('a filter weighs as much as its table, until the filter made after it was freed', () => {
  const { CuckooFilter } = fresh();
  const other = () => new CuckooFilter({ capacity: 1 });
  const filter = new CuckooFilter(tableOf(40));
  expect(made).toEqual([40]);
  expect(during(other)).toEqual([]);
  expect(during(() => filter.clone().dispose())).toEqual([40]);
  filter.dispose();
  expect(during(() => new CuckooFilter(tableOf(40)).dispose())).toEqual([]);
  other();
  expect(during(() => new CuckooFilter(tableOf(40)).dispose())).toEqual([40]);
});

test('small filters weigh together, of all classes in one memory', () => {
  const { CuckooFilter, ExpiringFilter } = fresh();
  for (let i = 0; i < 35; ++i) {
    new CuckooFilter(tableOf(1));
    new ExpiringFilter({ ...tableOf(1), periods: 2 });
  }
  expect(made).toHaveLength(2);
});

test('what a filter takes later, here for its trace, weighs when the next one is made', () => {
  const { Traced } = fresh();
  const filter = new Traced({ capacity: 1 }).trace(1, 2 ** 21);
  expect(made).toEqual([]);
  filter.clone();
  expect(made).toEqual([64]);
});

test('the memory of a shared filter weighs even if it was disposed of, as it is freed when it is collected', () => {
  const { SharedCuckooFilter } = fresh();
  for (let i = 0; i < 2; ++i) new SharedCuckooFilter({ ...tableOf(40), fingerprintBits: 16 }).dispose();
  expect(made).toHaveLength(2);
});
