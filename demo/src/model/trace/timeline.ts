// All operations since the table was set up, as steps, and how to stand at any point among them.
// Invariant: the state at cursor c is `start` with the first c steps applied, whichever way c was reached: a step is taken
// back by playing its operation anew up to the step before.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { apply, isDrawn } from './fold';
import { stepsOf, type Step } from './steps';
import type { OperationState, PageEvent, TableState } from './state';

/** One operation: the table before it, its key, and its steps, which are `first` to `last` - 1 of the timeline's. */
export interface OperationRecord {
  readonly number: number;
  readonly name: OperationState['name'];
  readonly key: string;
  readonly first: number;
  readonly last: number;
  readonly before: TableState;
  readonly end: Extract<TraceEvent, { readonly kind: 'end' }>;
}

export interface Timeline {
  readonly start: TableState;
  readonly steps: readonly Step[];
  readonly operations: readonly OperationRecord[];
}

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
  const before = moveTo(timeline, { cursor: 0, state: timeline.start }, timeline.steps.length).state;
  const record = { number: end.operation, name: end.name, key, before, ...span, end };
  return { ...timeline, steps, operations: [...timeline.operations, record] };
}

/** The place with `cursor` steps applied, played from `from`, or from the start of an operation that is nearer to it. */
export function moveTo({ start, steps, operations }: Timeline, from: Place, cursor: number): Place {
  const target = Math.max(0, Math.min(steps.length, cursor));
  const operation = operations.findLast(({ first }) => first <= target);
  const begun = operation?.first ?? 0;
  const isOnTheWay = from.cursor > begun && from.cursor <= target;
  const near = isOnTheWay ? from : { cursor: begun, state: operation?.before ?? start };
  const events = steps.slice(near.cursor, target).flatMap((step) => step.events);
  return { cursor: target, state: play(near.state, events) };
}

export function play(state: TableState, events: readonly PageEvent[]): TableState {
  return events.reduce(apply, state);
}
