// The places of threads: how `reclaim` takes one back, what a thread that is still alive then gets, and what `attach`
// makes of memory that no filter is in.
import { afterEach, expect, jest, test } from '@jest/globals';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DisposedError, SharedCuckooFilter, SharedMemoryError } from 'cuckoofilter-wasm/shared';
import { runModule } from '../support/command';
import { thrownBy } from '../support/random';

afterEach(() => void jest.useRealTimers());

function pair(): [SharedCuckooFilter, SharedCuckooFilter] {
  const first = new SharedCuckooFilter({ capacity: 100, maxThreads: 2 });
  return [first, SharedCuckooFilter.attach(first.share())];
}

const isFree = (filter: SharedCuckooFilter): boolean => {
  try {
    SharedCuckooFilter.attach(filter.share()).dispose();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'too-many-threads' });
    return false;
  }
};

test('a place is free ten seconds after reclaim, of which a pause of the process counts for one', async () => {
  jest.useFakeTimers();
  const [first, second] = pair();
  const free = Promise.all([first.reclaim(2), first.reclaim(2)]);
  jest.setSystemTime(Date.now() + 3_600_000);
  await jest.advanceTimersByTimeAsync(9_900);
  expect(isFree(first)).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  expect([await free, isFree(first), await first.reclaim(2)]).toEqual([[true, true], true, false]);

  const third = SharedCuckooFilter.attach(first.share());
  const late = first.reclaim(third.thread);
  const { now } = performance;
  let asleep = 0;
  jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + (asleep += 1e6));
  await jest.advanceTimersByTimeAsync(850);
  expect(isFree(first)).toBe(false);
  await jest.advanceTimersByTimeAsync(200);
  expect([await late, isFree(first)]).toEqual([true, true]);
  // Until here, so that neither is collected, which would free its place.
  for (const gone of [second, third]) expect(() => gone.has('a')).toThrow(SharedMemoryError);
  jest.restoreAllMocks();
});

test('a place that its thread gives up is free at once', async () => {
  const [first, second] = pair();
  const free = first.reclaim(second.thread);
  second.dispose();
  expect([isFree(first), await free]).toEqual([true, true]);
});

