// The words of the scenes, in English.
// Invariant: every number and name comes from the trace through `facts`; nothing here states an answer.
import { count } from '../model/text';
import type { Facts } from '../model/scenes/task';

const slots = (n: unknown): string => (n === 1 ? '1 slot' : `${n} slots`);
/** The same words for both questions. */
const twice = <Text>(text: Text): Text[] => [text, text];
const kicks = (n: unknown): string => (n === 1 ? '1 kick' : `${n} kicks`);
const homes = ({ fingerprint, primary, alternate }: Facts): string =>
  primary === alternate
    ? `Its fingerprint is ${fingerprint}, and bucket ${primary} is both its homes.`
    : `Its fingerprint is ${fingerprint}, its first home is bucket ${primary}, its second bucket ${alternate}.`;
/** In a table of short fingerprints. */
const printOf = ({ fingerprint, primary, alternate, bits }: Facts): string =>
  `: its fingerprint is ${fingerprint} (${bits} bits), ${primary === alternate ? `bucket ${primary} is both its homes` : `its homes are buckets ${primary} and ${alternate}`}.`;
const XOR = 'Equal bits give 0, different bits 1';
/** Why a free slot elsewhere did not help. */
const ROOM = 'This library’s search finds no room either.';
/** Slots are counted in this order. */
const ORDER = 'A lookup reads both homes, each from slot 0 up to a match, empty slots too.';

