// The words of the places beside the scenes and of their files and sheets, in English.
import { count, percent, short } from '../model/text';
import type { Told } from '../model/names';
import type { Facts } from '../model/scenes/task';
import type { SavedFilter } from '../core/saved';

export const enRooms = {
  lab: {
    taken: (taken: number, stored: number, left: number) =>
      `Of ${count(taken)} keys inserted, ${count(stored)} found room.${left > 0 ? ` The other ${count(left)} lines were left out: a list may have ${count(taken)}.` : ''}`,
    lead: 'Drop or paste a list of keys into the field, one per line, and a new table takes them. Below: a large table, and a filter of your own to open.',
  },
  handles: {
    title: 'Three sliders',
    rate: 'false positive rate, computed',
    counted: (found: number, absent: number) =>
      `counted: ${count(found)} of ${count(absent)} absent keys taken for present`,
    between: (rate: string, least: string, most: string) => `${rate} % (${least} to ${most} %)`,
    bits: 'bits per key',
    known: (buckets: number) =>
      `How we know: the library computes the first, a mean over all tables like this one; the second asks this table for keys that it does not hold (in brackets, the 95 % confidence interval); the third divides the bits of the table by its keys. In the first, a fingerprint of 0 counts as 1, which raises it, and ${buckets === 1 ? 'every key' : `1 key in ${count(buckets)}`} has one bucket for both homes, which lowers it. One small table may lie above or below.`,
  },
  bulk: {
    title: 'A large table',
    slots: 'Slots',
    target: 'Fill up to (%)',
    fill: 'Fill it',
    filled: (percent: string) => `${percent} full.`,
    full: (percent: string) => `It refused a key at ${percent}.`,
    legend: (rate: string) =>
      `Each dot is a slot, coloured if it is full. The false positive rate at this load, as the library computes it: ${rate}.`,
    map: (percent: string) => `All slots, a pixel each, ${percent} full: a coloured pixel is a full slot`,
  },
  be: {
    lead: 'You do each step of an insert. Equal bits give 0, different bits 1.',
    move: 'Your move',
    first: 'Move 1',
    level: 'How hard',
    levels: ['There is room at home', 'A short path', 'A long path'],
    asks: {
      home: ({ key, fingerprint, primary, offset, sum }: Facts) =>
        `“${key}” has fingerprint ${fingerprint}, its first home is bucket ${primary}, and its offset is ${offset}. Its second home is ${sum}: which bucket?`,
      place: ({ fingerprint }: Facts) =>
        `Where does ${fingerprint} go? The first empty slot of its first home, else of its second. If both are full, someone has to be kicked out.`,
      destination: ({ fingerprint, bucket, slot, kick, offset, sum }: Facts) =>
        `Kick ${kick}: the filter chooses ${fingerprint} in bucket ${bucket}, slot ${slot}. The offset of ${fingerprint} is ${offset}. It goes to ${sum}: which bucket?`,
      room: ({ otherBucket }: Facts) => `Is there an empty slot in bucket ${otherBucket}?`,
      land: ({ fingerprint, otherBucket }: Facts) =>
        `Put ${fingerprint} into the first empty slot of bucket ${otherBucket}.`,
    },
    pressBucket: 'Or press a bucket in the table.',
    pressSlot: 'Press a slot in the table.',
    pressPlace: 'Press an empty slot in the table, or the button.',
    byKeys: ' Or go to it with the arrow keys and press Enter.',
    kick: 'Both are full: kick',
    yes: 'Yes',
    no: 'No',
    right: 'Right.',
    wrong: 'No. Look at the slots in the table again.',
    hint: (yours: string) => `Not ${yours}: go column by column.`,
    wrongBits: (sum: string) => `${sum}: press that bucket.`,
    fixed: (sum: string) => `Done for you: ${sum}.`,
    fix: 'Do it for me',
    done: (right: number, all: number) => `Done: ${right} of ${all} moves right on the first try.`,
    next: 'Another key',
  },
  teach: {
    lead: 'For lectures, labs and sheets. Everything here is a link with a seed: the same link shows the same thing on every machine.',
    courses: 'Ways through the scenes',
    present: 'Present it',
    courseNames: ['A talk of ten minutes', 'A lecture of twenty minutes', 'A lab hour'],
    notes: 'Notes for the speaker: what to say in twenty minutes',
    speaker: 'The speaker’s window (S)',
    question: (number: number) => `Question ${number} of 2`,
    seen: {
      slide: (press: string) => `The room sees the pictures. Next press: “${press}”.`,
      last: 'The room sees the last slide. The keys lead no further.',
      dark: 'The room sees a dark screen. Any key brings it back.',
      question: (press: string) => `The room sees the question. Next press: “${press}”. End: the answer.`,
      steps: (press: string) => `The room sees the steps. Next press: “${press}”. End: the answer.`,
      answer: (press: string) => `The room sees the answer. Next press: “${press}”. End: the next stop.`,
    },
    late: 'behind the plan',
    restart: 'Start the clock again',
    printNotes: 'Print the notes',
    minutes: (count: number) => `${count} min`,
    until: (minute: number, of: number) => `Until minute ${minute} of ${of}`,
    say: {
      start:
        'A program asks the filter before it reads a disk or calls a server: “definitely not” saves the trip, “maybe” costs one. It keeps no names, so two names may look the same to it.',
      homes:
        'A fingerprint has two homes, and each leads to the other by XOR, as switches that are turned twice: no name is needed to move it.',
      lookup: 'A lookup reads two buckets and compares fingerprints, however full the table is.',
      kick: 'Where both homes are full, somebody moves. Ask the room where to, before you show it.',
      fail: 'A full table says so, and changes nothing: a key that was accepted is never lost.',
      hunt: 'Mistakes have a rate that can be computed: up to 2b fingerprints are compared, and each matches by chance once in 2ᶠ.',
      delete: 'Delete only what you added, or somebody else is gone: the double of the beginning.',
      bits: 'A Bloom filter sets bits that many keys share, so it cannot delete. For small rates a cuckoo filter takes fewer bits, and a lookup reads two places, not one for each hash.',
      end: 'Leave it on the screen while the room asks its questions, and type names that it calls out.',
    },
    embed: 'A scene in your slides',
    embedLead: 'Copy the frame into a page or a reveal.js slide. It works offline too, with the single file.',
    withQuestion: 'with the question beside the table, not below it',
    code: 'To paste into your page',
    sheet: 'Exercise sheet',
    sheetLead:
      'Tables and questions for paper. The answers are computed from the trace; unfold them to print them, too. Two seeds make one test before the scenes and one after them.',
    mixed: 'mixed',
    seed: 'Seed',
    count: 'Exercises',
    print: 'Print',
    name: 'Name',
    date: 'Date',
    sheetHead: (seed: number) =>
      `Cuckoo filter, sheet ${seed}. A row is a bucket, with its number at the left; fingerprints are hexadecimal.`,
    answers: 'Answers',
    answersOf: (seed: number) => `Cuckoo filter, answers to sheet ${seed}`,
    watch: 'watch it',
  },
  file: {
    title: 'Your own filter',
    lead: 'See what lies in a saved filter: one that your program saved with serialize(), or the command line tool with --save. The file stays on this device.',
    drop: 'Drop a .cuckoo file here, or choose one',
    note: 'None at hand? Take the table above. A saved file keeps no order within a bucket.',
    saveTable: 'Save the table',
    refused: (name: string, why: string) => `${name} cannot be opened: ${why}`,
    why: (_: string, message: string) => message,
    tooLarge: (bytes: number, most: number) =>
      `it has ${count(bytes)} bytes, and this page takes up to ${count(most)}`,
    layers: 'This is a scalable filter: its entries may lie in several tables, so no map is drawn.',
    notDrawn: (most: number) => `Tables of more than ${count(most)} slots are not drawn.`,
    key: 'Look up a key',
    kind: 'It is',
    kinds: { text: 'text', number: 'a whole number' },
    copies: (copies: number) => `, ${copies} copies`,
    told: (key: string, answer: string) => `${key}: ${answer}`,
    noNumber: (key: string) => `${key} is no whole number from -2^63 to 2^64 - 1.`,
    figures: ({ reader, hasReserved, rate }: SavedFilter): readonly (readonly [string, string])[] => [
      ['entries', count(reader.size)],
      ['capacity', count(reader.maxCapacity)],
      ['load factor', `${percent(100 * reader.loadFactor)} %`],
      ['buckets', `${count(reader.bucketCount)} × ${reader.bucketSize} slots`],
      ...(reader.layers > 1 ? ([['layers', String(reader.layers)]] as const) : []),
      [
        'fingerprint',
        `${reader.fingerprintBits} bits${hasReserved ? ' + reserved bits for growth' : ''}${reader.semiSorted ? ', semi-sorted' : ''}`,
      ],
      ['table', `${count(reader.byteLength)} bytes`],
      ['bits per key', reader.size > 0 ? short(reader.bitsPerKey) : '-'],
      ['false positive rate now', `${percent(100 * rate)} %`],
    ],
  },
  sheet: {
    kicks: (slots: readonly string[]) =>
      `Each kick puts the fingerprint in hand into a slot and takes out what lay there. The slots, as bucket.slot from 0: ${slots.join(', ')}. A bucket twice in a row is no misprint: the two homes of a fingerprint may be one bucket.`,
    owners: 'Below each fingerprint stands the key that brought it. The filter does not keep it.',
  },
};

