// Answers in an array that the caller keeps: the same answers as in a new one, in every class and for every form of keys.
// An array that cannot hold them is refused before anything is done.
import { afterEach, describe, expect, test } from '@jest/globals';
import vm from 'node:vm';
import {
  CuckooFilter,
  Deduper,
  FilterFullError,
  hashKeys,
  InvalidKeyError,
  PackedKeys,
  type Key,
  type Keys,
} from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import type { RedisReplica } from 'cuckoofilter-wasm/redis';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { FakeServer } from '../redis/offline/fake-server';
import { runs } from '../support/long';
import { Random, thrownBy, withSeed } from '../support/random';

type Answers = Uint8Array | Uint32Array;
/** One of a class, ready to be asked. `state` is all that a call could change. */
interface Subject {
  ask(keys: Keys, into?: unknown): Answers;
  state(): string;
}

/** More than a batch, or than two; and a place in the last one. */
const COUNT = runs(4500, 9000);
const LATE = COUNT - 200;
const options = { capacity: 2 * COUNT, falsePositiveRate: 0.001 };
/** Bytes, because every form can have them: packed, hashed, one by one. */
const KEYS = ((random) => Array.from({ length: COUNT }, () => random.bytes(1 + random.below(30))))(
  new Random(1),
);
const HALF = KEYS.filter((_, i) => i % 2 === 0);
/** Enough where no second batch is needed. */
const SOME = KEYS.slice(0, 100);

type Method = (keys: Keys, into?: unknown) => Answers;

/** `method` of a filter that `make` makes; what it saves is its state. */
function subject(method: string, make: () => object): [string, () => Subject] {
  return [
    `${method} of ${make.name.replace(/^bound /, '')}`,
    () => {
      const made = make() as { serialize?: () => Uint8Array };
      return {
        ask: (keys, into) => (made as unknown as Record<string, Method>)[method]?.(keys, into) as Answers,
        state: () => made.serialize?.().join() ?? '',
      };
    },
  ];
}

/** A filter with half of the keys. */
const MAKERS = {
  CuckooFilter: () => withHalf(new CuckooFilter(options)),
  'a growing CuckooFilter': () =>
    withHalf(new CuckooFilter({ ...options, capacity: 100, maxCapacity: 2 * COUNT })),
  'a CuckooFilter with a secret key': () =>
    withHalf(new CuckooFilter({ ...options, hash: { algorithm: 'siphash-1-3', key: new Uint8Array(16) } })),
  'a traced CuckooFilter': () => withHalf(new Traced(options).trace(() => undefined)),
  'an audited CuckooFilter': () => withHalf(audited(new CuckooFilter(options))),
  ScalableCuckooFilter: () => withHalf(new ScalableCuckooFilter({ capacity: 500, maxCapacity: 1000 })),
  SharedCuckooFilter: () => withHalf(new SharedCuckooFilter(options)),
};

function withHalf<Filter extends { addManyIfAbsent(keys: Keys): unknown }>(filter: Filter): Filter {
  filter.addManyIfAbsent(HALF);
  return filter;
}

function named(name: string, make: () => object): () => object {
  return Object.defineProperty(() => make(), 'name', { value: name });
}

const expiring = named('ExpiringFilter', () => {
  const filter = new ExpiringFilter({ ...options, periods: 2 });
  filter.areNew(HALF);
  return filter;
});
const counter = named('CuckooCounter', () => {
  const filter = new CuckooCounter(options);
  filter.addMany(HALF, 3);
  return filter;
});
const values = named('CuckooValues', () => {
  const filter = new CuckooValues({ ...options, valueBits: 3 });
  filter.setMany(HALF, 3);
  return filter;
});
const reader = named('FilterReader', () => new FilterReader(MAKERS.CuckooFilter().serialize()));
const layeredReader = named(
  'FilterReader of layers',
  () => new FilterReader(MAKERS.ScalableCuckooFilter().serialize()),
);

const SUBJECTS: [string, () => Subject][] = [
  ...Object.entries(MAKERS).flatMap(([name, make]) =>
    ['containsMany', 'addManyIfAbsent', 'countMany'].map((method) => subject(method, named(name, make))),
  ),
  ...Object.entries(MAKERS)
    .filter(([name]) => !/growing|secret|traced/.test(name))
    .flatMap(([name, make]) => {
      const deduper = named(`Deduper around ${name}`, () => new Deduper(make()));
      return ['areNew', 'haveSeen'].map((method) => subject(method, deduper));
    }),
  ...['containsMany', 'areNew', 'haveSeen'].map((method) => subject(method, expiring)),
  ...['containsMany', 'countMany'].map((method) => subject(method, counter)),
  ...[values, reader, layeredReader].map((make) => subject('containsMany', make)),
  subject('hasMany', reader),
];

