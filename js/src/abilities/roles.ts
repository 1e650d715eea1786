// What each method of each class does to the entries, and what it takes. The audit, the trace and the tests follow from
// these tables.
// Invariant: a method compiles only if it has a role, and if that role agrees with its declaration. This file imports
// nothing but types, so it adds no class to a program.
import type { CuckooCounter } from '../filters/cuckoo-counter.js';
import type { CuckooFilter } from '../filters/cuckoo-filter.js';
import type { CuckooValues } from '../filters/cuckoo-values.js';
import type { Deduper } from '../filters/dedupe/deduper.js';
import type { ExpiringFilter } from '../filters/expiring/expiring-filter.js';
import type { Filter } from '../filters/filter.js';
import type { ScalableCuckooFilter } from '../filters/scalable-filter.js';
import type { SharedCuckooFilter } from '../filters/shared/shared-filter.js';
import type { TableFilter } from '../filters/table-filter.js';
import type { Key } from '../keys/key.js';

/**
 * `changes`: adds, removes or moves entries. `asks`: looks up keys, and changes nothing. `neither`: changes nothing in
 * this filter, and looks up no key.
 */
export type Effect = 'changes' | 'asks' | 'neither';

/** What a method takes: one key, two, many, another filter of its class, or none of these. */
export type Takes = 'key' | 'two keys' | 'keys' | 'filter' | 'nothing';

export type Role = readonly [Effect, Takes];

type MethodOf<Class> = {
  [Name in keyof Class]: Class[Name] extends (...given: never) => unknown ? Name : never;
}[keyof Class] &
  string;

/** What a method takes, by the types of its first two parameters. */
type TakesOf<Method> = Method extends (...given: infer Given extends readonly unknown[]) => unknown
  ? unknown extends Given[0]
    ? 'filter'
    : [Key] extends [Given[0]]
      ? [Key] extends [Given[1]]
        ? 'two keys'
        : 'key'
      : Key[] extends Given[0]
        ? 'keys'
        : Given[0] extends { serialize(): unknown }
          ? 'filter'
          : 'nothing'
  : never;

/** A role for each method of `Class` that `Base` does not have. */
export type RolesOf<Class, Base = object> = {
  readonly [Name in Exclude<MethodOf<Class>, MethodOf<Base>>]: readonly [Effect, TakesOf<Class[Name]>];
};

/** The methods with a role of `Roles`, but those with the effect `Left`. */
export type NamesWithout<Left extends Effect, Roles extends Readonly<Record<string, Role>>> = {
  [Name in keyof Roles]: Roles[Name][0] extends Left ? never : Name;
}[keyof Roles];

/** Of every filter. */
export const FILTER_ROLES = {
  contains: ['asks', 'key'],
  has: ['asks', 'key'],
  containsMany: ['asks', 'keys'],
  hasMany: ['asks', 'keys'],
  clear: ['changes', 'nothing'],
  serialize: ['neither', 'nothing'],
  clone: ['neither', 'nothing'],
  equals: ['neither', 'filter'],
  stats: ['neither', 'nothing'],
  toJSON: ['neither', 'nothing'],
  dispose: ['neither', 'nothing'],
} as const satisfies RolesOf<Filter>;

/** Of every CuckooFilter, ScalableCuckooFilter and SharedCuckooFilter besides. */
export const TABLE_ROLES = {
  add: ['changes', 'key'],
  tryAdd: ['changes', 'key'],
  addIfAbsent: ['changes', 'key'],
  count: ['asks', 'key'],
  countMany: ['asks', 'keys'],
  delete: ['changes', 'key'],
  addMany: ['changes', 'keys'],
  addManyAsync: ['changes', 'keys'],
  addManyIfAbsent: ['changes', 'keys'],
  deleteMany: ['changes', 'keys'],
  shrink: ['changes', 'nothing'],
} as const satisfies RolesOf<TableFilter, Filter>;

/** Of a CuckooFilter besides, plain or traced. */
export const MERGE_ROLES = {
  merge: ['changes', 'filter'],
  mergeIfAbsent: ['changes', 'filter'],
} as const satisfies RolesOf<CuckooFilter, TableFilter>;

/** None of its own. */
export const SCALABLE_ROLES = {} as const satisfies RolesOf<ScalableCuckooFilter, TableFilter>;

/** Of the traced class besides, whose file checks them. */
export const TRACED_ROLES = {
  trace: ['neither', 'nothing'],
  takeEvents: ['neither', 'nothing'],
  slots: ['neither', 'nothing'],
} as const satisfies Readonly<Record<string, Role>>;

export const SHARED_ROLES = {
  share: ['neither', 'nothing'],
  reclaim: ['neither', 'nothing'],
} as const satisfies RolesOf<SharedCuckooFilter, TableFilter>;

export const EXPIRING_ROLES = {
  isNew: ['changes', 'key'],
  areNew: ['changes', 'keys'],
  areNewAsync: ['changes', 'keys'],
  hasSeen: ['asks', 'key'],
  haveSeen: ['asks', 'keys'],
  advance: ['changes', 'nothing'],
  merge: ['changes', 'filter'],
} as const satisfies RolesOf<ExpiringFilter, Filter>;

export const VALUES_ROLES = {
  set: ['changes', 'key'],
  get: ['asks', 'key'],
  delete: ['changes', 'key'],
  setMany: ['changes', 'keys'],
  getMany: ['asks', 'keys'],
  deleteMany: ['changes', 'keys'],
  merge: ['changes', 'filter'],
} as const satisfies RolesOf<CuckooValues, Filter>;

export const COUNTER_ROLES = {
  add: ['changes', 'key'],
  tryAdd: ['changes', 'key'],
  delete: ['changes', 'key'],
  count: ['asks', 'key'],
  addMany: ['changes', 'keys'],
  addManyAsync: ['changes', 'keys'],
  countMany: ['asks', 'keys'],
  deleteMany: ['changes', 'keys'],
  merge: ['changes', 'filter'],
} as const satisfies RolesOf<CuckooCounter, Filter>;

export const DEDUPER_ROLES = {
  isNew: ['changes', 'key'],
  areNew: ['changes', 'keys'],
  areNewAsync: ['changes', 'keys'],
  hasSeen: ['asks', 'key'],
  haveSeen: ['asks', 'keys'],
  merge: ['changes', 'filter'],
  clear: ['changes', 'nothing'],
  clone: ['neither', 'nothing'],
  serialize: ['neither', 'nothing'],
  toJSON: ['neither', 'nothing'],
  dispose: ['neither', 'nothing'],
} as const satisfies RolesOf<Deduper>;
