// Changes of one shard: the outcome of each key, after the table has doubled if it must.
// Invariant: a key is tried again only if the server answered that it did not fit, or refused it. What was answered stays, whatever
// fails after it; a key is `unknown` only if a command with it may have been carried out.
import { REFUSED, UNKNOWN } from '../errors.js';
import { grow, whenFree } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import type { Doubt } from '../program/program.js';
import type { Action } from '../program/script.js';
import { answers } from '../program/server-errors.js';
import type { Shard } from './shard.js';

const FULL = 1;
/** Keys that one call of the program changes, which nothing else can run beside. */
export const CHANGES = 500;

/** Turns of the queue of promises for which keys are gathered. */
const GATHERING = 8;

/** The index in OUTCOMES of each key, and what went wrong if not all of them were answered. */
export interface Changed {
  readonly outcomes: Uint8Array;
  readonly failure: { readonly cause: unknown } | undefined;
}

/** What one command gave: the places that the server was asked with, which may be full; or why it gave nothing. */
interface Answer extends Changed {
  readonly asked: Places;
}

/** Adds or deletes the keys that `place` gave `words` for. */
export async function change(shard: Shard, action: Action, words: Uint32Array): Promise<Changed> {
  const outcomes = new Uint8Array(words.length / WORDS);
  let indices = Array.from(outcomes.keys());
  let full: Places | undefined;
  for (let isAlone = !waiting.has(shard); ;) {
    const answer = await (isAlone ? askAlone : askWithOthers)(shard, action, words, full);
    if (answer === undefined) {
      isAlone = false;
      continue;
    }
    const { asked, failure } = answer;
    indices.forEach((index, i) => (outcomes[index] = answer.outcomes[i] as number));
    const left = Array.from(indices.keys()).filter((i) => answer.outcomes[i] === FULL);
    const canGrow = asked.table.doublings > 0;
    if (failure !== undefined || left.length === 0 || (isAlone && !canGrow)) return { outcomes, failure };
    // One that does not fit among others may fit alone, because a call of the program ends its search at the first failure.
    isAlone = !canGrow;
    full = asked;
    words = Uint32Array.from(left.flatMap((i) => [...words.subarray(WORDS * i, WORDS * (i + 1))]));
    indices = left.map((i) => indices[i] as number);
  }
}

/** Undefined if the table is being doubled. */
async function askAlone(shard: Shard, action: Action, words: Uint32Array): Promise<Answer | undefined> {
  const answer = await ask(shard, action, words);
  return answers(answer.failure?.cause, 'growing') ? undefined : answer;
}

/** `patiently` asks again where the table is being doubled. Never throws. */
async function ask(
  shard: Shard,
  action: Action,
  words: Uint32Array,
  patiently: (act: () => Promise<string>) => Promise<string> = (act) => act(),
): Promise<Answer> {
  const count = words.length / WORDS;
  const doubt: Doubt = { mayBeDone: false };
  let asked = shard.places;
  try {
    const digits = await patiently(() => {
      const kept = action === 'delete' ? { kept: shard.keyBeside(`answer:${randomWord()}`) } : {};
      return shard.run(action, (places) => packed((asked = places), words), { ...kept, doubt });
    });
    if (digits.length !== count) throw new Error(`the server answered for ${digits.length} of ${count} keys`);
    return { outcomes: Uint8Array.from(digits, Number), asked, failure: undefined };
  } catch (cause) {
    const outcomes = new Uint8Array(count).fill(doubt.mayBeDone ? UNKNOWN : REFUSED);
    return { outcomes, asked, failure: { cause } };
  }
}

/** Keys that wait for the table to double. */
interface Waiting {
  readonly action: Action;
  readonly words: Uint32Array;
  /** The places of the table that was full. */
  readonly full: Places | undefined;
  readonly resolve: (answer: Answer) => void;
}

/** Those of each shard, as long as there are any: they are asked together, so that one client waits for one lock once. */
const waiting = new WeakMap<Shard, Waiting[]>();

function askWithOthers(shard: Shard, action: Action, words: Uint32Array, full?: Places): Promise<Answer> {
  return new Promise((resolve) => {
    const one = { action, words, full, resolve };
    const others = waiting.get(shard);
    if (others !== undefined) {
      others.push(one);
      return;
    }
    waiting.set(shard, [one]);
    void askAll(shard);
  });
}

/** Asks for the keys that wait, as many together as one call takes, until there are none. */
async function askAll(shard: Shard): Promise<void> {
  for (;;) {
    // Those that the last call refused wait again soon.
    for (let turn = 0; turn < GATHERING; ++turn) await Promise.resolve();
    const all = waiting.get(shard) as Waiting[];
    const [first] = all;
    if (first === undefined) break;
    let room = CHANGES * WORDS;
    const some = new Set(
      all.filter(({ action, words }) => action === first.action && (room -= words.length) >= 0),
    );
    waiting.set(
      shard,
      all.filter((one) => !some.has(one)),
    );
    await askTogether(shard, first.action, [...some]);
  }
  waiting.delete(shard);
}

/** Doubles the table if it is still the one that was full, and asks. */
async function askTogether(shard: Shard, action: Action, some: readonly Waiting[]): Promise<void> {
  const { outcomes, ...rest } = await growAndAsk(shard, action, some);
  let begin = 0;
  for (const { words, resolve } of some) {
    const end = begin + words.length / WORDS;
    resolve({ outcomes: outcomes.slice(begin, end), ...rest });
    begin = end;
  }
}

async function growAndAsk(shard: Shard, action: Action, some: readonly Waiting[]): Promise<Answer> {
  const words = new Uint32Array(some.reduce((sum, one) => sum + one.words.length, 0));
  let end = 0;
  for (const one of some) {
    words.set(one.words, end);
    end += one.words.length;
  }
  try {
    for (const { full } of some) if (full === shard.places) await grow(shard, full);
  } catch (cause) {
    // Whatever has become of the doubling, these keys were not asked again.
    const outcomes = new Uint8Array(words.length / WORDS).fill(REFUSED);
    return { outcomes, asked: shard.places, failure: { cause } };
  }
  return ask(shard, action, words, (act) => whenFree(shard, act));
}

function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}
