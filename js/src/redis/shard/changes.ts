// Changes of one shard: the outcome of each key, after the table has doubled if it must.
// Invariant: a key is tried again only if the server did not decide about it, or refused it. What was answered stays, whatever
// fails after it; a key is `unknown` only if a command with it may have been carried out.
import { REFUSED, UNKNOWN } from '../errors.js';
import { grow, growMeanwhile } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import type { Doubt } from '../program/program.js';
import type { Action } from '../program/script.js';
import type { Shard } from './shard.js';

/** The digit for a key that the program did not decide about: as all after it. */
const UNDECIDED = '4';

/** The index in OUTCOMES of each key, and what went wrong if not all of them were answered. */
export interface Changed {
  readonly outcomes: Uint8Array;
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Adds or deletes the keys that `place` gave `words` for, in as many calls as it takes: a call does only so much. */
export async function change(shard: Shard, action: Action, words: Uint32Array): Promise<Changed> {
  const count = words.length / WORDS;
  const outcomes = new Uint8Array(count).fill(REFUSED);
  for (let decided = 0; ;) {
    const doubt: Doubt = { mayBeDone: false };
    try {
      const { digits, state, asked } = await ask(shard, action, words.subarray(WORDS * decided), doubt);
      if (digits.length !== count - decided)
        throw new Error(`the server answered for ${digits.length} of ${count - decided} keys`);
      doubt.mayBeDone = false;
      for (const digit of digits) if (digit !== UNDECIDED) outcomes[decided++] = Number(digit);
      if (state === '+') growMeanwhile(shard, asked);
      if (decided === count) return { outcomes, failure: undefined };
      if (state === '!') await grow(shard, asked);
    } catch (cause) {
      if (doubt.mayBeDone) outcomes.fill(UNKNOWN, decided);
      return { outcomes, failure: { cause } };
    }
  }
}

/** What the program answered: a digit for each key, how the table is, and the places that it was asked with. */
interface Answer {
  readonly digits: string;
  readonly state: string;
  readonly asked: Places;
}

async function ask(shard: Shard, action: Action, words: Uint32Array, doubt: Doubt): Promise<Answer> {
  const kept = action === 'delete' ? { kept: shard.keyBeside(`answer:${randomWord()}`) } : {};
  let asked = shard.places;
  const answer = await shard.run(action, (places) => packed((asked = places), words), { ...kept, doubt });
  return { digits: answer.slice(0, -1), state: answer.slice(-1), asked };
}

function randomWord(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(3)), (part) => part.toString(36)).join('');
}