export const enScenes = {
  homes: {
    ask: [
      ({ primary, offset, count, sum }: Facts) =>
        `This fingerprint’s first home is bucket ${primary} (of ${count}), its offset is ${offset}. Second home = first home XOR offset: ${primary} XOR ${offset}, in bits ${sum}. ${XOR}. Which bucket?`,
      ({ primary, offset, count, sum }: Facts) =>
        `${count} buckets now, so one bit more. First home: bucket ${primary}; offset of the fingerprint: ${offset}. Second home = first home XOR offset, in bits ${sum}. ${XOR}. Which bucket?`,
    ],
    option: (option: string) => option,
    found: [
      ({ fingerprint, primary, offset, answer }: Facts) =>
        `${primary} XOR ${offset} is ${answer}, the other home of ${fingerprint}. XOR it again with the same number and you are back.`,
      ({ fingerprint, primary, offset, answer }: Facts) =>
        `${primary} XOR ${offset} is ${answer}, the other home of ${fingerprint}. From there, the same XOR leads back.`,
    ],
    why: [
      'The offset is computed from the fingerprint alone (the paper calls it a hash). XOR with the same number, done twice, changes nothing, so each home leads to the other. The filter can move a fingerprint without knowing whose it is.',
      'Each column of bits stands alone: where the offset has a 1, the bit turns over, and where it has a 0, it stays. So the result is always one of the buckets, if their number is a power of two.',
    ],
    change:
      'Flip bits of the fingerprint and of its first home, and change the number of buckets. When do both homes meet?',
  },
  lookup: {
    ask: [
      ({ key, ...at }: Facts) =>
        `“${key}” is not in the filter. ${homes(at)} ${ORDER} How many slots does it read here?`,
      ({ key, ...at }: Facts) =>
        `“${key}” is in the filter. ${homes(at)} ${ORDER} How many slots does it read here?`,
    ],
    option: (option: string) => option,
    found: twice(
      ({ key, answer, result }: Facts) =>
        `“${key}”: ${slots(answer)} read, and the answer is “${result === 'true' ? 'maybe' : 'definitely not'}”.`,
    ),
    why: [
      'A lookup reads two buckets, never more, however full the table is. If neither has the fingerprint, the key is certainly absent.',
      'Both homes are always read, each up to a match. A match says “maybe”: another key may have left the same fingerprint there.',
    ],
    change: 'Insert keys of your own and look them up. Then look up one that you never inserted.',
  },
  kick: {
    ask: [
      ({ key, fingerprint, bucket, offset, sum }: Facts) =>
        `“${key}” goes in and kicks ${fingerprint} out of bucket ${bucket}. Its other home is this bucket XOR its offset, ${offset}: ${sum}. ${XOR}. To which bucket does it go?`,
      ({ key, fingerprint, bucket, offset, sum }: Facts) =>
        `“${key}” goes in and kicks ${fingerprint} out of bucket ${bucket}. The offset of ${fingerprint} is ${offset}, so it goes to ${sum}. Will the path end there?`,
    ],
    option: (option: string) =>
      ({ yes: 'yes, there is room', no: 'no, that one is full too' })[option] ?? option,
    found: [
      ({ key, fingerprint, bucket, offset, answer, kicks: n, guess, needed }: Facts) =>
        `“${key}” kicked out ${fingerprint}, which goes to bucket ${answer}. ${needed === undefined ? '' : `From bucket ${bucket}, an offset of ${needed} would lead to bucket ${guess}, but its offset is ${offset}. `}The whole path has ${kicks(n)}.`,
      ({ key, answer, kicks: n, to, slots: room }: Facts) =>
        answer === 'yes'
          ? `Yes: bucket ${to} has an empty slot, so the path of “${key}” ends after ${kicks(n)}.`
          : `No: all ${room} slots of bucket ${to} are taken, so the path of “${key}” goes on, to ${kicks(n)} in all.`,
    ],
    why: [
      'A kicked fingerprint has only one place to go: its other home, which is the bucket where it was XOR its offset. The filter needs no key for that.',
      'Where its other home has an empty slot, the path ends. Where it has none, a fingerprint of that bucket has to leave in turn, drawn at random.',
    ],
    change:
      'Press “Show me a kick” until a path is longer than three. Step back and forward to see each move.',
  },
  fail: {
    ask: [
      ({ key, kicks: n }: Facts) =>
        `“${key}” is inserted and ${kicks(n)} find no room. If the filter stopped there and dropped the fingerprint in hand, whose would be lost?`,
      ({ key, count }: Facts) =>
        `This filter refuses “${key}” as well. It holds ${count} keys that it accepted before. How many of them does it find afterwards?`,
    ],
    option: (option: string) =>
      ({ new: 'the new key', old: 'a key accepted earlier', none: 'nobody’s' })[option] ?? option,
    found: [
      ({ key, answer, lost }: Facts) =>
        answer === 'old'
          ? `That of “${lost}”, which was accepted before “${key}” came. This filter drops nothing: it took every kick back. ${ROOM}`
          : `That of “${lost}”, the new key itself. This filter drops nothing: it took every kick back. ${ROOM}`,
      ({ key, answer, changed, undone }: Facts) =>
        `“${key}” is refused, and all ${answer} are found. ${undone} kicks were taken back, and ${changed === 0 ? 'no slot differs' : `${slots(changed)} differ`} from before.`,
    ],
    why: [
      'The last one in hand need not be the first. Filters that drop it forget a key they had promised to keep. This one keeps the path and walks it back, so the table is what it was, byte for byte.',
      'A refused insert must change nothing: then “full” is only bad news, and never a lie about other keys.',
    ],
    change:
      'Draw the table as a graph, and find the full part that no kick leads out of. Or insert one key again and again: with b slots per bucket, copy 2b\u00a0+\u00a01 is refused without a kick.',
  },
  hunt: {
    ask: [
      ({ absent, bits, slots: n }: Facts) =>
        `A lookup compares up to ${n} fingerprints of ${bits} bits. Of ${count(absent)} absent keys, for how many does this table say “maybe”?`,
      ({ absent, bits, longer, before }: Facts) =>
        `With ${longer} bits, the table says “maybe” for ${count(before)} of ${count(absent)} absent keys. One bit less: for how many with ${bits}?`,
    ],
    option: (option: string) => option,
    found: twice(
      ({ answer, absent, key, owner }: Facts) =>
        `“Maybe” for ${count(answer)} of ${count(absent)} absent keys. The first was “${key}”; “${owner}” had left that fingerprint. How we know: each was just looked up in this table.`,
    ),
    why: [
      ({ bits, slots: n, values, load, rate }: Facts) =>
        `Each of up to ${n} fingerprints of ${bits} bits matches by chance once in ${values}. Multiply by how full the table is: ${n} ÷ ${values} × ${load} % = ${rate} %, and a little less, because some keys have both homes in one bucket.`,
      () => 'Each bit less about doubles the rate, each bit more about halves it.',
    ],
    change:
      'Give fingerprints 4 bits, in “Table settings”, and look up keys that you never inserted. How soon does one meet a mistake?',
  },
  delete: {
    ask: [
      ({ key, ...at }: Facts) =>
        `“${key}” was never inserted, yet gets “maybe”${printOf(at)} Delete it. Which key is no longer found?`,
      ({ key, ...at }: Facts) =>
        `“${key}” was never inserted${printOf(at)} Delete it. Which key is no longer found?`,
    ],
    option: (option: string) => (option === 'nobody' ? 'none of them' : option),
    found: [
      ({ key, answer, owner }: Facts) =>
        answer === 'nobody'
          ? `“${key}” is deleted, and all keys are still found.`
          : `Deleting “${key}” took out the fingerprint of “${owner}”. The filter now says “definitely not” for a key that you inserted: a false negative.`,
      ({ key, answer, owner }: Facts) =>
        answer === 'nobody'
          ? `None: there was nothing of “${key}” to remove.`
          : `Deleting “${key}” took out the fingerprint of “${owner}”.`,
    ],
    why: [
      'Rule: delete only what you inserted. A filter that says “maybe” cannot protect you from deleting somebody else’s fingerprint.',
      'Deleting a key that was never inserted does harm only if a lookup would say “maybe” for it: as often as a false positive.',
    ],
    change: 'Use 4 bits per fingerprint, and try to delete keys at random. How long until a key is lost?',
  },
  race: {
    ask: [
      () => 'How full, in per cent, is each table when it refuses its first key?',
      () =>
        'Without any kicks, with only the two homes: how full, in per cent, is the table of 4 slots per bucket when it refuses its first key?',
    ],
    option: (option: string) => `${option}\u00a0%`,
    found: [
      ({ answer }: Facts) =>
        `With 1, 2, 4 and 8 slots per bucket, the tables of this run are ${answer} full when they refuse their first key.`,
      ({ answer }: Facts) =>
        `Without kicks, the table of this run is ${answer} % full when it refuses its first key.`,
    ],
    why: [
      'The more slots a bucket has, the more ways out a full bucket offers. The paper’s figures are 50, 84, 95 and 98 %; a single run lies within a few points, mostly above. But a lookup compares 2b fingerprints, so bigger buckets err more often: 4 is the usual balance.',
      'Without kicks, a key whose two homes are full is refused at once, even if much of the table is empty. The kicks make the table nearly full.',
    ],
    change: 'Race with kicks at 16,384 and at 131,072 slots: small tables scatter, large ones agree.',
  },
  bits: {
    ask: [
      () =>
        'A Bloom filter sets, for each key, some bits of one long row. Below which false positive rate, in per cent, does a cuckoo filter, 95 % full, take fewer bits per key?',
      () =>
        'With the fingerprints of each bucket sorted (“semi-sorted”), a cuckoo filter takes one bit per key less. Below which rate, in per cent, does it now take fewer bits than a Bloom filter?',
    ],
    option: (option: string) => `${option}\u00a0%`,
    found: [
      ({ answer }: Facts) => `The curves of the Bloom filter and the cuckoo filter cross at ${answer} %.`,
      ({ answer }: Facts) =>
        `The curves of the Bloom filter and the semi-sorted one cross at ${answer} %. The paper’s text rounds up: “below 3 %”.`,
    ],
    why: [
      'For a false positive rate ε, Bloom needs 1.443\u00a0log₂(1\u00a0/\u00a0ε) bits per key, cuckoo (log₂(1\u00a0/\u00a0ε)\u00a0+\u00a03)\u00a0/\u00a00.95. Cuckoo’s smaller factor wins at low rates; its 3 extra bits lose at high ones.',
      'One bit less makes it (log₂(1\u00a0/\u00a0ε)\u00a0+\u00a02)\u00a0/\u00a00.95, so the line starts lower and meets Bloom’s at a higher rate.',
    ],
    change: 'Move the rate and read the bits. Where does the library plan fewer than the paper’s formula?',
  },
};
