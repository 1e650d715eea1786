// The words of what stands in place of the table or beside it, in English.

export const enBoards = {
  flip: (place: number, bit: number) => `bit ${place}, now ${bit}: flip it`,
  fingerprint: 'Fingerprint',
  homeOne: 'Home 1',
  homeTwo: 'Home 2',
  offset: 'Hash of the fingerprint',
  xorWith: 'XOR its hash',
  noColumn: 'Column by column, from the right: equal bits give 0, different bits give 1.',
  column: (at: number, of: number, one: number, other: number, result: number) =>
    `Column ${at} of ${of}, from the right: ${one} XOR ${other} = ${result}, as the bits are ${one === other ? 'equal' : 'different'}.`,
  columnBack: 'One column back',
  columnNext: 'Next column',
  explore: 'Flip bits yourself',
  buckets: 'Buckets',
  meet: (bucket: number) => `Both homes are bucket ${bucket}.`,
  pair: (one: number, other: number) => `The homes are buckets ${one} and ${other}.`,
  example: (key: string) => `A key with this fingerprint and home 1: “${key}”.`,
  applyAgain: (bucket: number) => `Go on from bucket ${bucket}: back home`,
};

export const enHidden = {
  ways: {
    title: 'The same insert, by two ways',
    names: ['the paper’s walk: kick, then look', 'this library’s search: look, then kick'],
    told: (key: string, walked: number | null, looked: number, searched: number | null) =>
      `To make room for “${key}”, the walk ${walked === null ? 'finds none, and takes all its kicks back' : `moves ${walked === 1 ? '1 fingerprint' : `${walked} fingerprints`}`}; the search first looks into ${looked} more ${looked === 1 ? 'bucket' : 'buckets'} (dashed), and then ${searched === null ? 'knows that there is none' : `moves ${searched}`}.`,
    known:
      'How we know: both are traces of this library, of two copies of the table as it was before the insert.',
    picture: (kicks: number) =>
      `The table after ${kicks === 1 ? '1 kick' : `${kicks} kicks`}, each as an arrow`,
  },
  policies: {
    title: 'Three ways to end it',
    none: 'No insert has been refused after kicks yet.',
    lead: (key: string, kicks: number, print: string, owner: string) =>
      `${kicks === 1 ? '1 kick' : `${kicks} kicks`} for “${key}” found no empty slot, and ${print} of “${owner}” is in hand. Up to here, three designs do the same; then they part.`,
    names: { back: 'Give back', stash: 'Stash', drop: 'Drop the victim' },
    whose: { back: 'this page’s walk', stash: 'the paper’s own code', drop: 'many small libraries' },
    back: (kicks: number) =>
      `${kicks === 1 ? 'The kick is' : `All ${kicks} kicks are`} taken back, the last one first. The table is what it was, byte for byte, and the new key is refused. This library moves nothing until it has found room.`,
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
