// What the user's own code throws during a call: it arrives as it was thrown, with nothing written onto it, and no key is
// lost. For every class, and every method that takes many keys, as the classes have them.
import { describe, expect, test } from '@jest/globals';
import {
  CuckooFilter,
  dedupe,
  dedupeStream,
  Deduper,
  digestKeys,
  DisposedError,
  hashKeys,
  PackedKeys,
  type Key,
} from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisBloomFilter } from 'cuckoofilter-wasm/redisbloom';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { IS_LONG, some } from '../support/long';

interface Growing {
  readonly capacity: number;
  readonly maxCapacity?: number;
  readonly onGrow?: () => void;
}
type Call = (...given: unknown[]) => unknown;
type Subject = { dispose(): void } & Record<string, Call>;

const as = (made: object): Subject => made as Subject;
const FIXED = { capacity: 6000, falsePositiveRate: 1e-6 };
const periods = 2;
const valueBits = 4;

/** One of each class that has methods which take keys. Those of `GROWING` take `onGrow`. */
const GROWING: Readonly<Record<string, (options: Growing) => Subject>> = {
  CuckooFilter: (options) => as(new CuckooFilter(options)),
  ScalableCuckooFilter: (options) => as(new ScalableCuckooFilter(options)),
  'traced CuckooFilter': (options) => as(new Traced(options).trace(() => undefined)),
  'audited CuckooFilter': (options) => as(audited(new CuckooFilter(options))),
  'audited ScalableCuckooFilter': (options) => as(audited(new ScalableCuckooFilter(options))),
  ExpiringFilter: (options) => as(new ExpiringFilter({ ...options, periods })),
  CuckooValues: (options) => as(new CuckooValues({ ...options, valueBits })),
  CuckooCounter: (options) => as(new CuckooCounter(options)),
  Deduper: (options) => as(new Deduper(options)),
  'Deduper of layers': (options) => as(new Deduper(new ScalableCuckooFilter(options))),
  'audited Deduper': (options) => as(new Deduper(audited(new CuckooFilter(options)))),
};
const CLASSES: typeof GROWING = {
  ...GROWING,
  SharedCuckooFilter: (options) => as(new SharedCuckooFilter(options)),
};

