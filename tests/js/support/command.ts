// Runs the command as a user does, with arguments and standard input, and reads its output and exit code.
// Runs share a thread of the test's process, except where a test is about the process.
import { afterAll } from '@jest/globals';
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import { PATIENCE, TIME_LIMIT, until } from './patience';

export { TIME_LIMIT };

export const COMMAND = join(__dirname, '../../../dist/cli.js');

/** What Node prints for the text of a module, in a process of its own that has started nothing, in the checkout. */
export function runModule(code: string, flags: readonly string[] = [], input = ''): string {
  return execFileSync(process.execPath, [...flags, '--input-type=module', '--eval', code], {
    cwd: join(__dirname, '../../..'),
    encoding: 'utf8',
    stdio: 'pipe',
    input,
    ...TIME_LIMIT,
  });
}

export interface Ran {
  readonly code: number | null;
  readonly out: Buffer;
  readonly errors: string;
}

/** Node's flags that run `code`, a module, before the program. */
export function importing(code: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

/**
 * What the command gives for `parameters` and `input`; with `code`, in a process of its own, in which that runs first. The
 * line that `dedup` always ends with is in `errors` only if `parameters` or `code` ask for it.
 */
export function command(parameters: readonly string[], input: string | Uint8Array = '', code = ''): Ran {
  const bytes = Buffer.from(input);
  // Windows has no named pipes in folders.
  const ran =
    code === '' && isThreadSound && process.platform !== 'win32'
      ? ranInThread(parameters, bytes)
      : ranInProcess(parameters, bytes, code);
  const isAsked = parameters.includes('--summary') || code.includes('isTTY');
  return isAsked ? ran : { ...ran, errors: withoutSummary(ran.errors) };
}

/** What `dedup` wrote to standard error, without the line that it always ends with. */
export function withoutSummary(errors: string): string {
  return errors.replace(/^cuckoofilter-wasm dedup: .*\n/m, '');
}

function ranInProcess(parameters: readonly string[], input: Uint8Array, code: string): Ran {
  const flags = code === '' ? [] : importing(code);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...flags, COMMAND, ...parameters], {
    input,
    maxBuffer: 1 << 30,
    ...TIME_LIMIT,
  });
  if (error) throw error;
  return { code: status, out: stdout, errors: stderr.toString() };
}

/** What the thread answers: the number of the run, and what it gave or why it failed. */
type Answer = { readonly run: number } & (Ran | { readonly failure: string });

let thread: ReturnType<typeof startThread> | undefined;
/** False once a run has failed in the thread, which may still be at it: later runs have processes of their own. */
let isThreadSound = true;
afterAll(async () => {
  if (thread === undefined) return;
  const { worker, pipe } = thread;
  let hasEnded = false;
  void worker.terminate().then(() => (hasEnded = true));
  // After a run that failed, the thread may wait in opening the pipe, where nothing but its other end wakes it.
  await until(() => (closeSync(openSync(pipe, 'r+')), hasEnded));
  rmSync(dirname(pipe), { recursive: true });
});

function startThread() {
  const pipe = join(mkdtempSync(join(tmpdir(), 'command-')), 'standard-input');
  spawnSync('mkfifo', [pipe]);
  const { port1, port2 } = new MessageChannel();
  const steps = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(join(__dirname, 'command-thread.mjs'), {
    workerData: { program: COMMAND, pipe, port: port2, steps },
    transferList: [port2],
    trackUnmanagedFds: false,
  });
  worker.unref();
  return { worker, port: port1, steps, pipe, runs: 0 };
}

function ranInThread(parameters: readonly string[], input: Uint8Array): Ran {
  thread ??= startThread();
  try {
    return answerOf(thread, parameters, input);
  } catch (error) {
    isThreadSound = false;
    throw error;
  }
}

function answerOf(
  used: ReturnType<typeof startThread>,
  parameters: readonly string[],
  input: Uint8Array,
): Ran {
  const { port, steps, pipe } = used;
  const run = ++used.runs;
  /** A late notice of an earlier step ends a wait, so that it is the number of steps that counts. */
  const waitFor = (step: number): void => {
    for (let done: number; (done = Atomics.load(steps, 0)) < step;)
      if (Atomics.wait(steps, 0, done, PATIENCE) === 'timed-out')
        throw new Error(`the command does not end: ${parameters.join(' ')}`);
  };
  // While this is open, to open either end of the pipe does not wait for the other.
  const both = openSync(pipe, 'r+');
  let end: number;
  try {
    port.postMessage({ run, parameters });
    waitFor(2 * run - 1);
    end = openSync(pipe, 'w');
  } finally {
    closeSync(both);
  }
  try {
    for (let at = 0; at < input.length;) at += writeSync(end, input, at);
  } catch (error) {
    // The command ended before it read everything.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  } finally {
    closeSync(end);
  }
  waitFor(2 * run);
  const answer = receiveMessageOnPort(port)?.message as Answer | undefined;
  if (answer?.run !== run) throw new Error(`run ${run} got the answer of run ${answer?.run}`);
  if ('failure' in answer) throw new Error(answer.failure);
  return { code: answer.code, out: Buffer.from(answer.out), errors: answer.errors };
}

/** What a shell makes of `words`, in which "$0" "$1" is the command and "$2" the first of `parameters`. */
export function inShell(words: string, ...parameters: readonly string[]): SpawnSyncReturns<Buffer> {
  return spawnSync('sh', ['-c', words, process.execPath, COMMAND, ...parameters], TIME_LIMIT);
}

/** The text that the command prints, which must succeed and say nothing else. */
export function printed(parameters: readonly string[], input: string | Uint8Array = ''): string {
  const { code, out, errors } = command(parameters, input);
  if (code !== 0 || errors !== '') throw new Error(`exit code ${code}: ${errors}`);
  return out.toString();
}
