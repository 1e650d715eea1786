// The sentence of a step: which of the catalogue's sentences it is, and with what numbers.
// Invariant: every number comes from the trace; key names come from the notebook and are told apart by the catalogue.
import type { Words } from '../../i18n';
import { isolated } from '../text';
import { hex } from '../picture/bits';
import { truthOf } from './ledger';
import { kickedOf, operationShown } from './marks';
import { currentStep, focused, ownerName, type Session } from './session';
import { percentOf } from '../statistics';
import { type EventOf, type Operation, type OperationState, storedAt } from './state';
import type { LookStep, ReadStep, Step } from './steps';
import { homeSum, kickSum, sumText } from './sum';

/** What the caption says, and the live region speaks. */
export function captionOf(session: Session, words: Words, isLocked: boolean): string {
  if (isLocked) return words.explain.locked;
  const operation = focused(session);
  if (operation === null) {
    const { state } = session.place;
    const percent = percentOf(state.size / state.slots.length);
    return percent === 0 ? words.explain.idleEmpty : words.explain.idle(percent);
  }
  const step = currentStep(session);
  if (step === null) return words.explain.ready(operationText(operation, words));
  return sentenceOf(session, step, words);
}

export function operationText({ name, key }: Operation, { steps }: Words): string {
  return steps.operation[name](isolated(key));
}

export function outcomeOf(end: EventOf<'end'>, { answer }: Words): string {
  if (end.name === 'clear') return answer.emptied;
  if (end.name === 'erase') return end.result === true ? answer.removed : answer.absent;
  if (end.name === 'contains') return end.result === true ? answer.maybe : answer.never;
  return end.result === 'added' ? answer.stored : answer.refused;
}

/** The shape of an answer: a lookup's two differ from all others. */
export function lookOf(end: EventOf<'end'>): 'maybe' | 'never' | 'done' | 'refused' {
  const isYes = end.result === true || end.result === 'added';
  if (end.name === 'contains') return isYes ? 'maybe' : 'never';
  return isYes ? 'done' : 'refused';
}

/** What the notebook adds to the answer of a lookup, or to a removal; empty if nothing. */
export function notebookRemark(session: Session, { steps }: Words): string {
  const operation = operationShown(session);
  const key = focused(session)?.key ?? '';
  const truth = truthOf(session);
  if (operation === null || operation.end === null) return '';
  if (truth === 'falsePositive')
    return steps.otherOwner(steps.key(key), steps.key(matchedOwner(session, operation)));
  if (truth !== null) return steps.remarks[truth](steps.key(key));
  const owner = session.notebook.get(operation.removed?.stored?.owner ?? -1);
  return owner === undefined || owner === key ? '' : steps.harmedOwner(steps.key(owner));
}

function matchedOwner(session: Session, operation: OperationState): string {
  const read = operation.reads.findLast(({ isMatch }) => isMatch);
  const stored = read && storedAt(session.place.state, read.bucket, read.slot);
  return ownerName(session, stored?.owner);
}

function sentenceOf(session: Session, step: Step, words: Words): string {
  const { steps } = words;
  const bits = session.settings.fingerprintBits;
  const key = steps.key(focused(session)?.key ?? '');
  switch (step.kind) {
    case 'locate': {
      const { fingerprint, rawFingerprint, primary } = step.event;
      const told = hex(fingerprint, bits) + (rawFingerprint === 0 ? words.double.zero : '');
      return steps.locate(key, bits, told, primary);
    }
    case 'alternate': {
      const { primary, alternate, homesCoincide } = step.event;
      const sum = sumText(homeSum(session.settings, step.event));
      return steps.alternate(sum, alternate, homesCoincide, primary, session.settings.addressing === 'xor');
    }
    case 'read':
      return sentenceOfRead(session, step, words);
    case 'look':
      return sentenceOfLooks(session, step, words);
    case 'found':
      return steps.found(step.event.kicks.length);
    case 'move': {
      const { after, bucket, slot, from, kick } = step.event;
      const print = hex(after, bits);
      return from === null
        ? steps.moveIn(print, bucket, slot)
        : steps.move(kick, print, from.bucket, from.slot, bucket, slot);
    }
    case 'kick':
      return sentenceOfKick(session, step.event, words);
    case 'place': {
      const { after, bucket, slot, kick } = step.event;
      const print = hex(after, bits);
      return kick === 0 ? steps.place(print, bucket, slot) : steps.placeAfterKicks(print, bucket, slot, kick);
    }
    case 'undo':
      return steps.undo(step.event.kick, hex(step.event.after, bits), step.event.bucket, step.event.slot);
    case 'remove':
      return steps.remove(hex(step.event.before, bits), step.event.bucket, step.event.slot);
    case 'reset':
      return steps.reset();
    case 'end':
      return sentenceOfEnd(session, step.event, key, words);
  }
}

