// cuckoofilter-wasm, the command: runs what its arguments ask for and ends with grep's exit codes.
// Invariant: results go to standard output, everything else to standard error. If the reader of the output goes away,
// the command ends quietly.
import { readFileSync } from 'node:fs';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { commandLineOf } from './arguments.js';
import { commands, FOUND, TROUBLE } from './commands.js';
import { checkStreams, print, ReaderGone, tell } from './output/print.js';
import { Failure } from './words/failure.js';
import { help } from './words/help.js';

// Errors of writing are thrown where the writing happens.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
process.exit(await run(process.argv.slice(2)));

async function run(words: readonly string[]): Promise<number> {
  try {
    const asked = commandLineOf(words);
    if (asked.action === 'nothing') {
      process.stderr.write(help());
      return TROUBLE;
    }
    if (asked.action === 'help') return await say(help(asked.command));
    if (asked.action === 'version') {
      const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
      return await say(`${(JSON.parse(manifest) as { version: string }).version}\n`);
    }
    checkStreams(asked.command, asked.settings);
    startWebAssembly();
    return await commands[asked.command](asked.settings);
  } catch (error) {
    if (error instanceof ReaderGone) return FOUND;
    // A failure is reported in one line. Anything else is a bug, and is reported with its stack.
    const { message, stack } = error as Error;
    await tell(`cuckoofilter-wasm: ${error instanceof Failure ? message : stack}`).catch(() => {});
    return TROUBLE;
  }
}

/** Every command needs WebAssembly. Throws Failure if it is disabled, or if there is no memory for it. */
function startWebAssembly(): void {
  try {
    CuckooFilter.plan({ capacity: 1 });
  } catch (error) {
    const { message, cause } = error as Error;
    throw new Failure(
      typeof WebAssembly === 'undefined'
        ? 'WebAssembly is disabled. Run Node without --jitless and --no-expose-wasm, and take them out of NODE_OPTIONS'
        : `WebAssembly could not start: ${cause instanceof Error ? cause.message : message}. If \`ulimit -v\` limits the address space, raise it, or set NODE_OPTIONS=--disable-wasm-trap-handler`,
    );
  }
}

async function say(text: string): Promise<number> {
  await print(text);
  return FOUND;
}
