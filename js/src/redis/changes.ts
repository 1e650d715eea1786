// Changes of one shard: the outcome of each key, after the table has doubled if it must.
// Invariant: a key is tried again only if the server answered that it did not fit, or that the table was being doubled.
import { grow, whenFree } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import { says } from './program.js';
import type { Action } from './script.js';
import type { Shard } from './shard.js';

const FULL = 1;
/** Keys that one call of the program changes, which nothing else can run beside. */
export const CHANGES = 500;

/** Turns of the queue of promises for which keys are gathered. */
const GATHERING = 8;

/** A digit of the script for each key, and the places that the server was asked with. */
interface Answer {
  readonly digits: string;
  readonly asked: Places;
}

/** Adds or deletes the keys that `place` gave `words` for. Gives the index in OUTCOMES for each. */
export async function change(shard: Shard, action: Action, words: Uint32Array): Promise<Uint8Array> {
  const outcomes = new Uint8Array(words.length / WORDS);
  let indices = Array.from(outcomes.keys());
  let full: Places | undefined;
  for (let isAlone = !waiting.has(shard); ;) {
    const answer = await (isAlone ? askAlone : askWithOthers)(shard, action, words, full);
    if (answer === undefined) {
      isAlone = false;
      continue;
    }
    const { digits, asked } = answer;
    indices.forEach((index, i) => (outcomes[index] = Number(digits[i])));
    const left = Array.from(indices.keys()).filter((i) => Number(digits[i]) === FULL);
    const canGrow = asked.table.doublings > 0;
    if (left.length === 0 || (isAlone && !canGrow)) return outcomes;
    // One that does not fit among others may fit alone, because a call of the program ends its search at the first failure.
    isAlone = !canGrow;
    full = asked;
    words = Uint32Array.from(left.flatMap((i) => [...words.subarray(WORDS * i, WORDS * (i + 1))]));
    indices = left.map((i) => indices[i] as number);
  }
}

/** Undefined if the table is being doubled. */
async function askAlone(shard: Shard, action: Action, words: Uint32Array): Promise<Answer | undefined> {
  try {
    return await ask(shard, action, words);
  } catch (error) {
    if (says(error, /CUCKOO growing/)) return undefined;
    throw error;
  }
}

async function ask(shard: Shard, action: Action, words: Uint32Array): Promise<Answer> {
  const kept = action === 'delete' ? { kept: shard.keyBeside(`answer:${randomWord()}`) } : {};
  let asked = shard.places;
  const digits = await shard.run(action, (places) => packed((asked = places), words), kept);
  if (digits.length !== words.length / WORDS)
    throw new Error(`the server answered for ${digits.length} of ${words.length / WORDS} keys`);
  return { digits, asked };
}

/** Keys that wait for the table to double. */
interface Waiting {
  readonly action: Action;
  readonly words: Uint32Array;
  /** The places of the table that was full. */
  readonly full: Places | undefined;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Those of each shard, as long as there are any: they are asked together, so that one client waits for one lock once. */
const waiting = new WeakMap<Shard, Waiting[]>();

function askWithOthers(shard: Shard, action: Action, words: Uint32Array, full?: Places): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const one = { action, words, full, resolve, reject };
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
  try {
    for (const { full } of some) if (full === shard.places) await grow(shard, full);
    const words = new Uint32Array(some.reduce((sum, one) => sum + one.words.length, 0));
    let end = 0;
    for (const one of some) {
      words.set(one.words, end);
      end += one.words.length;
    }
    const { digits, asked } = await whenFree(shard, () => ask(shard, action, words));
    let begin = 0;
    for (const { words: own, resolve } of some) {
      const next = begin + own.length / WORDS;
      resolve({ digits: digits.slice(begin, next), asked });
      begin = next;
    }
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}

function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}
