// The words of the lab, of "Be the filter" and of the teachers' page, in English.
import type { Facts } from '../model/scenes/task';

const count = (value: number): string => value.toLocaleString('en');

export const enRooms = {
  lab: {
    lead: 'Every control. A small table to step through, and large ones to fill, measure and compare.',
    tabs: 'Parts of the lab',
    parts: { lab: 'Step and fill', compare: 'Compare', file: 'Your own filter' },
  },
  bulk: {
    title: 'A large table',
    slots: 'Slots',
    target: 'Fill up to (%)',
    mix: 'Keys',
    mixes: ['all different', 'Zipf, every copy', 'Zipf, each if new'],
    copies: (tried: number, refused: number) =>
      `Zipf: the key of rank r comes with a probability proportional to 1/r. Of ${count(tried)} keys ${count(refused)} were refused, because the table already held 2b copies.`,
    onlyNew: (tried: number, _: number, known: number, mistaken: number) =>
      `Zipf: the key of rank r comes with a probability proportional to 1/r. Of ${count(tried)} keys ${count(known)} were known already; ${count(mistaken)} of these were new ones, taken for others.`,
    fill: 'Fill it',
    filled: (percent: string) => `${percent} full. Fill on, or choose another table.`,
    full: (percent: string) => `It refused a key at ${percent}.`,
    map: (percent: string) => `All slots, a pixel each, ${percent} full: a dark pixel is a full slot`,
    magnifier: 'Look closer, from bucket',
    empty: '-',
  },
  be: {
    lead: 'You make the moves of an insert. The filter only tells you whom it would kick out; each move is checked against its trace.',
    move: 'Your move',
    level: 'How hard',
    levels: ['There is room at home', 'A short path', 'A long path'],
    asks: {
      home: ({ key, fingerprint, primary, offset, sum }: Facts) =>
        `“${key}” has fingerprint ${fingerprint}, home 1 is bucket ${primary}, and the hash of ${fingerprint} is ${offset}. Home 2 is ${sum}: which bucket?`,
      place: ({ fingerprint }: Facts) =>
        `Where does ${fingerprint} go? The first empty slot of home 1, else of home 2. If both are full, someone has to be kicked out.`,
      destination: ({ fingerprint, bucket, slot, kick, offset, sum }: Facts) =>
        `Kick ${kick}: the filter chooses ${fingerprint} in bucket ${bucket}, slot ${slot}. The hash of ${fingerprint} is ${offset}. It goes to ${sum}: which bucket?`,
      room: ({ otherBucket }: Facts) => `Is there an empty slot in bucket ${otherBucket}?`,
      land: ({ fingerprint, otherBucket }: Facts) =>
        `Put ${fingerprint} into the first empty slot of bucket ${otherBucket}.`,
    },
    pressBucket: 'Or press a bucket in the table.',
    dragToBucket: 'Or drag the fingerprint to its bucket, or press the bucket.',
    pressSlot: 'Or drag the fingerprint in hand to its slot, or press the slot.',
    emptySlots: 'An empty slot',
    choose: 'choose',
    kick: 'Both are full: kick',
    yes: 'Yes',
    no: 'No',
    right: 'Right.',
    wrong: 'The filter does something else here. Look again.',
    wrongBits: (yours: string, sum: string) => `You chose ${yours}, but ${sum}. Press that bucket.`,
    fixed: (sum: string) => `Done for you: ${sum}.`,
    fix: 'Do it for me',
    done: (right: number, all: number) => `Done: ${right} of ${all} moves right on the first try.`,
    next: 'Another key',
  },
  teach: {
    lead: 'For lectures, labs and sheets. Everything here is a link with a seed: the same link shows the same thing on every machine.',
    courses: 'Ways through the scenes',
    courseNames: ['A talk of ten minutes', 'A lab hour', 'For engineers'],
    embed: 'A scene in your slides',
    embedLead: 'Copy the frame into a page or a reveal.js slide. It works offline too, with the single file.',
    language: 'Language',
    colours: 'Colours',
    looks: { auto: 'as the system', light: 'light', dark: 'dark' },
    withQuestion: 'with the question',
    code: 'To paste into your page',
    preview: 'Preview',
    messages: 'Messages that drive it; it answers with { from, step, steps, caption }:',
    sheet: 'Exercise sheet',
    sheetLead: 'Tables and questions for paper. The answers are computed from the trace and stay folded.',
    mixed: 'mixed',
    seed: 'Seed',
    count: 'Exercises',
    print: 'Print',
    name: 'Name',
    date: 'Date',
    sheetSeed: (seed: number) =>
      `Sheet ${seed}. A row is a bucket, with its number at the left; fingerprints are hexadecimal.`,
    answers: 'Answers',
    watch: 'watch it',
  },
  quiz: {
    lead: (questions: number) =>
      `${questions} questions before the scenes and ${questions} of the same kind after them, on other tables. It is up to you; the answers are kept on this device only, and right or wrong is told at the end of each half.`,
    forTeachers:
      'The same questions for everyone, answers from the trace. Let each learner take the first half before the scenes and the second after them, and collect the files.',
    open: 'Open the quiz',
    begin: { before: 'Begin: before the scenes', after: 'Begin: after the scenes' },
    half: { before: 'before', after: 'after' },
    next: 'Next',
    unknown: 'I do not know',
    none: 'Not taken yet.',
    right: 'right',
    wrong: 'wrong',
    outcome: 'Your answers',
    sum: (half: string, right: number, all: number) => `${half}: ${right} of ${all} right.`,
    gain: (percent: number) => `Gain: ${percent} % of what was wrong before.`,
    save: 'Save as CSV',
  },
};
