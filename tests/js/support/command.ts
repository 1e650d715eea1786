// Runs the command as a user does: a process with arguments and standard input, whose output and exit code are read.
import { spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { join } from 'node:path';

export const COMMAND = join(__dirname, '../../../dist/cli.js');

/** For processes of tests: one that takes longer hangs, and is ended, so that it does not outlive its test. */
export const TIME_LIMIT = {
  timeout: Number(process.env['TEST_TIME_LIMIT_MS'] ?? 100_000),
  killSignal: 'SIGKILL',
} as const;

export interface Ran {
  readonly code: number | null;
  readonly out: Buffer;
  readonly errors: string;
}

/** Node's flags that run `code`, a module, before the program. */
export function importing(code: string): string[] {
  return ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
}

/** What the command gives for `parameters` and `input`; `code` runs in the process before it. */
export function command(parameters: readonly string[], input: string | Uint8Array = '', code = ''): Ran {
  const flags = code === '' ? [] : importing(code);
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...flags, COMMAND, ...parameters], {
    input: typeof input === 'string' ? Buffer.from(input) : input,
    maxBuffer: 1 << 30,
    ...TIME_LIMIT,
  });
  if (error) throw error;
  return { code: status, out: stdout, errors: stderr.toString() };
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
