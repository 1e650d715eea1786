// Runs the command as a user does, with arguments and standard input, and reads its output and exit code.
// Runs share a thread of the test's process, except where a test is about the process.
import { afterAll } from '@jest/globals';
import { execFileSync, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

export const COMMAND = join(__dirname, '../../../dist/cli.js');

/** For processes of tests: one that takes longer hangs, and is ended, so that it does not outlive its test. */
export const TIME_LIMIT = {
  timeout: Number(process.env['TEST_TIME_LIMIT_MS'] ?? 100_000),
  killSignal: 'SIGKILL',
} as const;

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
    code === '' && process.platform !== 'win32'
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

type Thread = ReturnType<typeof startThread>;
let thread: Thread | undefined;
afterAll(async () => {
  if (thread === undefined) return;
  await thread.worker.terminate();
  rmSync(dirname(thread.pipe), { recursive: true });
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
  return { worker, port: port1, steps, pipe };
}

function ranInThread(parameters: readonly string[], input: Uint8Array): Ran {
  const { port, steps, pipe } = (thread ??= startThread());
  const waitUntilAfter = (step: number): void => {
    if (Atomics.wait(steps, 0, step, TIME_LIMIT.timeout) === 'timed-out')
      throw new Error(`the command does not end: ${parameters.join(' ')}`);
  };
  const begun = Atomics.load(steps, 0);
  // While this is open, to open either end of the pipe does not wait for the other.
  const both = openSync(pipe, 'r+');
  port.postMessage(parameters);
  waitUntilAfter(begun);
  const end = openSync(pipe, 'w');
  closeSync(both);
  try {
    for (let at = 0; at < input.length;) at += writeSync(end, input, at);
  } catch (error) {
    // The command ended before it read everything.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  } finally {
    closeSync(end);
  }
  waitUntilAfter(begun + 1);
  const { out, ...rest } = receiveMessageOnPort(port)?.message as Ran;
  return { ...rest, out: Buffer.from(out) };
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
