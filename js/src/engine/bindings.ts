// The calls of the WebAssembly modules and their parts, group by group, under the names in bindings/*.cpp.
// Numbers go in and come out; a boolean comes back as 0 or 1.

/** Where an object lies in WebAssembly memory; 0 is none. */
export type Address = number;

/** Where each field of a struct lies in the scratch buffer's numbers. */
export type Layout<Name extends string> = Readonly<Record<Name, number>>;

/**
 * Identifies a hash function without revealing its secret key: the 64 bits of the seed, or of a check computed from the
 * secret key.
 */
export type HashIdentity = Readonly<Record<'isKeyed' | 'low' | 'high', number>>;

/** What every class has. */
export interface ObjectCalls {
  destroy(object: Address): void;
  clear(object: Address): void;
  size(object: Address): number;
  /** Bytes of the object's tables. */
  byteCount(object: Address): number;
  falsePositiveRate(object: Address): number;
  contains(object: Address, length: number, number: number): number;
  hashWords(object: Address, count: number): void;
  hashKeys(object: Address, count: number): void;
  beginLongKey(object: Address): void;
  /** Puts the identity of the hash function for the object's keys. */
  describeHash(object: Address): void;
}

/** The calls of classes that add a key only if it is absent. */
export interface AbsentCalls extends ObjectCalls {
  /** An index of INSERT_OUTCOMES. */
  insertIfAbsent(object: Address, length: number, number: number): number;
  insertManyIfAbsent(object: Address, count: number): number;
}

/** The calls of filters that are planned and can be saved. */
export interface SavedCalls extends ObjectCalls {
  /** Plans what is wanted. 0 if an option is out of range, as `failure` says. */
  plan(): number;
  /** Puts the sizes of a filter. */
  describe(filter: Address): void;
  /** A filter of the last plan. A secret key is taken from the first words of the scratch buffer. */
  create(hasSecret: boolean): Address;
  clone(filter: Address): Address;
  loadFactor(filter: Address): number;
  savedBytes(filter: Address): number;
  beginSave(filter: Address): void;
  savePiece(): number;
  finishLoad(): Address;
  containsMany(filter: Address, count: number): void;
  // Of filters of one table only; those of layers have LayerCalls.
  /** Doublings of the table so far. */
  doublings(filter: Address): number;
  /** Puts the counts. */
  readCounts(filter: Address): void;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number, hasSecret: boolean): Address;
}

/** The calls of filters from which keys can be deleted, whether they have one table or layers. */
export interface FilterCalls extends AbsentCalls, SavedCalls {
  equals(one: Address, other: Address): number;
  /** Halves the table; 0 if it stays as it is. */
  shrink(filter: Address): number;
  count(filter: Address, length: number, number: number): number;
  erase(filter: Address, length: number, number: number): number;
  insert(filter: Address, length: number, number: number): number;
  insertMany(filter: Address, count: number): number;
  eraseMany(filter: Address, count: number): number;
  /**
   * Only for filters of one table. Returns an index of INSERT_OUTCOMES; or -1 minus the index in FIELDS of what
   * differs, where the index 0 means that memory is short.
   */
  merge(into: Address, from: Address, onlyIfAbsent: boolean): number;
  /**
   * Only for filters of one table. Returns 1 if the next `count` keys are gathered for building, until
   * `finishBuilding`.
   */
  beginBuilding?(filter: Address, count: number): number;
  finishBuilding?(filter: Address): void;
}

/**
 * The calls of filters whose entries have values. The values of a batch are the numbers of the scratch buffer, one per
 * key.
 */
export interface ValuedCalls extends SavedCalls {
  /** A value, or copies. */
  insert(filter: Address, length: number, number: number, value: number): number;
  insertMany(filter: Address, count: number): number;
  /** With `any`, erases the smallest value that there is. */
  erase(filter: Address, length: number, number: number, value: number, any: boolean): number;
  eraseMany(filter: Address, count: number, any: boolean): number;
  /** As of a filter. */
  merge(into: Address, from: Address): number;
  equals(one: Address, other: Address): number;
  valueBits(filter: Address): number;
}

export interface ValuesCalls extends ValuedCalls {
  /** Returns the number of values found, and puts them into the numbers. */
  find(filter: Address, length: number, number: number): number;
  /** Continues with the hash at `first`, and returns the next one; the answers are the numbers of values. */
  findMany(filter: Address, first: number, count: number): number;
}

export interface CounterCalls extends ValuedCalls {
  count(filter: Address, length: number, number: number): number;
  /** Puts the counts into the numbers. */
  countMany(filter: Address, count: number): void;
  /** How many counters have reached the maximum. */
  saturated(filter: Address): number;
}

/** What is wanted has the number of periods in place of the bits of a value. */
export interface ExpiringCalls extends AbsentCalls, SavedCalls {
  create(hasSecret: boolean, periods?: number): Address;
  /** From now on, makes room by forgetting the oldest periods. */
  forgetWhenFull(filter: Address): void;
  /** Makes the age of a key count from its first time instead of its last. */
  rememberFromFirst(filter: Address): void;
  /** Begins so many periods, and returns how many entries are forgotten. */
  advance(filter: Address, periods: number): number;
  /** When the current period began, in milliseconds; -1 without a clock, and after `advance`. */
  clock(filter: Address): number;
  setClock(filter: Address, began: number): void;
  periods(filter: Address): number;
  /** Number of periods that are remembered. */
  remembered(filter: Address): number;
  /** As of a filter. */
  merge(into: Address, from: Address): number;
}

