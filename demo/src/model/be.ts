// "Be the filter": an insert as a row of moves that the learner makes instead of the filter.
// Invariant: every answer is the next event of the trace. Which fingerprint is kicked out is the core's own draw, so it
// is told, not asked.
import { difference, hex, openSum } from './picture/bits';
import type { Session } from './trace/session';
import type { Facts } from './scenes/task';
import type { Step } from './trace/steps';

export interface Move {
  readonly kind: 'home' | 'place' | 'destination' | 'room' | 'land';
  /** Steps applied before the move is made, and after it. */
  readonly from: number;
  readonly to: number;
  readonly facts: Facts;
  /** `bucket`: one of the buckets; `slot`: a slot, `bucket.slot`, or `none`; `choice`: yes or no. */
  readonly asks: 'bucket' | 'slot' | 'choice';
  readonly answer: string;
}

export function movesOf({ timeline, settings }: Session): Move[] {
  const { steps, operations } = timeline;
  const { bucketCount: count, fingerprintBits: bits } = settings;
  const key = operations[0]?.key ?? '';
  return steps.flatMap((step, i): Move[] => {
    const to = i + 1;
    if (step.kind === 'alternate') {
      const { fingerprint, primary, alternate, offset } = step.event;
      const sum = openSum(primary, offset, count);
      const facts = { key, fingerprint: hex(fingerprint, bits), primary, offset, sum, count };
      return [
        { kind: 'home', asks: 'bucket', from: i, to, facts, answer: String(alternate) },
        {
          kind: 'place',
          asks: 'slot',
          from: to,
          to: afterHomes(steps, i),
          facts,
          answer: placeAnswer(steps),
        },
      ];
    }
    if (step.kind !== 'kick') return [];
    const { before: victim, bucket, slot, otherBucket, hasRoom, kick } = step.event;
    const offset = difference(bucket, otherBucket);
    const sum = openSum(bucket, offset, count);
    const facts = { fingerprint: hex(victim, bits), bucket, slot, kick, offset, sum, count };
    const known = { ...facts, otherBucket };
    const moves: Move[] = [
      { kind: 'destination', asks: 'bucket', from: i, to, facts, answer: String(otherBucket) },
      { kind: 'room', asks: 'choice', from: to, to, facts: known, answer: hasRoom ? 'yes' : 'no' },
    ];
    const landing = steps.slice(to).find((each) => each.kind === 'place');
    if (!hasRoom || landing?.kind !== 'place') return moves;
    const answer = `${landing.event.bucket}.${landing.event.slot}`;
    return [...moves, { kind: 'land', asks: 'slot', from: to, to: steps.length, facts: known, answer }];
  });
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
