// What a session's trace says of the operations that a task ran.
import { hex } from '../picture/chip';
import type { Session } from '../trace/session';
import type { EventOf, PageEvent, TableState } from '../trace/state';
import { moveTo, play } from '../trace/timeline';
import type { Facts } from './task';

/** The events of the session's operation number `index`, from 0. */
export function eventsOf(session: Session, index: number): readonly PageEvent[] {
  const { first, last } = session.timeline.operations[index] ?? { first: 0, last: 0 };
  return session.timeline.steps.slice(first, last).flatMap((step) => step.events);
}

/** Those events of one kind. */
export function ofKind<Kind extends PageEvent['kind']>(
  events: readonly PageEvent[],
  kind: Kind,
): EventOf<Kind>[] {
  return events.filter((event): event is EventOf<Kind> => event.kind === kind);
}

/** The first event of a kind. Throws TypeError if there is none. */
export function first<Kind extends PageEvent['kind']>(
  events: readonly PageEvent[],
  kind: Kind,
): EventOf<Kind> {
  const event = ofKind(events, kind)[0];
  if (event === undefined) throw new TypeError(`the trace has no ${kind}`);
  return event;
}

/** Fingerprint and homes of an operation's key, for a question that is worked out from them. */
export function homesOf(events: readonly PageEvent[], bits: number): Facts {
  const { fingerprint, primary, alternate } = first(events, 'locate');
  return { fingerprint: hex(fingerprint, bits), primary, alternate };
}

/** Whether the homes of an operation's key are two buckets. */
export function hasTwoHomes(events: readonly PageEvent[]): boolean {
  return !first(events, 'locate').homesCoincide;
}

/** What the core said at the end. */
export function endOf(events: readonly PageEvent[]): EventOf<'end'> {
  return first(events, 'end');
}

/** The table before operation `index`. */
export function stateBefore(session: Session, index: number): TableState {
  const cursor = session.timeline.operations[index]?.first ?? 0;
  return moveTo(session.timeline, { cursor: 0, state: session.timeline.start }, cursor).state;
}

/** The table after the last kick of operation `index`, before any is taken back. */
export function stateAfterKicks(session: Session, index: number): TableState {
  const events = eventsOf(session, index);
  const last = events.findLastIndex((event) => event.kind === 'kick');
  return play(stateBefore(session, index), events.slice(0, last + 1));
}

/** The key that our notebook has for an owner. */
export function ownerName(session: Session, owner: number | undefined): string {
  return session.notebook.get(owner ?? -1) ?? '';
}
