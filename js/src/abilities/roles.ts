// What each method of each class does to the entries. The audit, the trace and the tests follow from these tables.
// Invariant: a method without a role does not compile. Only types are imported, so no program bundles more than it uses.
import type { CuckooCounter } from '../filters/cuckoo-counter.js';
import type { CuckooFilter } from '../filters/cuckoo-filter.js';
import type { CuckooValues } from '../filters/cuckoo-values.js';
import type { Deduper } from '../filters/dedupe/deduper.js';
import type { ExpiringFilter } from '../filters/expiring/expiring-filter.js';
import type { Filter } from '../filters/filter.js';
import type { ScalableCuckooFilter } from '../filters/scalable-filter.js';
import type { SharedCuckooFilter } from '../filters/shared/shared-filter.js';
import type { TableFilter } from '../filters/table-filter.js';

/**
 * `changes`: adds, removes or moves entries. `asks`: looks up keys, and changes nothing. `neither`: changes nothing in
 * this filter, and looks up no key.
 */
export type Role = 'changes' | 'asks' | 'neither';

type MethodOf<Class> = {
  [Name in keyof Class]: Class[Name] extends (...given: never) => unknown ? Name : never;
}[keyof Class] &
  string;

/** A role for each method of `Class` that `Base` does not have. */
export type RolesOf<Class, Base = object> = Readonly<Record<Exclude<MethodOf<Class>, MethodOf<Base>>, Role>>;

/** The methods with a role of `Roles`, but those with `Left`. */
export type NamesWithout<Left extends Role, Roles extends Readonly<Record<string, Role>>> = {
  [Name in keyof Roles]: Roles[Name] extends Left ? never : Name;
}[keyof Roles];

/** Of every filter. */
export const FILTER_ROLES = {
  contains: 'asks',
  has: 'asks',
  containsMany: 'asks',
  hasMany: 'asks',
  clear: 'changes',
  serialize: 'neither',
  clone: 'neither',
  equals: 'neither',
  stats: 'neither',
  toJSON: 'neither',
  dispose: 'neither',
} as const satisfies RolesOf<Filter>;

/** Of every CuckooFilter, ScalableCuckooFilter and SharedCuckooFilter besides. */
export const TABLE_ROLES = {
  add: 'changes',
  tryAdd: 'changes',
  addIfAbsent: 'changes',
  count: 'asks',
  countMany: 'asks',
  delete: 'changes',
  addMany: 'changes',
  addManyAsync: 'changes',
  addManyIfAbsent: 'changes',
  deleteMany: 'changes',
  shrink: 'changes',
} as const satisfies RolesOf<TableFilter, Filter>;

/** Of a CuckooFilter besides, plain or traced. */
export const MERGE_ROLES = {
  merge: 'changes',
  mergeIfAbsent: 'changes',
} as const satisfies RolesOf<CuckooFilter, TableFilter>;

/** None of its own. */
export const SCALABLE_ROLES = {} as const satisfies RolesOf<ScalableCuckooFilter, TableFilter>;

/** Of the traced class besides, whose file checks them. */
export const TRACED_ROLES = {
  trace: 'neither',
  takeEvents: 'neither',
  slots: 'neither',
} as const satisfies Readonly<Record<string, Role>>;

export const SHARED_ROLES = {
  share: 'neither',
  reclaim: 'neither',
} as const satisfies RolesOf<SharedCuckooFilter, TableFilter>;

export const EXPIRING_ROLES = {
  isNew: 'changes',
  areNew: 'changes',
  areNewAsync: 'changes',
  hasSeen: 'asks',
  haveSeen: 'asks',
  advance: 'changes',
  merge: 'changes',
} as const satisfies RolesOf<ExpiringFilter, Filter>;

export const VALUES_ROLES = {
  set: 'changes',
  get: 'asks',
  delete: 'changes',
  setMany: 'changes',
  getMany: 'asks',
  deleteMany: 'changes',
  merge: 'changes',
} as const satisfies RolesOf<CuckooValues, Filter>;

export const COUNTER_ROLES = {
  add: 'changes',
  tryAdd: 'changes',
  delete: 'changes',
  count: 'asks',
  addMany: 'changes',
  addManyAsync: 'changes',
  countMany: 'asks',
  deleteMany: 'changes',
  merge: 'changes',
} as const satisfies RolesOf<CuckooCounter, Filter>;

export const DEDUPER_ROLES = {
  isNew: 'changes',
  areNew: 'changes',
  areNewAsync: 'changes',
  hasSeen: 'asks',
  haveSeen: 'asks',
  merge: 'changes',
  clear: 'changes',
  clone: 'neither',
  serialize: 'neither',
  toJSON: 'neither',
  dispose: 'neither',
} as const satisfies RolesOf<Deduper>;
