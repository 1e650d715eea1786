// The methods of the classes of filters: all have the same, under the same names, and no filter has any of its own.
import { expect, jest, test } from '@jest/globals';
import {
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  FormatError,
  InvalidKeyError,
  OutOfMemoryError,
  PackedKeys,
} from 'cuckoofilter-wasm';
import { audited, AuditError } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FetchRangesError, FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisBatchError, RedisCuckooFilter, RedisFullError } from 'cuckoofilter-wasm/redis';
import { RedisBloomFilter } from 'cuckoofilter-wasm/redisbloom';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { FilterBusyError, SharedCuckooFilter, SharedMemoryError } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { CuckooValues, FoundValues } from 'cuckoofilter-wasm/values';

/** The names of the methods of a class and of those it extends. */
function methodsOf(Class: { prototype: object }): string[] {
  const names = new Set<string>();
  for (let at = Class.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name);
  return [...names].sort();
}

/** Of every class. */
const COMMON = ['clear', 'clone', 'contains', 'containsMany', 'dispose', 'equals', 'has', 'merge'];
const COMMON_TOO = ['serialize', 'stats', 'toJSON'];

/** Those of which the trace tells events: the operations of the core. */
const OPERATIONS = [
  ...['add', 'addIfAbsent', 'addMany', 'addManyIfAbsent', 'clear', 'contains', 'containsMany', 'count'],
  ...['countMany', 'delete', 'deleteMany', 'has', 'merge', 'mergeIfAbsent', 'shrink', 'tryAdd'],
];
const METHODS = [...new Set([...COMMON, ...COMMON_TOO, ...OPERATIONS, 'addManyAsync'])].sort();
const options = { capacity: 100 };

/** One of each class, and of each way that filters are made. */
function everyFilter(): object[] {
  const onGrow = (): void => undefined;
  const plain = new CuckooFilter({ ...options, maxCapacity: 1000, onGrow });
  return [
    plain,
    new CuckooFilter(options),
    plain.clone(),
    CuckooFilter.from(['a']),
    CuckooFilter.deserialize(plain.serialize()),
    new ScalableCuckooFilter({ ...options, onGrow }),
    new Traced({ ...options, maxCapacity: 1000, onGrow }).trace(() => undefined),
    new ExpiringFilter({ ...options, maxCapacity: 1000, periods: 2, onGrow }),
    new CuckooValues({ ...options, maxCapacity: 1000, valueBits: 4, onGrow }),
    new CuckooCounter({ ...options, maxCapacity: 1000, onGrow }),
  ];
}

/** Audited ones. */
function auditedFilters(): object[] {
  const growing = { ...options, maxCapacity: 1000, onGrow: (): void => undefined };
  return [
    audited(new CuckooFilter(growing)),
    audited(new CuckooFilter(options)).clone(),
    audited(new ScalableCuckooFilter(growing)),
    audited(new Traced(options)),
  ];
}

test('each class of filters has every method, and no other', () => {
  expect(methodsOf(CuckooFilter)).toEqual(METHODS);
  expect(methodsOf(ScalableCuckooFilter)).toEqual(METHODS);
  expect(methodsOf(Traced)).toEqual([...METHODS, 'slots', 'takeEvents', 'trace'].sort());
  for (const Class of [ExpiringFilter, CuckooValues, CuckooCounter])
    expect(methodsOf(Class)).toEqual(expect.arrayContaining([...COMMON, ...COMMON_TOO]));
});

test('a filter has none of its own, whatever its options and however it is made', () => {
  for (const filter of [...everyFilter(), ...auditedFilters()]) {
    expect(Object.getOwnPropertyNames(filter)).toEqual([]);
    expect(Object.getOwnPropertySymbols(filter)).toEqual([Symbol.for('cuckoofilter-wasm.content')]);
    expect(Object.keys(filter)).toEqual([]);
  }
});

