// The errors of the shared filter.

/**
 * Why a call could not be done at this time. `busy`: another thread held the lock for longer than this one is allowed to
 * wait, as on the main thread of a page. `spoiled`: only of `serialize`, `clone` and `equals`, in any thread: this thread
 * stood still again and again, and others changed the filter meanwhile, so that no copy was whole.
 */
export type BusyReason = 'busy' | 'spoiled';

const BUSY: Record<BusyReason, string> = {
  busy: 'another thread has the filter, and this one may not block: try later, or in a worker',
  spoiled: 'other threads changed the filter during every copy: try again when fewer write',
};

/** The call could not be done while other threads use the filter. `reason` says why. Try again later. */
export class FilterBusyError extends Error {
  /** @internal */
  static override readonly name: string = 'FilterBusyError';
  override readonly name = 'FilterBusyError';
  readonly code = 'filter-busy';
  readonly reason: BusyReason;
  /** Number of keys that this call added before it gave up. */
  readonly added: number;
  /** Only of `addManyIfAbsent`: as in FilterFullError. */
  declare readonly answers?: Uint8Array;

  constructor(added = 0, reason: BusyReason = 'busy') {
    super(BUSY[reason]);
    this.reason = reason;
    this.added = added;
  }
}

/** Why a filter cannot be shared here. */
export type SharedMemoryCode =
  'no-shared-memory' | 'too-many-threads' | 'not-shared' | 'other-build' | 'reclaimed';

/** Memory cannot be shared here, or not with this thread. */
export class SharedMemoryError extends Error {
  /** @internal */
  static override readonly name: string = 'SharedMemoryError';
  override readonly name = 'SharedMemoryError';
  readonly code: SharedMemoryCode;

  constructor(message: string, code: SharedMemoryCode) {
    super(message);
    this.code = code;
  }
}

const MESSAGES: Record<SharedMemoryCode, string> = {
  'no-shared-memory':
    'threads cannot share memory here: send the headers Cross-Origin-Opener-Policy: same-origin and Cross-Origin-Embedder-Policy: require-corp, or merge one CuckooFilter per worker',
  'too-many-threads':
    'raise maxThreads, call dispose() before a worker ends, or `await filter.reclaim(thread)` for one that was terminated',
  'not-shared': 'attach takes what filter.share() returned, sent by postMessage or as workerData',
  reclaimed: "another thread reclaimed this thread's place: call SharedCuckooFilter.attach again",
  'other-build': 'another version of cuckoofilter-wasm made the filter: load the same in all threads',
};

export function sharedMemoryError(code: SharedMemoryCode, places = 0): SharedMemoryError {
  const first = code === 'too-many-threads' ? `all places are taken (maxThreads is ${places}): ` : '';
  return new SharedMemoryError(first + MESSAGES[code], code);
}
