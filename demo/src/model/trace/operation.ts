// What can be done with a filter, in the core's words.

export type OperationName = 'insert' | 'contains' | 'erase' | 'clear';

export interface Operation {
  readonly name: OperationName;
  /** Empty for `clear`. */
  readonly key: string;
  /** The step with which the page stops telling it; the last one if there is none. */
  readonly until?: 'alternate';
}
