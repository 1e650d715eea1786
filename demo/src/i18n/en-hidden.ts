// The words for what a table hides: ways to fail, sorted nibbles, reserved bits. In English.
export const enHidden = {
  growth: {
    lead: 'A growable filter keeps reserved bits above each fingerprint. When the table is full enough, it doubles: bucket i becomes buckets 2i and 2i + 1, and each fingerprint spends its highest reserved bit to know its side.',
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
