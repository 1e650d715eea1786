// The fold of trace events into a table: `apply` plays an event, `undo` takes it back.
// Invariant: undo(apply(state, event), event) equals `state` in every field. Each event is checked against the state
// it meets, old content and new, and one that does not fit raises `TraceError`: a picture is never guessed.
import type { TraceOperation } from 'cuckoofilter-wasm/trace';
import type { OperationName } from './operation';
import {
  slotIndex,
  type EventOf,
  type MoveEvent,
  type OperationState,
  type PageEvent,
  type Stored,
  type TableState,
} from './state';

/** A trace that contradicts itself: events were lost, or come in another order than they happened. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
}

/** What is done to the tables of the page: they keep their size, and are not semi-sorted. */
export function isDrawn(name: TraceOperation): name is OperationName {
  return name === 'insert' || name === 'contains' || name === 'erase' || name === 'clear';
}

const NOT_DRAWN = 'the page does not draw this';

/** The state after `event`. */
export function apply(state: TableState, event: PageEvent): TableState {
  switch (event.kind) {
    case 'begin':
      expect(event.size === state.size, event);
      return { ...state, operations: { value: begun(event), previous: state.operations } };
    case 'locate': {
      const carried = {
        fingerprint: event.fingerprint,
        homes: [event.primary, event.alternate],
        offset: event.offset,
        owner: event.operation,
      } as const;
      return withOperation(state, { location: event, carried });
    }
    case 'probe':
      return withOperation(state, { reads: { value: event, previous: current(state).reads } });
    case 'look':
      return state;
    case 'found':
      return withOperation(state, { found: event });
    case 'move':
      return movedFrom(state, event);
    case 'place':
      return { ...moved(state, event), size: state.size + 1 };
    case 'kick':
      return withOperation(moved(state, event), { kicks: [...current(state).kicks, event] });
    case 'undo':
      return withOperation(moved(state, event), { undoneCount: current(state).undoneCount + 1 });
    case 'remove':
      return removed(state, event);
    case 'reset': {
      const { slots, size, cleared } = state;
      return {
        ...state,
        slots: slots.map(() => null),
        size: 0,
        cleared: { value: { slots, size }, previous: cleared },
      };
    }
    case 'encode':
    case 'split':
      throw new TraceError(NOT_DRAWN);
    case 'end':
      expect(event.size === state.size, event);
      return withOperation(state, { end: event });
  }
}

/** The state before `event`, which led to `state`. */
export function undo(state: TableState, event: PageEvent): TableState {
  const operation = current(state);
  switch (event.kind) {
    case 'begin':
      return { ...state, operations: state.operations?.previous ?? null };
    case 'locate':
      return withOperation(state, { location: null, carried: null });
    case 'probe':
      return withOperation(state, { reads: operation.reads?.previous ?? null });
    case 'look':
      return state;
    case 'found':
      return withOperation(state, { found: null });
    case 'move':
      return movedBack(state, event);
    case 'place':
      return { ...moved(state, reversed(event)), size: state.size - 1 };
    case 'kick':
      return withOperation(moved(state, reversed(event)), { kicks: operation.kicks.slice(0, -1) });
    case 'undo':
      return withOperation(moved(state, reversed(event)), { undoneCount: operation.undoneCount - 1 });
    case 'remove':
      return restored(state, event);
    case 'reset':
      return { ...state, ...state.cleared?.value, cleared: state.cleared?.previous ?? null };
    case 'encode':
    case 'split':
      throw new TraceError(NOT_DRAWN);
    case 'end':
      return withOperation(state, { end: null });
  }
}

function begun(event: EventOf<'begin'>): OperationState {
  const { operation: number, name, hash } = event;
  if (!isDrawn(name)) throw new TraceError(NOT_DRAWN);
  const nothingYet = {
    location: null,
    reads: null,
    found: null,
    movedCount: 0,
    kicks: [],
    undoneCount: 0,
    carried: null,
    placed: null,
    removed: null,
    end: null,
  };
  return { number, name, hash, ...nothingYet };
}