/** The forms in which many keys come; those of a known length first. */
const KNOWN: Readonly<Record<string, (keys: readonly Uint8Array[]) => Keys>> = {
  'an array': (keys) => [...keys],
  'packed keys': (keys) => {
    let end = 0;
    const ends = Uint32Array.from(keys, ({ length }) => (end += length));
    return new PackedKeys(Buffer.concat(keys), ends);
  },
};
const UNKNOWN: Readonly<Record<string, (keys: readonly Uint8Array[]) => Keys>> = {
  ...runs({}, { 'a Set': (keys: readonly Uint8Array[]) => new Set(keys) }),
  'a generator': function* (keys) {
    yield* keys;
  },
};
const FORMS = { ...KNOWN, ...UNKNOWN };

const isCount = (name: string): boolean => name.startsWith('countMany');
/** An array of `length` elements for the answers of a method of that name, in the middle of a larger one. */
function arrayFor(name: string, length: number): Answers {
  const Class = isCount(name) ? Uint32Array : Uint8Array;
  return new Class(length + 7).fill(99).subarray(3, 3 + length);
}
/** What lies beside it. */
const beside = (into: Answers): number[] => {
  const all = new (into.constructor as Uint8ArrayConstructor)(into.buffer);
  return [...all.slice(0, 3), ...all.slice(3 + into.length)];
};

describe.each(SUBJECTS)('%s', (name, make) => {
  test.each(Object.entries(FORMS))('gives the same answers in an array that is kept: %s', (_, form) => {
    const [one, other] = [make(), make()];
    const answers = one.ask(form(KEYS));
    const into = arrayFor(name, COUNT + 2);
    expect(other.ask(form(KEYS), into)).toBe(into);
    expect(into.subarray(0, COUNT)).toEqual(answers);
    expect([...into.subarray(COUNT), ...beside(into)]).toEqual(Array<number>(9).fill(99));
    expect(other.state()).toBe(one.state());
    // An array that fits exactly, and one for no keys.
    const exact = arrayFor(name, COUNT);
    expect(other.ask(form(KEYS), exact)).toEqual(one.ask(form(KEYS)));
    expect(other.ask(form([]), arrayFor(name, 0))).toHaveLength(0);
    expect(beside(exact)).toEqual(Array<number>(7).fill(99));
  });

  test.each(Object.entries(KNOWN))('refuses one that is too short, and does nothing: %s', (form, formOf) => {
    // The reader does not know how many keys PackedKeys have.
    if (name.includes('FilterReader') && form === 'packed keys') return;
    const asked = make();
    const before = asked.state();
    const into = arrayFor(name, SOME.length - 1);
    const { message } = thrownBy(RangeError, () => asked.ask(formOf(SOME), into));
    expect(message).toBe(
      `into.length must be at least ${SOME.length}, one for each key, got ${SOME.length - 1}`,
    );
    expect(new Set(into)).toEqual(new Set([99]));
    expect(asked.state()).toBe(before);
  });

  test.each(Object.entries(UNKNOWN))('fills one that is too short, then ends: %s', (_, form) => {
    for (const length of runs([0, LATE], [0, 1, 4096, LATE])) {
      const [one, other] = [make(), make()];
      const answers = one.ask(KEYS.slice(0, length));
      const into = arrayFor(name, length);
      const error = thrownBy(RangeError, () => other.ask(form(KEYS), into)) as {
        answers?: Answers;
        message: string;
      };
      expect(error.message).toBe(
        `into.length must be at least ${length + 1}, one for each key, got ${length}`,
      );
      expect(into).toEqual(answers);
      expect(beside(into)).toEqual(Array<number>(7).fill(99));
      if (!isCount(name) && !name.includes('FilterReader')) expect(error.answers).toEqual(answers);
      expect(other.state()).toBe(one.state());
    }
  });

  test('has the answers for the keys before one that is not valid', () => {
    for (const at of [0, LATE]) {
      const [one, other] = [make(), make()];
      const answers = one.ask(KEYS.slice(0, at));
      const into = arrayFor(name, COUNT + 1);
      const keys: Key[] = KEYS.with(at, 1.5 as unknown as Uint8Array);
      expect(thrownBy(InvalidKeyError, () => other.ask(keys, into)).index).toBe(at);
      expect(into.subarray(0, at)).toEqual(answers);
      expect(new Set(into.subarray(at))).toEqual(new Set([99]));
    }
  });

  test('refuses what is no such array, and does nothing', () => {
    const asked = make();
    const before = asked.state();
    const Right = isCount(name) ? Uint32Array : Uint8Array;
    const wrong: [unknown, string][] = [
      [null, 'null'],
      [0, '0'],
      [{}, 'an object'],
      [[], 'an array'],
      [new ArrayBuffer(4 * COUNT), '[object ArrayBuffer]'],
      [new DataView(new ArrayBuffer(4 * COUNT)), '[object DataView]'],
      [new Uint8ClampedArray(COUNT), '[object Uint8ClampedArray]'],
      [new Int8Array(COUNT), '[object Int8Array]'],
      [new Float64Array(COUNT), '[object Float64Array]'],
      [
        isCount(name) ? new Uint8Array(4 * COUNT) : new Uint32Array(COUNT),
        isCount(name) ? '[object Uint8Array]' : '[object Uint32Array]',
      ],
    ];
    for (const [into, shown] of wrong) {
      const { message } = thrownBy(TypeError, () => asked.ask(SOME, into));
      if (name.includes('FilterReader')) expect(message).toMatch(/^into must be a Uint8Array, got /);
      else expect(message).toBe(`into must be a ${Right.name}, got ${shown}`);
    }
    expect(() => asked.ask(SOME, new Proxy(new Right(COUNT), {}))).toThrow(TypeError);
    // Where the keys are wrong as well, that is told.
    expect(() => asked.ask('abc' as unknown as Keys, null)).toThrow(/^keys must be /);
    expect(asked.state()).toBe(before);
  });

  test('refuses one whose buffer is gone, at once and later', () => {
    const asked = make();
    const before = asked.state();
    for (const into of [new Uint8Array(4 * COUNT), new Uint8Array(0)]) {
      const array = isCount(name) ? new Uint32Array(into.buffer) : into;
      structuredClone(into, { transfer: [into.buffer] });
      expect(() => asked.ask(KEYS, array)).toThrow(
        / has no bytes left: its buffer was transferred or shrunk/,
      );
    }
    expect(asked.state()).toBe(before);
    // The caller's own code transfers it: the keys asked before are done, as in any call.
    const into = arrayFor(name, COUNT);
    const keys = function* (): Generator<Key> {
      yield* KEYS.slice(0, LATE);
      structuredClone(into, { transfer: [into.buffer as ArrayBuffer] });
      yield* KEYS.slice(LATE);
    };
    const error = thrownBy(TypeError, () => asked.ask(keys(), into)) as { answers?: Answers };
    expect(String(error)).toMatch(/into has no bytes left/);
    expect(error.answers?.length ?? 0).toBe(0);
  });

  test('fills any such array: shared, of another realm, resizable, a Buffer', () => {
    const asked = make();
    asked.ask(SOME);
    const answers = asked.ask(SOME);
    const Right = (isCount(name) ? Uint32Array : Uint8Array) as Uint8ArrayConstructor;
    const bytes = SOME.length * Right.BYTES_PER_ELEMENT;
    const growing = new (ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer)(
      bytes,
      {
        maxByteLength: 2 * bytes,
      },
    );
    const arrays = [
      new Right(new SharedArrayBuffer(bytes) as unknown as ArrayBuffer),
      vm.runInNewContext(`new ${Right.name}(${SOME.length})`) as Uint8Array,
      new Right(growing),
      new (class Own extends Right {
        override get [Symbol.toStringTag](): 'Uint8Array' {
          return 'Own' as 'Uint8Array';
        }
      })(SOME.length),
      ...(isCount(name) ? [] : [Buffer.alloc(SOME.length)]),
    ];
    for (const into of arrays) {
      expect(asked.ask(SOME, into)).toBe(into);
      expect(into.join()).toBe(answers.join());
    }
  });
});

