// The words that the start page and every table show, in English; en-rest.ts has those of the other places. Sentences
// with numbers are functions.
// Invariant: no component holds a word of its own; another language is another object of the type `Words`.
import type { enPanels } from './en-panels';
import type { enRest } from './en-rest';
import { count, isolated } from '../model/text';

export const enStart = {
  lang: 'en',
  title: 'Cuckoo filter, move by move',
  lead: 'A program asks a filter before each slow disk read or download: have I seen this name? It keeps only a few bits of each name, and answers: definitely not, or maybe. Unlike a Bloom filter, it can delete.',

  nav: {
    docs: 'Docs',
    docsAt: '../',
    title: 'Places',
    brand: 'Cuckoo filter',
    learn: 'Learn',
    lab: 'Lab',
    be: 'Be the filter',
    beShort: 'Play',
    teach: 'Teach',
    end: 'What to remember',
    package: 'The package for your program',
    scenes: 'Scenes',
    skip: 'To the content',
    themes: { auto: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark' },
    moved: 'The link asks for a table that this page cannot show, so the nearest one is shown.',
    otherVersion: 'This link is damaged or was made for another version of the page, so the start is shown.',
  },

  double: {
    title: 'Who is your double?',
    label: 'Your first name',
    example: 'Marta',
    most: (letters: number) => `The field takes up to ${letters} characters.`,
    friend: (name: string) => `${name} sent you this. Type your own name to find your double.`,
    same: (one: string, other: string) => `The filter cannot tell ${one} from ${other}.`,
    gone: (one: string, other: string) =>
      `Alone in a new filter, ${one} gets the first home. Delete ${other}, who was never added, and ${one} is gone.`,
    picture: (print: string, one: number, other: number) =>
      `Both names have the fingerprint ${print}, and buckets ${one} and ${other} as homes. Once it is deleted, its slot is empty.`,
    size: (buckets: number, bits: number, tried: number, found: number, values: number) =>
      `A small filter (${buckets} buckets, fingerprints of ${bits} bits) takes about 1 name in ${count((2 ** bits * buckets) / 2 / values)} for yours (${2 ** bits} fingerprints × ${buckets} buckets ÷ 2 homes${values > 1 ? ' ÷ 2, because 0 counts as your fingerprint, too' : ''}): here ${found} of ${count(tried)} tried. Longer fingerprints have fewer doubles. The hash’s seed is chosen for your name: it must have two homes, and room in the table below.`,
    why: 'Why?',
    because: (bits: number, one: string, other: string) =>
      `The filter keeps no name. It mixes each into 64 bits, the name’s hash, and keeps only the last ${bits}, the fingerprint. ${one} and ${other} have the same one.`,
    hash: (bits: string) => `64 bits: ${bits}`,
    bits: (bits: number, isSwapped: boolean) =>
      `The first bits (blue) choose a bucket, the first home; the last ${bits} (orange) are kept, the rest is forgotten. The second home is computed from the first and the fingerprint. ${isSwapped ? 'Here, each name’s first home is the other’s second' : 'Here, both names have the same first home'}: they share both.`,
    /** Behind a fingerprint whose bits are all 0. */
    zero: ' (0 counts as 1: a 0 is an empty slot)',
    seeDelete: (other: string) => `See what happens if ${other} is deleted`,
    send: 'Send it to a friend',
    copied: 'The link is copied.',
    copyByHand: 'Copy the link from the address bar.',
  },

  film: {
    /** What is seen before the first move, then each kick; `to`: the buckets to which the names go. */
    told: ([first, ...others]: readonly string[], homes: readonly number[], to: readonly number[]) => [
      `${first} has two homes, buckets ${homes.join(' and\u00a0')}. Both are full.`,
      ...others.map(
        (each, i) =>
          `${i > 0 ? `The ${others[i - 1]}` : first} kicks out the ${each}, which goes to its own other home, bucket\u00a0${to[i + 1]}: ${i + 1 < others.length ? 'full, too' : 'there is room'}.`,
      ),
    ],
    kept: (bits: number) => `The filter keeps no names, only the ${bits}-bit fingerprint beside each.`,
    chosen: 'The birds are chosen to show kicks: most tables this full have room at once.',
    again: 'Play it again',
  },

  guide: {
    title: 'Your first minute',
    lead: '8 buckets again, now with 4 slots each, and in them the fingerprints of birds. Try these five in order:',
    steps: {
      insert: (key: string) => `Insert ${key}`,
      known: (key: string) => `Look up ${key}, which is in`,
      stranger: (key: string) => `Look up a stranger: ${key}`,
      falsePositive: (key: string) => `A mistake: look up ${key}`,
      kick: () => 'Show me a kick',
    },
    next: 'The next thing to try',
    /** For the first minute: the same steps without bits and sums. */
    plain: {
      locate: (key: string, _bits: number, fingerprint: string, primary: number) =>
        `From ${key} the filter computes the fingerprint ${fingerprint} and its first home, bucket ${primary}.`,
      alternate: (_sum: string, alternate: number, isSame: boolean, primary: number) =>
        `From the fingerprint and bucket ${primary} it computes the second home, bucket ${alternate}${isSame ? ' again' : ''}.`,
      kickTo: (_sum: string, to: number) => `Its other home is bucket ${to}.`,
    },
    kicks: (kicks: number) => (kicks === 1 ? '1 kick' : `${kicks} kicks`),
  },

  console: {
    title: 'Your key',
    label: 'Key',
    placeholder: 'a key, or paste one per line',
    insert: 'Insert',
    contains: 'Look up',
    erase: 'Delete',
    showKick: 'Show me a kick',
    insertSample: 'Insert a sample',
    clear: 'Empty the table',
  },

  transport: {
    title: 'Steps',
    toStart: 'To the start',
    back: 'One step back',
    play: 'Play',
    pause: 'Pause',
    forward: 'One step forward',
    toEnd: 'To the end',
    speed: (times: number) => `Speed: ${times}×`,
    scrubber: 'Step of this operation',
    position: (at: number, of: number) => `step ${at} of ${of}`,
    nothing: 'no steps yet',
  },

  stage: {
    title: 'The table',
    reveal: 'Show the answer',
    present: 'Full window (F)',
    leave: 'Leave (Esc)',
    grid: (buckets: number, slots: number) => `Table of ${buckets} buckets with ${slots} slots each`,
    bucket: (bucket: number) => `bucket ${bucket}`,
    slot: (bucket: number, slot: number, fingerprint: string, other: number) =>
      `bucket ${bucket}, slot ${slot}, fingerprint ${fingerprint}, other home ${other}`,
    slotAlone: (bucket: number, slot: number, fingerprint: string) =>
      `bucket ${bucket}, slot ${slot}, fingerprint ${fingerprint}`,
    emptySlot: (bucket: number, slot: number) => `bucket ${bucket}, slot ${slot}, empty`,
    owner: (key: string) => `brought by ${isolated(key)}`,
    slotHeading: (slot: number) => `slot ${slot}`,
    /** Beside buckets and below sums there is no room for the words of sentences: first home, second home. */
    guessed: 'guess',
    homes: { primary: 'home 1', alternate: 'home 2', both: 'both' },
    help: 'Arrow keys move between slots, A jumps to the other home of a fingerprint.',
    hiddenArrows: (shown: number, all: number) =>
      `The table shows the last ${shown} of ${all} kicks; the list has them all.`,
  },

  hand: {
    title: 'In hand',
    empty: 'nothing',
    new: 'looking for a slot',
    kicked: 'kicked out: where to?',
    sought: 'to compare',
    taken: 'taken out of its slot',
    refused: 'not stored',
  },

  /** Below the numbers of a sum. */
  sum: {
    home: (number: number): string => `home ${number}`,
    bucket: (bucket: number) => `bucket ${bucket}`,
    offset: 'offset',
    hash: '64 bits',
    fingerprint: 'fingerprint',
  },

  legend: {
    title: 'Signs',
    chip: 'fingerprint',
    empty: 'empty',
    primary: 'first home',
    alternate: 'second home',
    read: 'read',
    found: 'found',
    kick: 'kick 1',
  },

  explain: {
    title: 'What happens',
    idle: (percent: number) =>
      `The table is ${percent} % full of birds. Type a key, then insert it or look it up.`,
    idleEmpty: 'The table is empty. Type a key and press Insert.',
    locked: 'Your turn: answer the question first.',
    ready: (operation: string) => `Ready: ${operation}. Press play, or step forward.`,
  },

  answer: {
    maybe: 'Maybe present',
    never: 'Definitely not',
    stored: 'Stored',
    refused: 'Not stored',
    removed: 'Removed',
    absent: 'Nothing to remove',
    emptied: 'Emptied',
    truths: {
      truePositive: 'true positive',
      falsePositive: 'false positive',
      trueNegative: 'true negative',
      falseNegative: 'false negative',
    },
  },

  meter: {
    title: 'Load',
    value: (size: number, slots: number) => `${size} of ${slots} slots`,
    percent: (percent: number) => `${percent} %`,
  },

  notebook: {
    toggle: 'Show the keys (the filter does not keep them)',
  },

  broken: (why: string) => `The page stopped: ${why}`,
};

export type Words = typeof enStart & typeof enRest & typeof enPanels;
