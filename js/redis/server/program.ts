// Runs the program (../lua) on the server, for one shard. The server knows it by its hash, once it has had the text.
import { sha1, text } from '../lua/program.lua';
import type { Asking, Line } from './line.js';
import { isMissingScript } from './server-errors.js';

/** What the program can do: ../lua/main.lua. */
export type Action =
  'look' | 'make' | 'made' | 'unmake' | 'change' | 'move' | 'changed' | 'expire' | 'reset' | 'replace';

/** The answer of the program. */
export async function runProgram(
  line: Line,
  keys: readonly string[],
  words: readonly (string | Uint8Array)[],
  asking?: Asking,
): Promise<unknown> {
  const all = [String(keys.length), ...keys, ...words];
  try {
    return await line.ask(['EVALSHA', sha1, ...all], asking);
  } catch (error) {
    if (!isMissingScript(error)) throw error;
    return line.ask(['EVAL', text, ...all], asking);
  }
}
