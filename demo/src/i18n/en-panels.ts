// The words of the panels that tell an operation in other ways, of what is measured, and of the end of a talk, in English.
// Invariant: loaded with the first panel, not before.
import type { CuckooFilterPlan } from 'cuckoofilter-wasm/trace';
import { count, isolated, percent } from '../model/text';

export const enPanels = {
  tools: (hasSettings: boolean): string =>
    hasSettings ? 'Table settings, link, keyboard' : 'Link, keyboard',

  tour: {
    title: 'Learn it scene by scene',
    lead: 'Unlike a Bloom filter, a cuckoo filter can delete keys, and a lookup reads only two buckets. Three to five minutes each: predict, watch, compare. Every answer comes from the running filter.',
    acts: ['The idea', 'The moves', 'What goes wrong', 'What it costs'],
  },

  api: {
    title: 'The package in a few lines',
    add: 'throws FilterFullError if there is no room',
    remove: 'only what you added: another key may have the same fingerprint',
    fresh: 'true: definitely new, and added',
    save: 'to keep it or to send it',
    copy: 'Copy',
    copied: 'Copied.',
    selected: 'Copying is refused here: the text is selected.',
  },

  take: {
    title: 'The package for your program',
    lead: 'The filter of this page is a package for JavaScript and TypeScript: 47 kB gzipped, WebAssembly included, no dependencies, MIT licence. It runs in Node, Bun, Deno, Workers and browsers.',
    figures: 'When to use it: beside a Set and a Bloom filter',
    decide:
      'Use it for 100,000 keys or more that change, are sent, or lie in many processes. With fewer keys in one place, use a Set. If nothing is ever deleted and a false positive rate of 3 % is acceptable, a Bloom filter is smaller. A full filter refuses keys; one with maxCapacity grows up to that.',
    unpublished:
      'Not on npm yet: run npm run build and npm pack in a clone of the repository, and install the file that this makes. Once it is on npm:',
    dedup: (rate: string) =>
      `To remove duplicates, look up before you add: addIfAbsent does both. If it says “maybe” by mistake, a record that is new is dropped: on average, at most ${rate} of the new ones.`,
    given: (rate: string) =>
      `For 100,000 to 1,000,000 strings of 13 characters, just read from a file or the network, at ${rate} false positives. × 0.5 means half as fast as this filter.`,
    columns: ['what', 'this filter', 'Set', 'Bloom filter in plain JavaScript'],
    bits: 'bits per key',
    calls: { has: 'million lookups per second', add: 'million inserts per second' },
    times: (least: number, most: number) => `× ${least}–${most}`,
    range: (least: number, most: number) => `${least}–${most}`,
    abilities: [
      ['can delete', 'yes', 'yes', 'no'],
      ['exact, and can list its keys', 'no', 'yes', 'no'],
    ],
    known:
      'How we know: the bits of both filters are computed, by the library and by Bloom’s formula. The other figures are medians of nine rounds for each number of keys, by npm run bench -- readme on shared machines with two cores: bits of a Set with its strings, and speeds beside “bloomfilter” from npm, which is plain JavaScript. This filter sorts its buckets, and can have any number of them. Above a rate of about 2.4 % (0.37 % without sorting), a Bloom filter takes fewer bits.',
    source: 'Source code',
  },

  code: {
    title: (operation: string) => `${operation}, line by line`,
    lines: {
      locate: 'mix the key into 64 bits, its hash: fingerprint and first home',
      alternate: 'the first home and the fingerprint give the second home',
      home: 'empty slot in either home? put it there, done',
      copies: 'both homes full of this very fingerprint? refuse: too many copies',
      kick: 'repeat: kick out a random one, and take its slot',
      look: 'repeat, bucket by bucket: does a fingerprint’s other home have room?',
      fullAfterSearch: 'no room wherever kicks lead? refuse: full',
      found: 'room? that is the path: move its far end first, done',
      move: 'each kick of it: the fingerprint goes to its other home',
      land: 'room in the victim’s other home? put it there, done',
      full: 'no room within so many kicks? take all back, refuse: full',
      read: 'read the first home, then the second, up to a match',
      readBoth: 'read both homes, each up to a match',
      answer: 'match: maybe. No match: definitely not',
      nothing: 'no match: nothing to remove',
      take: 'empty the slot that matched',
      reset: 'empty every slot',
    },
    note: 'Open a line to see it in the C++ that runs here.',
  },

  share: {
    title: 'Link',
    copyLink: 'Copy a link to this step',
    copied: 'The link is copied. It replays the same operations, bit for bit.',
  },

  graph: {
    title: 'How the table is drawn',
    table: 'Table',
    graph: 'Graph',
    picture: (buckets: number, edges: number) =>
      `Cuckoo graph: ${buckets} buckets on a ring, ${edges} fingerprints as arrows to the bucket they live in`,
    parts: 'Connected parts',
    noParts: 'No fingerprint yet.',
    part: (buckets: string) => `${/\D/.test(buckets) ? 'buckets' : 'bucket'} ${buckets}:`,
    filled: (edges: number, room: number) => `${edges} of ${room}`,
    loops: (loops: number, edges: number, buckets: number) =>
      `A loop is a fingerprint whose two homes are the same bucket: ${loops} of ${edges} here. On average it is 1 key in ${buckets}; a table this small may differ by chance.`,
    note: 'An arrow is a fingerprint, and points to the bucket where it lies; a filled node is a full bucket; the homes of the key have a solid and a dashed ring; a thick arrow was turned by a kick. A part that is full cannot take one more fingerprint, whatever is kicked.',
  },

  path: {
    title: 'Kick path',
    none: 'No kicks. When both homes of a key are full, the moves are listed here.',
    row: (number: number, victim: string, bucket: number, slot: number, to: number) =>
      `${victim} leaves bucket ${bucket}, slot ${slot}, for bucket\u00a0${to}`,
    rowSame: (victim: string, bucket: number, slot: number) =>
      `${victim} leaves slot ${slot} of bucket ${bucket}; both its homes are this bucket`,
    undone: ' (taken back)',
    placed: (fingerprint: string, bucket: number, slot: number) =>
      `${fingerprint} lands in bucket ${bucket}, slot ${slot}`,
  },

  settings: {
    title: 'Table settings',
    bucketCount: 'Buckets (m)',
    bucketSize: 'Slots per bucket (b)',
    fingerprintBits: 'Fingerprint bits (f)',
    maxKicks: 'Most random kicks per insert',
    samplePercent: 'Fill at the start (%)',
    seed: 'Order of samples',
    hashSeed: 'Seed of the hash',
    addressing: 'Way to the other home',
    search: 'How room is found',
    randomWalk: 'by random kicks, as in the paper',
    breadthFirst: 'by a search, as in this library',
    reflect: 'reflect, for any m',
    xor: 'XOR, as in the paper',
    range: (least: number, most: number) => `${least} to ${count(most)}`,
    forXor: '; with XOR a power of two',
    rebuild: 'Build a new table',
    reset: 'Back to the first table',
    note: 'A new table forgets the operations so far. The seeds of the first one are chosen, so that its kicks are easy to follow.',
    failed: 'This table cannot be built: XOR needs a number of buckets that is a power of two.',
  },

  ending: {
    remember: [
      '“Definitely not” is certain, as long as you delete only what you added. A key that was never added gets “maybe” at a rate that you choose.',
      'A fingerprint has two homes, and each leads to the other: so a full bucket makes room without knowing a key.',
      'Deleting what you never added may delete somebody else, who has the same fingerprint.',
    ],
    /** On the last slide. */
    sentence:
      'A few bits of each name are enough to say “definitely not” for certain, as long as you delete only what you added.',
    now: 'Whose name next? Type it above the table.',
  },

  shortcuts: {
    title: 'Keyboard',
    rows: [
      [['Enter'], 'insert the key in the field'],
      [['Space'], 'play or pause'],
      [[',', '.'], 'one step back, one step forward'],
      [
        ['Home', 'End'],
        'to the start, to the end; in the full window, End leads to the answer, and from there to the next scene',
      ],
      [['Arrow keys'], 'from slot to slot'],
      [['A'], 'to the other home of the fingerprint'],
      [['F'], 'fill the window with the table, for an audience'],
      [
        ['N', 'PageDown', '→'],
        'in the full window: the next step, its end while it plays, the second question, the next scene',
      ],
      [['PageUp', '←'], 'in the full window: the step before, the question, the answer before it'],
      [['B'], 'in the full window: a dark screen until the next key; in a talk, the key “.” too'],
      [['S'], 'in the full window: what to say, in the speaker’s own window, where the keys work too'],
      [['?'], 'this list'],
    ] as readonly (readonly [readonly string[], string])[],
  },

  race: {
    title: 'Four tables fill',
    slots: 'Slots in each table',
    kicks: 'Most kicks per insert',
    start: 'Start the race',
    lane: (slots: number) => (slots === 1 ? '1 slot per bucket' : `${slots} slots per bucket`),
    map: (slots: number, load: string) =>
      `Table with ${slots} slots per bucket, ${load} full: a coloured pixel is a full slot`,
    paper: (percent: number) => `The paper: ${percent} %.`,
    loadOf: (slots: number, percent: string) => `${percent} with b\u00a0=\u00a0${slots}`,
    oneSlot: (kicked: string, searched: string) =>
      `With one slot per bucket, a search has nothing to choose. Second homes are computed without XOR there, so the loads, ${kicked} and ${searched}, differ by chance.`,
    summary: (loads: string) => `Load at the first refusal: ${loads}.`,
    kicksPlot: 'Kicks per insert against load',
    searching: 'Now the same tables by this library’s search …',
    searched: (percent: string) => `By this library’s search: ${percent}.`,
    note: 'How we know: measured here, in your browser; npm run bench -- load repeats it without one. Fingerprints of 16 bits. The first run is the paper’s walk, the second this library’s search. The paper’s loads are figures to design with: a single run lies within a few points of them.',
  },

  space: {
    title: 'Bits per key against the false positive rate',
    rate: 'false positive rate',
    bits: 'bits per key',
    curves: {
      cuckoo: 'cuckoo, 95\u00a0% full',
      semiSorted: 'cuckoo, semi-sorted',
      bloom: 'Bloom',
      limit: 'the least possible',
    },
    rateIs: (rate: string) => `At ${rate}`,
    bitsOf: (bits: string) => (bits === '1' ? '1 bit' : `${bits} bits`),
    planned: 'this library plans',
    plan: ({ capacity, bucketSize, fingerprintBits, semiSorted, loadFactor }: CuckooFilterPlan) =>
      `What the library plans for ${count(capacity)} keys: buckets of ${bucketSize} slots, fingerprints of ${fingerprintBits} bits${Number.isInteger(fingerprintBits) ? '' : ' on average'}${semiSorted ? ', semi-sorted' : ''}, ${percent(100 * loadFactor)} % full. It prefers buckets that fit into one machine word: wider ones must save 5 % of the bits. That is why a lower rate sometimes takes fewer bits.`,
    note: 'How we know: a lookup compares up to 2b fingerprints of f bits, and each matches by chance once in 2ᶠ. So a rate of ε needs f\u00a0=\u00a0log₂(1/\u2060ε)\u00a0+\u00a0log₂(2b) bits; with b = 4, that is log₂(1/\u2060ε)\u00a0+\u00a03. A table that is 95 % full takes (log₂(1/\u2060ε)\u00a0+\u00a03)\u00a0/\u00a00.95 bits per key; a semi-sorted one, with one bit less in each slot, (log₂(1/\u2060ε)\u00a0+\u00a02)\u00a0/\u00a00.95. A Bloom filter takes log₂(1/\u2060ε)\u00a0/\u00a0ln\u00a02. The formulas are those of section 5 of the paper; what the library plans is from its own plan().',
    nibblesTitle: 'One bit saved by sorting',
    nibbles:
      'The order of the four fingerprints in a bucket means nothing, so they are kept sorted by their lowest four bits: 9, 3, c, 3 and 3, c, 9, 3 are both stored as 3, 3, 9, c. Of 65,536 quadruples 3,876 are sorted, and twelve bits tell which one it is, in place of sixteen. Each fingerprint gets one of the four bits set free, which halves the false positive rate.',
  },
  bloom: {
    title: 'Bloom beside cuckoo',
    lead: (keys: number, bits: number, probes: number) =>
      `Both hold the same ${keys} keys in ${bits} bits. The Bloom filter sets ${probes} bits for each key.`,
    key: 'Look up a key in both',
    ask: 'Look up',
    askPresent: 'One that is there',
    bloom: 'Bloom filter',
    cuckoo: 'Cuckoo filter',
    bloomBits: (set: number, all: number) => `Bloom filter: ${set} of ${all} bits set`,
    cuckooSlots: (full: number, all: number) => `Cuckoo filter: ${full} of ${all} slots full`,
    bitReads: (count: number) => (count === 1 ? '1 bit read.' : `${count} bits read, far apart.`),
    bucketReads: (count: number, buckets: number) =>
      `${count === 1 ? '1 slot' : `${count} slots`} read, in ${buckets === 1 ? 'one bucket' : 'two buckets'}.`,
    wrong: (key: string) => `“${isolated(key)}” was never put in: a false positive.`,
    known: (probes: number, load: string, bits: string, rate: string) =>
      `How we know: the library computes the cuckoo filter’s rate. That of the Bloom filter is its share of set bits, to the power of ${probes}. Both are asked for the same absent keys (in brackets, the 95 % confidence interval). Bloom errs so much less here because the cuckoo table is only ${load} full, and its empty slots take bits, too. In a table that is 95 % full, ${bits} bits per key would give ${rate}, by the formula of the curves above, which show below which rate Bloom takes more bits.`,
    noDelete: 'It cannot delete: a bit may belong to many keys.',
    canDelete: 'It can delete: a fingerprint has a slot of its own.',
  },
};
