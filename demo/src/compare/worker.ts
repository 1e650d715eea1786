// The worker that builds and measures the lab's filters, so that the page stays free for its reader.
// Invariant: requests are answered one after the other, but lookups at once, between the steps of what is under way; the
// page cancels by ending the worker.
import { createLab, put, taken, type Ears, type Exports } from './module';
import {
  FIGURES,
  KINDS,
  MOST_LINES,
  MOST_NAMES,
  REFUSALS,
  type Asked,
  type Figures,
  type Kind,
  type Look,
  type Message,
  type Request,
} from './protocol';

/** Milliseconds between two messages about figures that change. */
const APART_MS = 40;
/** Rates at which Figure 4 is measured. */
const RATES = Array.from({ length: 9 }, (_, i) => 10 ** (-1 - i / 2)).filter((rate) => rate > 5e-5);
/** Slots of the cuckoo hash tables that are filled. */
const TABLE_SLOTS = 40_000;
const PIECE_BYTES = 1 << 20;

/** Points of a filter in most figures. */
const POINTS = 20;

type Of<Type extends Request['type']> = Extract<Request, { readonly type: Type }>;

let kindNow: Kind = KINDS[0];
let figuresNow: Figures = {};
let toldAt = 0;
/** Of the filter under way. */
let pointsHeard = 0;
/** How much of the whole the filter under way is, and what is done without it. */
let [partDone, partNow] = [0, 1];

const ears: Ears = {
  tell(figure, value) {
    const name = FIGURES[figure];
    if (name !== undefined) figuresNow[name] = value;
    if (performance.now() - toldAt > APART_MS) tellFigures();
  },
  point(figure, line, x, y) {
    say({ type: 'point', point: { figure, kind: kindNow, line, x, y } });
    pointsHeard += 1;
    say({ type: 'progress', part: partDone + partNow * Math.min(1, pointsHeard / POINTS) });
  },
  row(items = 0, bytes = 0, rate = 0, expected = 0, build = 0, linesAbsent = 0, linesPresent = 0) {
    const row = { items, bytes, rate, expected, build, linesAbsent, linesPresent };
    say({ type: 'row', kind: kindNow, row });
  },
};

function say(message: Message): void {
  postMessage(message);
}

function tellFigures(): void {
  toldAt = performance.now();
  if (Object.keys(figuresNow).length === 0) return;
  say({ type: 'figures', kind: kindNow, figures: figuresNow });
  if (figuresNow.progress !== undefined)
    say({ type: 'progress', part: partDone + partNow * figuresNow.progress });
  figuresNow = {};
}

/** Lets a message that came meanwhile be read. */
function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Calls `act` for each kind, and tells how far it has come. */
async function forEach(
  kinds: readonly Kind[],
  from: number,
  act: (kind: Kind, number: number) => void,
): Promise<void> {
  for (const [i, kind] of kinds.entries()) {
    [kindNow, partDone, partNow] = [kind, from + ((1 - from) * i) / kinds.length, (1 - from) / kinds.length];
    pointsHeard = 0;
    say({ type: 'progress', part: partDone });
    act(kind, KINDS.indexOf(kind));
    await pause();
  }
}

/** Hands the file to `act` in pieces, in the module's buffer, until it says that no more are wanted. */
async function eachPiece(
  lab: Exports,
  file: File,
  act: (length: number, isLast: number, done: number) => boolean,
): Promise<void> {
  for (let at = 0, goesOn = true; goesOn; at += PIECE_BYTES) {
    const isLast = at + PIECE_BYTES >= file.size;
    const bytes = new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer());
    put(lab, bytes);
    goesOn = act(bytes.length, Number(isLast), Math.min(1, (at + PIECE_BYTES) / file.size)) && !isLast;
  }
}

const READING = 0.1;