test('a thread whose place is taken back while it is alive is told so, changes nothing, and frees the place', async () => {
  const [first, second] = pair();
  const free = first.reclaim(second.thread);
  const error = thrownBy(SharedMemoryError, () => second.add('a'));
  expect(error).toMatchObject({ code: 'reclaimed' });
  const third = SharedCuckooFilter.attach(first.share());
  expect([third.thread, await free, await first.reclaim(2)]).toEqual([3, true, false]);
  third.add('b');

  const { memory } = first.share() as unknown as { memory: WebAssembly.Memory };
  const before = Buffer.from(new Uint8Array(memory.buffer));
  const given: Record<string, unknown[]> = {
    reclaim: [1],
    deserialize: [],
    deleteMany: [['b']],
    equals: [first],
  };
  const names = new Set<string>();
  for (
    let at = SharedCuckooFilter.prototype as object;
    at !== Object.prototype;
    at = Object.getPrototypeOf(at) as object
  )
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  for (const name of [
    'constructor',
    'dispose',
    'share',
    'thread',
    'capacity',
    'merge',
    'mergeIfAbsent',
    'name',
    'maxCapacity',
    'toJSON',
  ])
    names.delete(name);
  const wrong: string[] = [];
  for (const name of names) {
    try {
      const member = second[name as 'add'] as unknown;
      if (typeof member === 'function') await (member.apply(second, given[name] ?? ['b']) as unknown);
      wrong.push(name);
    } catch (thrown) {
      if ((thrown as SharedMemoryError).code !== 'reclaimed') wrong.push(`${name}: ${String(thrown)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(Buffer.from(new Uint8Array(memory.buffer)).equals(before)).toBe(true);
  second.dispose();
  expect([isFree(first), third.has('b')]).toEqual([false, true]);
});

test('a batch ends where its place is taken back between two keys', () => {
  const [first, second] = pair();
  let third: SharedCuckooFilter | undefined;
  function* keys(): Generator<string> {
    yield 'a';
    void first.reclaim(second.thread);
    expect(() => second.has('a')).toThrow(SharedMemoryError);
    third = SharedCuckooFilter.attach(first.share());
    for (let i = 0; i < 20; ++i) yield `key ${i}`;
  }
  expect(thrownBy(SharedMemoryError, () => second.addMany(keys()))).toMatchObject({ code: 'reclaimed' });
  expect([first.size, third?.add('b').size]).toEqual([0, 1]);
});

test('a batch whose keys dispose of their filter says so, and leaves the place to others', () => {
  for (const name of ['addMany', 'addManyIfAbsent', 'containsMany'] as const) {
    const [first, second] = pair();
    function* keys(): Generator<string> {
      yield 'a';
      second.dispose();
      yield 'b';
    }
    expect(() => second[name](keys())).toThrow(DisposedError);
    expect([first.size, SharedCuckooFilter.attach(first.share()).has('a')]).toEqual([0, false]);
  }
});

test('a place is free at once if Node has said that its thread ended, and only then', () => {
  // In a process of its own, because here `process` is a copy, which is told of no thread.
  const printed = runModule(`
    import { once } from 'node:events';
    import { Worker } from 'node:worker_threads';
    import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
    let looks = 0;
    globalThis.setTimeout = (act) => (++looks, setImmediate(act)); // A look costs no time.
    const filter = new SharedCuckooFilter({ capacity: 1000, maxThreads: 2 });
    for (const end of ['process.exit()', 'for (;;) filter.add(1)', 'throw new Error()', '']) {
      const worker = new Worker(\`
        const { parentPort, workerData } = require('node:worker_threads');
        const { SharedCuckooFilter } = require('cuckoofilter-wasm/shared');
        const filter = SharedCuckooFilter.attach(workerData);
        parentPort.postMessage(filter.thread);
        parentPort.once('message', () => { \${end} });\`, { eval: true, execArgv: [], workerData: filter.share() });
      worker.on('error', () => 0);
      const [thread] = await once(worker, 'message');
      if (end !== '') {
        const ended = new Promise((resolve) => worker.once('exit', resolve));
        worker.postMessage('end');
        if (end.startsWith('for')) await worker.terminate();
        await ended;
      }
      const free = filter.reclaim(thread);
      if (end === '') setImmediate(() => setImmediate(() => worker.terminate()));
      console.log(await free, looks > 0);
    }`);
  expect(printed.trim().split('\n')).toEqual([...Array<string>(3).fill('true false'), 'true true']);
});

test('a busy thread loses no key, neither its own nor those of the thread that gets its place', async () => {
  const filter = new SharedCuckooFilter({ capacity: 300_000, maxThreads: 2 });
  const program = `
    const { parentPort, workerData: { shared, first } } = require('node:worker_threads');
    const { SharedCuckooFilter } = require('cuckoofilter-wasm/shared');
    const filter = SharedCuckooFilter.attach(shared);
    parentPort.postMessage(filter.thread);
    let done = 0;
    try {
      for (; ; ++done) filter.addIfAbsent('key number ' + (first + done % 20_000));
    } catch (error) {
      parentPort.postMessage({ done: Math.min(done, 20_000), code: error.code });
    }`;
  const workers: Worker[] = [];
  const results: Promise<{ done: number; code: string }>[] = [];
  try {
    for (let turn = 0; turn < 6; ++turn) {
      const worker = new Worker(program, {
        eval: true,
        workerData: { shared: filter.share(), first: turn * 1e6 },
      });
      workers.push(worker);
      const [thread] = (await once(worker, 'message')) as [number];
      results.push(once(worker, 'message').then(([told]) => told as { done: number; code: string }));
      await filter.reclaim(thread);
    }
    const all = await Promise.all(results);
    expect(new Set(all.map(({ code }) => code))).toEqual(new Set(['reclaimed']));
    const missed = all.flatMap(({ done }, turn) =>
      Array.from({ length: done }, (_, i) => `key number ${turn * 1e6 + i}`).filter(
        (key) => !filter.has(key),
      ),
    );
    expect(missed).toEqual([]);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
});

test.each([1, -1, 0x7fffffff, 0x32637563])('memory full of %i is refused at once', (value) => {
  for (const pages of [1, 30]) {
    const memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    new Int32Array(memory.buffer).fill(value);
    const attach = (): unknown => SharedCuckooFilter.attach({ type: 'SharedCuckooFilter', memory });
    expect(['not-shared', 'other-build']).toContain(thrownBy(SharedMemoryError, attach).code);
  }
});

test('memory of another build, or with a head alone, is refused, and keeps its places', () => {
  const filter = new SharedCuckooFilter({ capacity: 2_000_000, maxThreads: 2 });
  const { memory } = filter.share() as unknown as { memory: WebAssembly.Memory };
  const head = new Int32Array(memory.buffer, 64, 3);
  const attach = (other: WebAssembly.Memory): unknown =>
    SharedCuckooFilter.attach({ ...filter.share(), memory: other });
  const copy = new WebAssembly.Memory({ initial: 30, maximum: 30, shared: true });
  new Int32Array(copy.buffer, 64).set(head);
  expect(thrownBy(SharedMemoryError, () => attach(copy)).code).toBe('not-shared');
  for (const maxThreads of [-1, 0, 1024, 2 ** 30]) {
    new Int32Array(copy.buffer, 64)[2] = maxThreads;
    expect(thrownBy(SharedMemoryError, () => attach(copy)).code).toBe('not-shared');
  }
  const page = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
  new Int32Array(page.buffer, 64).set(head);
  const objects = [
    new Proxy(memory, {}),
    Object.create(memory),
    { [Symbol.toStringTag]: 'WebAssembly.Memory' },
  ];
  for (const other of [page, ...objects])
    expect(thrownBy(SharedMemoryError, () => attach(other as WebAssembly.Memory)).code).toBe('not-shared');
  // The filter itself, but cut short.
  new Uint8Array(copy.buffer).set(new Uint8Array(memory.buffer, 0, copy.buffer.byteLength));
  for (let i = 0; i < 3; ++i) expect(thrownBy(SharedMemoryError, () => attach(copy)).code).toBe('not-shared');
  new Int32Array(copy.buffer, 64)[1] = (head[1] as number) ^ 1;
  expect(thrownBy(SharedMemoryError, () => attach(copy))).toMatchObject({
    code: 'other-build',
    message: 'another version of cuckoofilter-wasm made the filter: load the same in all threads',
  });
  expect(isFree(filter)).toBe(true);
});
