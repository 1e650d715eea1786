// The one table of a filter's public methods: which may grow it, which the audit checks, which the trace reports.
// Invariant: nothing else lists them (a test compares the table with the classes). A line of words, as every program
// carries it.

/**
 * `double`: may double a table. `layer`: may double a table of a scalable filter, or begin or end a layer. `audit`: adds,
 * finds or loses keys, so that the audit keeps an account of it. `trace`: is an operation of the core, whose events the trace
 * delivers after it.
 */
export type Trait = 'double' | 'layer' | 'audit' | 'trace';

export const METHODS = {
  add: 'double layer audit trace',
  tryAdd: 'double layer audit trace',
  addIfAbsent: 'double layer audit trace',
  addMany: 'double layer audit trace',
  addManyAsync: '', // calls addMany
  addManyIfAbsent: 'double layer audit trace',
  contains: 'audit trace',
  has: '', // calls contains
  containsMany: 'audit trace',
  count: 'audit trace',
  delete: 'layer audit trace',
  deleteMany: 'layer audit trace',
  clear: 'layer audit trace',
  shrink: 'trace',
  merge: 'double audit trace',
  mergeIfAbsent: 'double audit trace',
  clone: 'audit',
  equals: '',
  serialize: '',
  toJSON: '',
  stats: '',
  dispose: '',
} as const;

/** The methods that have a trait. */
export type MethodsWith<Wanted extends Trait> = {
  [Name in keyof typeof METHODS]: (typeof METHODS)[Name] extends `${string}${Wanted}${string}` ? Name : never;
}[keyof typeof METHODS];

/** The names of the methods that have a trait. */
export function methodsWith<Wanted extends Trait>(trait: Wanted): MethodsWith<Wanted>[] {
  const names = Object.keys(METHODS) as (keyof typeof METHODS)[];
  return names.filter((name): name is MethodsWith<Wanted> => METHODS[name].includes(trait));
}