async function compare(lab: Exports, { kinds, goal, share, keys }: Of<'compare'>): Promise<void> {
  let count = 0;
  if (typeof keys === 'number') {
    lab.lab_use_numbers();
    count = keys;
  } else {
    lab.lab_begin_lines(1);
    await eachPiece(lab, keys, (length, isLast, done) => {
      const lines = lab.lab_read_lines(length, isLast);
      say({ type: 'progress', part: READING * done });
      return lines < MOST_LINES;
    });
    count = lab.lab_use_lines(share);
  }
  say({ type: 'keys', present: count, absentLines: lab.lab_absent_lines() });
  if (count === 0) return;
  await forEach(kinds, typeof keys === 'number' ? 0 : READING, (kind, number) => {
    say({ type: 'begin', kind });
    const refusal = REFUSALS[lab.lab_compare(number, count, goal.rate, goal.bitsPerKey, share)];
    tellFigures();
    say({ type: 'end', kind, refusal: refusal === undefined || refusal === 'none' ? null : refusal });
  });
}

function look(lab: Exports, key: Asked): void {
  const text = typeof key === 'string' ? new TextEncoder().encode(key) : new Uint8Array();
  const looks = KINDS.flatMap((kind, number): Look[] => {
    put(lab, text);
    const told = lab.lab_watch(number, text.length, typeof key === 'number' ? key : 0);
    if (told < 0) return [];
    const count = told >> 1;
    const numbers = new Float64Array(taken(lab, 8 * (2 * count + 1)).buffer);
    const reads = Array.from(
      { length: count },
      (_, i) => [numbers[2 * i] ?? 0, numbers[2 * i + 1] ?? 0] as const,
    );
    return [{ kind, isFound: (told & 1) === 1, reads, cacheLines: numbers.at(-1) ?? 0 }];
  });
  say({ type: 'looks', looks });
}

async function names(lab: Exports, { kind, file }: Of<'names'>): Promise<void> {
  const found = new Set<string>();
  lab.lab_begin_lines(0);
  await eachPiece(lab, file, (length, isLast) => {
    const bytes = lab.lab_false_lines(KINDS.indexOf(kind), length, isLast);
    const lines = new TextDecoder().decode(taken(lab, bytes)).split('\n');
    for (const line of lines.slice(0, -1)) if (found.size < MOST_NAMES) found.add(line);
    return found.size < MOST_NAMES;
  });
  say({ type: 'names', kind, names: [...found] });
}

async function tables(lab: Exports): Promise<void> {
  const shapes = [2, 3, 4].flatMap((functions) =>
    [1, 2, 4, 8].flatMap((slots) => [false, true].map((isSearch) => ({ functions, slots, isSearch }))),
  );
  for (const [i, { functions, slots, isSearch }] of shapes.entries()) {
    const load = lab.lab_table_load(functions, slots, Number(isSearch), TABLE_SLOTS, 1);
    const threshold = lab.lab_load_threshold(functions, slots);
    say({ type: 'table', table: { functions, slots, isSearch, load, threshold } });
    say({ type: 'progress', part: (i + 1) / shapes.length });
    await pause();
  }
}

async function answer(lab: Exports, request: Exclude<Request, Of<'look'>>): Promise<void> {
  switch (request.type) {
    case 'compare':
      return compare(lab, request);
    case 'names':
      return names(lab, request);
    case 'tables':
      return tables(lab);
    case 'space':
      return forEach(request.kinds, 0, (_, number) =>
        RATES.forEach((rate) => lab.lab_space(number, request.keys, rate)),
      );
    case 'evaluate':
      return forEach(request.kinds, 0, (_, number) =>
        lab.lab_evaluate(number, request.log2Buckets, 1 << request.figure),
      );
  }
}

const ready = createLab(ears);
let before: Promise<unknown> = ready;

addEventListener('message', ({ data: request }: MessageEvent<Request>) => {
  const failed = (error: unknown): void => say({ type: 'failed', why: String(error) });
  if (request.type === 'look') {
    ready.then((lab) => look(lab, request.key)).catch(failed);
    return;
  }
  before = before
    .then(async () => answer(await ready, request))
    .then(() => say({ type: 'done' }))
    .catch(failed);
});
