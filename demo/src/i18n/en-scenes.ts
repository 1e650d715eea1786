// The words of the scenes, in English.
// Invariant: every number and name comes from the trace through `facts`; nothing here states an answer.
import type { Facts } from '../model/scenes/task';
import { enBetter } from './en-better';

const slots = (n: unknown): string => (n === 1 ? '1 slot' : `${n} slots`);
/** The same words for both questions. */
const twice = <Text>(text: Text): Text[] => [text, text];
const many = (n: unknown): string => Number(n).toLocaleString('en');
const kicks = (n: unknown): string => (n === 1 ? '1 kick' : `${n} kicks`);

export const enScenes = {
  print: {
    ask: [
      ({ letters }: Facts) =>
        `A key of ${letters} characters goes in. How many bits of the table does it take?`,
      ({ key, other }: Facts) =>
        `“${key}” and “${other}” differ in one character. In how many of the 64 bits do their hashes differ?`,
    ],
    option: (option: string, { letters }: Facts) =>
      ({
        '0': '0: it is only counted',
        '64': '64: the whole hash',
        [String(8 * Number(letters))]: `${8 * Number(letters)}: all its characters`,
      })[option] ?? `${option}: the fingerprint`,
    found: [
      ({ answer }: Facts) => `It took one slot: ${answer} bits. The key itself is nowhere in the table.`,
      ({ answer }: Facts) => `${answer} of 64 bits differ.`,
    ],
    why: [
      'A slot holds a fingerprint and nothing else, so a long key costs what a short one does. That is where a filter saves its memory.',
      'A good hash changes about half of its bits when one bit of the key changes. So similar keys get unrelated fingerprints and homes.',
    ],
    change: 'Type a key of your own, then change one character of it and compare the two rows of bits.',
  },
  homes: {
    ask: [
      ({ fingerprint, primary, offset, count, sum }: Facts) =>
        `Fingerprint ${fingerprint} has home 1 in bucket ${primary} of ${count}. The hash of ${fingerprint} is ${offset}. Which bucket is ${primary} XOR ${offset}, in bits ${sum}?`,
      ({ fingerprint, primary, offset, count, sum }: Facts) =>
        `${count} buckets now, so one bit more. Fingerprint ${fingerprint} has home 1 in bucket ${primary}, and the hash of ${fingerprint} is ${offset}. Which bucket is ${primary} XOR ${offset}, in bits ${sum}?`,
    ],
    option: (option: string) => option,
    found: [
      ({ answer }: Facts) =>
        `The other home is bucket ${answer}. XOR it again with the same number and you are back.`,
      ({ answer }: Facts) => `The other home is bucket ${answer}. From there, the same XOR leads back.`,
    ],
    why: [
      'XOR with the same number twice changes nothing, so each home leads to the other. The filter can move a fingerprint without knowing whose it is.',
      'Each column of bits stands alone: where the hash has a 1, the bit turns over, and where it has a 0, it stays. So the result is always one of the buckets, if their number is a power of two.',
    ],
    change:
      'Flip bits of the fingerprint and of home 1, and change the number of buckets. When do both homes meet?',
  },
  lookup: {
    ask: [
      ({ key }: Facts) =>
        `“${key}” is not in the filter. How many slots does a lookup read before it says so?`,
      ({ key }: Facts) =>
        `“${key}” is in the filter, in its second home. How many slots are read until it is found?`,
    ],
    option: (option: string) => option,
    found: twice(
      ({ answer, result }: Facts) =>
        `${slots(answer)} read, and the answer is “${result === 'true' ? 'maybe' : 'definitely not'}”.`,
    ),
    why: [
      'A lookup reads two buckets, never more, however full the table is. If neither has the fingerprint, the key is certainly absent.',
      'The first home is read to its end, the second up to the match. A match says “maybe”: another key may have left the same fingerprint there.',
    ],
    change: 'Insert keys of your own and look them up. Then look up one that you never inserted.',
  },
  kick: {
    ask: [
      ({ key, fingerprint, bucket, offset, sum }: Facts) =>
        `“${key}” goes in and kicks ${fingerprint} out of bucket ${bucket}. The hash of ${fingerprint} is ${offset}. To which bucket does it go? In bits: ${sum}.`,
      ({ key, fingerprint, bucket }: Facts) =>
        `“${key}” goes in and kicks ${fingerprint} out of bucket ${bucket}. Will the path end in the other home of ${fingerprint}?`,
    ],
    option: (option: string) =>
      ({ yes: 'yes, there is room', no: 'no, that one is full too' })[option] ?? option,
    found: [
      ({ answer, kicks: n }: Facts) => `It goes to bucket ${answer}. The whole path has ${kicks(n)}.`,
      ({ answer, kicks: n }: Facts) =>
        answer === 'yes'
          ? `Yes: the path ends after ${kicks(n)}.`
          : `No: the path goes on, to ${kicks(n)} in all.`,
    ],
    why: [
      'A kicked fingerprint has only one place to go: its other bucket, which is the bucket where it was XOR the hash of the fingerprint. The filter needs no key for that.',
      'Where its other bucket has an empty slot, the path ends. Where it has none, a fingerprint of that bucket has to leave in turn, drawn at random. “What this library adds” shows how looking ahead makes paths shorter.',
    ],
    change:
      'Press “Show me a kick” until a path is longer than three. Step back and forward to see each move.',
  },
  graph: {
    ask: [
      ({ key, primary, alternate }: Facts) =>
        `“${key}” has its homes in buckets ${primary} and ${alternate}. Will its insert succeed?`,
      ({ key, primary, alternate }: Facts) =>
        `Two slots per bucket now. “${key}” joins buckets ${primary} and ${alternate}. Will its insert succeed?`,
    ],
    option: (option: string) => ({ yes: 'yes, it fits', no: 'no, it is refused' })[option] ?? option,
    found: twice(({ answer, kicks: n }: Facts) =>
      answer === 'yes' ? `It fits, after ${kicks(n)}.` : `It is refused after ${kicks(n)}, all taken back.`,
    ),
    why: [
      'Count a connected part: with one slot per bucket it has room for as many fingerprints as it has buckets. With fewer edges than that, a path of kicks leads to the empty slot; with as many, one more edge has nowhere to point.',
      'A kick path is a path in this graph, and each kick turns one arrow round. It can only reach buckets where the fingerprints of full buckets have their other homes. If all of those are full, no empty slot elsewhere helps.',
    ],
    change: 'Add keys until one is refused. Then find the connected part that was full.',
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
      ({ answer, lost }: Facts) =>
        answer === 'old'
          ? `“${lost}”, which the filter had accepted long before.`
          : `“${lost}”, the new key itself.`,
      ({ answer, changed, undone }: Facts) =>
        `All ${answer}. ${undone} kicks were taken back, and ${changed} slots differ from before.`,
    ],
    why: [
      'The last one in hand need not be the first. Filters that drop it forget a key they had promised to keep. This one keeps the path and walks it back, so the table is what it was, byte for byte.',
      'A refused insert must change nothing: then “full” is only bad news, and never a lie about other keys.',
    ],
    change: 'Allow 4 kicks, then 500. Does the table take more keys, and how long are the paths?',
  },
  hunt: {
    ask: [
      ({ absent, bits, slots: n }: Facts) =>
        `A lookup compares up to ${n} fingerprints of ${bits} bits. Of ${many(absent)} absent keys, for how many does this table say “maybe”?`,
      ({ absent, bits, longer, before }: Facts) =>
        `With ${longer} bits, the table says “maybe” for ${many(before)} of ${many(absent)} absent keys. One bit less: for how many with ${bits}?`,
    ],
    option: (option: string) => option,
    found: twice(
      ({ answer, absent, key, owner }: Facts) =>
        `${many(answer)} of ${many(absent)}. The first was “${key}”; “${owner}” had left that fingerprint.`,
    ),
    why: [
      'Each of up to 2b fingerprints matches by chance about once in 2^f. Multiply by how full the table is, and you have the rate.',
      'Each bit less doubles the rate, each bit more halves it.',
    ],
    change:
      'Measure it below with up to a million absent keys and see the interval close around the exact curve.',
  },
  delete: {
    ask: [
      ({ key }: Facts) =>
        `“${key}” was never inserted, yet a lookup says “maybe”. Delete it all the same. Which key is no longer found?`,
      ({ key }: Facts) =>
        `A lookup of “${key}” says “definitely not”. Delete it. Which key is no longer found?`,
    ],
    option: (option: string) => (option === 'nobody' ? 'none: all are still found' : option),
    found: [
      ({ answer, owner }: Facts) =>
        answer === 'nobody'
          ? 'All keys are still found.'
          : `“${owner}”: its fingerprint was taken out. The filter now says “definitely not” for a key that you inserted: a false negative.`,
      ({ answer, owner }: Facts) =>
        answer === 'nobody'
          ? 'None: there was nothing to remove.'
          : `“${owner}”: its fingerprint was taken out.`,
    ],
    why: [
      'Rule: delete only what you inserted. A filter that says “maybe” cannot protect you from deleting somebody else’s fingerprint.',
      'The danger has the false positive rate’s probability: only where a lookup errs can a delete harm.',
    ],
    change: 'Use 4 bits per fingerprint, and try to delete names at random. How long until a key is lost?',
  },
  copies: {
    ask: [
      ({ key, slots: n, tries }: Facts) =>
        `“${key}” is inserted ${tries} times; a bucket has ${slots(n)}. At which copy does the filter refuse?`,
      ({ key, slots: n }: Facts) =>
        `Both homes of “${key}” are the same bucket of ${slots(n)}. At which copy does the filter refuse now?`,
    ],
    option: (option: string) => option,
    found: [
      ({ answer, other, result }: Facts) =>
        `At copy ${answer}: too many copies. And “${other}”, inserted afterwards, is ${result === 'added' ? 'stored: the filter is not closed to others' : 'refused'}.`,
      ({ answer, other, result }: Facts) =>
        `At copy ${answer}. “${other}”, inserted afterwards, is ${result === 'added' ? 'stored' : 'refused'}.`,
    ],
    why: [
      'Two homes of b slots hold 2b copies. The filter says “too many copies” at once and kicks nobody. It stays open to every key that has at least one other bucket.',
      'One key in m has both homes in one bucket; then only b copies fit.',
    ],
    change: 'Insert one key again and again, with 2 slots per bucket. Then delete one copy and look it up.',
  },
  race: {
    ask: [
      () => 'How full, in per cent, is each table when it refuses its first key?',
      () => 'And with no kicks at all, only the two homes? Four slots per bucket.',
    ],
    option: (option: string) => option,
    found: [({ answer }: Facts) => `This run: ${answer} %.`, ({ answer }: Facts) => `This run: ${answer} %.`],
    why: [
      'The more slots a bucket has, the more ways out a full bucket offers. The paper plans with 50, 84, 95 and 98 %; a single run lies within a few points, mostly above. But a lookup compares 2b fingerprints, so bigger buckets err more often: 4 is the usual balance.',
      'Without kicks, a key whose two homes are full is refused at once, even if much of the table is empty. The kicks make the table nearly full.',
    ],
    change: 'Race at 16,384 and at 131,072 slots: small tables scatter, large ones agree.',
  },
  length: {
    ask: [
      () =>
        'Four slots per bucket, 95 % full. Which is the shortest fingerprint, in bits, that errs for at most 0.1 % of absent keys?',
      () =>
        'Fingerprints of 2 bits, 4 slots per bucket, 32,768 buckets. How full, in per cent, is the table when it refuses its first key?',
    ],
    option: (option: string) => option,
    found: [({ answer }: Facts) => `${answer} bits.`, ({ answer }: Facts) => `${answer} %.`],
    why: [
      '2b slots are compared and each matches about once in 2^f, so f is about log2(2b / rate). The curve shows the exact rate, with the fingerprint 0 counted as 1.',
      'Short fingerprints have few different hashes, so few different second homes: kicks run in circles. In this table 4 bits are enough to fill it as it should. A larger table needs more: the least length grows with the logarithm of the number of buckets (section 4 of the paper).',
    ],
    change: 'Fill tables of 2 to 16 bits and see where short fingerprints stop the filling.',
  },
  space: {
    ask: [
      () =>
        'Below which false positive rate, in per cent, does a plain cuckoo filter (95 % full) take fewer bits than a Bloom filter?',
      () => 'And a semi-sorted one, which saves one bit per key: below which rate, in per cent?',
    ],
    option: (option: string) => `${option} %`,
    found: [
      ({ answer }: Facts) => `The curves cross at ${answer} %.`,
      ({ answer }: Facts) =>
        `The curves cross at ${answer} %, by the paper’s formulas at 95 % load. Its text rounds this up: “below 3 %”.`,
    ],
    why: [
      'Bloom needs 1.44 log2(1/e) bits per key, cuckoo (log2(1/e) + 3) / 0.95. The factor wins for small rates, the 3 loses for large ones.',
      'One bit less makes it (log2(1/e) + 2) / 0.95, so the line starts lower and meets Bloom’s at a higher rate. The next scene shows where that bit comes from.',
    ],
    change: 'Move the rate and read the bits. Where does the library plan fewer than the paper’s formula?',
  },
  sorting: {
    ask: [
      () =>
        'The lower four bits of four fingerprints take 16 bits. If the four are kept sorted, how many bits are enough for these parts?',
      () =>
        'With lower parts of three bits each, a bucket has 12 such bits. Sorted, how many of them are enough?',
    ],
    option: (option: string) => option,
    found: [
      ({ answer }: Facts) => `${answer} bits, which sets free one bit for each of the four fingerprints.`,
      ({ answer }: Facts) => `${answer} bits: less is saved than one bit for each fingerprint.`,
    ],
    why: [
      'Four parts of four bits have 65,536 sequences, but only 3,876 of these are sorted. A number below 3,876 says which one it is, and needs 12 bits.',
      'Four parts of three bits have 330 sorted sequences, and 330 is more than 2^8. Four bits are the shortest parts that save a whole bit per fingerprint, so the paper and this library sort by four.',
    ],
    change: 'Turn the dials, then sort, code and spend. Below, insert a key and watch a whole bucket change.',
  },
  bloom: {
    ask: [
      () =>
        '24 keys are put into a Bloom filter of 256 bits, each sets 7 of them. How many bits are set in the end?',
      () =>
        'For a false positive rate of 0.1 %, how many bits does the best Bloom filter read to find a stored key?',
    ],
    option: (option: string) => option,
    found: [
      ({ answer }: Facts) => `${answer} of 256 are set.`,
      ({ answer }: Facts) => `${answer}. A cuckoo filter reads two buckets, at any rate.`,
    ],
    why: [
      'The 24 keys set 168 bits, many of them twice. A Bloom filter is at its best when about half of its bits are set: with fewer it wastes memory, with more it errs too often.',
      'Each bit that is read is a coin toss, since half are set. So log2(1/rate) bits must be read, and each may lie in another part of the memory. A cuckoo filter only compares longer fingerprints.',
    ],
    change: 'Look up keys in both and count what is read. Then think of deleting one of them.',
  },
  growing: {
    ask: [
      () =>
        'This table has 4 buckets and may grow to 32. Each doubling spends one reserved bit of every fingerprint. How many of them does each need at the start?',
      () =>
        'Before it is spent, a reserved bit is compared like those of the fingerprint. A table doubles, and twice as many keys go in. What becomes of the false positive rate?',
    ],
    option: (option: string) =>
      ({ '0.5': 'it halves', '1': 'it stays', '2': 'it doubles' })[option] ?? option,
    found: [
      ({ answer }: Facts) => `${answer}: one for each doubling.`,
      ({ answer }: Facts) => `It is ${answer} times what it was before.`,
    ],
    why: [
      '4, 8, 16, 32: three doublings. The bits come from the key’s hash, but lie in the table, so each fingerprint knows its side though the key is gone.',
      'A lookup compares as many slots as before, each now with one bit less. So the rate follows the number of keys, and a filter that may grow a thousandfold starts with ten bits more.',
    ],
    change: 'Split the table bucket by bucket and follow one fingerprint: which bit sends it where?',
  },
  better: enBetter,
};