/** A place, a kick or an undo, played forward or back: slot and hand exchange what they hold. */
function moved(state: TableState, event: EventOf<'place' | 'kick' | 'undo'>): TableState {
  const index = slotIndex(state.shape, event.bucket, event.slot);
  const lying = state.slots[index] ?? null;
  const { carried, placed } = current(state);
  expect((lying?.fingerprint ?? 0) === event.before && (carried?.fingerprint ?? 0) === event.after, event);
  const isPlaced = event.kind === 'place' && event.before === 0;
  const next = event.kind === 'place' ? { placed: isPlaced ? event : null } : { placed };
  return withOperation(
    { ...state, slots: replaced(state.slots, index, carried) },
    { ...next, carried: lying },
  );
}

/** A move of a path that was found. */
function movedFrom(state: TableState, event: MoveEvent): TableState {
  const { shape, slots, size } = state;
  const { carried, movedCount } = current(state);
  const to = slotIndex(shape, event.bucket, event.slot);
  const from = event.from && slotIndex(shape, event.from.bucket, event.from.slot);
  const moving = (from === null ? carried : slots[from]) ?? null;
  expect(moving?.fingerprint === event.after && slots[to] === null, event);
  const filled = replaced(slots, to, moving);
  return from === null
    ? withOperation(
        { ...state, slots: filled, size: size + 1 },
        { carried: null, movedCount: movedCount + 1 },
      )
    : withOperation({ ...state, slots: replaced(filled, from, null) }, { movedCount: movedCount + 1 });
}

function movedBack(state: TableState, event: MoveEvent): TableState {
  const { shape, slots, size } = state;
  const movedCount = current(state).movedCount - 1;
  const to = slotIndex(shape, event.bucket, event.slot);
  const moving = slots[to] ?? null;
  expect(moving?.fingerprint === event.after, event);
  const emptied = replaced(slots, to, null);
  if (event.from === null)
    return withOperation({ ...state, slots: emptied, size: size - 1 }, { carried: moving, movedCount });
  const from = slotIndex(shape, event.from.bucket, event.from.slot);
  return withOperation({ ...state, slots: replaced(emptied, from, moving) }, { movedCount });
}

/** The same change the other way round. */
function reversed<Event extends EventOf<'place' | 'kick' | 'undo'>>(event: Event): Event {
  return { ...event, before: event.after, after: event.before };
}

function removed(state: TableState, event: EventOf<'remove'>): TableState {
  const index = slotIndex(state.shape, event.bucket, event.slot);
  const stored = state.slots[index] ?? null;
  expect(stored?.fingerprint === event.before, event);
  const slots = replaced(state.slots, index, null);
  return withOperation({ ...state, slots, size: state.size - 1 }, { removed: { event, stored } });
}

function restored(state: TableState, event: EventOf<'remove'>): TableState {
  const index = slotIndex(state.shape, event.bucket, event.slot);
  const stored = current(state).removed?.stored ?? null;
  expect(stored?.fingerprint === event.before, event);
  return withOperation(
    { ...state, slots: replaced(state.slots, index, stored), size: state.size + 1 },
    { removed: null },
  );
}

function replaced(slots: TableState['slots'], index: number, stored: Stored | null): TableState['slots'] {
  return slots.map((before, i) => (i === index ? stored : before));
}

function current(state: TableState): OperationState {
  if (state.operations === null) throw new TraceError('an event came before its begin');
  return state.operations.value;
}

function withOperation(state: TableState, change: Partial<OperationState>): TableState {
  const previous = state.operations?.previous ?? null;
  return { ...state, operations: { value: { ...current(state), ...change }, previous } };
}

function expect(fits: boolean, event: PageEvent): void {
  if (!fits)
    throw new TraceError(
      `the event ${event.kind} of operation ${event.operation} does not fit the table before it`,
    );
}
