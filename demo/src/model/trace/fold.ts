// The fold of trace events into a table: `apply` plays an event.
// Invariant: each event is checked against the state it meets, old content and new, and one that does not fit raises
// `TraceError`: a picture is never guessed.
import type { TraceOperation } from 'cuckoofilter-wasm/trace';
import { slotIndex } from './state';
import type { EventOf, MoveEvent, OperationName, OperationState, PageEvent, TableState } from './state';

/** A trace that contradicts itself: events were lost, or come in another order than they happened. */
export class TraceError extends Error {
  override readonly name = 'TraceError';
}

/** What is done to the tables of the page: they keep their size, and are not semi-sorted. */
export function isDrawn(name: TraceOperation): name is OperationName {
  return name === 'insert' || name === 'contains' || name === 'erase' || name === 'clear';
}

const NOT_DRAWN = 'the page does not draw this';

export function apply(state: TableState, event: PageEvent): TableState {
  switch (event.kind) {
    case 'begin':
      expect(event.size === state.size, event);
      return { ...state, operation: begun(event) };
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
      return withOperation(state, { reads: [...current(state).reads, event] });
    case 'look':
      return state;
    case 'found':
      return withOperation(state, { found: event });
    case 'move':
      return moved(state, event);
    case 'place':
      return withOperation({ ...exchanged(state, event), size: state.size + 1 }, { placed: event });
    case 'kick':
      return withOperation(exchanged(state, event), { kicks: [...current(state).kicks, event] });
    case 'undo':
      return withOperation(exchanged(state, event), { undoneCount: current(state).undoneCount + 1 });
    case 'remove': {
      const index = slotIndex(state.shape, event.bucket, event.slot);
      const stored = state.slots[index] ?? null;
      expect(stored?.fingerprint === event.before, event);
      const slots = state.slots.with(index, null);
      return withOperation({ ...state, slots, size: state.size - 1 }, { removed: { event, stored } });
    }
    case 'reset':
      return { ...state, slots: state.slots.map(() => null), size: 0 };
    case 'encode':
    case 'split':
      throw new TraceError(NOT_DRAWN);
    case 'end':
      expect(event.size === state.size, event);
      return withOperation(state, { end: event });
  }
}

function begun(event: EventOf<'begin'>): OperationState {
  const { operation: number, name, hash } = event;
  if (!isDrawn(name)) throw new TraceError(NOT_DRAWN);
  const nothingYet = {
    location: null,
    reads: [],
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

/** A place, a kick or an undo: slot and hand exchange what they hold. */
function exchanged(state: TableState, event: EventOf<'place' | 'kick' | 'undo'>): TableState {
  const index = slotIndex(state.shape, event.bucket, event.slot);
  const lying = state.slots[index] ?? null;
  const { carried } = current(state);
  expect((lying?.fingerprint ?? 0) === event.before && (carried?.fingerprint ?? 0) === event.after, event);
  return withOperation({ ...state, slots: state.slots.with(index, carried) }, { carried: lying });
}

/** A move of a path that was found. */
function moved(state: TableState, event: MoveEvent): TableState {
  const { shape, slots, size } = state;
  const { carried, movedCount } = current(state);
  const to = slotIndex(shape, event.bucket, event.slot);
  const from = event.from && slotIndex(shape, event.from.bucket, event.from.slot);
  const moving = (from === null ? carried : slots[from]) ?? null;
  expect(moving?.fingerprint === event.after && slots[to] === null, event);
  const filled = slots.with(to, moving);
  const change = { movedCount: movedCount + 1 };
  return from === null
    ? withOperation({ ...state, slots: filled, size: size + 1 }, { ...change, carried: null })
    : withOperation({ ...state, slots: filled.with(from, null) }, change);
}

function current({ operation }: TableState): OperationState {
  if (operation === null) throw new TraceError('an event came before its begin');
  return operation;
}

function withOperation(state: TableState, change: Partial<OperationState>): TableState {
  return { ...state, operation: { ...current(state), ...change } };
}

function expect(fits: boolean, event: PageEvent): void {
  if (!fits)
    throw new TraceError(
      `the event ${event.kind} of operation ${event.operation} does not fit the table before it`,
    );
}
