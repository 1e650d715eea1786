// How the server gets the program and runs it: as a Function where it has them, otherwise as a script.
// Invariant: the name of both says which program it is, so that several versions of the package share a server.
import { program } from './script.js';

/** Sends one command, whose first word is its name, and returns the server's answer. */
export type Send = (command: (string | Uint8Array)[]) => Promise<unknown>;

/** The program as a script. A function, so that bundlers can leave it out of what does not use it. */
function script(): string {
  return `${program()}return run(KEYS, ARGV)\n`;
}

/** A name that begins with the hash of the program, and the script's own hash, by which the server knows it. */
let names: Promise<readonly [library: string, script: string]> | undefined;

async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The program as a library of two Functions: one that changes filters, and one that only reads them, for replicas too. */
function libraryOf(name: string): string {
  return `#!lua name=${name}\n${program()}redis.register_function('${name}', run)
redis.register_function{ function_name = '${name}_read', callback = run, flags = { 'no-writes' } }\n`;
}

export function says(error: unknown, words: RegExp): boolean {
  return error instanceof Error && words.test(error.message);
}

/**
 * What servers answer that have no Functions, do not allow them, or have not got this one. Other errors begin with a word of their
 * own, such as OOM, LOADING or READONLY.
 */
const NO_FUNCTION =
  /function not found|unknown (redis )?command|ERR unknown|unsupported command|NOPERM|not (available|supported|allowed|permitted)/i;
const OTHER_ERROR = /^(?!ERR |NOPERM )[A-Z]{3,} /;

function hasNoFunction(error: unknown): boolean {
  return says(error, NO_FUNCTION) && !says(error, OTHER_ERROR);
}

/** Runs the program for one shard. */
export class Program {
  readonly #send: Send;
  #hasFunctions = true;

  constructor(send: Send) {
    this.#send = send;
  }

  /** What the program answers. `isReading`: it changes nothing, so that a replica may run it. */
  async run(
    keys: readonly string[],
    words: readonly (string | Uint8Array)[],
    isReading: boolean,
  ): Promise<unknown> {
    names ??= Promise.all([sha1(program()), sha1(script())]).then(([text, whole]) => [
      `cuckoofilter_${text.slice(0, 12)}`,
      whole,
    ]);
    const [library, hash] = await names;
    const rest = [String(keys.length), ...keys, ...words];
    for (let attempt = 0; this.#hasFunctions; ++attempt) {
      try {
        const command = isReading ? ['FCALL_RO', `${library}_read`] : ['FCALL', library];
        return await this.#send([...command, ...rest]);
      } catch (error) {
        if (!hasNoFunction(error)) throw error;
        // Where it is refused, or has reached another node only, scripts do.
        if (attempt > 0) this.#hasFunctions = false;
        else await this.#send(['FUNCTION', 'LOAD', libraryOf(library)]).catch(() => undefined);
      }
    }
    try {
      return await this.#send(['EVALSHA', hash, ...rest]);
    } catch (error) {
      if (!says(error, /NOSCRIPT/)) throw error;
      return this.#send(['EVAL', script(), ...rest]); // which loads it
    }
  }
}
