// Calls of one shard. What is asked at the same moment goes to the server in one command, in its order; commands of several
// moments may be under way. Invariant: a key is asked again only if the server did not decide about it, and somebody still
// waits for it. A call that was aborted before its command was sent is not sent. Answers stay valid, whatever fails later.
import { LATE, REFUSED, RedisTimeoutError, UNKNOWN } from '../errors.js';
import { onAbort } from '../server/abort.js';
import type { Asking } from '../server/line.js';
import { WORDS } from './places.js';

/** The answer for each key, and what went wrong if not all of them were answered. */
export interface Answered {
  readonly answers: Uint8Array;
  readonly failure: { readonly cause: unknown } | undefined;
}

/** Asks the server about keys. Gives answers for the first of them, and what to wait for before the others are asked. */
export type Ask = (
  words: Uint32Array,
  asking: Asking,
) => Promise<{ readonly answers: ArrayLike<number>; readonly before?: Promise<unknown> | undefined }>;

/** For how many turns of the promise queue calls are gathered: as many as a batch takes to get here. */
const GATHERING = 12;

/** How many commands are sent at once: few, because Redis handles all of a connection's before it turns to the next. */
export const AT_ONCE = 4;

class Call {
  readonly answers: Uint8Array;
  readonly answered: Promise<Answered>;
  /** How many keys are decided. */
  decided = 0;
  /** Its place among the calls of its moment. */
  at = 0;
  isOver = false;
  /** The command that was sent and is not answered: the calls whose keys it has, and what withdraws it. */
  command: { readonly calls: readonly Call[]; readonly end: AbortController } | undefined;
  #resolve: (answered: Answered) => void = () => undefined;

  constructor(
    readonly words: Uint32Array,
    readonly signal: AbortSignal | undefined,
  ) {
    this.answers = new Uint8Array(words.length / WORDS);
    this.answered = new Promise((resolve) => (this.#resolve = resolve));
  }

  get left(): number {
    return this.answers.length - this.decided;
  }

  /** Ends it. `answer` is that of the keys which are not decided, because of `cause`. */
  end(answer?: number, cause?: unknown): void {
    this.isOver = true;
    if (answer !== undefined) this.answers.fill(answer, this.decided);
    this.#resolve({ answers: this.answers, failure: answer === undefined ? undefined : { cause } });
  }

  /** The caller gives up. If the command has others to wait for, it goes on without this one. */
  stop(): void {
    const reason: unknown = this.signal?.reason;
    if (this.isOver) return;
    if (this.command === undefined) this.end(REFUSED, reason);
    else if (this.command.calls.every(({ signal }) => signal?.aborted)) this.command.end.abort(reason);
    else this.end(UNKNOWN, reason);
  }

  /** Its time is over. */
  endLate(error: RedisTimeoutError): void {
    if (this.isOver) return;
    if (this.command === undefined) this.end(REFUSED, error);
    else this.command.end.abort(error);
  }
}

/** The calls of one moment, in their order; how far they were asked; and whether they wait for a doubling. */
interface Moment {
  readonly calls: readonly Call[];
  next: number;
  isDoubling: boolean;
  /** Starts the time anew in which the server must answer. */
  renew: () => void;
}

export class Calls {
  readonly #ask: Ask;
  readonly #atOnce: number;
  readonly #callMs: number;
  #gathered: Call[] = [];

  /**
   * A command has at most `most` keys. Of the calls of one moment, at most `atOnce` commands are under way. Calls end if
   * the server answers none of them for `callMs`.
   */
  constructor(
    ask: Ask,
    readonly most: number,
    atOnce: number,
    callMs: number,
  ) {
    this.#ask = ask;
    this.#atOnce = atOnce;
    this.#callMs = callMs;
  }

  /** Asks about the keys with these `words`, from `place`: at most `most`. */
  async ask(words: Uint32Array, signal?: AbortSignal): Promise<Answered> {
    const call = new Call(words, signal);
    const forget = onAbort(signal, () => call.stop());
    if (this.#gathered.push(call) === 1) void this.#askSoon();
    return call.answered.finally(forget);
  }

  /** In as many commands as necessary, because each does only a limited amount of work. */
  async #askSoon(): Promise<void> {
    for (let turn = 0; turn < GATHERING; ++turn) await Promise.resolve();
    const calls = this.#gathered.splice(0);
    const end = (): void => {
      const late = new RedisTimeoutError(this.#callMs, moment.isDoubling ? LATE.doubling : LATE.server);
      for (const call of calls) call.endLate(late);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    const renew = (): void => {
      clearTimeout(timer);
      timer = setTimeout(end, this.#callMs);
    };
    const moment: Moment = { calls, next: 0, isDoubling: false, renew };
    renew();
    await Promise.all(Array.from({ length: this.#atOnce }, () => this.#askAll(moment)));
    clearTimeout(timer);
  }

  async #askAll(moment: Moment): Promise<void> {
    for (;;) {
      const calls = this.#next(moment);
      if (calls.length === 0) return;
      const failure = await this.#askFor(calls, moment);
      if (failure === undefined) continue;
      // As in a batch, no more is asked after a failure.
      for (const call of moment.calls)
        if (call.command === undefined && !call.isOver) call.end(REFUSED, failure.cause);
    }
  }

  /** The next calls for a command. */
  #next(moment: Moment): Call[] {
    const calls: Call[] = [];
    let count = 0;
    for (; moment.next < moment.calls.length; ++moment.next) {
      const call = moment.calls[moment.next] as Call;
      if (call.isOver || call.command !== undefined) continue;
      if ((count += call.left) > this.most) break;
      call.at = moment.next;
      calls.push(call);
    }
    return calls;
  }

  /** Returns why the command has failed, unless its callers have given it up, or their time is over. */
  async #askFor(calls: readonly Call[], moment: Moment): Promise<{ readonly cause: unknown } | undefined> {
    const command = { calls, end: new AbortController() };
    const asking: Asking = { signal: command.end.signal, mayBeDone: false };
    try {
      const words = calls.map((call) => call.words.subarray(WORDS * call.decided));
      for (const call of calls) call.command = command;
      const { answers, before } = await this.#ask(
        Uint32Array.from(words.flatMap((each) => [...each])),
        asking,
      );
      asking.mayBeDone = false;
      if (answers.length > 0) moment.renew();
      let at = 0;
      for (const call of calls) {
        call.command = undefined;
        for (const next = at + call.left; at < next; ++at)
          if (at < answers.length) call.answers[call.decided++] = answers[at] as number;
        // What is not decided is asked again, before what came after it.
        if (call.left > 0) moment.next = Math.min(moment.next, call.at);
        else if (!call.isOver) call.end();
      }
      moment.isDoubling = before !== undefined;
      await before;
      moment.isDoubling = false;
      return undefined;
    } catch (cause) {
      const answer = asking.mayBeDone === true ? UNKNOWN : REFUSED;
      for (const call of calls)
        if (!call.isOver) call.end(answer, call.signal?.aborted ? call.signal.reason : cause);
      return command.end.signal.aborted ? undefined : { cause };
    }
  }
}