function sentenceOfRead(session: Session, step: ReadStep, { steps }: Words): string {
  const { bucket, slot, sought, isMatch } = step.event;
  const bits = session.settings.fingerprintBits;
  if (step.reason === 'match') {
    const read = isMatch
      ? steps.matchFound(hex(sought, bits), bucket, slot)
      : steps.matchNotFound(hex(sought, bits), bucket);
    const reads = operationShown(session)?.reads ?? [];
    const wasFound = reads.some((before) => before.isMatch && before.bucket !== bucket);
    return wasFound ? `${read}${steps.gap()}${steps.readAnyway()}` : read;
  }
  if (step.reason === 'landing') return isMatch ? steps.landing(bucket, slot) : steps.landingIsFull(bucket);
  return isMatch ? steps.homeHasRoom(bucket, slot) : steps.homeIsFull(bucket);
}

function sentenceOfKick(session: Session, event: EventOf<'kick'>, { steps }: Words): string {
  const { fingerprintBits: bits, bucketSize } = session.settings;
  const { kick, before, after, bucket, slot, otherBucket } = event;
  const operation = operationShown(session);
  const kicked = kickedOf(operation);
  const [victim, incoming] = [hex(before, bits), hex(after, bits)];
  const isCoin = kick === 1 && operation?.location?.homesCoincide === false;
  const who = steps.kick(kick, isCoin, victim, incoming, bucket, slot, bucketSize);
  if (kicked === null) return who;
  const where = steps.kickTo(sumText(kickSum(session.settings, kicked)), otherBucket);
  const same = otherBucket === bucket ? `${steps.gap()}${steps.kickToSame(bucket)}` : '';
  return `${who}${steps.gap()}${where}${same}`;
}

function sentenceOfLooks(session: Session, { events, event }: LookStep, { steps }: Words): string {
  const buckets = (looks: LookStep['events']): number[] => [...new Set(looks.map(({ bucket }) => bucket))];
  const isFirst = operationShown(session)?.location?.primary === event.from;
  return steps.look(event.from, isFirst, buckets(events), buckets(events.filter(({ hasRoom }) => hasRoom)));
}

function sentenceOfEnd(session: Session, end: EventOf<'end'>, key: string, { steps }: Words): string {
  const fingerprint = operationShown(session)?.location?.fingerprint ?? 0;
  switch (end.result) {
    case 'added':
      return end.kicks === 0 ? steps.added(key) : steps.addedAfterKicks(key, end.kicks);
    case 'full':
      if (session.settings.search === 'breadth-first') return steps.fullAfterSearch(key);
      return end.kicks === 0 ? steps.fullWithoutKicks(key) : steps.full(key, end.kicks);
    case 'too-many-copies':
      return steps.tooManyCopies(key, hex(fingerprint, session.settings.fingerprintBits));
    default:
      break;
  }
  if (end.name === 'clear') return steps.cleared();
  if (end.name === 'erase') return end.result ? steps.erased(key) : steps.notErased(key);
  return end.result ? steps.maybe(key) : steps.never(key);
}
