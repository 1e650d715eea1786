// The scenes' names and first sentences, and what every scene says around its own words, in English.

export const enTitles = {
  names: {
    title: 'The cuckoo hash table',
    lead: 'Before the filter: two tables of names. Each name has two places, and whoever is thrown out goes to the other one.',
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
    lead: 'Four tables with equally many slots, in buckets of 1, 2, 4 and 8. Keys go in until the first is refused.',
  },
  bits: {
    title: 'How many bits per key',
    lead: 'Bits per key against the false positive rate: a Bloom filter, a cuckoo filter, a semi-sorted one, and the least that is possible.',
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
  measuring: 'The answer comes when every table has refused its first key. The bar shows how far they are.',
  toQuestion: 'Back to the question',
  right: 'Right',
  close: 'Close enough',
  wrong: 'Not this time',
  skipped: 'The answer',
  yours: (guess: string) => `You said ${guess}.`,
  why: 'Why',
  change: 'Change it',
  again: 'Both questions on another table',
  goTransfer: 'The second question',
  search: 'Search for room before kicking',
  next: (title: string) => `Next: ${title}`,
  wayEnds: 'The talk ends here: back to Teach',
  previous: (title: string) => `Back: ${title}`,
  bucket: (n: number) => `bucket ${n}`,
  stages: ['Predict', 'Run', 'Compare', 'Transfer'],
};
