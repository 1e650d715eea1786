// The words of the boards that stand in place of the table, and of the recordings, in English.
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
  minusHomeOne: '- home 1',
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
    isXor ? `${count}, XOR` : `${count}, reflection (hash - i) mod ${count}`,
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
