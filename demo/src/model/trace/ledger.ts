// What our notebook knows of a key, and how the filter's answer compares with it.
// Invariant: told by the names of the operations and by what the core said of each; no slot is asked, as a slot forgets.
import { operationShown } from './marks';
import { focused, type Session } from './session';

/** A lookup's answer beside the notebook: whether it is right, and what it was. */
export type Truth = 'truePositive' | 'falsePositive' | 'trueNegative' | 'falseNegative';

/** Copies of a key inserted and not deleted again by its own name, before the operation looked at. */
export function copiesOf(session: Session, key: string): number {
  const { timeline, notebook, focus } = session;
  const atStart = timeline.start.slots.filter(
    (stored) => stored && notebook.get(stored.owner) === key,
  ).length;
  return timeline.operations.slice(0, Math.max(0, focus)).reduce((copies, operation) => {
    const { result, name } = operation.end;
    if (name === 'clear') return 0;
    if (operation.key !== key) return copies;
    if (result === 'added') return copies + 1;
    return name === 'erase' && result === true ? Math.max(0, copies - 1) : copies;
  }, atStart);
}

/** The verdict on the lookup looked at; null for other operations, and before its end. */
export function truthOf(session: Session): Truth | null {
  const end = operationShown(session)?.end ?? null;
  const key = focused(session)?.key;
  if (end?.name !== 'contains' || key === undefined) return null;
  const isThere = copiesOf(session, key) > 0;
  if (end.result === true) return isThere ? 'truePositive' : 'falsePositive';
  return isThere ? 'falseNegative' : 'trueNegative';
}
