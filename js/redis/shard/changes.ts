// Changes of one shard: finds the outcome of each key, after the table has doubled if it must. Calls made at the same
// moment go to the server in one command, which takes the keys in their order; commands of several moments may be under
// way. Invariant: a key is sent again only if the server did not decide about it, and somebody still waits for it.
// Answers stay valid, whatever fails later; a key is `unknown` only if a command with it may have been carried out.
import { argumentError } from '../../src/errors.js';
import { REFUSED, UNKNOWN } from '../errors.js';
import { textOfAnswer } from '../server/answers.js';
import type { Asking } from '../server/line.js';
import { Gathering, runsOf, shared } from './group.js';
import { grow } from './growth.js';
import { packed, WORDS, type Places } from './places.js';
import type { Shard } from './shard.js';

/** The digit for a key that the program did not decide about; all keys after it have the same. */
const UNDECIDED = '4';

/** The index in OUTCOMES of each key, and what went wrong if not all of them were answered. */
export interface Changed {
  readonly outcomes: Uint8Array;
  readonly failure: { readonly cause: unknown } | undefined;
}

/** A call: its keys, and who waits. */
class Call {
  readonly outcomes: Uint8Array;
  readonly changed: Promise<Changed>;
  /** How many keys are decided. */
  decided = 0;
  isOver = false;
  #resolve: (changed: Changed) => void = () => undefined;

  constructor(
    readonly words: Uint32Array,
    readonly signal: AbortSignal | undefined,
  ) {
    this.outcomes = new Uint8Array(words.length / WORDS);
    this.changed = new Promise((resolve) => (this.#resolve = resolve));
  }

  get left(): number {
    return this.outcomes.length - this.decided;
  }

  /** Ends it. `outcome` is that of the keys which are not decided, because of `cause`. */
  end(outcome?: number, cause?: unknown): void {
    if (this.isOver) return;
    this.isOver = true;
    if (outcome !== undefined) this.outcomes.fill(outcome, this.decided);
    this.#resolve({ outcomes: this.outcomes, failure: outcome === undefined ? undefined : { cause } });
  }
}

export class Changes {
  readonly #shard: Shard;
  /** The calls whose keys are in a command that was sent and is not answered, each with all calls of that command. */
  readonly #sent = new Map<Call, readonly Call[]>();
  readonly #gathering = new Gathering<Call>((calls) => void this.#send(calls));

  constructor(shard: Shard) {
    this.#shard = shard;
  }

  /** Adds or deletes the keys with these `words`, from `place` and `setAction`. */
  async change(words: Uint32Array, signal?: AbortSignal): Promise<Changed> {
    const call = new Call(words, signal);
    const stop = (): void => this.#stop(call);
    signal?.addEventListener('abort', stop);
    this.#gathering.add(call);
    return call.changed.finally(() => signal?.removeEventListener('abort', stop));
  }

  /** The caller gives up. If the command has others to wait for, it goes on without this one. */
  #stop(call: Call): void {
    const together = this.#sent.get(call);
    if (together === undefined) call.end(REFUSED, call.signal?.reason);
    else if (together.some(({ signal }) => !signal?.aborted)) call.end(UNKNOWN, call.signal?.reason);
  }

  async #send(calls: readonly Call[]): Promise<void> {
    // One after the other, so that the keys of one moment keep their order.
    for (const run of runsOf(calls, ({ left }) => left, this.#shard.shared.limits.changes))
      await this.#settle(run);
  }

  /** In as many commands as necessary, because each does only a limited amount of work. */
  async #settle(run: readonly Call[]): Promise<void> {
    for (let calls = run; ;) {
      calls = calls.filter(({ isOver }) => !isOver);
      if (calls.length === 0) return;
      const asking: Asking = { mayBeDone: false };
      try {
        const { digits, state, asked } = await this.#ask(calls, asking);
        let at = 0;
        for (const call of calls) {
          const end = at + call.left;
          for (; at < end && digits[at] !== UNDECIDED; ++at)
            call.outcomes[call.decided++] = Number(digits[at]);
          at = end;
          if (call.left === 0) call.end();
        }
        // Nobody waits for it, and `growthError` tells if it fails.
        if (state === '+') grow(this.#shard, asked, false).catch(() => undefined);
        if (state === '!') await grow(this.#shard, asked, true);
      } catch (cause) {
        const outcome = asking.mayBeDone === true ? UNKNOWN : REFUSED;
        for (const call of calls) call.end(outcome, call.signal?.aborted ? call.signal.reason : cause);
      }
    }
  }

  /** Asks the program about the keys that are not decided. */
  async #ask(calls: readonly Call[], asking: Asking): Promise<Answer> {
    const words = new Uint32Array(WORDS * calls.reduce((sum, { left }) => sum + left, 0));
    let end = 0;
    for (const call of calls) {
      words.set(call.words.subarray(WORDS * call.decided), end);
      end += WORDS * call.left;
    }
    let asked = this.#shard.places;
    for (const call of calls) this.#sent.set(call, calls);
    try {
      const answer = await shared(
        calls.map(({ signal }) => signal),
        (signal) =>
          this.#shard.upToDate(async (places, least) => {
            asked = places;
            const given = Object.assign(asking, { signal });
            const told = await this.#shard.change(places, least, packed(places, words), given);
            const text = textOfAnswer('change', told);
            this.#shard.check(Number(/\d+$/.exec(text)), least);
            return text;
          }, asking),
      );
      const [, digits = '', state = ''] = /^(\d+)(\D)/.exec(answer) ?? [];
      if (WORDS * digits.length !== words.length)
        throw argumentError(`the server answered for ${digits.length} of ${words.length / WORDS} keys`);
      asking.mayBeDone = false;
      return { digits, state, asked };
    } finally {
      for (const call of calls) this.#sent.delete(call);
    }
  }
}

/** What the program answered: a digit for each key, how the table is, and the places that it was asked with. */
interface Answer {
  readonly digits: string;
  readonly state: string;
  readonly asked: Places;
}