describe('memory that something else lies in', () => {
  const refused = /^into must be apart from the memory of the keys and the filter, got \[object \w+\]$/;

  test('is refused for counts, if it is that of the keys', () => {
    for (const Filter of [CuckooFilter, CuckooCounter, ScalableCuckooFilter]) {
      using filter = Filter.from(Uint32Array.from({ length: COUNT }, (_, i) => i));
      const room = Uint32Array.from({ length: 3 * COUNT }, (_, i) => i);
      const keys = room.subarray(COUNT, 2 * COUNT);
      for (const begin of [0, 1, COUNT, 2 * COUNT - 1, COUNT + 1])
        if (begin + COUNT <= room.length && begin > 0)
          expect(() => filter.countMany(keys, room.subarray(begin, begin + COUNT))).toThrow(refused);
      expect(room).toEqual(Uint32Array.from({ length: 3 * COUNT }, (_, i) => i));
      // Beside them it is not.
      const wanted = filter.countMany(keys);
      for (const begin of [0, 2 * COUNT]) {
        const into = room.subarray(begin, begin + COUNT);
        expect(filter.countMany(keys, into)).toBe(into);
        expect(into).toEqual(wanted);
      }
    }
  });

  test('is refused if it is that of other typed arrays, or of packed keys', () => {
    using filter = CuckooFilter.from(KEYS);
    const asked: { containsMany(keys: Keys, into: Uint8Array): unknown }[] = [
      filter,
      new FilterReader(filter.serialize()),
    ];
    for (const each of asked) {
      const numbers = new Float64Array(100);
      expect(() => each.containsMany(numbers, new Uint8Array(numbers.buffer, 8, 100))).toThrow(refused);
      const room = new Uint8Array(1000);
      const packed = new PackedKeys(room.subarray(0, 100), new Uint32Array(room.buffer, 200, 10));
      expect(() => each.containsMany(packed, room.subarray(99, 120))).toThrow(refused);
      expect(() => each.containsMany(packed, room.subarray(190, 210))).toThrow(refused);
      expect(each.containsMany(packed, room.subarray(100, 110))).toHaveLength(10);
    }
  });

  test('is refused if it is that of the filter', () => {
    const filter = SharedCuckooFilter.from<Key>(KEYS);
    const { memory } = filter.share() as { memory: unknown };
    const { buffer } = memory as { readonly buffer: ArrayBuffer };
    const before = filter.serialize();
    expect(() => filter.containsMany(['a'], new Uint8Array(buffer, 8000, 100))).toThrow(refused);
    expect(() => filter.countMany(['a'], new Uint32Array(buffer, 8000, 100))).toThrow(refused);
    expect(() => new Deduper(filter).areNew(['new'], new Uint8Array(buffer))).toThrow(refused);
    expect(filter.serialize()).toEqual(before);
    const bytes = Buffer.concat([CuckooFilter.from(KEYS).serialize(), new Uint8Array(100)]);
    const end = bytes.length - 100;
    const reader = new FilterReader(bytes.subarray(0, end));
    expect(() => reader.containsMany(['a'], bytes.subarray(end - 1))).toThrow(refused);
    expect(reader.containsMany(KEYS.slice(0, 9), bytes.subarray(end)).subarray(0, 9)).toEqual(
      Buffer.alloc(9, 1),
    );
  });
});

