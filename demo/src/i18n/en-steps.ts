// The sentences that tell a step, in English; those of a kick say why this fingerprint, and why there.
// Invariant: one sentence or two for each step, true of the trace event it is made from, and readable without the
// picture; each sum is one that the core worked out. Buckets and slots count from 0, as in the core.
import { isolated } from '../model/text';

/** One bucket, or several, with commas and a word before the last. */
const bucketsOf = (numbers: readonly number[]): string =>
  numbers.length === 1
    ? `bucket ${numbers[0]}`
    : `buckets ${numbers.slice(0, -1).join(', ')} and ${numbers.at(-1)}`;

const place = (bucket: number, slot: number): string => `bucket ${bucket}, slot ${slot}`;

export const enSteps = {
  operation: {
    insert: (key: string) => `insert ${key}`,
    contains: (key: string) => `look up ${key}`,
    erase: (key: string) => `delete ${key}`,
    clear: () => 'empty the table',
  },
  /** Between two sentences. */
  gap: () => ' ',
  /** A key as it stands in a sentence. */
  key: (key: string) => (key === '' ? 'the empty key' : `“${isolated(key)}”`),

  locate: (key: string, bits: number, fingerprint: string, primary: number) =>
    `The hash of ${key} is 64 bits. The last ${bits} are its fingerprint, ${fingerprint}; the leading ones choose its first home, bucket ${primary}.`,
  alternate: (sum: string, alternate: number, isSame: boolean, _primary: number, isXor: boolean) =>
    `The second home is ${isXor ? 'the first home XOR the offset of the fingerprint' : 'the offset of the fingerprint minus the first home, modulo the number of buckets'}: ${sum}, ${isSame ? `bucket ${alternate} again, so both homes are one bucket` : `bucket ${alternate}`}.${isXor ? ' Equal bits give 0, different bits 1.' : ''}`,

  homeHasRoom: (bucket: number, slot: number) =>
    `Is there room at home? Yes: ${place(bucket, slot)} is empty.`,
  homeIsFull: (bucket: number) => `Is there room at home? No: bucket ${bucket} is full.`,
  matchFound: (fingerprint: string, bucket: number, slot: number) =>
    `Fingerprint ${fingerprint} is in ${place(bucket, slot)}.`,
  matchNotFound: (fingerprint: string, bucket: number) =>
    `Fingerprint ${fingerprint} is not in bucket ${bucket}.`,
  /** Of the second home, where the first had it. */
  readAnyway: () => 'Both homes are always read.',
  kick: (
    number: number,
    isCoin: boolean,
    victim: string,
    incoming: string,
    bucket: number,
    slot: number,
    bucketSize: number,
  ) =>
    `Kick ${number}: ${isCoin ? `of the two homes, chance picks bucket ${bucket}` : `in bucket ${bucket}`}${bucketSize === 1 ? ', which has one slot' : `${isCoin ? ',' : ''} chance picks slot ${slot}`}. ${incoming} takes it, and ${victim} has to leave.`,
  /** After the sentence that says who has to leave. */
  kickTo: (sum: string, to: number) => `Its other home is ${sum}, bucket ${to}.`,
  landingIsFull: (bucket: number) => `Bucket ${bucket} is full as well.`,
  /** Where the search looks, and what it sees there. */
  look: (from: number, isFirst: boolean, to: readonly number[], withRoom: readonly number[]) => {
    const who = `the other homes of the fingerprints in bucket ${from}`;
    const where = isFirst
      ? `Both homes are full. Before anything moves, the filter looks at ${who}: ${bucketsOf(to)}.`
      : `Then it looks at ${who}: ${bucketsOf(to)}.`;
    if (withRoom.length === 0) return `${where} ${to.length === 1 ? 'It is full.' : 'All are full.'}`;
    const named = bucketsOf(withRoom);
    return `${where} B${named.slice(1)} ${withRoom.length === 1 ? 'has' : 'have'} room.`;
  },
  found: (kicks: number) =>
    kicks === 1
      ? 'A path is found: one kick makes room. The old fingerprint moves before the new one comes, so that every key can be found all the time.'
      : `A path is found: ${kicks} kicks make room, and fewer cannot. The far end moves first, so that every key can be found all the time.`,
  move: (kick: number, fingerprint: string, from: number, slot: number, to: number, toSlot: number) =>
    `Kick ${kick}: ${fingerprint} moves from ${place(from, slot)}, to ${place(to, toSlot)}.`,
  moveIn: (fingerprint: string, bucket: number, slot: number) =>
    `${fingerprint} takes ${place(bucket, slot)}, which is free now.`,
  landing: (bucket: number, slot: number) => `Bucket ${bucket} has an empty slot: slot ${slot}.`,

  kickToSame: (to: number) => `Both its homes are bucket ${to}, so it has to stay in this bucket.`,
  place: (fingerprint: string, bucket: number, slot: number) =>
    `${fingerprint} is stored in ${place(bucket, slot)}.`,
  placeAfterKicks: (fingerprint: string, bucket: number, slot: number, kicks: number) =>
    `${fingerprint} lands in ${place(bucket, slot)}. The path ends after ${kicks} ${kicks === 1 ? 'kick' : 'kicks'}.`,
  undo: (number: number, fingerprint: string, bucket: number, slot: number) =>
    `Kick ${number} is taken back: ${fingerprint} returns to ${place(bucket, slot)}.`,
  remove: (fingerprint: string, bucket: number, slot: number) =>
    `${fingerprint} is removed from ${place(bucket, slot)}.`,
  reset: () => 'Every slot is emptied.',

  added: (key: string) => `${key} is in. No kick was needed.`,
  addedAfterKicks: (key: string, kicks: number) =>
    `${key} is in after ${kicks === 1 ? '1 kick' : `${kicks} kicks`}. Every fingerprint is still in one of its two homes.`,
  full: (key: string, kicks: number) =>
    `${key} is not stored: ${kicks === 1 ? '1 kick' : `${kicks} kicks`} found no empty slot, and every one was taken back. Nothing changed and nothing was lost.`,
  fullAfterSearch: (key: string) =>
    `${key} is not stored: every bucket that kicks could reach is full. Nothing was moved and nothing was lost.`,
  fullWithoutKicks: (key: string) =>
    `${key} is not stored: its homes are full and no kick is allowed. Nothing changed and nothing was lost.`,
  tooManyCopies: (key: string, fingerprint: string) =>
    `${key} is not stored: every slot of its homes holds ${fingerprint} already. Nothing changed and nothing was lost.`,
  maybe: (key: string) =>
    `${key} may be present: its fingerprint is there. Another key could have brought it.`,
  never: (key: string) => `${key} is definitely not in the filter: neither home holds its fingerprint.`,
  erased: (key: string) => `One copy of the fingerprint of ${key} is gone.`,
  notErased: (key: string) => `Nothing is removed: neither home holds the fingerprint of ${key}.`,
  cleared: () => 'The table is empty.',

  /** What the page remembers, and the filter does not. */
  remarks: {
    truePositive: (key: string) => `Right: ${key} was inserted.`,
    trueNegative: (key: string) => `Right: ${key} is not in the filter.`,
    falseNegative: (key: string) =>
      `Wrong: ${key} was inserted and not deleted since. The filter has lost it.`,
  },
  otherOwner: (key: string, owner: string) =>
    `Wrong: ${key} is not in the filter. The fingerprint is that of ${owner}, and the filter cannot tell them apart.`,
  harmedOwner: (owner: string) => `It came with ${owner}, which the filter may no longer find.`,
};
