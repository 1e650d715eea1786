// The scenes' names and first sentences, and what every scene says around its own words, in English.

export const enTitles = {
  names: {
    title: 'The cuckoo hash table',
    lead: 'Before the filter: two tables of names. Each name has two places, and whoever is thrown out goes to the other one.',
  },
  print: {
    title: 'A fingerprint, not a name',
    lead: 'A key is hashed to 64 bits. The filter keeps a few of them, the fingerprint, and forgets the key.',
  },
  homes: {
    title: 'Two homes by XOR',
    lead: 'A fingerprint may live in two buckets. Each is computed from the other and the fingerprint, so the key is not needed.',
  },
  lookup: {
    title: 'Insert and look up',
    lead: 'An insert takes an empty slot in one of the two homes. A lookup reads both homes and compares fingerprints.',
  },
  kick: {
    title: 'The kick path',
    lead: 'Both homes of a new key are full. So a fingerprint that lies there is kicked out, and has to move to its other home.',
  },
  graph: {
    title: 'The cuckoo graph',
    lead: 'Buckets are nodes; each fingerprint is an edge between its two homes, and its arrow points to the one it lives in.',
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
  copies: {
    title: 'Copies',
    lead: 'All copies of a key have the same fingerprint and the same two homes. There is no third place for them.',
  },
  race: {
    title: 'The bucket size race',
    lead: 'Four tables with equally many slots, in buckets of 1, 2, 4 and 8. Keys go in until the first is refused.',
  },
  length: {
    title: 'How long a fingerprint',
    lead: 'Each bit of a fingerprint costs memory for every key. From about 5 bits on, it halves the false positive rate; shorter fingerprints match so often that a bit gains less.',
  },
  space: {
    title: 'How many bits per key',
    lead: 'Bits per key against the false positive rate: a Bloom filter, a cuckoo filter, a semi-sorted one, and the least that is possible.',
  },
  sorting: {
    title: 'Semi-sorting',
    lead: 'The order of the fingerprints in a bucket means nothing. Sorted, they fit into fewer bits, and each gets a longer fingerprint.',
  },
  bloom: {
    title: 'Bloom beside cuckoo',
    lead: 'The same keys in the same number of bits: a Bloom filter scatters each key over the memory, a cuckoo filter keeps it in one of two buckets.',
  },
  growing: {
    title: 'Growing without keys',
    lead: 'A full table cannot hash its keys again: it has forgotten them. So a filter that may grow stores a few bits in reserve.',
  },
  better: {
    title: 'What this library adds',
    lead: 'The paper’s table has a number of buckets that is a power of two, and kicks at random. This library takes any number of buckets, looks ahead before it kicks, and takes every kick back when there is no room.',
  },
};

/** What every scene says around its own words. */
export const enLesson = {
  of: (number: number, all: number) => `Scene ${number} of ${all}`,
  predict: 'Your prediction',
  transfer: 'One more, in another setting',
  lock: 'Lock it in',
  skip: 'Skip, just show it',
  guess: 'Your guess',
  bucketHint: 'Choose a number, or press a bucket in the table.',
  running: 'Watch it happen, step by step or played.',
  toResult: 'Show the result',
  measuring: 'It is being measured: see the bar below the plot.',
  toQuestion: 'Back to the question',
  right: 'Right',
  close: 'Close enough',
  wrong: 'Not this time',
  skipped: 'The answer',
  yours: (guess: string) => `You said ${guess}.`,
  why: 'Why',
  change: 'Change it',
  again: 'Another one like this',
  goTransfer: 'Try it on another one',
  next: (title: string) => `Next: ${title}`,
  previous: (title: string) => `Back: ${title}`,
  score: (right: number, asked: number) => `${right} of ${asked} right`,
  scoreNote: 'on the first try; kept on this device only',
  forget: 'Forget it',
  bucket: (n: number) => `bucket ${n}`,
  stages: ['Predict', 'Run', 'Compare', 'Transfer'],
};