const quoted = (name: string): string => `“${name}”`;
const place = (slot: number, perTable: number): string =>
  `place ${slot % perTable} of table ${slot < perTable ? 0 : 1}`;

export const enNames = {
  title: 'Before the filter: the cuckoo hash table',
  lead: 'Two hash functions turn a name into two numbers: its places, one in each table. A new name takes one of its places. Whoever lies there is thrown out, as a young cuckoo throws out eggs, and moves to its other place.',
  box: 'A name',
  insert: 'Put in',
  next: 'Put in the next sample name',
  loop: 'Go on to a loop',
  skip: 'Skip to its end',
  clear: 'Start again',
  full: 'No more names fit. Start again.',
  tables: 'Two tables of names',
  table: (number: number) => `Table ${number}`,
  slot: (slot: number, perTable: number, name: string | null, other: number) =>
    name === null
      ? `${place(slot, perTable)}, empty`
      : `${place(slot, perTable)}: ${name}, whose other place is ${place(other, perTable)}`,
  hand: 'On the way',
  told: (told: Told, slots: readonly (string | null)[], places: readonly number[]): string => {
    const perTable = slots.length / 2;
    switch (told.kind) {
      case 'start':
        return 'Type a name and put it in, or take the next sample name, chosen so that it throws another out.';
      case 'places':
        return `${quoted(told.name)} has two places: ${places.map((slot) => place(slot, perTable)).join(' and ')}.`;
      case 'placed':
        return `${quoted(told.name)} goes to ${place(told.slot, perTable)}, which is empty. Done.`;
      case 'thrown':
        return `${quoted(told.name)} takes ${place(told.slot, perTable)}. ${quoted(told.out)} is thrown out, and has to go to its other place.`;
      case 'loop':
        return `After ${told.moves} moves nobody has found an empty place: the names go round in a loop. So all moves are taken back.`;
      case 'rehash':
        return `Two other functions are drawn, and all ${told.names} names are placed anew. This is called a rehash.`;
      case 'stuck':
        return `Other functions were drawn 64 times, and no draw placed every name. Start again.`;
      case 'known':
        return `${quoted(told.name)} is in already.`;
    }
  },
  filterTitle: 'From the table to the filter',
  filter:
    'Names take memory. A cuckoo filter keeps only a short fingerprint of each. But whoever is thrown out no longer has a name, so the second place cannot be computed from it. It is computed from the first place and the fingerprint instead: that is the XOR of the next scenes.',
  noRehash:
    'And placing all names anew with other functions (a rehash) would need the names. So a filter never rehashes: when it is full, it says so.',
};
