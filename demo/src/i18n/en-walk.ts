// The sentences of a kick, in English: why this fingerprint, and why there.
// Invariant: each sum is one that the core worked out, told by the trace.

/** Commas, and a word before the last name. */
const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const enWalk = {
  kickRandom: (
    number: number,
    isCoin: boolean,
    victim: string,
    incoming: string,
    bucket: number,
    slot: number,
    bucketSize: number,
  ) =>
    `Kick ${number}: ${isCoin ? `a coin picks bucket ${bucket} of the two homes` : `in bucket ${bucket}`}${bucketSize === 1 ? ', which has one slot' : `${isCoin ? ',' : ''} a draw picks slot ${slot}`}. ${incoming} takes it, and ${victim} has to leave.`,
  /** After the sentence that says who has to leave. */
  kickTo: (sum: string, to: number) => `Its other bucket is ${sum}, bucket ${to}.`,
  /** Before looking ahead. */
  coin: (bucket: number) => `Both homes are full, and a coin picks bucket ${bucket}.`,
  landingIsFull: (bucket: number) => `Bucket ${bucket} is full as well.`,
  aheadOne: (from: number, chosen: string, to: number) =>
    `Who should leave bucket ${from}? Before it kicks, the filter reads the other bucket of each of its fingerprints. Only bucket ${to} has room, so ${chosen} is chosen.`,
  aheadSome: (from: number, withRoom: readonly string[], chosen: string) =>
    `Who should leave bucket ${from}? Before it kicks, the filter reads the other bucket of each of its fingerprints. ${listed(withRoom)} would find room; of these, ${chosen} is drawn.`,
  aheadNone: (from: number, chosen: string) =>
    `Who should leave bucket ${from}? The filter reads the other bucket of each of its fingerprints, and all are full. So ${chosen} is drawn from all of them.`,
  aheadFar: (from: number, chosen: string) =>
    `Who should leave bucket ${from}? All the other buckets are full, so the filter looks one step further. ${chosen} is chosen, because a second kick would find room.`,
  aheadClosed: () =>
    'The filter follows every way out of these buckets: all lead to full buckets. No kick can help, so it stops here.',
};

/** What looking ahead saw. */
export const enWhy = { room: 'room', full: 'full' };