/** The methods of `filter` that take many keys. */
function manyOf(filter: Subject): string[] {
  const names = new Set<string>();
  for (let at: object = filter; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (typeof value === 'function' && /Many|^are[A-Z]|^have[A-Z]/.test(name)) names.add(name);
  return [...names];
}
const isAdding = (name: string): boolean => /^(add|set|are)/.test(name);
const isDeleting = (name: string): boolean => name.startsWith('delete');
/** What a method takes after the keys. */
const restOf = (name: string): unknown[] => (name === 'setMany' ? [1] : []);

/** Each method of each class, with a new filter that holds `KEYS` if the method deletes. */
const WAYS = Object.entries(CLASSES).flatMap(([kind, make]) =>
  manyOf(make(FIXED)).map((name): [string, string, (options?: Growing) => Subject] => [
    kind,
    name,
    (options = FIXED) => {
      const filter = make(options);
      if (isDeleting(name)) fill(filter, KEYS);
      return filter;
    },
  ]),
);
const fill = (filter: Subject, keys: readonly Key[]): void => {
  const add = (filter['addMany'] ?? filter['setMany'] ?? filter['areNew']) as Call;
  add.call(filter, keys, ...(filter['setMany'] === undefined ? [] : [1]));
};
const missingIn = (filter: Subject, keys: readonly Key[]): number => {
  const look = (filter['containsMany'] ?? filter['haveSeen']) as Call;
  return (look.call(filter, keys) as Uint8Array).filter((found) => found === 0).length;
};

const KEYS = Array.from({ length: 4200 }, (_, i) => (i % 3 === 0 ? i : `key ${i}`));

/** What `act` throws or rejects with. */
async function thrownBy(act: () => unknown): Promise<unknown> {
  try {
    await act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** The same value is thrown. Not by a matcher, which would look into a Proxy. */
async function mustThrow(act: () => unknown, what: unknown): Promise<void> {
  let isSame = false;
  try {
    await act();
  } catch (error) {
    isSame = Object.is(error, what);
  }
  expect(isSame).toBe(true);
}

const errorOf = (act: () => unknown): Error => {
  try {
    act();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
};
const traps = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect).map((name) => [
    name,
    () => {
      throw new Error(`trap ${name}`);
    },
  ]),
);
const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};

/** What can be thrown, each time anew. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('mine'),
  'a frozen error': () => Object.freeze(new Error('mine')),
  'an error with answers': () =>
    Object.assign(new Error('mine'), { answers: 'mine', added: 'mine', index: 7 }),
  'an InvalidKeyError of another call': () =>
    errorOf(() => new CuckooFilter(FIXED).addManyIfAbsent(['a', 1.5])),
  'a FilterFullError of another call': () => errorOf(() => new CuckooFilter({ capacity: 9 }).addMany(KEYS)),
  undefined: () => undefined,
  null: () => null,
  'a string': () => 'mine',
  'a Proxy that throws': () => new Proxy(new Error('mine'), traps),
  'a revoked Proxy': revoked,
};

/** Everything that could be written onto `value`. */
function written(value: unknown): unknown {
  if (Object(value) !== value) return undefined;
  try {
    return Object.getOwnPropertyDescriptors(value);
  } catch {
    return undefined; // A Proxy would have thrown.
  }
}

/** Sources of the first `end` keys that then throw. */
const SOURCES: Readonly<Record<string, (end: number, what: unknown) => object>> = {
  'an array with a getter': (end, what) => {
    const keys = [...KEYS];
    return Object.defineProperty(keys, end, {
      get: () => {
        throw what;
      },
    });
  },
  'a Proxy of an array': (end, what) =>
    new Proxy([...KEYS], {
      get(keys, name) {
        if (name === String(end)) throw what;
        return Reflect.get(keys, name) as unknown;
      },
    }),
  'a generator': (end, what) => generator(end, what),
  'an iterator whose return throws': (end, what) => {
    const keys = KEYS.values();
    let at = 0;
    return {
      [Symbol.iterator]: () => ({
        next: () => {
          if (at++ === end) throw what;
          return keys.next();
        },
        return: () => {
          throw new Error('return');
        },
      }),
    };
  },
};
function* generator(end: number, what: unknown): Generator<Key> {
  yield* KEYS.slice(0, end);
  throw what;
}
const ASYNC_SOURCES: typeof SOURCES = {
  ...SOURCES,
  'an async generator': (end, what) =>
    (async function* () {
      yield* generator(end, what);
      await null;
    })(),
  'a stream': (end, what) => {
    const keys = generator(end, what);
    return new ReadableStream({
      pull(controller) {
        try {
          controller.enqueue(keys.next().value);
        } catch (error) {
          controller.error(error);
        }
      },
    });
  },
  'promises, of which one rejects': (end, what) =>
    KEYS.map((key, i) => {
      const promise = i === end ? Promise.reject(what as Error) : Promise.resolve(key);
      promise.catch(() => undefined);
      return promise;
    }),
};

describe.each(WAYS)('%s, %s', (_, name, make) => {
  const sources = Object.entries(name.endsWith('Async') ? ASYNC_SOURCES : SOURCES);
  const call = (filter: Subject, keys: unknown, ...more: unknown[]): unknown =>
    (filter[name] as Call)(keys, ...restOf(name), ...more);
  /** The keys before `end` are in, or deleted, and none after them. */
  const isDone = (filter: Subject, end: number): void => {
    const size = isDeleting(name) ? KEYS.length - end : isAdding(name) ? end : 0;
    expect(filter['size'] as unknown).toBe(size);
    if (isAdding(name)) expect(missingIn(filter, KEYS.slice(0, end))).toBe(0);
  };

  test.each(sources)('gives what %s throws, and has done the keys before', async (kind, source) => {
    const at = sources.findIndex(([name]) => name === kind);
    for (const [index, throwing] of Object.values(THROWN).entries()) {
      if (!IS_LONG && index % sources.length !== at) continue; // Each by one source of this method.
      const end = [90, 0, 4096, 256, 300][index % 5] as number;
      const what = throwing();
      const before = written(what);
      const filter = make();
      await mustThrow(() => call(filter, source(end, what)), what);
      expect(written(what)).toEqual(before);
      isDone(filter, end);
      filter.dispose();
    }
  });

  test('goes on with keys whose getter uses the filter, or a clone', async () => {
    if (!isAdding(name)) return;
    const filter = make();
    const add = (filter['add'] ?? filter['isNew'] ?? filter['set']) as Call;
    const keys = Object.defineProperty([...KEYS], 700, {
      get() {
        add.call(filter, 'nested', 1);
        expect(missingIn(filter, ['nested'])).toBe(0);
        (filter['clone'] as undefined | (() => Subject))?.call(filter).dispose();
        return KEYS[700];
      },
    });
    await call(filter, keys);
    expect([missingIn(filter, KEYS), missingIn(filter, ['nested'])]).toEqual([0, 0]);
    filter.dispose();
  });

  test('gives what a getter throws that has disposed of the filter; without it, a DisposedError', async () => {
    for (const what of [new Error('mine'), undefined]) {
      const filter = make();
      const keys = Object.defineProperty([...KEYS], 700, {
        get() {
          filter.dispose();
          if (what !== undefined) throw what;
          return 'a';
        },
      });
      const error = await thrownBy(() => call(filter, keys));
      if (what === undefined) expect(error).toBeInstanceOf(DisposedError);
      else expect([error, Object.keys(what)]).toEqual([what, []]);
    }
  });

  test('says at which index a Proxy is that throws, or a revoked one', async () => {
    for (const key of [new Proxy({}, traps), revoked()])
      for (const keys of [[...KEYS.slice(0, 300), key], [...KEYS.slice(0, 300), key].values()]) {
        const filter = make();
        if (name.endsWith('Async') && Array.isArray(keys)) continue; // It is asked whether it is a promise, and throws.
        const error = await thrownBy(() => call(filter, keys));
        if (name.endsWith('Async')) expect(error).toBeInstanceOf(Error);
        else expect(error).toMatchObject({ code: 'invalid-key', index: 300 });
        isDone(filter, 300);
      }
  });
});

test('keys with one number each are done before a source throws, too', async () => {
  const ones = KEYS.map(() => 1);
  for (const source of Object.values(SOURCES)) {
    const what = new Error('mine');
    const [values, counter] = [new CuckooValues({ ...FIXED, valueBits }), new CuckooCounter(FIXED)];
    await mustThrow(() => values.setMany(source(900, what) as Key[], ones), what);
    await mustThrow(() => counter.addMany(source(900, what) as Key[], ones), what);
    expect([values.size, counter.size]).toEqual([900, 900]);
    await mustThrow(() => values.deleteMany(source(300, what) as Key[], ones), what);
    await mustThrow(() => counter.deleteMany(source(300, what) as Key[], ones), what);
    expect([values.size, counter.size]).toEqual([600, 600]);
  }
});

/** More than two batches. */
const MANY = Array.from({ length: 10_000 }, (_, i) => `grown ${i}`);

describe.each(Object.entries(GROWING))('onGrow of a %s that throws', (kind, make) => {
  const growing = (what: unknown): { filter: Subject; told: () => number } => {
    let told = 0;
    const onGrow = (): never => {
      ++told;
      throw what;
    };
    const most = /ayers|Scalable/.test(kind) ? {} : { maxCapacity: 50_000 };
    return { filter: make({ capacity: 500, ...most, onGrow }), told: () => told };
  };

  test('ends no call with many keys before all are in, and its error arrives', async () => {
    for (const name of manyOf(make(FIXED)).filter(isAdding))
      for (const throwing of [
        () => new Error('mine'),
        ...some(Object.values(THROWN).slice(1, name.endsWith('Async') ? 7 : 4), 1),
      ])
        for (const keys of [MANY, new Set(MANY)]) {
          const what = throwing();
          const before = written(what);
          const { filter, told } = growing(what);
          await mustThrow(() => (filter[name] as Call)(keys, ...restOf(name)), what);
          expect(written(what)).toEqual(before);
          expect([name, missingIn(filter, MANY)]).toEqual([name, 0]);
          expect(told()).toBeGreaterThan(3);
          filter.dispose();
        }
  });

  test('ends no call with one key before it is in', () => {
    for (const name of ['add', 'tryAdd', 'addIfAbsent', 'set', 'isNew']) {
      const what = new Error('mine');
      const { filter } = growing(what);
      if (filter[name] === undefined) continue;
      let isThrown = false;
      for (let i = 0; !isThrown; ++i)
        try {
          (filter[name] as Call)(i, 1);
        } catch (error) {
          expect([error, Object.keys(what), missingIn(filter, [i])]).toEqual([what, [], 0]);
          isThrown = true;
        }
      filter.dispose();
    }
  });

  test('goes before an error of the package, and after what the source threw before', async () => {
    for (const name of manyOf(make(FIXED)).filter(isAdding)) {
      const [what, mine] = [new Error('of onGrow'), new Error('of the source')];
      const bad = growing(what);
      const keys = [...MANY.slice(0, 4500), 1.5, ...MANY.slice(4500)];
      await mustThrow(() => (bad.filter[name] as Call)(keys, ...restOf(name)), what);
      expect(missingIn(bad.filter, MANY.slice(0, 4500))).toBe(0);
      expect(missingIn(bad.filter, MANY.slice(4500))).toBeGreaterThan(5000);
      const few = growing(what);
      const failing = (function* () {
        yield* MANY.slice(0, 100);
        throw mine;
      })();
      await mustThrow(() => (few.filter[name] as Call)(failing, ...restOf(name)), mine);
      expect(missingIn(few.filter, MANY.slice(0, 100))).toBe(0);
    }
  });
});

describe('the clock of an ExpiringFilter that throws', () => {
  /** A filter with a clock that throws `what` in its `from`th call. */
  const timed = (what: unknown, from: number): ExpiringFilter => {
    let call = 0;
    const now = (): number => {
      if (++call === from) throw what;
      return 1e6;
    };
    return new ExpiringFilter({ ...FIXED, periods, every: '1 h', now });
  };
  /** The keys, each of which goes into `into` once it is taken. */
  const taken = function* (into: Key[]): Generator<Key> {
    for (const key of KEYS) {
      into.push(key);
      yield key;
    }
  };

  const streamOf = (keys: Generator<Key>): ReadableStream<Key> =>
    new ReadableStream({
      pull(controller) {
        const { done, value } = keys.next();
        if (done) controller.close();
        else controller.enqueue(value as Key);
      },
    });

  // Calls: 1 by the constructor, 2 before a key is taken, and then one per chunk of 1,024.
  test('gives areNewAsync what it throws, with all keys in that were taken', async () => {
    for (const throwing of Object.values(THROWN))
      for (const [from, end] of [
        [3, 1024],
        [4, 2048],
      ] as const) {
        const what = throwing();
        const before = written(what);
        const into: Key[] = [];
        const filter = timed(what, from);
        await mustThrow(() => filter.areNewAsync(taken(into)), what);
        expect(written(what)).toEqual(before);
        expect([filter.size, into.length, missingIn(as(filter), into)]).toEqual([end, end, 0]);
        const another = timed(what, from);
        await mustThrow(() => another.areNewAsync(streamOf(taken([]))), what);
        expect([another.size, missingIn(as(another), KEYS.slice(0, end))]).toEqual([end, 0]);
      }
  });

  test('ends a call that has not begun with nothing changed', async () => {
    const what = new Error('mine');
    for (const call of [
      (filter: ExpiringFilter) => filter.isNew('a'),
      (filter: ExpiringFilter) => filter.areNew(KEYS),
      (filter: ExpiringFilter) => filter.hasSeen('a'),
      (filter: ExpiringFilter) => filter.areNewAsync(KEYS),
      (filter: ExpiringFilter) => filter.merge(filter.clone()),
      (filter: ExpiringFilter) => filter.clear(),
    ]) {
      const filter = timed(what, 2);
      await mustThrow(() => call(filter), what);
      expect(filter.size).toBe(0);
    }
  });

  test('lets dedupe pass the item on first', async () => {
    for (const dedupeAll of [
      (filter: ExpiringFilter, into: Key[], out: Key[]) => {
        for (const key of dedupe(taken(into), filter)) out.push(key);
      },
      async (filter: ExpiringFilter, into: Key[], out: Key[]) => {
        for await (const key of dedupe(streamOf(taken(into)), filter)) out.push(key as Key);
      },
      async (filter: ExpiringFilter, into: Key[], out: Key[]) => {
        for await (const key of streamOf(taken(into)).pipeThrough(dedupeStream(filter))) out.push(key as Key);
      },
    ]) {
      const what = new Error('mine');
      const [into, out]: Key[][] = [[], []];
      const filter = timed(what, 40);
      await mustThrow(() => dedupeAll(filter, into as Key[], out as Key[]), what);
      expect(filter.haveSeen(out as Key[])).not.toContain(0);
      expect([out?.length, Object.keys(what)]).toEqual([filter.size, []]);
    }
  });
});

test('a trace callback that throws ends no call before all keys are in', async () => {
  for (const name of ['addMany', 'addManyIfAbsent', 'addManyAsync'] as const) {
    const what = Object.freeze(new Error('mine'));
    const filter = new Traced(FIXED).trace(() => {
      throw what;
    });
    await mustThrow(() => filter[name](KEYS), what);
    expect(filter.trace(0).containsMany(KEYS)).not.toContain(0);
  }
});

describe('the error of the package itself', () => {
  test('says in an asynchronous call what was done in all, whatever the source throws later', async () => {
    const lost = new Error('connection lost');
    async function* failing(end = 500): AsyncGenerator<number> {
      for (let i = 0; i < end; ++i) yield i;
      await null;
      throw lost;
    }
    const full = thrownBy(() => new CuckooFilter({ capacity: 100 }).addManyAsync(failing(3000)));
    expect(await full).toMatchObject({ code: 'filter-full' });
    // Found only when the last keys are added, after the source has failed.
    await mustThrow(() => new CuckooFilter({ capacity: 400 }).addManyAsync(failing()), lost);
  });

  test('does not hide the reason of a signal', async () => {
    const reason = Object.freeze(new Error('unmounted'));
    const control = new AbortController();
    const deduper = new Deduper(FIXED);
    async function* source(): AsyncGenerator<string> {
      yield 'a';
      control.abort(reason);
      deduper.dispose();
      yield 'b';
      await new Promise(() => undefined);
    }
    await mustThrow(() => deduper.areNewAsync(source(), { signal: control.signal }), reason);
  });
});

describe('from and fromAsync', () => {
  test.each([
    ['CuckooFilter', CuckooFilter],
    ['ScalableCuckooFilter', ScalableCuckooFilter],
    ['SharedCuckooFilter', SharedCuckooFilter],
    ['traced CuckooFilter', Traced],
    ['CuckooCounter', CuckooCounter],
  ] as const)('of %s give what the source throws', async (_, Class) => {
    for (const throwing of Object.values(THROWN))
      for (const options of [{}, FIXED]) {
        const what = throwing();
        const before = written(what);
        for (const source of Object.values(SOURCES))
          await mustThrow(() => Class.from(source(900, what) as Key[], options), what);
        for (const source of Object.values(ASYNC_SOURCES))
          await mustThrow(() => Class.fromAsync(source(900, what) as Key[], options), what);
        expect(written(what)).toEqual(before);
      }
  });

  test('of CuckooValues, too', async () => {
    for (const throwing of Object.values(THROWN)) {
      const what = throwing();
      const pairs = function* (): Generator<[Key, number]> {
        for (const key of generator(900, what)) yield [key, 1];
      };
      await mustThrow(() => CuckooValues.from(pairs(), { valueBits }), what);
      await mustThrow(() => CuckooValues.fromAsync(pairs(), { valueBits }), what);
    }
  });
});

/** Keys whose source throws `what` as it ends or is closed. */
function* closing(keys: Iterable<Key>, what: unknown): Generator<Key> {
  try {
    yield* keys;
  } finally {
    // eslint-disable-next-line no-unsafe-finally -- the case itself
    throw what;
  }
}

test('what a source throws as it is closed arrives, not the error of the package that closed it', async () => {
  const capacity = 100;
  const invalid = [...KEYS.slice(0, 50), 1.5, ...KEYS];
  for (const keys of [KEYS, invalid])
    for (const [way, call] of Object.entries<(source: Iterable<Key>) => unknown>({
      ...Object.fromEntries(
        WAYS.filter(([, name]) => isAdding(name)).map(([kind, name, make]) => [
          `${kind} ${name}`,
          (source) => (make({ capacity })[name] as Call)(source, ...restOf(name)),
        ]),
      ),
      'a number per key': (source) => new CuckooCounter({ capacity }).addMany(source, [1, 1]),
      from: (source) => CuckooFilter.from(source, { capacity }),
      fromAsync: (source) => CuckooFilter.fromAsync(source, { capacity }),
      'from of pairs': (source) => CuckooValues.from(source as never, { capacity, valueBits }),
      'fromAsync of pairs': (source) => CuckooValues.fromAsync(source as never, { capacity, valueBits }),
      dedupe: (source) => [...dedupe(source, { capacity })],
    })) {
      const what = Object.freeze(new Error(`of ${way}`));
      expect(await thrownBy(() => call(closing(keys, what)))).toBe(what);
      if (!/sync$/.test(way)) continue;
      const later = (async function* () {
        yield* closing(keys, what);
        await null;
      })();
      expect(await thrownBy(() => call(later as never))).toBe(what);
    }
  const what = Object.freeze(new Error('of an async source'));
  const later = (async function* () {
    yield* closing(KEYS, what);
    await null;
  })();
  const loop = async (): Promise<void> => {
    for await (const item of dedupe(later, { capacity })) void item;
  };
  expect(await thrownBy(loop)).toBe(what);
});

test('a getter among the numbers of keys ends a batch as one among the keys does', async () => {
  for (const end of [0, 900, 4100])
    for (const keys of [KEYS, new Set(KEYS), hashKeys(KEYS)])
      for (const throwing of Object.values(THROWN)) {
        const what = throwing();
        const ones = Object.defineProperty(
          KEYS.map(() => 1),
          end,
          {
            get() {
              throw what;
            },
          },
        );
        const [values, counter] = [new CuckooValues({ ...FIXED, valueBits }), new CuckooCounter(FIXED)];
        await mustThrow(() => values.setMany(keys as Key[], ones), what);
        await mustThrow(() => counter.addMany(keys as Key[], ones), what);
        expect([values.size, counter.size]).toEqual([end, end]);
        await mustThrow(() => values.deleteMany(keys as Key[], ones), what);
        await mustThrow(() => counter.deleteMany(keys as Key[], ones), what);
        expect([values.size, counter.size]).toEqual([0, 0]);
        values.dispose();
        counter.dispose();
      }
});

test('a getter among the options of deserialize gives what it throws, whatever that is', async () => {
  const saved = CuckooFilter.from(['a']).serialize();
  for (const throwing of Object.values(THROWN))
    for (const Class of [CuckooFilter, Deduper]) {
      const what = throwing();
      const options = {
        get maxBytes(): number {
          throw what;
        },
      };
      await mustThrow(() => Class.deserialize(saved, options), what);
    }
});

test('a filter whose clock throws is shown and compared as it was', () => {
  for (const throwing of Object.values(THROWN)) {
    let isBroken = false;
    const make = (): ExpiringFilter => {
      const now = (): number => {
        if (isBroken) throw throwing();
        return 0;
      };
      return new ExpiringFilter({ capacity: 10, periods, every: 1000, now });
    };
    isBroken = false;
    const [one, same, other] = [make(), make(), make()];
    other.isNew('a');
    const before = JSON.stringify(one);
    isBroken = true;
    expect(JSON.stringify(one)).toBe(before);
    expect(one).toEqual(same);
    expect(one).not.toEqual(other);
  }
});

test('lookups and hashes without a filter give it, too', async () => {
  const reader = new FilterReader(CuckooFilter.from(KEYS, FIXED).serialize());
  for (const source of Object.values(SOURCES))
    for (const throwing of Object.values(THROWN)) {
      const what = throwing();
      const before = written(what);
      for (const call of [
        (keys: Key[]) => reader.containsMany(keys),
        (keys: Key[]) => reader.hasMany(keys),
        (keys: Key[]) => hashKeys(keys),
      ])
        await mustThrow(() => call(source(900, what) as Key[]), what);
      expect(written(what)).toEqual(before);
    }
  for (const key of [new Proxy({}, traps), revoked()] as Key[])
    for (const call of [
      () => reader.has(key),
      () => reader.containsMany([key]),
      () => new CuckooFilter(FIXED).add(key),
      () => hashKeys([key]),
      () => new Deduper(FIXED).isNew(key),
    ])
      expect(await thrownBy(call)).toMatchObject({ code: 'invalid-key' });
  const what = new Error('mine');
  const bloom = RedisBloomFilter.reserve({ capacity: 100 });
  const chunks = (function* () {
    yield* bloom.dump();
    throw what;
  })();
  await mustThrow(() => RedisBloomFilter.load(chunks), what);
  await mustThrow(() => digestKeys(generator(0, what) as Iterable<never>), what);
});

test('packed keys whose properties throw give that, and change nothing', async () => {
  for (const name of ['bytes', 'ends']) {
    const what = Object.freeze(new Error('mine'));
    const keys = new Proxy(new PackedKeys(new Uint8Array(2), Uint32Array.of(1, 2)), {
      get: (target, asked) => {
        if (asked === name) throw what;
        return Reflect.get(target, asked, target) as unknown;
      },
    });
    const deduper = new Deduper(FIXED);
    await mustThrow(() => deduper.areNew(keys), what);
    expect(deduper.size).toBe(0);
  }
});

describe('dedupe and dedupeStream', () => {
  test('give what the source, the key function or an own judge throws', async () => {
    for (const throwing of Object.values(THROWN)) {
      const what = throwing();
      const before = written(what);
      const fail = (): never => {
        throw what;
      };
      for (const act of [
        () => [...dedupe(generator(900, what), FIXED)],
        () => [...dedupe(KEYS, { key: fail })],
        () => [...dedupe(KEYS, { isNew: fail })],
        async () => {
          for await (const key of dedupe(
            (ASYNC_SOURCES['a stream'] as (typeof SOURCES)[0])(900, what) as AsyncIterable<Key>,
            FIXED,
          ))
            void key;
        },
        async () => {
          const reader = new Blob(['a'])
            .stream()
            .pipeThrough(dedupeStream({ isNew: fail }))
            .getReader();
          while (!(await reader.read()).done);
        },
      ])
        await mustThrow(act, what);
      expect(written(what)).toEqual(before);
    }
  });

  test('pass the item on whose key made onGrow throw, before its error', async () => {
    const what = errorOf(() => new CuckooFilter(FIXED).add(1.5 as Key));
    const onGrow = (): never => {
      throw what;
    };
    const options = { capacity: 100, maxCapacity: 50_000, onGrow };
    for (const deduper of [undefined, new Deduper(options), new CuckooFilter(options)]) {
      const given = deduper === undefined ? options : { deduper };
      const seen: string[] = [];
      const read = (): void => {
        for (const item of dedupe(MANY, given)) seen.push(item);
      };
      await mustThrow(read, what);
      expect(seen.length).toBeGreaterThan(90);
      if (deduper !== undefined) expect(deduper.size).toBe(seen.length);
    }
    const seen: string[] = [];
    const deduper = new Deduper(options);
    const stream = new ReadableStream<string>({
      start(controller) {
        for (const key of MANY) controller.enqueue(key);
        controller.close();
      },
    });
    const reader = stream.pipeThrough(dedupeStream<string>({ deduper })).getReader();
    const read = async (): Promise<void> => {
      for (let step; !(step = await reader.read()).done;) seen.push(step.value);
    };
    await mustThrow(read, what);
    expect(deduper.size).toBe(seen.length);
  });
});
