// What is to be drawn of a session: marks on slots and buckets, arrows, and the hand.
// Invariant: everything here is told by the trace up to the cursor. Marks belong to the operation looked at; when it has
// not begun, there are none.
import { slotBox, trayBox, type Layout } from '../picture/layout';
import { inFreeLane, routeBetween, routeFromTray, routeTowards, type Route } from '../picture/route';
import { currentStep, focused, type Session } from './session';
import { type EventOf, type OperationState, type Stored, storedAt } from './state';
import type { LookStep, Step } from './steps';

export type SlotMark = 'read' | 'found' | 'changed' | null;

export type HomeMark = 'primary' | 'alternate' | 'both' | null;

export interface Arrow {
  readonly route: Route;
  /** The kick's number; null for the new key's way in, and for a look. */
  readonly number: number | null;
  /** `undone`: taken back, or not made yet; `full`, `room`: what the search saw in the bucket that it leads to. */
  readonly look: 'entry' | 'latest' | 'past' | 'undone' | 'full' | 'room';
  /** It leads to a bucket; which slot is not settled yet. */
  readonly isOpen: boolean;
}

export interface Hand {
  readonly stored: Stored | null;
  /** `kicked`: the new one has its slot, and another is on its way. */
  readonly role: 'empty' | 'new' | 'kicked' | 'sought' | 'taken' | 'refused';
}

/** More arrows than this would hide the table; the list has them all. */
export const MOST_ARROWS = 5;

/** The operation looked at, as far as the cursor has come; null before its first step. */
export function operationShown(session: Session): OperationState | null {
  const operation = session.place.state.operation;
  return operation?.number === focused(session)?.number ? operation : null;
}

/** Home 2 is none before the step that works it out. */
export function homeMark(session: Session, bucket: number): HomeMark {
  const location = operationShown(session)?.location;
  const isFirst = currentStep(session)?.kind === 'locate';
  if (location?.primary === bucket) return location.homesCoincide && !isFirst ? 'both' : 'primary';
  return location?.alternate === bucket && !isFirst ? 'alternate' : null;
}

/**
 * The mark of a slot. What a lookup or a delete has found stays marked until its end; at the end, every slot that it read or
 * emptied is marked.
 */
export function slotMark(session: Session, bucket: number, slot: number): SlotMark {
  const step = currentStep(session);
  if (step?.kind === 'look') {
    const isLookedAt = step.events.some((look) => look.bucket === bucket);
    return !isLookedAt ? null : storedAt(session.place.state, bucket, slot) === null ? 'found' : 'read';
  }
  const now = markOf(step, bucket, slot);
  if (now !== null || step === null || focused(session)?.name === 'insert') return now;
  for (let at = session.place.cursor - 2; at >= 0; --at) {
    const earlier = session.timeline.steps[at];
    if (earlier?.operation !== step.operation) return null;
    if (earlier.kind !== 'read' && earlier.kind !== 'remove') continue;
    const mark = markOf(earlier, bucket, slot);
    if (mark === 'found' || (mark !== null && step.kind === 'end')) return mark;
  }
  return null;
}

function markOf(step: Step | null, bucket: number, slot: number): SlotMark {
  if (step === null) return null;
  if (step.kind === 'read') {
    if (step.event.bucket !== bucket || slot > step.event.slot) return null;
    const isSought = step.reason === 'match' ? step.event.isMatch : step.event.isEmpty;
    return slot === step.event.slot && isSought ? 'found' : 'read';
  }
  const isHere = 'slot' in step.event && step.event.bucket === bucket && step.event.slot === slot;
  return isHere ? 'changed' : null;
}

export function handOf(operation: OperationState | null): Hand {
  const empty = { stored: null, role: 'empty' } as const;
  if (operation === null) return empty;
  if (operation.removed !== null) return { stored: operation.removed.stored, role: 'taken' };
  const { carried: stored } = operation;
  if (stored === null) return empty;
  if (operation.name !== 'insert') return { stored, role: 'sought' };
  const last = lastKick(operation);
  if (last !== undefined) return { stored, role: 'kicked' };
  return { stored, role: operation.end === null ? 'new' : 'refused' };
}

