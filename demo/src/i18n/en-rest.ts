// The words that no table needs at once, in English: loaded with the first panel or the first place but the start.
import { count, percent, short } from '../model/text';
import { enNames, enRooms } from './en-rooms';
import { enSteps } from './en-steps';

export const enRest = {
  steps: enSteps,
  names: enNames,
  ...enRooms,

  /** The scenes' names and first sentences. */
  scenes: {
    names: {
      title: 'The cuckoo hash table',
      lead: 'Before the filter: two tables of names. Each name has two places, and whoever is thrown out goes to the other one.',
    },
    homes: {
      title: 'Two homes by XOR',
      lead: 'A fingerprint has two homes. From either one, the fingerprint leads to the other: no key is needed.',
    },
    lookup: {
      title: 'Look up a key',
      lead: 'A lookup reads both homes of a key and compares fingerprints. (An insert takes an empty slot in one of the two.)',
    },
    kick: {
      title: 'The kick path',
      lead: 'Both homes of a new key are full. So a fingerprint that lies there is kicked out, and has to move to its other home.',
    },
    fail: {
      title: 'When it fails',
      lead: 'Sometimes no empty slot is found within the kicks allowed. What happens to the fingerprint then in hand?',
    },
    hunt: {
      title: 'Hunt the false positive',
      lead: 'A lookup may say “maybe” for a key that was never there: another key left the same fingerprint in one of its homes.',
    },
    delete: {
      title: 'The deadly delete',
      lead: 'A filter can delete: it removes one copy of the fingerprint. But it cannot see whose fingerprint that is.',
    },
    race: {
      title: 'The bucket size race',
      lead: 'Four tables with equally many slots, in buckets of b\u00a0= 1, 2, 4 and 8. Keys go in until the first is refused.',
    },
    bits: {
      title: 'How many bits per key',
      lead: 'How many bits a key takes at each false positive rate: in a Bloom filter, in a cuckoo filter, and at the very least.',
    },
  },

  /** What every scene says around its own words. */
  lesson: {
    of: (number: number, all: number) => `Scene ${number} of ${all}`,
    /** During a talk, which shows the scenes in an order of its own. */
    stop: (number: number, all: number) => `Stop ${number} of ${all}`,
    about: (number: number) => `about ${count(number)}`,
    predict: 'Your prediction',
    transfer: 'One more, in another setting',
    lock: 'Lock it in',
    skip: 'Skip, just show it',
    guess: 'Your guess',
    bucketHint: 'Choose a number, or press a bucket in the table.',
    running: 'Watch it happen, step by step or played.',
    toResult: 'Show the result',
    measuring: 'The answer comes when every table has refused its first key. The bar shows how far they are.',
    toQuestion: 'Back to the question',
    right: 'Right',
    close: 'Close enough',
    wrong: 'Not this time',
    skipped: 'The answer',
    yours: (guess: string) => `You said ${guess}.`,
    near: (near: number, all: number) => `${near} of ${all} are within a few points.`,
    why: 'Why',
    change: 'Change it',
    again: 'Again, on another table',
    hunt: 'Hunt the next mistake',
    absent: (keys: number, found: number) =>
      `${count(keys)} absent keys, a square each. For the ${count(found)} coloured ones, the table says “maybe”.`,
    hunted: (asked: number, caught: number) =>
      `${count(asked)} absent keys asked, ${caught} taken for present.`,
    goTransfer: 'The second question',
    next: (title: string) => `Next: ${title}`,
    wayEnds: 'The talk ends here: back to Teach',
    previous: (title: string) => `Back: ${title}`,
    stages: ['Predict', 'Run', 'Compare', 'Transfer'],
  },

  boards: {
    twice: 'A fingerprint’s offset turns switches. Turn the same ones twice, and you are back.',
    flip: (place: number, bit: number) => `bit ${place}, now ${bit}: flip it`,
    offset: 'Offset of the fingerprint',
    xorWith: 'XOR its offset',
    noColumn: 'Column by column, from the right: equal bits give 0, different bits give 1.',
    column: (at: number, of: number, one: number, other: number, result: number) =>
      `Column ${at} of ${of}, from the right: ${one}\u00a0XOR\u00a0${other}\u00a0=\u00a0${result} (${one === other ? 'equal' : 'different'} bits).`,
    columnBack: 'One column back',
    columnNext: 'Next column',
    explore: 'Flip bits yourself',
    buckets: 'Buckets',
    meet: (bucket: number) => `Both homes are bucket ${bucket}.`,
    pair: (one: number, other: number) => `The homes are buckets ${one} and ${other}.`,
    example: (key: string) => `A key with this fingerprint and first home: “${key}”.`,
    applyAgain: (bucket: number) => `Go on from bucket ${bucket}: back home`,
  },

  ways: {
    title: 'The same insert, by two ways',
    names: ['the paper’s walk: kick, then look', 'this library’s search: look, then kick'],
    told: (key: string, walked: number | null, looked: number, searched: number | null) =>
      `To make room for “${key}”, the walk ${walked === null ? 'finds none, and takes all its kicks back' : `moves ${walked === 1 ? '1 fingerprint' : `${walked} fingerprints`}`}; the search first looks into ${looked === 1 ? '1 bucket' : `${looked} buckets`} (dashed), and then ${searched === null ? 'knows that there is none' : `moves ${searched}`}.`,
    known:
      'How we know: both are traces of this library, of two copies of the table as it was before the insert.',
    picture: (kicks: number) =>
      `The table after ${kicks === 1 ? '1 kick' : `${kicks} kicks`}, each as an arrow`,
  },
  paper: {
    title: 'The paper’s filter, and this library’s',
    link: 'The paper (PDF): Fan, Andersen, Kaminsky, Mitzenmacher, “Cuckoo Filter: Practically Better Than Bloom”, 2014',
    lead: 'The scenes kick at random and find the other home by XOR, as the paper does. This library differs:',
    points: [
      'It looks before it kicks: a breadth-first search finds the path of the fewest kicks, and nothing moves until there is room.',
      'The number of buckets, m, need not be a power of two: the other home is (offset\u00a0−\u00a0bucket) mod\u00a0m.',
      'Its planner sorts buckets where that saves a bit per key; in the paper, that is an option.',
      'A full table can double, up to a capacity that you choose. The paper’s keeps its size.',
    ],
  },
  policies: {
    title: 'Three ways to end it',
    none: 'No insert has been refused after kicks yet.',
    lead: (key: string, kicks: number, print: string, owner: string) =>
      `${kicks === 1 ? '1 kick' : `${kicks} kicks`} for “${key}” found no empty slot, and ${print} of “${owner}” is in hand. Up to here, three designs do the same; then they part.`,
    names: { back: 'Roll back', stash: 'Stash', drop: 'Drop the victim' },
    whose: { back: 'this page’s walk', stash: 'the paper’s own code', drop: 'many small libraries' },
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

  plot: {
    data: 'The numbers as a table',
    load: 'load factor',
    meanKicks: 'mean kicks per insert',
    noKicks: 'Where no insert needed a kick there is no point: an axis of powers of ten has no zero.',
    number: short,
    percent: (value: number) => `${percent(value)} %`,
    named: (name: string, value: string) => `${name}: ${value}`,
    list: (items: readonly (string | number)[]) => items.join(', '),
    nothing: 'not measured yet',
    stop: 'Stop',
    progress: 'Progress',
  },
};
