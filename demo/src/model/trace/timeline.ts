// All operations since the table was set up, as steps, and how to stand at any point among them.
// Invariant: the state at cursor c is `start` with the first c steps applied, whichever way c was reached.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { apply, isDrawn, undo } from './fold';
import { stepsOf, type Step } from './steps';
import type { OperationState, PageEvent, TableState } from './state';

/** One operation: its key, and its steps, which are `first` to `last` - 1 of the timeline's. */
export interface OperationRecord {
  readonly number: number;
  readonly name: OperationState['name'];
  readonly key: string;
  readonly first: number;
  readonly last: number;
  /** What the core said at its end. */
  readonly end: Extract<TraceEvent, { readonly kind: 'end' }>;
}

export interface Timeline {
  readonly start: TableState;
  readonly steps: readonly Step[];
  readonly operations: readonly OperationRecord[];
}

/** A table at one point of a timeline. */
export interface Place {
  readonly cursor: number;
  readonly state: TableState;
}

export function newTimeline(start: TableState): Timeline {
  return { start, steps: [], operations: [] };
}

/** The timeline with one more operation, whose events must be complete, told up to its first step of kind `until`. */
export function extended(
  timeline: Timeline,
  key: string,
  events: readonly TraceEvent[],
  until?: Step['kind'],
): Timeline {
  const end = events[events.length - 1];
  if (end?.kind !== 'end' || !isDrawn(end.name))
    throw new RangeError('the events must be those of a whole operation that the page draws');
  const told = stepsOf(events);
  const ends = told.findIndex(({ kind }) => kind === until) + 1 || told.length;
  const steps = [...timeline.steps, ...told.slice(0, ends)];
  const span = { first: timeline.steps.length, last: steps.length };
  const record = { number: end.operation, name: end.name, key, ...span, end };
  return { ...timeline, steps, operations: [...timeline.operations, record] };
}

/** The place with `cursor` steps applied, reached from `from` step by step. */
export function moveTo(timeline: Timeline, from: Place, cursor: number): Place {
  const target = Math.max(0, Math.min(timeline.steps.length, cursor));
  let { state } = from;
  for (let i = from.cursor; i < target; ++i) state = play(state, timeline.steps[i]?.events ?? []);
  for (let i = from.cursor; i > target; --i) state = rewind(state, timeline.steps[i - 1]?.events ?? []);
  return { cursor: target, state };
}

/** The state after all events. */
export function play(state: TableState, events: readonly PageEvent[]): TableState {
  return events.reduce(apply, state);
}

/** The state before all events. */
function rewind(state: TableState, events: readonly PageEvent[]): TableState {
  return events.reduceRight(undo, state);
}
