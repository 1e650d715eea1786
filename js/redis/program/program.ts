// How the server gets the program and runs it: as a Function if the server has them, otherwise as a script.
// Invariant: both names identify the program, so that several versions of the package can share a server; and scripts
// replace Functions only after errors that say that there are no Functions, and only for a time.
import { hexOf } from '../shard/saved.js';
import { program } from './script.js';
import {
  hasLibrary,
  isForbidden,
  isMissingScript,
  isOfProgram,
  isRefusal,
  lacksFunction,
} from './server-errors.js';

/** Sends one command, whose first word is its name, and returns the server's answer. */
export type Send = (command: (string | Uint8Array)[]) => Promise<unknown>;

/** The program as a script. A function, so that bundlers can drop it from programs that do not use it. */
function script(): string {
  return `${program()}return run(KEYS, ARGV)\n`;
}

/**
 * The name of the library, which contains the hash of the program, and the script's own hash, by which the server knows
 * it.
 */
let names: Promise<readonly [library: string, script: string]> | undefined;

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text));
  return hexOf(new Uint8Array(digest));
}

/**
 * The program as a library of two Functions: one that changes filters, and one that only reads them, which replicas may
 * run too.
 */
function libraryOf(name: string): string {
  return `#!lua name=${name}\n${program()}redis.register_function('${name}', run)
redis.register_function{ function_name = '${name}_read', callback = run, flags = { 'no-writes' } }\n`;
}

/** The names of both, computed once. */
function namesOf(): Promise<readonly [library: string, script: string]> {
  return (names ??= Promise.all([sha1(program()), sha1(script())]).then(([text, whole]) => [
    `cuckoofilter_${text.slice(0, 12)}`,
    whole,
  ]));
}

/**
 * The program that runs on the server, for an administrator to load: the name of its library of Functions, and the text
 * for FUNCTION LOAD.
 */
export async function redisProgram(): Promise<{ readonly name: string; readonly text: string }> {
  const [name] = await namesOf();
  return { name, text: libraryOf(name) };
}

/**
 * Loads the program on the server, or on all masters of a cluster, as a library of Functions, so that the first change
 * need not. Returns the name of the library. It may already be loaded. Throws the server's error, for example if the
 * server has no Functions.
 */
export async function installRedisProgram(send: Send): Promise<string> {
  const { name, text } = await redisProgram();
  try {
    await send(['FUNCTION', 'LOAD', text]);
  } catch (error) {
    if (!hasLibrary(error)) throw error;
  }
  return name;
}

/**
 * How long scripts are run, in milliseconds, if Functions were refused, and if a Function was missing although it was
 * loaded.
 */
const WITHOUT_FUNCTIONS = 60_000;
const WITHOUT_THIS_ONE = 1000;

/** Whether a call may have been carried out: it was sent, and neither answered nor refused. */
export interface Doubt {
  mayBeDone: boolean;
}

/**
 * Where the server keeps the answer to a delete, for a later copy of the command: the Redis key, and the number of the
 * answer.
 */
export interface Kept {
  readonly key: string;
  readonly turn: number;
}

type Words = readonly (string | Uint8Array)[];

/** `look` and `read` change nothing, so a server that refuses changes answers them too. Replicas may answer `read`. */
type Purpose = 'change' | 'look' | 'read';

/** Runs the program for one shard. */
export class Program {
  readonly #send: Send;
  /** Until then scripts are run, because they worked where Functions did not; after that, Functions are tried again. */
  #scriptsUntil = -Infinity;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * The answer of the program. `doubt` is kept up to date: after an error, it tells whether the program may have run
   * all the same.
   */
  async run(
    keys: readonly string[],
    words: Words,
    purpose: Purpose,
    doubt: Doubt = { mayBeDone: false },
  ): Promise<unknown> {
    const [library, hash] = await namesOf();
    const ask = async (...begin: string[]): Promise<unknown> => {
      doubt.mayBeDone = true;
      try {
        return await this.#send([...begin, String(keys.length), ...keys, ...words]);
      } catch (error) {
        doubt.mayBeDone = !isRefusal(error);
        throw error;
      }
    };
    const byFunction = (): Promise<unknown> =>
      ask(purpose === 'read' ? 'FCALL_RO' : 'FCALL', purpose === 'change' ? library : `${library}_read`);
    const byScript = async (): Promise<unknown> => {
      try {
        return await ask('EVALSHA', hash);
      } catch (error) {
        if (!isMissingScript(error)) throw error;
        return ask('EVAL', script()); // which loads it
      }
    };
    if (performance.now() < this.#scriptsUntil)
      try {
        return await byScript();
      } catch (error) {
        if (!isForbidden(error)) throw error;
      }
    const answer = await this.#orReason(library, byFunction);
    return 'reason' in answer ? this.#instead(byScript, answer.reason) : answer.given;
  }

  /** The answer of `byFunction`; or the error, if a script might work instead. Any other error is thrown. */
  async #orReason(
    library: string,
    byFunction: () => Promise<unknown>,
  ): Promise<{ given: unknown } | { reason: unknown }> {
    try {
      return { given: await byFunction() };
    } catch (error) {
      if (isForbidden(error)) return { reason: error };
      if (!lacksFunction(error)) throw error;
    }
    try {
      await this.#send(['FUNCTION', 'LOAD', libraryOf(library)]);
    } catch (error) {
      if (!isRefusal(error) && !hasLibrary(error)) throw error;
      if (!hasLibrary(error)) return { reason: error };
    }
    try {
      return { given: await byFunction() };
    } catch (error) {
      // A replica may lag behind, or the library was loaded on another node.
      if (isForbidden(error) || lacksFunction(error)) return { reason: error };
      throw error;
    }
  }

  /** The answer of the script. If that is refused too, throws `reason`, the error of the Function. */
  async #instead(byScript: () => Promise<unknown>, reason: unknown): Promise<unknown> {
    const leave = (): void => {
      const time = isForbidden(reason) ? WITHOUT_FUNCTIONS : lacksFunction(reason) ? WITHOUT_THIS_ONE : 0;
      this.#scriptsUntil = performance.now() + time;
    };
    try {
      const given = await byScript();
      leave();
      return given;
    } catch (error) {
      if (isForbidden(error)) throw reason;
      if (isOfProgram(error)) leave();
      throw error;
    }
  }
}
