// What the page shows, as one value, and how inputs change it.
// Invariant: `next` is pure: it knows no clock, no filter and no page. Time reaches it as the input `advance`, and
// what the filter did as the input `ran`.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import type { Operation, PageEvent, TableState } from './state';
import type { Settings } from '../settings';
import type { Step } from './steps';
import { extended, moveTo, newTimeline, play, type OperationRecord } from './timeline';
import type { Place, Timeline } from './timeline';

export interface Session {
  readonly settings: Settings;
  readonly timeline: Timeline;
  readonly place: Place;
  /** The operation looked at, an index in the timeline; -1: none yet. The cursor lies within its steps. */
  readonly focus: number;
  /** What the last input moved through: the step played (1) or taken back (-1); null after a jump. */
  readonly motion: { readonly step: Step; readonly direction: 1 | -1 } | null;
  readonly isPlaying: boolean;
  /** Which key each operation was given: our notebook, not the filter. */
  readonly notebook: ReadonlyMap<number, string>;
  readonly sampleCount: number;
}

export type Input =
  | (Pick<Operation, 'key' | 'until'> & { readonly type: 'ran'; readonly events: readonly TraceEvent[] })
  | { readonly type: 'sampled' }
  | { readonly type: 'forward' | 'back' | 'toStart' | 'toEnd' | 'playOrPause' | 'advance' }
  | { readonly type: 'watch'; readonly fromKick: boolean }
  | { readonly type: 'seek'; readonly cursor: number }
  | { readonly type: 'stand'; readonly cursor: number };

/** A session over a table that was filled before anyone looked. */
export function newSession(
  settings: Settings,
  start: TableState,
  notebook: Session['notebook'],
  sampleCount: number,
): Session {
  const told = { timeline: newTimeline(start), place: { cursor: 0, state: start }, focus: -1 };
  return { settings, notebook, sampleCount, ...told, motion: null, isPlaying: false };
}

export function next(session: Session, input: Input): Session {
  switch (input.type) {
    case 'ran':
      return ran(session, input);
    case 'watch': {
      const first = focused(session)?.first ?? 0;
      const cursor = input.fromKick ? (kickFrom(session, first) ?? first) : first;
      return { ...jumped(session, session.focus, cursor), isPlaying: true };
    }
    case 'sampled':
      return { ...session, sampleCount: session.sampleCount + 1 };
    case 'seek':
      return jumped(session, session.focus, input.cursor);
    case 'stand':
      return jumped(session, operationAt(session, input.cursor), input.cursor);
    default:
      return MOVES[input.type](session);
  }
}

const MOVES = {
  forward: (session: Session) => ({ ...stepped(session, 1), isPlaying: false }),
  back: (session: Session) => ({ ...stepped(session, -1), isPlaying: false }),
  toStart: (session: Session) => toEdge(session, 'first'),
  toEnd: (session: Session) => toEdge(session, 'last'),
  ...{ playOrPause, advance },
};

export function focused(session: Session): OperationRecord | null {
  return session.timeline.operations[session.focus] ?? null;
}

export function eventsOf({ timeline }: Session, index: number): readonly PageEvent[] {
  const { first, last } = timeline.operations[index] ?? { first: 0, last: 0 };
  return timeline.steps.slice(first, last).flatMap((step) => step.events);
}

/** The table after the last kick of operation `index`, before any is taken back. */
export function stateAfterKicks(session: Session, index: number): TableState {
  const { start, operations } = session.timeline;
  const events = eventsOf(session, index);
  const last = events.findLastIndex((event) => event.kind === 'kick');
  return play(operations[index]?.before ?? start, events.slice(0, last + 1));
}

export function ownerName({ notebook }: Session, owner: number | undefined): string {
  return notebook.get(owner ?? -1) ?? '';
}

/** The operation that a cursor anywhere among all steps belongs to: the one that led there, or the first. */
function operationAt({ timeline }: Session, cursor: number): number {
  return Math.max(
    0,
    timeline.operations.findLastIndex(({ first }) => first < cursor),
  );
}

/** The step that led to what is shown, if it belongs to the operation looked at. */
export function currentStep(session: Session): Step | null {
  const { cursor } = session.place;
  if (cursor <= (focused(session)?.first ?? cursor)) return null;
  return session.timeline.steps[cursor - 1] ?? null;
}

export function canStepBack(session: Session): boolean {
  return session.place.cursor > 0;
}

export function canStepForward(session: Session): boolean {
  return session.place.cursor < session.timeline.steps.length;
}

/** The filter lives in the present, so the picture goes there before it takes the new operation. */
function ran(session: Session, { key, events, until }: Extract<Input, { type: 'ran' }>): Session {
  const timeline = extended(session.timeline, key, events, until);
  const focus = timeline.operations.length - 1;
  const number = timeline.operations[focus]?.number ?? 0;
  const notebook = new Map(session.notebook).set(number, key);
  const extendedSession = { ...session, timeline, focus, notebook, isPlaying: false };
  return jumped(extendedSession, focus, timeline.steps.length);
}

function jumped(session: Session, focus: number, cursor: number): Session {
  const place = moveTo(session.timeline, session.place, cursor);
  return { ...session, focus, place, motion: null, isPlaying: false };
}

/** A step on, or one taken back. */
function stepped(session: Session, direction: 1 | -1): Session {
  const { timeline, place, focus } = session;
  const { cursor } = place;
  const step = timeline.steps[direction === 1 ? cursor : cursor - 1];
  if (step === undefined) return session;
  const isAtEdge = cursor === focused(session)?.[direction === 1 ? 'last' : 'first'];
  return {
    ...session,
    focus: isAtEdge ? focus + direction : focus,
    place: moveTo(timeline, place, cursor + direction),
    motion: { step, direction },
  };
}

/** To the start or the end of the operation; from there to that of the one before or after it. */
function toEdge(session: Session, edge: 'first' | 'last'): Session {
  const { operations } = session.timeline;
  const isThere = session.place.cursor === focused(session)?.[edge];
  const focus = session.focus + (!isThere ? 0 : edge === 'first' ? -1 : 1);
  const within = Math.min(operations.length - 1, Math.max(0, focus));
  return jumped(session, within, operations[within]?.[edge] ?? 0);
}

/** The first kick, or first look of a search for kicks, among the steps from a cursor on. */
function kickFrom({ timeline }: Session, cursor: number): number | undefined {
  const at = timeline.steps.findIndex(({ kind }, i) => i >= cursor && (kind === 'kick' || kind === 'look'));
  return at < 0 ? undefined : at;
}

/** From the end of all operations, play starts the last one again. */
function playOrPause(session: Session): Session {
  const operation = focused(session);
  if (operation === null) return session;
  if (session.isPlaying) return { ...session, isPlaying: false };
  const from = !canStepForward(session) ? jumped(session, session.focus, operation.first) : session;
  return { ...from, motion: null, isPlaying: true };
}

/** The next step while playing; playing ends with the last operation. */
function advance(session: Session): Session {
  if (!session.isPlaying) return session;
  const moved = stepped(session, 1);
  return { ...moved, isPlaying: canStepForward(moved) };
}
