// The parts of SharedCuckooFilter: its options, and handles made from options or from saved bytes.
// Invariant: either a handle is returned or an error is thrown. Memory made on the way is then collected, because
// nobody else has it.
import type { FilterCalls, SavedCalls } from '../../engine/bindings.js';
import { roomFor, type Bytes } from '../../engine/bytes.js';
import { Handle } from '../../engine/handle.js';
import {
  join,
  newMemory,
  plannersOf,
  type Joined,
  type SharedInstance,
} from '../../engine/shared/shared-module.js';
import { ERROR_CODES, formatError, type LoadRequest } from '../../engine/format-errors.js';
import { argumentError, check, FIELDS } from '../../errors.js';
import type { CuckooFilterOptions } from '../../options/options.js';
import { ownOf, plan } from '../../options/planning.js';
import { secretOf } from '../../options/secret.js';
import { readOptions } from '../../options/read.js';
import { FIXED_OPTIONS, integer, type Rule, type Rules } from '../../options/rules.js';
import { FilterBusyError } from '../../engine/shared/shared-errors.js';
import { putSecret, resultAt } from '../../engine/scratch.js';

/** The options of a shared filter: those of a CuckooFilter that does not grow, and `maxThreads`. */
export interface SharedCuckooFilterOptions extends Omit<
  CuckooFilterOptions,
  'maxCapacity' | 'maxPause' | 'onGrow'
> {
  /**
   * Slots per bucket: 2, 4, 5, 6 or 8. Default: planned for the fewest bits. With more slots,
   * fingerprints are shorter. If only a nearly empty table could then have the rate, that is a RangeError.
   */
  readonly bucketSize?: number | undefined;
  /**
   * Bits of a fingerprint. The only possible value, and the default, is 64 / bucketSize, rounded down: a bucket is a
   * 64-bit word.
   */
  readonly fingerprintBits?: number | undefined;
  /**
   * How many threads may use the filter at once, including this one: an integer from 1 to 1,024. Each thread that uses
   * it takes 0.2 MB of memory. Default 32.
   */
  readonly maxThreads?: number | undefined;
}

/** A thread's way to the filter of a handle. */
const ways = new WeakMap<object, Joined>();

/** The secret key of a filter that this thread made, for its clones. */
const secrets = new WeakMap<object, { readonly keyed: Uint8Array }>();

type Options = SharedCuckooFilterOptions;

/** Slots whose bucket is a word of 64 bits. */
const BUCKET_SIZES = [2, 4, 5, 6, 8];

export const MAX_THREADS = { maxThreads: /* @__PURE__ */ integer(1, 1024, '1,024') };

/** Of what only filters that grow have. */
const NO_GROWTH: Rule = {
  rule: 'left out, because a shared filter does not grow (set capacity to the most keys, or use a CuckooFilter)',
  types: [],
};

/** What may have fewer values than in other classes, or none. */
const NARROWER: Rules = {
  maxCapacity: NO_GROWTH,
  maxPause: NO_GROWTH,
  onGrow: NO_GROWTH,
  bucketSize: {
    rule: "2, 4, 5, 6 or 8, because a shared filter's buckets are 64-bit words",
    types: ['number'],
    allows: (size: number) => BUCKET_SIZES.includes(size),
  },
  semiSort: {
    rule: 'false or left out in a shared filter',
    types: ['boolean'],
    allows: (semiSort: boolean) => !semiSort,
  },
};

/** The options as given, each read once and checked. */
export function optionsOf(given: unknown, more: Rules = {}): Options {
  const options = readOptions<Options>(given, { ...FIXED_OPTIONS, ...NARROWER, ...MAX_THREADS, ...more });
  const { bucketSize, fingerprintBits } = options;
  if (fingerprintBits === undefined) return options;
  const sizes = bucketSize === undefined ? BUCKET_SIZES : [bucketSize];
  const widths = sizes.map((size) => Math.floor(64 / size));
  const rule = `${widths.join(', ')} in a shared filter: 64 / bucketSize, rounded down`;
  check('fingerprintBits', rule, fingerprintBits, true, widths.includes(fingerprintBits));
  return options;
}

/** How many threads may use a filter, unless the option says otherwise. */
const THREADS = 32;

/** Whether `memory` is a true WebAssembly.Memory, of any realm, that threads share. A Proxy of one is none. */
export function isSharedMemory(memory: unknown): memory is WebAssembly.Memory {
  try {
    const { get } = Object.getOwnPropertyDescriptor(WebAssembly.Memory.prototype, 'buffer') ?? {};
    const buffer: unknown = get?.call(memory);
    return Object.prototype.toString.call(buffer) === '[object SharedArrayBuffer]';
  } catch {
    return false;
  }
}

export function build(options: Options): Handle<FilterCalls> {
  const { maxThreads = THREADS, ...rest } = options;
  const { shared } = plannersOf();
  plan(shared, rest);
  const way = join(newMemory(shared.bindings.shared.memoryBytes(), maxThreads));
  plan(way.instance, rest);
  const secret = secretOf(ownOf(rest).hash);
  const address = way.instance.bindings.shared.create(way.filter, putSecret(way.instance.scratch, secret));
  const handle = handleAt(way, address, options.capacity);
  if (secret !== null) secrets.set(handle, { keyed: secret.slice() });
  return handle;
}

/**
 * The calls by which entries are changed or counted. A new one does not compile before it stands in `handleAt`, which
 * says whether it can be busy.
 */
