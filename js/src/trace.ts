// cuckoofilter-wasm/trace: the same class over a build of the same core that reports what it does.
// Invariant: events are facts told by the core, complete and in order; each holds the old and the new content of the
// slot it changed, so that a reader can step forward and back.
import { CuckooFilter as Plain, addressOf } from './filter.js';
import { readEvent, RECORD_WORDS, type TraceEvent } from './events.js';
import { core, exchange, memoryAt, type Address, type Core } from './module.js';
import { ruleMessage } from './errors.js';

// The class below takes the place of the plain one.
export * from './index.js';
export type { TraceEvent, TraceOperation } from './events.js';

/** 0: nothing; 1: only the end of each operation (for counts and histograms of bulk work); 2: everything. */
export type TraceLevel = 0 | 1 | 2;

/** Called after each operation with its events; `lost` is true if the buffer was too small for all of them. */
export type TraceCallback = (events: readonly TraceEvent[], lost: boolean) => void;

interface TraceCore extends Core {
  openTrace(filter: Address, level: number, capacity: number): number;
  eventCount(filter: Address): number;
  eventsAddress(filter: Address): Address;
  hasOverflowed(filter: Address): number;
  drainTrace(filter: Address): void;
  readSlots(filter: Address, first: number): number;
}

const BUFFER_EVENTS = 1 << 16;
/** Records of 32 bytes that fit into WebAssembly memory. */
const MOST_EVENTS = 1 << 26;

/** Who is told of a filter's operations. */
const callbacks = new WeakMap<CuckooFilter, TraceCallback>();

/** A CuckooFilter that reports what it does. */
export class CuckooFilter extends Plain {
  /** @internal */
  static override readonly name: string = 'CuckooFilter';

  /**
   * Starts to record anew (what a merge adds as inserts, with a hash that leads where the fingerprint lies): everything, for a callback that is called after each operation; or at a level, to be read
   * with `takeEvents`. The buffer holds `capacity` events (32 bytes each). Throws RangeError if it cannot be allocated.
   */
  trace(to: TraceCallback | TraceLevel, capacity = BUFFER_EVENTS): this {
    const level = typeof to === 'function' ? 2 : to;
    if (level !== 0 && level !== 1 && level !== 2) {
      throw new TypeError(ruleMessage('trace', 'a function or 0, 1 or 2', to));
    }
    const isCount = Number.isInteger(capacity) && capacity >= 1 && capacity <= MOST_EVENTS;
    if (!isCount || traceCore().openTrace(addressOf(this), level, capacity) === 0) {
      throw new RangeError(ruleMessage('capacity', 'a number of events that can be allocated', capacity));
    }
    if (typeof to === 'function') callbacks.set(this, to);
    else callbacks.delete(this);
    return this;
  }

  /** The events since the last call, oldest first, and whether some were lost as the buffer was full. */
  takeEvents(): { readonly events: readonly TraceEvent[]; readonly lost: boolean } {
    const filter = addressOf(this);
    const eventCount = traceCore().eventCount(filter);
    const lost = traceCore().hasOverflowed(filter) !== 0;
    const records = new Uint32Array(
      memoryAt(traceCore().eventsAddress(filter), 4 * RECORD_WORDS * eventCount).slice().buffer,
    );
    const events = Array.from({ length: eventCount }, (_, i) =>
      readEvent(records.subarray(RECORD_WORDS * i, RECORD_WORDS * (i + 1))),
    );
    traceCore().drainTrace(filter);
    return { events, lost };
  }

  /** A copy of all slots, bucket by bucket; 0 is empty. */
  slots(): Uint32Array {
    const filter = addressOf(this);
    const slots = new Uint32Array(this.bucketCount * this.bucketSize);
    for (let first = 0; first < slots.length;) {
      const count = traceCore().readSlots(filter, first);
      slots.set(exchange().words.subarray(0, count), first);
      first += count;
    }
    return slots;
  }
}

function traceCore(): TraceCore {
  return core() as TraceCore;
}

/** Hands the events of an operation to the callback, if there is one. */
function deliver(callback: TraceCallback | undefined, filter: CuckooFilter): void {
  if (callback === undefined) return;
  const { events, lost } = filter.takeEvents();
  callback(events, lost);
}

// Every operation of the class, followed by the delivery of its events.
for (const name of [
  'add',
  'tryAdd',
  'addIfAbsent',
  'contains',
  'count',
  'delete',
  'addMany',
  'addManyIfAbsent',
  'containsMany',
  'deleteMany',
  'clear',
  'merge',
  'mergeIfAbsent',
] as const) {
  const operate = Plain.prototype[name] as (this: Plain, ...given: unknown[]) => unknown;
  Object.defineProperty(CuckooFilter.prototype, name, {
    value(this: CuckooFilter, ...given: unknown[]) {
      try {
        return operate.apply(this, given);
      } finally {
        deliver(callbacks.get(this), this);
      }
    },
    configurable: true,
    writable: true,
  });
}
