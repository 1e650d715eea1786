// The table of the public methods against the classes: none is missing there, and each does what the table says.
import { expect, test } from '@jest/globals';
import {
  AuditError,
  CuckooFilter,
  Deduper,
  DisposedError,
  FilterFullError,
  FormatError,
} from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { METHODS, methodsWith } from '../../js/src/observe/methods';

/** The names of the methods of a class and of those it extends. */
function methodsOf(Class: { prototype: object }): string[] {
  const names = new Set<string>();
  for (let at = Class.prototype; at !== Object.prototype; at = Object.getPrototypeOf(at) as object)
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name);
  return [...names].sort();
}

const KEYS = Object.keys(METHODS).sort();
const options = { capacity: 100 };

/** What is laid over a filter: its own properties, but for the content that it shows to tests. */
function named(filter: object): string[] {
  const names = Object.getOwnPropertyNames(filter);
  return names.filter((name) => name !== 'content').sort();
}

test('it has every method of each class of filters, and no other', () => {
  expect(methodsOf(CuckooFilter)).toEqual(KEYS);
  expect(methodsOf(ScalableCuckooFilter)).toEqual(KEYS);
  expect(methodsOf(Traced)).toEqual([...KEYS, 'slots', 'takeEvents', 'trace'].sort());
});

test('the audit lays itself over those that are audited, and no other', () => {
  const filter = new CuckooFilter({ ...options, audit: true });
  expect(named(filter)).toEqual(methodsWith('audit').sort());
});

test('onGrow is laid over those that may grow, and no other', () => {
  const onGrow = (): void => undefined;
  expect(named(new CuckooFilter({ ...options, maxCapacity: 1000, onGrow }))).toEqual(
    methodsWith('double').sort(),
  );
  expect(named(new ScalableCuckooFilter({ ...options, onGrow }))).toEqual(methodsWith('layer').sort());
});

test('the trace lays itself over those that are traced, and no other', () => {
  const own = Object.getOwnPropertyNames(Traced.prototype).filter((name) => KEYS.includes(name));
  expect(own.sort()).toEqual(methodsWith('trace').sort());
});

test('methods that are laid over others can be replaced, as those of a class can', () => {
  const onGrow = (): void => undefined;
  const audited = new CuckooFilter({ ...options, audit: true, onGrow });
  const layered = new ScalableCuckooFilter({ ...options, audit: true, onGrow });
  const deduper = new Deduper(options);
  for (const overlaid of [audited, layered, deduper, Traced.prototype, ExpiringFilter.prototype])
    for (const key of Reflect.ownKeys(overlaid)) {
      const { value, ...rights } = Object.getOwnPropertyDescriptor(overlaid, key) ?? {};
      if (typeof value === 'function')
        expect([key, rights]).toEqual([key, { configurable: true, enumerable: false, writable: true }]);
    }
});

test('every class that owns memory, and every error, has its own name, although the bundles are minified', () => {
  const classes = {
    ...{ CuckooFilter, ScalableCuckooFilter, ExpiringFilter, Deduper },
    ...{ AuditError, DisposedError, FilterFullError, FormatError },
  };
  for (const [name, Class] of Object.entries(classes)) expect(Class.name).toBe(name);
  expect(Traced.name).toBe('CuckooFilter');
});
