// The sentences of a kick, in English: why this fingerprint, and why there.
// Invariant: each sum is one that the core worked out, told by the trace.

/** Commas, and a word before the last name. */
const listed = (names: readonly string[]): string => `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

export const enWalk = {
  kickRandom: (
    number: number,
    victim: string,
    incoming: string,
    bucket: number,
    slot: number,
    bucketSize: number,
  ) =>
    `Kick ${number}: ${incoming} takes bucket ${bucket}, slot ${slot}, and ${victim}, ${bucketSize === 1 ? 'the only one there' : 'drawn at random'}, has to leave.`,
  /** After the sentence that says who has to leave. `hash` is the fingerprint's own. */
  kickTo: (bucket: number, victim: string, hash: number, sum: string) =>
    `It was in bucket ${bucket}. The hash of ${victim} is ${hash}, so its other bucket is ${sum}.`,
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

/** The sum, column by column, on demand. */
export const enWhy = {
  open: 'bit by bit',
  here: 'the bucket where it was',
  hash: (fingerprint: string) => `hash of ${fingerprint}`,
  there: 'the bucket where it goes',
  rule: 'Two equal bits give 0, two different bits give 1.',
  reflect: (one: number, other: number, hash: number, count: number) =>
    `The two buckets add up to the hash, ${hash}, modulo ${count}: ${one} and ${other}.`,
  back: 'The same sum leads back, so no key is needed.',
  room: 'room',
  full: 'full',
};