/** The kick path so far, in order: the new key's way in, then an arrow for each kick. While the search looks, its looks. */
export function arrowsOf(session: Session, layout: Layout): Arrow[] {
  const step = currentStep(session);
  if (step?.kind === 'look') return arrowsOfLooks(step, layout);
  const operation = operationShown(session);
  // A path that was taken back is no part of the table any more.
  if (operation === null || (operation.end !== null && operation.undoneCount > 0)) return [];
  const { found } = operation;
  const kicks = found?.kicks ?? operation.kicks;
  const placed = found?.place ?? operation.placed;
  const standing = kicks.length - operation.undoneCount;
  const latest = latestKick(operation);
  const entry = kicks[0] ?? placed;
  if (entry === null) return [];
  const wayIn = routeFromTray(layout, trayBox(layout), slotBox(layout, entry.bucket, entry.slot));
  const arrows: Arrow[] = [];
  // The last kicks of the path that still stands, and the one that was taken back last; of a path that was found, those
  // about the one made last.
  const last = Math.min(kicks.length, Math.max(latest + 2, found === null ? 0 : MOST_ARROWS));
  const first = Math.max(0, last - MOST_ARROWS);
  for (const [at, { bucket, slot, otherBucket, kick }] of kicks.slice(first, last).entries()) {
    const i = first + at;
    const target = kicks[i + 1] ?? placed;
    const isOpen = target === null || (i === standing - 1 && operation.undoneCount > 0);
    const from = slotBox(layout, bucket, slot);
    const route = inFreeLane([wayIn, ...arrows.map((arrow) => arrow.route)], (lane) =>
      isOpen
        ? routeTowards(layout, from, otherBucket, lane)
        : routeBetween(layout, from, slotBox(layout, target.bucket, target.slot), lane),
    );
    const isMade = found === null ? i < standing : i >= latest;
    const look = !isMade ? 'undone' : i === latest ? 'latest' : 'past';
    arrows.push({ route, number: kick, look, isOpen });
  }
  // From the tray, where another fingerprint or the newcomer again is held, no arrow leads to its slot.
  if (operation.carried !== null || standing > MOST_ARROWS) return arrows;
  return [{ route: wayIn, number: null, look: 'entry', isOpen: false }, ...arrows];
}

function arrowsOfLooks({ events }: LookStep, layout: Layout): Arrow[] {
  const arrows: Arrow[] = [];
  for (const { from, slot, bucket, hasRoom } of events) {
    const route = inFreeLane(
      arrows.map((arrow) => arrow.route),
      (lane) => routeTowards(layout, slotBox(layout, from, slot), bucket, lane),
    );
    arrows.push({ route, number: null, look: hasRoom ? 'room' : 'full', isOpen: true });
  }
  return arrows;
}

/** A fingerprint that was kicked out and has no slot yet, and the kick. */
export interface Kicked {
  readonly stored: Stored;
  readonly kick: EventOf<'kick'>;
}

export function kickedOf(operation: OperationState | null): Kicked | null {
  if (operation === null || operation.carried === null || operation.removed !== null) return null;
  const kick = lastKick(operation);
  return kick === undefined ? null : { stored: operation.carried, kick };
}

/** The kicks that stand so far; those of a path that was found are made from the far end. */
export function kicksMade(operation: OperationState): OperationState['kicks'] {
  const { found, movedCount, kicks, undoneCount } = operation;
  if (found !== null) return found.kicks.slice(Math.max(0, found.kicks.length - movedCount));
  return kicks.slice(0, kicks.length - undoneCount);
}

/** The index of the kick made last. A path that was found is made from its far end; before, it is that behind the last. */
export function latestKick({ found, movedCount, kicks, undoneCount }: OperationState): number {
  return found === null ? kicks.length - undoneCount - 1 : found.kicks.length - movedCount;
}

function lastKick(operation: OperationState): OperationState['kicks'][number] | undefined {
  return operation.kicks[operation.kicks.length - operation.undoneCount - 1];
}
