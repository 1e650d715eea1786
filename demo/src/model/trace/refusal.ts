// What three designs make of the same insert that found no room.
// Invariant: the table is the one that the trace tells after the last kick; nothing is moved here.
import { ownerName, stateAfterKicks, type Session } from './session';

/** `back`: every kick is taken back; `stash`: the last victim is kept aside; `drop`: it is thrown away. */
export const POLICIES = ['back', 'stash', 'drop'] as const;
export type Policy = (typeof POLICIES)[number];

/** Whether the operation looked at has made its last kick: what comes of it is not told before. */
function hasKicked({ timeline, place, focus }: Session): boolean {
  const record = timeline.operations[focus];
  const steps = timeline.steps.slice(place.cursor, record?.last ?? 0);
  return !steps.some(({ kind }) => kind === 'kick');
}

/** The last insert up to the operation looked at that was refused after kicks, all of them shown; null if there was none. */
export function lastRefusal(session: Session) {
  const { operations } = session.timeline;
  const index = operations.findLastIndex(
    ({ end }, i) =>
      i <= Math.max(session.focus, 0) - (hasKicked(session) ? 0 : 1) &&
      end.result === 'full' &&
      end.kicks > 0,
  );
  const record = operations[index];
  if (record === undefined) return null;
  const after = stateAfterKicks(session, index);
  /** The fingerprint in hand after the last kick. */
  const victim = after.operation?.carried ?? null;
  if (victim === null) return null;
  const { bucketSize } = after.shape;
  /** Whether a home of the victim holds an equal fingerprint, which a lookup would take for it. */
  const hasTwin = after.slots.some(
    (slot, i) =>
      slot?.fingerprint === victim.fingerprint && victim.homes.includes(Math.floor(i / bucketSize)),
  );
  const owner = ownerName(session, victim.owner);
  return { key: record.key, kicks: record.end.kicks, victim, owner, hasTwin };
}

export type Refusal = NonNullable<ReturnType<typeof lastRefusal>>;
