// What the trace tells: events, and the table that they make: what lies in each slot, and how far an operation has come.
// Invariant: a state is a value that nothing changes; it is made by `emptyTable` and by `apply` (fold.ts) alone.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import type { Settings } from '../settings';

/** What can be done with a filter, in the core's words. */
export type OperationName = 'insert' | 'contains' | 'erase' | 'clear';

export interface Operation {
  readonly name: OperationName;
  /** Empty for `clear`. */
  readonly key: string;
  /** The step with which the page stops telling it; the last one if there is none. */
  readonly until?: 'alternate';
}

/** A path that the search found, told before any of it is made: its kicks from the near end, and where the last victim lands. */
export interface FoundEvent {
  readonly kind: 'found';
  readonly operation: number;
  readonly kicks: readonly EventOf<'kick'>[];
  readonly place: EventOf<'place'>;
}

/** One move of a path that was found: a fingerprint goes from a slot, or the new one from the hand, into an empty slot. */
export interface MoveEvent {
  readonly kind: 'move';
  readonly operation: number;
  readonly bucket: number;
  readonly slot: number;
  readonly after: number;
  readonly from: { readonly bucket: number; readonly slot: number } | null;
  /** Number of the kick that this makes; 0: none, for the new fingerprint. */
  readonly kick: number;
}

/** What the trace tells, and the path of a search in the order in which it is made, which the trace tells near end first. */
export type PageEvent = TraceEvent | FoundEvent | MoveEvent;

type AnyKind = PageEvent['kind'];

export type EventOf<Kind extends AnyKind> = Extract<PageEvent, { readonly kind: Kind }>;

export function ofKind<Kind extends AnyKind>(events: readonly PageEvent[], kind: Kind): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** The first event of a kind. Throws TypeError if there is none. */
export function first<Kind extends AnyKind>(events: readonly PageEvent[], kind: Kind): EventOf<Kind> {
  const event = ofKind(events, kind)[0];
  if (event === undefined) throw new TypeError(`the trace has no ${kind}`);
  return event;
}

export function endOf(events: readonly PageEvent[]): EventOf<'end'> {
  return first(events, 'end');
}

export function hasTwoHomes(events: readonly PageEvent[]): boolean {
  return !first(events, 'locate').homesCoincide;
}

/** The sizes that a picture of a table needs. */
export type Shape = Pick<Settings, 'bucketCount' | 'bucketSize' | 'fingerprintBits'>;

/** One stored fingerprint. It keeps its two homes wherever it lies; `owner` is the operation that brought it. */
export interface Stored {
  readonly fingerprint: number;
  readonly homes: readonly [number, number];
  /** What leads from one home to the other: the fingerprint's own hash. */
  readonly offset: number;
  readonly owner: number;
}

/** What is known of the operation under way, or of the last one. */
export interface OperationState {
  readonly number: number;
  readonly name: OperationName;
  readonly hash: bigint;
  readonly location: EventOf<'locate'> | null;
  readonly reads: readonly EventOf<'probe'>[];
  /** The path that the search found, and how many of its moves were made. */
  readonly found: FoundEvent | null;
  readonly movedCount: number;
  /** Every kick of a random walk in order, those taken back too. */
  readonly kicks: readonly EventOf<'kick'>[];
  /** How many of the last kicks were taken back. */
  readonly undoneCount: number;
  /** The fingerprint in hand: located and not stored, kicked out, or sought. */
  readonly carried: Stored | null;
  readonly placed: EventOf<'place'> | null;
  readonly removed: { readonly event: EventOf<'remove'>; readonly stored: Stored | null } | null;
  readonly end: EventOf<'end'> | null;
}

export interface TableState {
  readonly shape: Shape;
  /** Bucket by bucket; null is empty. */
  readonly slots: readonly (Stored | null)[];
  readonly size: number;
  readonly operation: OperationState | null;
}

export function emptyTable(shape: Shape): TableState {
  const slots = new Array<null>(shape.bucketCount * shape.bucketSize).fill(null);
  return { shape, slots, size: 0, operation: null };
}

export function slotIndex(shape: Shape, bucket: number, slot: number): number {
  return bucket * shape.bucketSize + slot;
}

export function storedAt(state: TableState, bucket: number, slot: number): Stored | null {
  return state.slots[slotIndex(state.shape, bucket, slot)] ?? null;
}

export function otherHome(stored: Stored, bucket: number): number {
  return stored.homes[0] === bucket ? stored.homes[1] : stored.homes[0];
}

/** The fingerprints alone, as `filter.slots()` gives them. */
export function fingerprintsOf(state: TableState): number[] {
  return state.slots.map((stored) => stored?.fingerprint ?? 0);
}
