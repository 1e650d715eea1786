// The traced CuckooFilter: the same methods over a build of the same core that also tells what it does. It makes events
// from the buckets that a lookup names and from the path that an insert plans (cpp/include/cuckoo/detail/entries/traced.h).
// Invariant: events are facts, complete and in order. Each holds the old and the new entry of the slot it
// changed, so that a reader can step forward and back. To step back over a `reset`, a reader needs a copy of the slots.
import { ruleError } from '../errors.js';
import { readOptions } from '../options/read.js';
import { integer, oneOf } from '../options/rules.js';
import { readEvent, RECORD_WORDS, type TraceEvent } from './events.js';
import {
  filterOptionsOf,
  type CuckooFilterOptions,
  type CuckooFilterPlan,
  type FromOptions,
  type LoadOptions,
} from '../options/options.js';
import { planFor } from '../options/planning.js';
import type { Key, KeyKind } from '../keys/key.js';
import type { Keys } from '../keys/keys.js';
import { load } from '../engine/saved.js';
import { loadRequestOf } from '../options/loading.js';
import { TRACE } from '../engine/trace.js';
import { wordsOf } from '../engine/scratch.js';
import { begin } from '../filters/make.js';
import type { AsyncKeys } from '../keys/chunks.js';
import { SIGNAL, type AsyncOptions } from '../keys/signals.js';
import type { CuckooFilter as PlainCuckooFilter } from '../filters/cuckoo-filter.js';
import { filled, filledAsync } from '../filters/from-keys.js';
import { mergeTable } from '../filters/merge.js';
import { FILTER_ROLES, MERGE_ROLES, TABLE_ROLES, TRACED_ROLES, type Role, type RolesOf } from './roles.js';
import { TableFilter } from '../filters/table-filter.js';
import { handleIn, make } from '../filters/filter.js';
import { callBack, endPart, isOwn, keeping, type Thrown } from '../keys/thrown.js';

/** 0: nothing; 1: only the end of each operation (for counts and histograms of bulk work); 2: everything. */
export type TraceLevel = 0 | 1 | 2;

/** How a traced filter inserts. */
export interface TraceOptions {
  /**
   * How inserts look for room when both buckets of a key are full. `'breadth-first'`, the default: like every other
   * filter. `'random-walk'`: like Algorithm 1 of the paper, which kicks a random victim, wherever it goes. It needs more
   * kicks, and moves other entries than a plain filter would.
   */
  readonly search?: 'breadth-first' | 'random-walk' | undefined;
  /** The most kicks of a random walk, 0 to 1000. Default 500. */
  readonly maxKicks?: number | undefined;
}

/**
 * Called after each call of a method that changes the filter or asks it about keys, with all events of that call: once
 * for `addMany`, whose events have one `operation` per key; `addManyAsync` calls `addMany` for each portion of its keys.
 * `lost` is true if the buffer had no room for some of them. It does not cover `split` events, of which either all or
 * none are recorded.
 */
export type TraceCallback = (events: readonly TraceEvent[], lost: boolean) => void;

const BUFFER_EVENTS = 1 << 16;
/** Records of 32 bytes that fit into WebAssembly memory. */
const MOST_EVENTS = 1 << 26;

const TRACE_OPTIONS = {
  search: /* @__PURE__ */ oneOf('breadth-first', 'random-walk'),
  maxKicks: /* @__PURE__ */ integer(0, 1000, '1,000'),
};

const callbacks = new WeakMap<CuckooFilter, TraceCallback>();

/**
 * A CuckooFilter that reports what it does. It is a separate class with its own WebAssembly module, so it is not an
 * instance of the plain CuckooFilter. But `equals`, `new Deduper(filter)` and, without a secret key, `merge` take both.
 */
export class CuckooFilter<K extends Key = Key> extends TableFilter<CuckooFilter<K>, K> {
  /** @internal */
  static override readonly name: string = 'CuckooFilter';

  /** The same as in the plain CuckooFilter. */
  constructor(options: CuckooFilterOptions) {
    super(begin(TRACE, options), CuckooFilter);
  }

  /** The same as in the plain CuckooFilter. */
  static from<K extends Key>(
    keys: Keys<K>,
    options: FromOptions<CuckooFilterOptions> = {},
  ): CuckooFilter<KeyKind<K>> {
    return filled(keys, filterOptionsOf(options), CuckooFilter);
  }

  /** The same as in the plain CuckooFilter. */
  static async fromAsync<K extends Key>(
    keys: AsyncKeys<K>,
    options: FromOptions<CuckooFilterOptions> & AsyncOptions = {},
  ): Promise<CuckooFilter<KeyKind<K>>> {
    return filledAsync(keys, filterOptionsOf(options, SIGNAL), CuckooFilter);
  }