export interface LayerCalls {
  readonly headerBytes: number;
  /** How many keys fit into all layers of the filter that was planned last. */
  plannedCapacity(): number;
  count(filter: Address): number;
  /** A number that changes whenever a table has doubled, or a layer was added or removed. */
  changes(filter: Address): number;
  /** Puts a layer's sizes and state. */
  describe(filter: Address, layer: number): void;
  /** Puts a layer's counts. */
  readCounts(filter: Address, layer: number): void;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number, hasSecret: boolean): number;
  /** 0 if there is none left to load. */
  hasMore(): number;
  /** 0; or 1 and the bytes of the layer's table. */
  begin(headBytes: number): number;
  table(): Address;
  finish(): number;
}

/** The calls of the shared filter's module besides FilterCalls. */
export interface SharedCalls {
  /** The outcome of a call that may not wait for the lock. */
  readonly busy: number;
  /** The most attempts to copy the table. */
  readonly mostCopies: number;
  /** The address of a filter must be a multiple of this. */
  readonly alignment: number;
  /** As `plan`, for a filter that is not shared. */
  planPlain: SavedCalls['plan'];
  /** Puts the sizes of the last plan, with whole words as buckets. */
  describePlan(): void;
  /** Bytes of memory that a filter of the last plan takes. */
  memoryBytes(): number;
  /** Tells the instance which thread it is for. */
  open(thread: number, mayWait: boolean): void;
  /** Makes a filter of the last plan at this address; 0 if the secret key is missing. */
  create(memory: Address, hasSecret: boolean): Address;
  /** 0 if no filter lies in the `length` bytes from there on. */
  attach(memory: Address, length: number): Address;
  /** 0 if the lock could not be taken. */
  clear(filter: Address): number;
  /** Takes the lock to copy the table; 0 if it could not be taken. */
  beginCopy(filter: Address): number;
  /** Puts the next piece of the table and returns its bytes; 0 if there is none. */
  copyPiece(filter: Address): number;
  /** Frees the lock; 0 if the copy may lack an entry. */
  endCopy(): number;
  /** Puts the header of the copy, and begins the checksum with it. */
  putHeader(filter: Address): void;
  addToChecksum(length: number): void;
  putChecksum(): void;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number, hasSecret: boolean): number;
  /** Bytes of the next piece of the table; 0 after the last. */
  pieceBytes(): number;
  loadPiece(filter: Address): void;
  endLoad(filter: Address): number;
}

export interface TraceCalls {
  open(filter: Address, level: number, capacity: number, isRandomWalk: boolean, walkKicks: number): number;
  eventCount(filter: Address): number;
  eventsAddress(filter: Address): Address;
  hasOverflowed(filter: Address): number;
  drain(filter: Address): void;
  readSlots(filter: Address, first: number): number;
}

/** What all classes share. */
export interface Bindings {
  /** Described by its shape, because a program that reads these types may not know WebAssembly. */
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Where the parts of the scratch buffer lie, and how long they are. */
  readonly scratch: Readonly<
    Record<'words' | 'numbers' | 'answers' | 'bytes' | 'batchLength' | 'bytesLength', number>
  >;
  /** Bytes of a saved filter before and behind its table. */
  readonly format: Readonly<Record<'headerBytes' | 'trailerBytes', number>>;
  /** What `plan` takes; -1 stands for "not given". */
  readonly wanted: Layout<
    | 'capacity'
    | 'maxCapacity'
    | 'falsePositiveRate'
    | 'bucketSize'
    | 'fingerprintBits'
    | 'bucketCount'
    | 'semiSort'
    | 'isXor'
    | 'isKeyed'
    | 'seedLow'
    | 'seedHigh'
    | 'prefer'
    | 'valueBits'
    | 'maxPause'
  >;
  readonly sizes: Layout<
    | 'capacity'
    | 'maxCapacity'
    | 'doublings'
    | 'bucketCount'
    | 'bucketSize'
    | 'fingerprintBits'
    | 'isSemiSorted'
    | 'isXor'
    | 'isKeyed'
    | 'seedLow'
    | 'seedHigh'
    | 'byteLength'
    | 'maxByteLength'
    | 'falsePositiveRate'
    | 'lookupCost'
    | 'insertCost'
  >;
  readonly hash: Layout<keyof HashIdentity>;
  /**
   * `kicks`, `doublingBuckets`, `doublingSizes` and `doublingPauses` are the places of the first of several numbers:
   * there are `kickCounts` kicks, and at most `doublingsKept` of each of the others.
   */
  readonly counts: Layout<
    | 'full'
    | 'tooManyCopies'
    | 'kicks'
    | 'kickCounts'
    | 'doublingCount'
    | 'doublingBuckets'
    | 'doublingSizes'
    | 'doublingPauses'
    | 'doublingsKept'
  >;
  /** Why the last call returned nothing: indexes of ERROR_CODES and FIELDS. */
  readonly failure: { error(): number; field(): number };
  readonly longKey: { piece(length: number): void; finish(): void };
  /** Puts the sizes of the last plan. */
  readonly plan: { describe(): void };
}

/** What a class offers besides. */
export interface BindingsOf<Calls extends ObjectCalls> extends Bindings {
  readonly filter: Calls;
}

/** The core's InsertOutcome, in its order, in the API's words. */
export const INSERT_OUTCOMES = ['added', 'full', 'too-many-copies', 'present'] as const;
