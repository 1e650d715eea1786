// What the WebAssembly modules and their parts offer: bindings/*.cpp, group by group, each name as it stands there.
// Invariant: numbers go in and come out; a boolean comes back as 0 or 1.

/** Where an object lies in WebAssembly memory; 0 is none. */
export type Address = number;

/** Where each field of a struct of results lies in the scratch buffer's numbers. */
export type Layout<Name extends string> = Readonly<Record<Name, number>>;

/** Tells a hash from others, without its secret key: 64 bits of the seed, or of a check in place of a secret key. */
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
  /** Puts which hash the object's keys have. */
  describeHash(object: Address): void;
}

/** What classes have that add a key unless it is there. */
export interface AbsentCalls extends ObjectCalls {
  /** An index of INSERT_OUTCOMES. */
  insertIfAbsent(object: Address, length: number, number: number): number;
  insertManyIfAbsent(object: Address, count: number): number;
}

/** What filters have that are planned and can be saved. */
export interface SavedCalls extends ObjectCalls {
  /** 0 if the options are out of range, as `failure` says. */
  plan(
    capacity: number,
    maxCapacity: number,
    falsePositiveRate: number,
    bucketSize: number,
    fingerprintBits: number,
    bucketCount: number,
    semiSort: number,
    isXor: boolean,
    maxKicks: number,
    isKeyed: boolean,
    seedLow: number,
    seedHigh: number,
    prefer: number,
    valueBits: number,
    maxPause: number,
  ): number;
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

/** What filters have from which keys can be deleted: of one table, or of layers. */
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
   * Of filters of one table only. An index of INSERT_OUTCOMES; or -1 less the index of FIELDS that differs, 0 where memory is
   * short.
   */
  merge(into: Address, from: Address, onlyIfAbsent: boolean): number;
  /** Of filters of one table only. 1 if the `count` keys that follow are built, until `finishBuilding`. */
  beginBuilding?(filter: Address, count: number): number;
  finishBuilding?(filter: Address): void;
}

/** What filters have whose entries have values. Those of a batch lie in the scratch buffer's ends, one per key. */
export interface ValuedCalls extends SavedCalls {
  /** A value, or copies. */
  insert(filter: Address, length: number, number: number, value: number): number;
  insertMany(filter: Address, count: number): number;
  /** With `any`, whichever value there is. */
  erase(filter: Address, length: number, number: number, value: number, any: boolean): number;
  eraseMany(filter: Address, count: number, any: boolean): number;
  /** As of a filter. */
  merge(into: Address, from: Address): number;
  equals(one: Address, other: Address): number;
  valueBits(filter: Address): number;
}

export interface ValuesCalls extends ValuedCalls {
  /** How many values there are, in the ends. */
  find(filter: Address, length: number, number: number): number;
  /** Goes on with the hash at `first` and returns which is next; how many values each has are the answers. */
  findMany(filter: Address, first: number, count: number): number;
}

export interface CounterCalls extends ValuedCalls {
  count(filter: Address, length: number, number: number): number;
  /** Puts the counts into the ends. */
  countMany(filter: Address, count: number): void;
  /** How many counters have reached the maximum. */
  saturated(filter: Address): number;
}

/** `plan` takes the number of periods for the bits of a value. */
export interface ExpiringCalls extends AbsentCalls, SavedCalls {
  create(hasSecret: boolean, periods?: number): Address;
  /** Makes room by forgetting the oldest periods, from now on. */
  forgetWhenFull(filter: Address): void;
  /** Remembers each key from its first time on, and not from its last. */
  rememberFromFirst(filter: Address): void;
  /** Begins as many periods; returns how many entries are forgotten. */
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
  /** Keys that all layers can take of a filter as planned last. */
  plannedCapacity(): number;
  count(filter: Address): number;
  /** Another number than before where a table has doubled, or a layer begun or ended. */
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

/** What the module of the shared filter has besides FilterCalls. */
export interface SharedCalls {
  /** The outcome of a call that may not wait for the lock. */
  readonly busy: number;
  /** What the address of a filter is a multiple of. */
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
  /** 0 if there is no filter. */
  attach(memory: Address): Address;
  /** Frees the lock if that thread has it, which has ended. */
  releaseLock(filter: Address, thread: number): void;
  /** 0 if the lock is not to be had. */
  clear(filter: Address): number;
  /** Takes the lock to copy the table; 0 if it is not to be had. */
  beginCopy(filter: Address): number;
  /** Puts the next piece of the table and returns its bytes; 0 if there is none. */
  copyPiece(filter: Address): number;
  /** Frees the lock; 0 if the copy may lack an entry. */
  endCopy(): number;
  putHeader(filter: Address): void;
  beginChecksum(): void;
  addToChecksum(length: number): void;
  putChecksum(): void;
  beginLoad(headBytes: number, totalBytes: number, maxBytes: number, hasSecret: boolean): number;
  /** Bytes of a piece of the table, except the last. */
  pieceBytes(): number;
  loadPiece(filter: Address, length: number): number;
  /** Only counts the piece into the checksum. */
  skipPiece(length: number): void;
  endLoad(filter: Address): number;
}

export interface TraceCalls {
  open(filter: Address, level: number, capacity: number, looksAhead: boolean): number;
  eventCount(filter: Address): number;
  eventsAddress(filter: Address): Address;
  hasOverflowed(filter: Address): number;
  drain(filter: Address): void;
  readSlots(filter: Address, first: number): number;
}

/** What all classes share. */
export interface Bindings {
  /** By its shape, as a program that reads these types may know no WebAssembly. */
  readonly memory: { readonly buffer: ArrayBuffer };
  /** Where the parts of the scratch buffer lie, and how long they are. */
  readonly scratch: Readonly<
    Record<'words' | 'ends' | 'answers' | 'bytes' | 'batchLength' | 'bytesLength', number>
  >;
  /** Bytes of a saved filter before and behind its table. */
  readonly format: Readonly<Record<'headerBytes' | 'trailerBytes', number>>;
  readonly sizes: Layout<
    | 'capacity'
    | 'maxCapacity'
    | 'doublings'
    | 'bucketCount'
    | 'bucketSize'
    | 'fingerprintBits'
    | 'isSemiSorted'
    | 'isXor'
    | 'maxKicks'
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
   * `kicks`, `doublingBuckets`, `doublingSizes` and `doublingPauses` are where the first of several lies; there are
   * `kickCounts` of kicks, and of the others at most `doublingsKept`.
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
  /** Why the last call gave nothing: indexes of ERROR_CODES and FIELDS. */
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
