// Calls of one moment, which go to the server together.
// Invariant: a call that was aborted before its command was sent is not sent.

/** For how many turns of the promise queue calls are gathered: as many as a batch takes to get here. */
const GATHERING = 12;

/** Gives `send` what was added in one moment. */
export class Gathering<Call> {
  readonly #send: (calls: Call[]) => void;
  #calls: Call[] = [];

  constructor(send: (calls: Call[]) => void) {
    this.#send = send;
  }

  add(call: Call): void {
    if (this.#calls.push(call) === 1) void this.#sendSoon();
  }

  async #sendSoon(): Promise<void> {
    for (let turn = 0; turn < GATHERING; ++turn) await Promise.resolve();
    const calls = this.#calls;
    this.#calls = [];
    this.#send(calls);
  }
}

/** Parts of `calls` that have at most `most` keys together, in order. A call alone has no more. */
export function runsOf<Call>(calls: readonly Call[], keysOf: (call: Call) => number, most: number): Call[][] {
  const runs: Call[][] = [];
  let count = Infinity;
  for (const call of calls) {
    count += keysOf(call);
    if (count > most) {
      runs.push([]);
      count = keysOf(call);
    }
    (runs.at(-1) as Call[]).push(call);
  }
  return runs;
}

type Signals = readonly (AbortSignal | undefined)[];

/** What `act` gives, with a signal that aborts once nobody waits for it: when all of `signals` have aborted. */
export async function shared<Answer>(
  signals: Signals,
  act: (signal?: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const [first] = signals;
  if (signals.length === 1 || signals.some((signal) => signal === undefined))
    return act(signals.length === 1 ? first : undefined);
  const end = new AbortController();
  const stop = (): void => {
    if (signals.every((signal) => signal?.aborted)) end.abort(first?.reason);
  };
  for (const signal of signals) signal?.addEventListener('abort', stop);
  stop();
  return act(end.signal).finally(() => {
    for (const signal of signals) signal?.removeEventListener('abort', stop);
  });
}
