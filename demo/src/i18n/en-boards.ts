// The words of what stands in place of the table or beside it, and of recordings, in English.

export const enBoards = {
  key: 'Key',
  otherKey: 'Another key',
  hash: 'Hash, 64 bits',
  homeBits: 'choose home 1',
  keptBits: (bits: number) => `kept: the fingerprint, ${bits} bits`,
  droppedBits: 'dropped',
  differ: (count: number, all: number) => `${count} of ${all} bits differ.`,
  notStored: 'Neither key is stored anywhere: only the kept bits ever reach the table.',
  flip: (place: number, bit: number) => `bit ${place}, now ${bit}: flip it`,
  fingerprint: 'Fingerprint',
  homeOne: 'Home 1',
  minusHomeOne: '− home 1',
  homeTwo: 'Home 2',
  homeTwoModulo: (count: number) => `Home 2, mod ${count}`,
  offset: 'Hash of the fingerprint',
  xorWith: 'XOR its hash',
  reflectWith: 'Its hash',
  noColumn: 'Column by column, from the right: equal bits give 0, different bits give 1.',
  column: (at: number, of: number, one: number, other: number, result: number) =>
    `Column ${at} of ${of}, from the right: ${one} XOR ${other} = ${result}, as the bits are ${one === other ? 'equal' : 'different'}.`,
  columnBack: 'One column back',
  columnNext: 'Next column',
  explore: 'Flip bits yourself',
  buckets: 'Buckets',
  way: (count: number, isXor: boolean) =>
    isXor ? `${count}, XOR` : `${count}, reflection (hash − i) mod ${count}`,
  meet: (bucket: number) => `Both homes are bucket ${bucket}.`,
  pair: (one: number, other: number) => `The homes are buckets ${one} and ${other}.`,
  example: (key: string) => `A key with this fingerprint and home 1: “${key}”.`,
  applyAgain: (bucket: number) => `Go on from bucket ${bucket}: back home`,
  ring: (count: number, from: number, to: number) =>
    `${count} buckets on a ring; home 1 is ${from}, home 2 is ${to}`,
  ringAsking: (count: number, from: number) => `${count} buckets on a ring; home 1 is ${from}`,
};

export const enRecordings = {
  label: 'A recording of other programs, not this library.',
  labelOf: (source: string) => `A recording of ${source}, not this library.`,
  xorTitle: (count: number) => `What goes wrong: XOR with ${count} buckets`,
  xorLead: (offset: number, count: number) =>
    `Three public demos compute the other home as (i XOR ${offset}) mod ${count}. Go there and come back:`,
  from: 'from',
  to: 'to',
  back: 'back',
  xorLost: (lost: number, count: number) =>
    `From ${lost} of ${count} buckets the way back leads elsewhere. A fingerprint moved along it is never found again.`,
  stashTitle: 'A design with a stash',
  stashCopies: (copies: number) => `${copies} copies of one key: all are taken, the last one into the stash.`,
  stashOther: (number: number, answer: string) => `Another key, number ${number}: ${answer}.`,
  stashSum: (copies: number, slots: number) =>
    `The stash is used, so nobody gets in: closed with ${copies - 1} of ${slots} slots full, until a key is deleted.`,
};

export const enHidden = {
  growth: {
    lead: 'A growable filter keeps reserved bits above each fingerprint. When the table is full enough, it doubles: bucket i becomes buckets 2i and 2i + 1, and each fingerprint spends its highest reserved bit to know its side.',
    which: 'Doubling',
    doubling: (buckets: number) => `from ${buckets} to ${2 * buckets} buckets`,
    picture: (from: number, to: number, done: number) =>
      `A table of ${from} buckets beside one of ${to}; ${done} of ${from} buckets are split`,
    back: 'One bucket back',
    next: 'Split the next bucket',
    all: 'Split all',
    ready: (reserved: number) =>
      `Above each fingerprint stand its ${reserved} reserved bits. The one that stands out is spent next: 0 stays on the even side, 1 goes to the odd side.`,
    split: (bucket: number, zeros: number, ones: number) =>
      `Bucket ${bucket} became two: ${zeros} of its fingerprints went to bucket ${2 * bucket} because of a 0, ${ones} to bucket ${2 * bucket + 1} because of a 1.`,
    done: (buckets: number, moved: number) =>
      `The table has ${buckets} buckets now, ${moved} fingerprints moved, and no key was needed.`,
    note: 'The library does this little by little: every call that changes the filter moves some buckets on, 64 at least, while both tables stand. So no call has to wait for all of them.',
  },
  sorting: {
    picture: (fingerprints: string) => `The bits of four fingerprints: ${fingerprints}`,
    code: 'code',
    back: 'Back',
    next: ['Sort them', 'Code the lower parts', 'Spend the bits set free', 'That is all'],
    stages: {
      came: () =>
        'Four fingerprints of 8 bits lie in a bucket, in the order in which they came. No lookup asks for that order.',
      sorted: (order: string) =>
        `Sorted by their lower four bits: ${order}. Any four can be stored like this.`,
      coded: (_: string, code: number) =>
        `The sixteen lower bits are sorted now, so twelve bits tell which of the sorted quadruples it is: number ${code.toLocaleString('en')}. Four bits are set free.`,
      spent: () =>
        'Each fingerprint gets one of them: 9 bits in the memory of 8, and half the false positive rate.',
    },
  },
  policies: {
    title: 'Three ways to end it',
    none: 'No insert has been refused after kicks yet.',
    lead: (key: string, kicks: number) =>
      `${kicks === 1 ? '1 kick' : `${kicks} kicks`} for “${key}” found no empty slot. Up to here, three designs do the same; then they part.`,
    names: { back: 'Give back', stash: 'Stash', drop: 'Drop the victim' },
    whose: { back: 'this library', stash: 'the paper’s own code', drop: 'many small libraries' },
    place: {
      back: (print: string, owner: string) => `${print} of “${owner}” goes back to its slot.`,
      stash: (print: string, owner: string) => `${print} of “${owner}” waits in the stash.`,
      drop: (print: string, owner: string) => `${print} of “${owner}” is thrown away.`,
    },
    back: (kicks: number) =>
      `${kicks === 1 ? 'The kick is' : `All ${kicks} kicks are`} taken back, the last one first. The table is what it was, byte for byte, and the new key is refused.`,
    stash:
      'The new key is stored, and lookups read the stash as well. But the stash has one place: every insert from now on is refused, until a delete makes room.',
    drop: (owner: string, print: string, one: number, other: number) =>
      `The new key is stored. A lookup of “${owner}” reads ${one === other ? `bucket ${one}` : `buckets ${one} and ${other}`}, finds no ${print} there, and says “definitely not”.`,
    dropNew:
      'This time it is the new key’s own fingerprint that is in hand, so no key accepted before is harmed.',
    dropTwin: (owner: string, print: string) =>
      `This time another ${print} lies in a home of “${owner}”, so it is still found, by luck.`,
    lost: (owner: string) => `Lost: “${owner}”, a key accepted before`,
    closed: 'Lost: nobody. Closed to every other key',
    nobody: 'Lost: nobody',
  },
};