test(
  'a full filter leaves the answers for the keys before in it, with those of its error',
  withSeed(3, (random) => {
    const small = { capacity: 5000, falsePositiveRate: 1e-8 };
    const many = 9000;
    for (const make of [
      () => new CuckooFilter(small),
      () => audited(new CuckooFilter(small)),
      () => new Traced(small),
      () => new SharedCuckooFilter({ capacity: 5000 }),
    ]) {
      const keys = Array.from({ length: many }, () => random.bits64());
      const into = new Uint8Array(many).fill(99);
      const { answers = new Uint8Array() } = thrownBy(FilterFullError, () =>
        new Deduper(make()).areNew(keys, into),
      );
      const again = thrownBy(FilterFullError, () => new Deduper(make()).areNew(keys));
      expect(answers).toEqual(again.answers);
      expect(answers.length).toBeGreaterThan(4500);
      expect(into.subarray(0, answers.length)).toEqual(answers);
      expect(new Set(into.subarray(answers.length))).toEqual(new Set([99]));
    }
  }),
);

test('hashed keys fill it as well', () => {
  using filter = CuckooFilter.from(HALF);
  const hashed = hashKeys(KEYS);
  expect(filter.containsMany(hashed, new Uint8Array(COUNT))).toEqual(filter.containsMany(KEYS));
  expect(filter.countMany(hashed, new Uint32Array(COUNT))).toEqual(filter.countMany(KEYS));
});

describe('a replica', () => {
  let replica: RedisReplica;
  afterEach(() => replica.dispose());

  test.each([1, 3])('of %d shards fills it, too', async (shards) => {
    replica = await (await new FakeServer().open({ shards })).replica({ refreshMs: 0 });
    for (const keys of [KEYS, new Set(KEYS)]) {
      const into = new Uint8Array(COUNT + 1).fill(99);
      expect(replica.containsMany(keys, into)).toBe(into);
      expect(into).toEqual(new Uint8Array(COUNT + 1).fill(99, COUNT));
    }
    const short = new Uint8Array(5).fill(99);
    expect(() => replica.containsMany(KEYS, short)).toThrow(RangeError);
    expect(short).toEqual(new Uint8Array(5).fill(99));
    expect(thrownBy(RangeError, () => replica.containsMany(new Set(KEYS), short))).toHaveProperty(
      'answers',
      new Uint8Array(5),
    );
    expect(() => replica.containsMany(KEYS, new Float64Array(COUNT) as never)).toThrow(TypeError);
    const keys: Key[] = [...KEYS.slice(0, 3), 1.5];
    const some = new Uint8Array(4).fill(99);
    expect(thrownBy(InvalidKeyError, () => replica.containsMany(keys, some)).index).toBe(3);
    expect(some).toEqual(Uint8Array.of(0, 0, 0, 99));
  });
});