test('an audited filter has every method of its class, and checks those that add, find or lose keys', () => {
  for (const made of [new CuckooFilter(options), new Traced(options)] as CuckooFilter[]) {
    const names = methodsOf(made.constructor as typeof CuckooFilter) as (keyof CuckooFilter)[];
    const filter = audited(made);
    for (const name of names) expect([name, typeof filter[name]]).toEqual([name, 'function']);
    // The audit sees what each adds, or it would find a false delete.
    filter.add('a');
    expect(filter.tryAdd('b')).toBe('added');
    filter.addMany(['c']);
    filter.merge(audited(new (made.constructor as typeof CuckooFilter)(options)).add('d'));
    expect(filter.clone().deleteMany(['a', 'b', 'c', 'd'])).toBe(4);
    // And what each asks for, and loses.
    made.delete('a');
    for (const name of ['contains', 'has', 'count', 'delete', 'addIfAbsent'] as const)
      expect(() => filter[name]('a')).toThrow(AuditError);
    for (const name of ['containsMany', 'countMany', 'deleteMany', 'addManyIfAbsent'] as const)
      expect(() => filter[name](['a'])).toThrow(AuditError);
    filter.clear();
    expect(filter.has('a')).toBe(false);
  }
});

test('the trace tells of the operations of the core, and of no other', () => {
  const own = Object.getOwnPropertyNames(Traced.prototype).filter((name) => METHODS.includes(name));
  expect(own.sort()).toEqual(OPERATIONS);
  const given: Record<string, unknown[]> = {
    ...Object.fromEntries(OPERATIONS.map((name) => [name, [name.includes('Many') ? ['a'] : 'a']])),
    ...{ clear: [], shrink: [], merge: [new Traced(options)], mergeIfAbsent: [new Traced(options)] },
  };
  for (const name of OPERATIONS) {
    const told: unknown[] = [];
    const filter = new Traced(options).trace((events) => void told.push(events));
    (filter[name as 'add'] as (...given: unknown[]) => unknown)(...(given[name] as []));
    expect([name, told.length]).toEqual([name, 1]);
  }
  const told: unknown[] = [];
  const filter = new Traced(options).trace((events) => void told.push(events));
  filter.clone();
  filter.serialize();
  filter.stats();
  filter.toJSON();
  filter.equals(filter.clone());
  filter.dispose();
  expect(told).toEqual([]);
});

test('the methods of a class and of an object can be replaced, as those of any can', () => {
  const prototypes = [
    CuckooFilter,
    ScalableCuckooFilter,
    Traced,
    ExpiringFilter,
    CuckooValues,
    CuckooCounter,
  ];
  for (const holder of [new Deduper(options), Deduper.prototype, ...prototypes.map((each) => each.prototype)])
    for (const key of Reflect.ownKeys(holder)) {
      const { value, ...rights } = Object.getOwnPropertyDescriptor(holder, key) ?? {};
      if (typeof value === 'function')
        expect([key, rights]).toEqual([key, { configurable: true, enumerable: false, writable: true }]);
    }
  for (const filter of everyFilter() as CuckooFilter[]) {
    jest.spyOn(filter, 'has').mockReturnValue(true);
    expect(filter.has('never added')).toBe(true);
  }
});

test('every class that owns memory, and every error, has its own name, although the bundles are minified', () => {
  const classes = {
    ...{ CuckooFilter, ScalableCuckooFilter, ExpiringFilter, CuckooValues, CuckooCounter, Deduper },
    ...{ AuditError, DisposedError, FilterFullError, FormatError, InvalidKeyError, OutOfMemoryError },
    ...{
      FetchRangesError,
      FilterReader,
      FoundValues,
      PackedKeys,
      SharedCuckooFilter,
      FilterBusyError,
      SharedMemoryError,
    },
    ...{ RedisBatchError, RedisBloomFilter, RedisCuckooFilter, RedisFullError },
  };
  for (const [name, Class] of Object.entries(classes)) expect(Class.name).toBe(name);
  expect(Traced.name).toBe('CuckooFilter');
});
