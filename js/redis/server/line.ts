// The way to the server: sends commands, retries what is temporarily refused, and ends each call in time.
// Invariant: a command is handed to `send` only while its call is wanted, and again only if its error says that it was not
// carried out; and every command ends, whatever the client does with it.
import { FormatError } from '../../src/basic-errors.js';
import { LATE, RedisRollbackError, RedisTimeoutError } from '../errors.js';
import { onAbort } from './abort.js';
import { codeOf, isForNow, isNotSent, isRefusal, toldOf } from './server-errors.js';

/** A program that the server runs, and its SHA-1, by which the server knows it. */
export interface Program {
  readonly text: string;
  readonly sha1: string;
}

/** A command; the first word is its name. */
export type Words = (string | Uint8Array)[];

/** What `send` is given beside the command. */
export interface SendOptions {
  /** Aborts when nobody waits for the answer any more. If the command still waits in the client's queue, withdraw it. */
  readonly signal: AbortSignal;
}

/** Sends one command, whose first word is its name, and returns the server's answer. */
export interface Send {
  (command: (string | Uint8Array)[], options: SendOptions): Promise<unknown>;
  /** The prefix that the client puts before each Redis key. `RedisCuckooFilter.keys` needs it; the adapters set it. */
  readonly keyPrefix?: string | undefined;
}

/** What the adapters make of a client. Without options, the command cannot be withdrawn. */
export interface ClientSend extends Send {
  (command: (string | Uint8Array)[], options?: SendOptions): Promise<unknown>;
}

/**
 * A call that asks. Its signal ends it, at the latest after `callMs`. `mayBeDone` is kept up to date: after an error, it tells
 * whether the command may have been carried out.
 */
export interface Asking {
  readonly signal: AbortSignal;
  mayBeDone?: boolean;
}

/** Longest pause, in milliseconds, before a command is sent again. */
const LONGEST = 200;

export class Line {
  constructor(
    readonly send: Send,
    readonly callMs: number,
  ) {}

  /** What a program (../lua) answers. The server knows it by its hash, once it has had the text. */
  async run({ sha1, text }: Program, keys: string[], words: Words, asking?: Asking): Promise<unknown> {
    const all = [String(keys.length), ...keys, ...words];
    try {
      return await this.ask(['EVALSHA', sha1, ...all], asking);
    } catch (error) {
      if (codeOf(error) !== 'NOSCRIPT') throw error;
      return this.ask(['EVAL', text, ...all], asking);
    }
  }

  /**
   * What a call gives, which may send several commands; it ends after `callMs`, or when `signal` aborts. Then none of its commands
   * is sent again: one that the server refused for the moment would otherwise be carried out after the call has failed.
   */
  async within<Answer>(
    signal: AbortSignal | undefined,
    call: (asking: Asking) => Promise<Answer>,
  ): Promise<Answer> {
    const end = new AbortController();
    const forget = onAbort(signal, () => end.abort(signal?.reason));
    const timer = setTimeout(() => end.abort(new RedisTimeoutError(this.callMs)), this.callMs);
    try {
      return await call({ signal: end.signal });
    } finally {
      clearTimeout(timer);
      forget();
      end.abort();
    }
  }

  /** The answer to `command`, as a part of the call that is `asking`, or as a call of its own. */
  async ask(command: Words, asking?: Asking): Promise<unknown> {
    if (asking === undefined) return this.within(undefined, (call) => this.ask(command, call));
    const { signal } = asking;
    signal.throwIfAborted();
    // Of this command alone: clients listen to it.
    const end = new AbortController();
    const forget = onAbort(signal, () => end.abort(signal.reason));
    const throwIfEnded = (late: Error): void => {
      if (signal.aborted) throw signal.reason instanceof RedisTimeoutError ? late : signal.reason;
    };
    try {
      for (let attempt = 0; ; ++attempt) {
        try {
          asking.mayBeDone = true;
          return await settled(() => this.send(command, { signal: end.signal }), end.signal);
        } catch (thrown) {
          const error = toldOf(thrown);
          asking.mayBeDone = !isRefusal(error);
          const late = isNotSent(error) ? LATE.sending : LATE.server;
          throwIfEnded(new RedisTimeoutError(this.callMs, late));
          if (!isForNow(error)) throw error;
          await settled(() => rest(Math.min(LONGEST, 2 ** attempt)), end.signal).catch(() => undefined);
          throwIfEnded(error as Error);
        }
      }
    } finally {
      forget();
    }
  }
}

/** How many commands are sent at once: few, because Redis handles all of a connection's before it turns to the next. */
export const AT_ONCE = 4;

/**
 * What `act` gives for each item, for AT_ONCE of them at a time. Waits until all have ended, and only then throws if one failed: until
 * then, the server may still carry out a command. If several failed, it prefers an error after which that may happen even later.
 */
export async function allOf<Item, Answer>(
  items: readonly Item[],
  act: (item: Item, i: number) => Promise<Answer>,
): Promise<Answer[]> {
  const asked: Promise<Answer>[] = [];
  for (const [i, item] of items.entries())
    asked.push(
      i < AT_ONCE ? act(item, i) : Promise.allSettled([asked[i - AT_ONCE]]).then(() => act(item, i)),
    );
  const ended = await Promise.allSettled(asked);
  const errors = ended.flatMap((each) => (each.status === 'rejected' ? [each.reason as unknown] : []));
  const open = errors.find((error) => !isKnown(error));
  if (open !== undefined) throw open;
  return Promise.all(asked);
}

/** Whether an error says that nothing was done. */
function isKnown(error: unknown): boolean {
  return isRefusal(error) || error instanceof FormatError || error instanceof RedisRollbackError;
}

/** A pause of so many milliseconds. */
export function rest(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/**
 * What `act` gives, or the reason of `signal` if that aborts first. The client may say meanwhile that it has withdrawn
 * the command.
 */
function settled<Answer>(act: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const forget = onAbort(signal, () => setTimeout(() => reject(signal.reason as Error)));
    const begun = (async () => act())();
    begun.then(resolve, reject).finally(forget);
  });
}
