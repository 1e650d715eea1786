// "Be the filter": an insert as a row of moves that the learner makes instead of the filter.
// Invariant: every answer is the next event of the trace. Which fingerprint is kicked out is the core's own draw, so it
// is told, not asked.
import { difference, openSum } from './picture/bits';
import { hex } from './picture/chip';
import type { Session } from './trace/session';
import type { Facts } from './scenes/task';
import type { Step } from './trace/steps';

export type MoveKind = 'home' | 'place' | 'destination' | 'room' | 'land';

export interface Move {
  readonly kind: MoveKind;
  /** Steps applied before the move is made, and after it. */
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
  /** `bucket`: one of the buckets; `slot`: a slot, `bucket.slot`, or `none`; `choice`: yes or no. */
  readonly asks: 'bucket' | 'slot' | 'choice';
  readonly answer: string;
}

/** The moves of the session's only operation, an insert. */
export function movesOf(session: Session): Move[] {
  const { steps } = session.timeline;
  const count = session.settings.bucketCount;
  const bits = session.settings.fingerprintBits;
  const key = session.timeline.operations[0]?.key ?? '';
  return steps.flatMap((step, i) => movesAt(step, steps, i, bits, key, count));
}

function move(
  kind: MoveKind,
  asks: Move['asks'],
  from: number,
  to: number,
  facts: Facts,
  answer: string,
): Move {
  return { kind, asks, from, to, facts, answer };
}

function movesAt(
  step: Step,
  steps: readonly Step[],
  i: number,
  bits: number,
  key: string,
  count: number,
): Move[] {
  switch (step.kind) {
    case 'alternate': {
      const { fingerprint, primary, alternate, offset } = step.event;
      const sum = openSum(primary, offset, count);
      const facts = { key, fingerprint: hex(fingerprint, bits), primary, offset, sum, count };
      return [
        move('home', 'bucket', i, i + 1, facts, String(alternate)),
        move('place', 'slot', i + 1, afterHomes(steps, i), facts, placeAnswer(steps)),
      ];
    }
    case 'kick': {
      const { before: victim, bucket, slot, otherBucket, hasRoom, kick } = step.event;
      const offset = difference(bucket, otherBucket);
      const sum = openSum(bucket, offset, count);
      const facts = { fingerprint: hex(victim, bits), bucket, slot, kick, offset, sum, count };
      const known = { ...facts, otherBucket };
      const moves = [
        move('destination', 'bucket', i, i + 1, facts, String(otherBucket)),
        move('room', 'choice', i + 1, i + 1, known, hasRoom ? 'yes' : 'no'),
      ];
      const landing = steps.slice(i + 1).find((each) => each.kind === 'place');
      if (!hasRoom || landing?.kind !== 'place') return moves;
      const answer = `${landing.event.bucket}.${landing.event.slot}`;
      return [...moves, move('land', 'slot', i + 1, steps.length, known, answer)];
    }
    default:
      return [];
  }
}

/** Where the new fingerprint goes at once; `none`: both homes are full. */
function placeAnswer(steps: readonly Step[]): string {
  const place = steps.find((step) => step.kind === 'place');
  return place?.kind === 'place' && place.event.kick === 0
    ? `${place.event.bucket}.${place.event.slot}`
    : 'none';
}

/** The cursor once it is known whether there is room at home: at the end, or before the first kick. */
function afterHomes(steps: readonly Step[], located: number): number {
  const kick = steps.findIndex((step, i) => i > located && step.kind === 'kick');
  return kick === -1 ? steps.length : kick;
}
