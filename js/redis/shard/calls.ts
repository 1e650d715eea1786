// The queue of a shard: calls in their order, of which each command takes as many as fit. Few commands are under way at once.
// Invariant: a key is asked again only if the server did not decide about it, and somebody still waits for it. Every call ends in time;
// if nothing of it was sent, it never is. Answers stay valid, whatever fails later.
import { LATE, REFUSED, RedisTimeoutError, UNKNOWN } from '../errors.js';
import { onAbort } from '../server/abort.js';
import { AT_ONCE, type Asking } from '../server/line.js';
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

/** A tick, or a part of one, whose calls go to the server together; and how many of them are not over. */
interface Moment {
  readonly timer: ReturnType<typeof setTimeout>;
  open: number;
  isLate: boolean;
}

/** A command under way: the calls whose keys it has, what withdraws it, and how far it has come. */
interface Command {
  readonly calls: readonly Call[];
  readonly end: AbortController;
  /** After the answer, a command waits for a doubling: `held` if all its calls are over, `doubling` if some of them wait as well. */
  state: 'sent' | 'held' | 'doubling';
}

class Call {
  readonly answers: Uint8Array;
  readonly answered: Promise<Answered>;
  /** How many keys are decided. */
  decided = 0;
  isOver = false;
  command: Command | undefined;
  #resolve: (answered: Answered) => void = () => undefined;

  constructor(
    readonly words: readonly number[],
    readonly moment: Moment,
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

  /** Ends the call, because its time is up or the caller gives up. Its command goes on if other calls wait for it. */
  stop(reason: unknown): void {
    const { command } = this;
    if (this.isOver) return;
    if (command?.state !== 'sent') this.end(REFUSED, reason);
    else if (command.calls.every((each) => each.isOver || each.moment.isLate || each.signal?.aborted))
      command.end.abort(reason);
    else this.end(UNKNOWN, reason);
  }
}

export class Calls {
  /** Those that are not over, in their order; the commands under way; and the moment that has not ended yet. */
  readonly #calls = new Set<Call>();
  readonly #commands = new Set<Command>();
  #moment: Moment | undefined;

  /** A command has at most `most` keys. If `isOrdered`, calls of one moment take effect in their order. Each ends after `callMs`. */
  constructor(
    readonly askServer: Ask,
    readonly most: number,
    readonly isOrdered: boolean,
    readonly callMs: number,
  ) {}

  /** Asks about the keys with these `words`, from `place`: at most `most`. */
  async ask(words: readonly number[], signal?: AbortSignal): Promise<Answered> {
    const moment = (this.#moment ??= this.#begin());
    const call = new Call(words, moment, signal);
    this.#calls.add(call);
    ++moment.open;
    const forget = onAbort(signal, () => call.stop(signal?.reason));
    const answered = await call.answered;
    forget();
    this.#calls.delete(call);
    if (--moment.open === 0) clearTimeout(moment.timer);
    return answered;
  }

  #begin(): Moment {
    void Promise.resolve().then(() => {
      this.#moment = undefined;
      this.#send();
    });
    const end = (): void => {
      moment.isLate = true;
      for (const call of this.#calls) {
        if (call.moment !== moment) continue;
        // A call that has not been sent waits for all commands under way.
        const commands = call.command === undefined ? [...this.#commands] : [call.command];
        const isGrowing = commands.some(({ state }) => state !== 'sent');
        call.stop(new RedisTimeoutError(this.callMs, isGrowing ? LATE.doubling : LATE.server));
      }
    };
    const moment: Moment = { timer: setTimeout(end, this.callMs), open: 0, isLate: false };
    return moment;
  }

  #send(): void {
    for (let calls = this.#next(); calls.length > 0; calls = this.#next()) void this.#askFor(calls);
  }

  /** The next calls for a command. */
  #next(): Call[] {
    const calls: Call[] = [];
    const commands = [...this.#commands];
    if (commands.filter(({ state }) => state !== 'doubling').length === AT_ONCE) return calls;
    // What a command leaves undecided is asked again before what came after it.
    const undecided = this.isOrdered ? commands.filter(({ state }) => state !== 'held') : [];
    const ordered = undecided.flatMap((command) => command.calls);
    const busy = new Set(ordered.map(({ moment }) => moment));
    let count = 0;
    for (const call of this.#calls) {
      if (call.isOver || call.command !== undefined) continue;
      if (busy.has(call.moment) || (count += call.left) > this.most) break;
      calls.push(call);
    }
    return calls;
  }

  async #askFor(calls: readonly Call[]): Promise<void> {
    const command: Command = { calls, end: new AbortController(), state: 'sent' };
    this.#commands.add(command);
    for (const call of calls) call.command = command;
    const asking: Asking = { signal: command.end.signal, mayBeDone: false };
    try {
      const words = calls.flatMap((call) => call.words.slice(WORDS * call.decided));
      const { answers, before } = await this.askServer(Uint32Array.from(words), asking);
      asking.mayBeDone = false;
      let at = 0;
      for (const call of calls) {
        for (const next = at + call.left; at < next; ++at)
          if (at < answers.length) call.answers[call.decided++] = answers[at] as number;
        if (call.left === 0 && !call.isOver) call.end();
      }
      // If all were given up meanwhile, nobody asks again about what is left.
      command.end.signal.throwIfAborted();
      if (before === undefined) return;
      // Even if every key is decided, the command stays under way, so that changes cannot outrun the doubling.
      command.state = calls.every(({ isOver }) => isOver) ? 'held' : 'doubling';
      this.#send();
      await before;
    } catch (cause) {
      const answer = asking.mayBeDone ? UNKNOWN : REFUSED;
      for (const call of calls)
        if (!call.isOver) call.end(answer, call.signal?.aborted ? call.signal.reason : cause);
    } finally {
      for (const call of calls) call.command = undefined;
      this.#commands.delete(command);
      this.#send();
    }
  }
}
