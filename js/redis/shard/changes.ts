// Changes of one shard: finds the outcome of each key, after the table has doubled if it must. Calls made at the same
// moment go to the server together. Invariant: a key is tried again only if the server did not decide about it, or
// refused it. Answers stay valid, whatever fails later; a key is `unknown` only if a command with it may have been
// carried out. Calls are carried out in the order in which they were made: one command waits for the one before, as that
// may come back with a part of its keys undecided.
import { argumentError } from '../../src/errors.js';
import { REFUSED, UNKNOWN } from '../errors.js';
import { grow } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import type { Doubt } from '../program/program.js';
import { hexOf, randomIdentity } from './saved.js';
import type { Action } from '../program/script.js';
import type { Shard } from './shard.js';

/** The digit for a key that the program did not decide about; all keys after it have the same. */
const UNDECIDED = '4';

/** The index in OUTCOMES of each key, and what went wrong if not all of them were answered. */
export interface Changed {
  readonly outcomes: Uint8Array;
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Calls that are sent together. */
interface Group {
  readonly action: Action;
  readonly all: Uint32Array[];
  /** Keys of them. */
  count: number;
  readonly changed: Promise<Changed>;
}

export class Changes {
  readonly #shard: Shard;
  #group: Group | undefined;
  /** Ends when all that was sent is decided. */
  #last: Promise<unknown> = Promise.resolve();
  /** Where the server keeps the answer to a delete. One key is enough, because one command waits for the one before. */
  readonly #answer = `answer:${hexOf(randomIdentity())}`;
  #turn = 0;

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** Adds or deletes the keys with these `words` (from `place`), together with other calls of the same moment. */
  async change(action: Action, words: Uint32Array): Promise<Changed> {
    const count = words.length / WORDS;
    let group = this.#group;
    if (group?.action !== action || group.count + count > this.#shard.limits.changes) {
      const begun: Group = {
        action,
        all: [],
        count: 0,
        changed: this.#last.then(() => this.#send(begun)),
      };
      this.#last = begun.changed.catch(() => undefined);
      group = this.#group = begun;
    }
    const begin = group.count;
    group.all.push(words);
    group.count += count;
    const { outcomes, failure } = await group.changed;
    const own = outcomes.subarray(begin, begin + count);
    return { outcomes: own, failure: own.some((outcome) => outcome >= REFUSED) ? failure : undefined };
  }

  #send(group: Group): Promise<Changed> {
    if (this.#group === group) this.#group = undefined;
    const joined = new Uint32Array(WORDS * group.count);
    let end = 0;
    for (const each of group.all) {
      joined.set(each, end);
      end += each.length;
    }
    return this.#changeAll(group.action, joined);
  }

  /** In as many calls as necessary, because one call does only a limited amount of work. */
  async #changeAll(action: Action, words: Uint32Array): Promise<Changed> {
    const count = words.length / WORDS;
    const outcomes = new Uint8Array(count).fill(REFUSED);
    for (let decided = 0; ;) {
      const doubt: Doubt = { mayBeDone: false };
      try {
        const { digits, state, asked } = await this.#ask(action, words.subarray(WORDS * decided), doubt);
        if (digits.length !== count - decided)
          throw argumentError(`the server answered for ${digits.length} of ${count - decided} keys`);
        doubt.mayBeDone = false;
        for (const digit of digits) if (digit !== UNDECIDED) outcomes[decided++] = Number(digit);
        // Nobody waits for it. Where it fails, the next change goes on.
        if (state === '+') grow(this.#shard, asked).catch(() => undefined);
        if (decided === count) return { outcomes, failure: undefined };
        if (state === '!') await grow(this.#shard, asked);
      } catch (cause) {
        if (doubt.mayBeDone) outcomes.fill(UNKNOWN, decided);
        return { outcomes, failure: { cause } };
      }
    }
  }

  async #ask(action: Action, words: Uint32Array, doubt: Doubt): Promise<Answer> {
    let asked = this.#shard.places;
    const kept = action === 'delete' ? { key: this.#answer, turn: ++this.#turn } : undefined;
    const answer = await this.#shard.run(action, (places) => packed((asked = places), words), {
      kept,
      doubt,
    });
    return { digits: answer.slice(0, -1), state: answer.slice(-1), asked };
  }
}

/** What the program answered: a digit for each key, how the table is, and the places that it was asked with. */
interface Answer {
  readonly digits: string;
  readonly state: string;
  readonly asked: Places;
}
