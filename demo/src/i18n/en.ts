// The words that the start page and every table show, in English; en-rest.ts has those of the other places. Sentences
// with numbers are functions.
// Invariant: no component holds a word of its own; another language is another object of the type `Words`.
import type { enRest } from './en-rest';
import { enLesson, enTitles } from './en-titles';
import { enSteps } from './en-steps';
import { isolated } from './isolated';
import { enWhy } from './en-walk';

export const enStart = {
  lang: 'en',
  title: 'Cuckoo filter, move by move',
  lead: 'Before each disk read or download, ask a filter: have I seen this? It answers from a few bits per key: definitely not, or maybe.',
  steps: enSteps,
  scenes: enTitles,
  lesson: enLesson,

  nav: {
    title: 'Places',
    brand: 'Cuckoo filter',
    learn: 'Learn',
    lab: 'Lab',
    be: 'Be the filter',
    beShort: 'Play',
    teach: 'Teach',
    quiz: 'Quiz before and after',
    scenes: 'Scenes',
    skip: 'To the content',
    themes: { auto: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark' },
    tour: 'Learn it scene by scene',
    tourLead:
      'Three to five minutes each: predict, watch, compare. Every answer comes from the running filter.',
    moved: 'The link asks for a table that this page cannot show, so the nearest one is shown.',
    otherVersion: 'This link is damaged or was made for another version of the page, so the start is shown.',
  },

  code: {
    title: (operation: string) => `${operation}, line by line`,
    names: {
      insert: 'Insert',
      insertIfAbsent: 'Insert if absent',
      contains: 'Look up',
      count: 'Count',
      erase: 'Delete',
      clear: 'Empty',
    },
    lines: {
      locate: 'hash the key: fingerprint and home 1',
      alternate: 'home 1 and the fingerprint give home 2',
      home: 'empty slot in home 1 or home 2? put it there, done',
      copies: 'both homes full of this very fingerprint? refuse: too many copies',
      ahead: 'repeat: read the other home of each fingerprint in the bucket',
      kick: 'kick one out, best one whose other home has room; take its slot',
      kickRandom: 'repeat: kick out a random one, and take its slot',
      land: 'room in the victim’s other home? put it there, done',
      undo: 'too many kicks? take every kick back, refuse: full',
      read: 'read home 1, then home 2, up to a match',
      answer: 'match: maybe. No match: definitely not',
      take: 'empty the slot that matched',
      encode: 'after each change: sort the bucket, code its low parts',
      reset: 'empty every slot',
    },
    note: 'Open a line to see it in the C++ that runs here.',
  },

  share: {
    title: 'Link and files',
    copyLink: 'Copy a link to this step',
    copied: 'The link is copied. It replays the same operations, bit for bit.',
    copyByHand: 'The link is below; copy it by hand.',
    address: 'Link to this step',
    printSteps: 'Print the steps as a strip',
    frames: (shown: number, all: number) => `${shown} of ${all} steps; the page shows them all.`,
    note: 'SVG and PNG: the picture. CSV: the operations. JSON: every event of the trace. Each file carries its link.',
  },

  graph: {
    title: 'How the table is drawn',
    table: 'Table',
    graph: 'Graph',
    picture: (buckets: number, edges: number) =>
      `Cuckoo graph: ${buckets} buckets on a ring, ${edges} fingerprints as arrows to the bucket they live in`,
    parts: 'Connected parts',
    noParts: 'No fingerprint yet.',
    part: (buckets: string) => `buckets ${buckets}`,
    filled: (edges: number, room: number) => `${edges} of ${room}`,
    note: 'A filled node is a full bucket; the homes of the key have a solid and a dashed ring; a thick arrow was turned by a kick. A part that is full cannot take one more fingerprint, whatever is kicked.',
  },

  console: {
    title: 'Your key',
    label: 'Key',
    placeholder: 'any word, for example cuckoo',
    insert: 'Insert',
    contains: 'Look up',
    erase: 'Delete',
    samples: 'No idea? Try',
    showKick: 'Show me a kick',
    showKickHint: 'Inserts sample keys until one has to move another fingerprint',
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
    scrubber: 'Step of this operation',
    position: (at: number, of: number) => `step ${at} of ${of}`,
    nothing: 'no steps yet',
    speed: 'Speed',
    speedOf: (factor: number) => `${factor}x`,
    autoplay: 'Play each operation by itself',
  },

  stage: {
    title: 'The table',
    grid: (buckets: number, slots: number) => `Table of ${buckets} buckets with ${slots} slots each`,
    bucket: (bucket: number) => `bucket ${bucket}`,
    slot: (bucket: number, slot: number, fingerprint: string, other: number) =>
      `bucket ${bucket}, slot ${slot}, fingerprint ${fingerprint}, other home ${other}`,
    slotAlone: (bucket: number, slot: number, fingerprint: string) =>
      `bucket ${bucket}, slot ${slot}, fingerprint ${fingerprint}`,
    emptySlot: (bucket: number, slot: number) => `bucket ${bucket}, slot ${slot}, empty`,
    owner: (key: string) => `our notebook: ${isolated(key)}`,
    slotHeading: (slot: number) => `slot ${slot}`,
    shortSlotHeading: (slot: number) => String(slot),
    primary: 'home 1',
    alternate: 'home 2',
    both: '1 + 2',
    shortHome: { primary: 'home 1', alternate: 'home 2', both: '1 + 2' },
    help: 'Arrow keys move between slots, A jumps to the other home of a fingerprint.',
    hiddenArrows: (shown: number, all: number) =>
      `The picture shows ${shown} of ${all} kicks; the list has them all.`,
  },

  hand: {
    title: 'In hand',
    sums: 'The kicks, one by one',
    empty: 'nothing',
    new: (key: string) => `${key}, looking for a slot`,
    kicked: 'kicked out: where to?',
    sought: (key: string) => `${key}, to compare`,
    taken: 'taken out of its slot',
    refused: (key: string) => `${key}, not stored`,
  },

  /** Below the numbers of a sum. */
  sum: {
    home: (number: number) => `home ${number}`,
    bucket: (bucket: number) => `bucket ${bucket}`,
    hashOf: (fingerprint: string) => `hash of ${fingerprint}`,
    hash: '64 bits',
    fingerprint: 'fingerprint',
  },

  why: enWhy,

  legend: {
    title: 'Signs',
    chip: 'fingerprint',
    empty: 'empty',
    primary: 'home 1',
    alternate: 'home 2',
    read: 'read',
    kick: 'kick 1',
  },

  explain: {
    title: 'What happens',
    idle: (percent: number) =>
      `The table is ${percent} % full of sample keys. Type a word and press Insert, or press Show me a kick.`,
    idleEmpty: 'The table is empty. Type a word and press Insert.',
    locked: 'It is your turn: the question comes first.',
    ready: (operation: string) => `Ready: ${operation}. Press play, or step forward.`,
  },

  key: {
    title: 'From key to homes',
    none: 'The key of the current operation appears here: its hash, its fingerprint and its two homes.',
    key: 'Key',
    hash: 'Hash',
    fingerprint: 'Fingerprint',
    homes: 'Homes',
    hashNote: (bits: number, raw: string) =>
      `64 bits: the front half chooses home 1, the last ${bits} bits (${raw}) are the fingerprint.`,
    zeroReplaced: 'The bits were all 0, which marks an empty slot, so the fingerprint is 1.',
    offsetNote: (offset: number) => `${offset} is the hash of the fingerprint, so the way back needs no key.`,
    coincide: 'Both homes are the same bucket.',
  },

  answer: {
    title: 'Answer',
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

  path: {
    title: 'Kick path',
    none: 'No kicks. When both homes of a key are full, the moves are listed here.',
    row: (number: number, victim: string, bucket: number, slot: number, to: number) =>
      `${victim} leaves bucket ${bucket}, slot ${slot}, for bucket ${to}`,
    rowSame: (victim: string, bucket: number, slot: number) =>
      `${victim} leaves slot ${slot} of bucket ${bucket}; both its homes are this bucket`,
    undone: 'taken back',
    placed: (fingerprint: string, bucket: number, slot: number) =>
      `${fingerprint} lands in bucket ${bucket}, slot ${slot}`,
  },

  meter: {
    title: 'Load',
    value: (size: number, slots: number) => `${size} of ${slots} slots`,
    percent: (percent: number) => `${percent} %`,
  },

  history: {
    title: 'Operations',
    none: 'None yet.',
    row: (operation: string, outcome: string) => `${operation}: ${outcome}`,
    more: (count: number) => `and ${count} earlier`,
  },

  notebook: {
    toggle: 'Our notebook of names',
    note: 'Our notebook, not the filter: the filter has no names to show.',
  },

  settings: {
    title: 'Table settings',
    bucketCount: 'Buckets (m)',
    bucketSize: 'Slots per bucket (b)',
    fingerprintBits: 'Fingerprint bits (f)',
    maxKicks: 'Most kicks per insert',
    samplePercent: 'Filled with samples (%)',
    seed: 'Order of samples',
    addressing: 'Way to the other home',
    storage: 'Storage',
    plain: 'plain',
    semiSorted: 'semi-sorted, for 4 slots per bucket',
    walk: 'Which fingerprint is kicked',
    walkPlain: 'a random one, as in the paper',
    walkAhead: 'one that finds room, by looking ahead',
    reflect: 'reflect, for any m',
    xor: 'XOR, as in the paper',
    range: (least: number, most: number) => `${least} to ${most}`,
    rebuild: 'Build a new table',
    reset: 'Back to the first table',
    note: 'A new table starts a new history.',
    moved: (name: string, given: string, taken: number, least: number, most: number) =>
      `${name}: ${given} is not from ${least} to ${most}, so ${taken} was taken.`,
    failed: (why: string) => `This table cannot be built: ${why}`,
  },

  shortcuts: {
    title: 'Keyboard',
    playing: 'Playing',
    rows: [
      [['Enter'], 'insert the key in the field'],
      [['Space'], 'play or pause'],
      [[',', '.'], 'one step back, one step forward'],
      [['Home', 'End'], 'to the start, to the end'],
      [['Arrow keys'], 'from slot to slot'],
      [['A'], 'to the other home of the fingerprint'],
      [['?'], 'this list'],
    ] as readonly (readonly [readonly string[], string])[],
  },

  broken: (why: string) => `The page stopped: ${why}`,
};

export type Words = typeof enStart & typeof enRest;