type OnEntries = Exclude<
  keyof FilterCalls,
  keyof SavedCalls | 'equals' | 'merge' | 'beginBuilding' | 'finishBuilding'
>;

/** The handle of the filter at `address`. Its calls throw FilterBusyError if they cannot get the lock. */
export function handleAt(way: Joined, address: number, capacity?: number): Handle<FilterCalls> {
  const { instance, memory, place } = way;
  const { filter, shared } = instance.bindings;
  const notBusy = (outcome: number): number => {
    if (outcome === shared.busy) throw new FilterBusyError();
    return outcome;
  };
  const onEntries: Pick<FilterCalls, OnEntries> = {
    insert: (at, length, number) => notBusy(filter.insert(at, length, number)),
    insertIfAbsent: (at, length, number) => notBusy(filter.insertIfAbsent(at, length, number)),
    count(at, length, number) {
      const copies = filter.count(at, length, number);
      return copies < 0 || copies > 64 ? notBusy(shared.busy) : copies;
    },
    // Of many keys, `refusal` tells of the one whose outcome says busy.
    insertMany: filter.insertMany,
    insertManyIfAbsent: filter.insertManyIfAbsent,
    // None of these needs the lock.
    erase: filter.erase,
    eraseMany: filter.eraseMany,
    shrink: filter.shrink,
  };
  const calls = {
    ...filter,
    ...onEntries,
    byteCount: () => memory.buffer.byteLength,
    clear: (at: number) => void (shared.clear(at) === 0 && notBusy(shared.busy)),
    destroy: () => place.release(),
  } as FilterCalls;
  filter.describe(address);
  const handle = new Handle<FilterCalls>(
    instance,
    calls,
    address,
    capacity ?? resultAt(instance.scratch, instance.bindings.sizes.capacity),
  );
  ways.set(handle, way);
  return handle;
}

export function wayOf(handle: Handle<FilterCalls>): Joined {
  return ways.get(handle) as Joined;
}

/** The saved form. The table is copied first, under the lock, because only then is the number of its entries known. */
export function save(handle: Handle<FilterCalls>): Bytes {
  const { instance } = wayOf(handle);
  const { format, shared } = instance.bindings;
  const bytes = roomFor(handle.call('savedBytes'), 'the saved filter');
  const scratch = instance.scratch.bytes;
  let attempts = 0;
  do {
    if (++attempts > shared.mostCopies) throw new FilterBusyError(0, 'spoiled');
    if (handle.invoke(shared.beginCopy) === 0) throw new FilterBusyError();
    for (let at = format.headerBytes, length; (length = handle.invoke(shared.copyPiece)) !== 0; at += length)
      bytes.set(scratch.subarray(0, length), at);
  } while (shared.endCopy() === 0);
  handle.invoke(shared.putHeader);
  bytes.set(scratch.subarray(0, format.headerBytes));
  const end = bytes.length - format.trailerBytes;
  for (let at = format.headerBytes; at < end; at += scratch.length) {
    const piece = bytes.subarray(at, Math.min(at + scratch.length, end));
    scratch.set(piece);
    shared.addToChecksum(piece.length);
  }
  shared.putChecksum();
  bytes.set(scratch.subarray(0, format.trailerBytes), end);
  return bytes;
}

/** The filter saved in `bytes`, keyed if there is a secret. */
export function loaded(saved: LoadRequest, maxThreads = THREADS): Handle<FilterCalls> {
  const { bytes, maxBytes, secret } = saved;
  const begin = (instance: SharedInstance): void => {
    const { format, shared } = instance.bindings;
    const head = bytes.subarray(0, Math.min(format.headerBytes, bytes.length));
    instance.scratch.bytes.set(head);
    const isRight = shared.beginLoad(
      head.length,
      bytes.length,
      maxBytes,
      putSecret(instance.scratch, secret),
    );
    if (isRight === 0) throw loadError(instance, saved);
  };
  const planner = plannersOf().shared;
  begin(planner);
  const way = join(newMemory(planner.bindings.shared.memoryBytes(), maxThreads));
  const { instance } = way;
  const { format, shared } = instance.bindings;
  begin(instance);
  const address = shared.create(way.filter, putSecret(instance.scratch, secret));
  const end = bytes.length - format.trailerBytes;
  for (let at = format.headerBytes, length: number; (length = shared.pieceBytes()) !== 0; at += length) {
    instance.scratch.bytes.set(bytes.subarray(at, at + length));
    shared.loadPiece(address);
  }
  instance.scratch.bytes.set(bytes.subarray(end));
  if (shared.endLoad(address) === 0) throw loadError(instance, saved);
  const handle = handleAt(way, address);
  if (secret !== null) secrets.set(handle, { keyed: secret.slice() });
  return handle;
}

function loadError({ bindings }: SharedInstance, saved: LoadRequest): Error {
  const code = ERROR_CODES[bindings.failure.error()] ?? 'damaged';
  if (code !== 'out-of-range') return formatError(code, 'CuckooFilter', saved);
  const option = FIELDS[bindings.failure.field()] ?? 'bucketSize';
  return argumentError(
    `threads cannot share this filter: its ${option} does not fit 64-bit buckets. Make it with SharedCuckooFilter.plan(options).options`,
    RangeError,
  );
}

export function copied(handle: Handle<FilterCalls>): Handle<FilterCalls> {
  const secret = secrets.get(handle)?.keyed ?? null;
  return loaded({ bytes: save(handle), maxBytes: Infinity, secret }, wayOf(handle).place.count);
}
