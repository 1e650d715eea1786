// "Be the filter": an insert as a row of moves that the learner makes instead of the filter.
// Invariant: every answer is the next event of the trace. Which fingerprint is kicked out is the core's own draw, so it
// is told, not asked.
import { difference, openSum } from './bits';
import { hex } from './chip';
import type { Session } from './session';
import type { Facts } from './scenes/task';
import type { Step } from './steps';

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

function movesAt(
  step: Step,
  steps: readonly Step[],
  i: number,
  bits: number,
  key: string,
  count: number,
): Move[] {
  const before = { from: i, to: i + 1 };
  switch (step.kind) {
    case 'alternate': {
      const { fingerprint, primary, alternate, offset } = step.event;
      const sum = openSum(primary, offset, count);
      const facts = { key, fingerprint: hex(fingerprint, bits), primary, offset, sum, count };
      return [
        { kind: 'home', ...before, facts, asks: 'bucket', answer: String(alternate) },
        {
          kind: 'place',
          from: i + 1,
          to: afterHomes(steps, i),
          facts,
          asks: 'slot',
          answer: placeAnswer(steps),
        },
      ];
    }
    case 'kick': {
      const { before: victim, bucket, slot, otherBucket, hasRoom, kick } = step.event;
      const facts = {
        fingerprint: hex(victim, bits),
        bucket,
        slot,
        kick,
        offset: difference(bucket, otherBucket),
        sum: openSum(bucket, difference(bucket, otherBucket), count),
        count,
      };
      const moves: Move[] = [
        {
          kind: 'destination',
          from: beforeLookingAhead(steps, i),
          to: i + 1,
          facts,
          asks: 'bucket',
          answer: String(otherBucket),
        },
        {
          kind: 'room',
          from: i + 1,
          to: i + 1,
          facts: { ...facts, otherBucket },
          asks: 'choice',
          answer: hasRoom ? 'yes' : 'no',
        },
      ];
      const landing = steps.slice(i + 1).find((each) => each.kind === 'place');
      if (!hasRoom || landing?.kind !== 'place') return moves;
      const answer = `${landing.event.bucket}.${landing.event.slot}`;
      return [
        ...moves,
        {
          kind: 'land',
          from: i + 1,
          to: steps.length,
          facts: { ...facts, otherBucket },
          asks: 'slot',
          answer,
        },
      ];
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
  return kick === -1 ? steps.length : beforeLookingAhead(steps, kick);
}

/** The cursor before the reads that looked ahead for a kick: they would tell where the victim goes. */
function beforeLookingAhead(steps: readonly Step[], kick: number): number {
  return steps[kick - 1]?.kind === 'ahead' ? kick - 1 : kick;
}