  /** The same as in the plain CuckooFilter. */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions = {},
  ): CuckooFilter<K> {
    return make<CuckooFilter<K>>(CuckooFilter, load(TRACE, loadRequestOf(bytes, options)));
  }

  /** The same as in the plain CuckooFilter. */
  static plan(options: CuckooFilterOptions): CuckooFilterPlan {
    return planFor(TRACE, filterOptionsOf(options));
  }

  /** The same as in the plain CuckooFilter. */
  merge(other: PlainCuckooFilter<K>): this {
    return mergeTable(this, other, false);
  }

  /** The same as in the plain CuckooFilter. */
  mergeIfAbsent(other: PlainCuckooFilter<K>): this {
    return mergeTable(this, other, true);
  }

  /** The same as in the plain CuckooFilter. */
  override equals(other: PlainCuckooFilter<K>): boolean {
    return super.equals(other as CuckooFilter<K>);
  }

  /**
   * Starts a new recording. A callback gets all events of each call, right after it. With a level instead,
   * `takeEvents` returns the events of that level. `capacity` is the buffer's size in events of 32 bytes, by default
   * 65,536. `options` says how inserts look for room. Throws TypeError if `to` is neither a callback nor a
   * level, or if `options` are wrong; RangeError if `capacity` or `maxKicks` is out of range, or memory is refused.
   */
  trace(to: TraceCallback | TraceLevel, capacity = BUFFER_EVENTS, options: TraceOptions = {}): this {
    const level = typeof to === 'function' ? 2 : to;
    if (level !== 0 && level !== 1 && level !== 2) {
      throw ruleError('to', 'a callback, or a level: 0, 1 or 2', to);
    }
    const { search, maxKicks = 500 } = readOptions<TraceOptions>(options, TRACE_OPTIONS, 'trace');
    const isCount = Number.isInteger(capacity) && capacity >= 1 && capacity <= MOST_EVENTS;
    const { open } = TRACE.bindings.trace;
    const isWalk = search === 'random-walk';
    if (!isCount || handleIn(TRACE, this).invoke(open, level, capacity, isWalk, maxKicks) === 0) {
      throw ruleError(
        'capacity',
        'an integer from 1 to 2^26, of events that fit in memory',
        capacity,
        RangeError,
      );
    }
    if (typeof to === 'function') callbacks.set(this, to);
    else callbacks.delete(this);
    return this;
  }

  /** The events since the last call, oldest first, and whether some were lost because the buffer was full. */
  takeEvents(): { readonly events: readonly TraceEvent[]; readonly lost: boolean } {
    const handle = handleIn(TRACE, this);
    const { trace } = TRACE.bindings;
    const eventCount = handle.invoke(trace.eventCount);
    const lost = handle.invoke(trace.hasOverflowed) !== 0;
    const begin = handle.invoke(trace.eventsAddress);
    const records = new Uint32Array(TRACE.memoryAt(begin, 4 * RECORD_WORDS * eventCount).slice().buffer);
    const events = Array.from({ length: eventCount }, (_, i) =>
      readEvent(records.subarray(RECORD_WORDS * i, RECORD_WORDS * (i + 1))),
    );
    handle.invoke(trace.drain);
    return { events, lost };
  }

  /**
   * A copy of all slots, bucket by bucket; 0 is an empty slot. To step back over a `reset` event, take a copy before `clear`
   * and before an insert that may double the table.
   */
  slots(): Uint32Array {
    const handle = handleIn(TRACE, this);
    const slots = new Uint32Array(this.bucketCount * this.bucketSize);
    for (let first = 0; first < slots.length;) {
      const count = handle.invoke(TRACE.bindings.trace.readSlots, first);
      slots.set(wordsOf(TRACE.scratch, count), first);
      first += count;
    }
    return slots;
  }
}

const ROLES = {
  ...FILTER_ROLES,
  ...TABLE_ROLES,
  ...MERGE_ROLES,
  ...TRACED_ROLES,
} satisfies RolesOf<CuckooFilter>;

// Each call of the core is followed by the delivery of its events.
for (const [name, [effect, takes]] of Object.entries<Role>(ROLES)) {
  if (effect === 'neither') continue;
  const operate = CuckooFilter.prototype[name as keyof CuckooFilter] as (
    this: CuckooFilter,
    ...given: unknown[]
  ) => unknown;
  Object.defineProperty(CuckooFilter.prototype, name, {
    value(this: CuckooFilter, ...given: unknown[]) {
      const deliver = (): void => {
        const callback = callbacks.get(this);
        if (callback === undefined) return;
        const { events, lost } = this.takeEvents();
        callback(events, lost);
      };
      const keys = takes === 'keys' ? (Object(given[0]) as object) : undefined;
      return both(() => operate.apply(this, given), deliver, keys);
    },
    configurable: true,
    writable: true,
  });
}

/**
 * Runs `operate`, then `act` (even if `operate` throws), and returns what `operate` returned. Throws the first of what the
 * user's code threw, or else the package's own error. `keys` are those of a batch. If `operate` returns a promise,
 * nothing follows: it makes calls that `act` follows.
 */
function both<Result>(operate: () => Result, act: () => void, keys: object | undefined): Result {
  const thrown: Thrown[] = [];
  let own: Thrown | undefined;
  let result: Result | undefined;
  try {
    // Of a call with one key, only callbacks are code of the user.
    result = keys === undefined ? keeping(thrown, operate) : operate();
  } catch (error) {
    if (keys === undefined || isOwn(error, keys)) own = { error };
    else thrown.push({ error });
  }
  if (!(result instanceof Promise)) keeping(thrown, () => callBack(act));
  endPart(thrown, own);
  return result as Result;
}
