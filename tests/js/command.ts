// Runs the command as a user does: a process with arguments and standard input, whose output and exit code are read.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

export const COMMAND = join(__dirname, '../../dist/cli.js');

export interface Ran {
  readonly code: number | null;
  readonly out: Buffer;
  readonly errors: string;
}

/** What the command gives for `parameters` and `input`; `code` runs in the process before it. */
export function command(parameters: readonly string[], input: string | Uint8Array = '', code = ''): Ran {
  const flags = code === '' ? [] : ['--import', `data:text/javascript,${encodeURIComponent(code)}`];
  const { status, stdout, stderr, error } = spawnSync(process.execPath, [...flags, COMMAND, ...parameters], {
    input: typeof input === 'string' ? Buffer.from(input) : input,
    maxBuffer: 1 << 30,
  });
  if (error) throw error;
  return { code: status, out: stdout, errors: stderr.toString() };
}

/** The text that the command prints, which must succeed and say nothing else. */
export function printed(parameters: readonly string[], input: string | Uint8Array = ''): string {
  const { code, out, errors } = command(parameters, input);
  if (code !== 0 || errors !== '') throw new Error(`exit code ${code}: ${errors}`);
  return out.toString();
}
