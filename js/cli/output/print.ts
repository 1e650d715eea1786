// Standard output and standard error. Invariant: when the promise resolves, all bytes are written, and the caller may
// change them.
import { fstatSync, fsyncSync, statSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { PIECE_BYTES, writeBytes } from '../filters/filter-file.js';
import { Failure, fileFailure, naming, placeOf } from '../words/failure.js';
import type { CommandName, Settings } from '../words/options.js';

/** Nobody reads standard output any more, as when `head` has its lines. */
export class ReaderGone extends Error {}

/** Writes to standard output. Rejects with ReaderGone, or with Failure for any other error of the system. */
export async function print(bytes: Uint8Array | string): Promise<void> {
  try {
    await write(process.stdout, bytes);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'EPIPE'
      ? new ReaderGone()
      : fileFailure('standard output', error);
  }
}

/** Writes a line to standard error. Rejects with Failure if that is impossible. */
export async function tell(line: string): Promise<void> {
  try {
    await write(process.stderr, `${line}\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw fileFailure('standard error', error);
  }
}

async function write(stream: Writable & { readonly fd?: number }, text: Uint8Array | string): Promise<void> {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  // Node's own stream for a file or a device takes a part that was written for the whole.
  if (stream.fd !== undefined && !(stream instanceof Socket)) return writeBytes(stream.fd, bytes);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await new Promise<void>((resolve, reject) => {
      stream.write(bytes.subarray(at, at + PIECE_BYTES), (error) => (error ? reject(error) : resolve()));
    });
}

/** If standard output is a file, waits until it is on the disk: only then do some file systems tell that it is full. */
export function flushOutput(): void {
  if (fstatSync(1).isFile()) naming('standard output', () => fsyncSync(1));
}

/**
 * Throws Failure if standard output or standard error is a file that the command reads or saves: it would read what it
 * writes, without end, or spoil the filter.
 */
export function checkOutput(command: CommandName, { files, load, save, output }: Settings): void {
  const printed = command === 'build' || output !== undefined ? undefined : fileAt(1);
  const told = fileAt(2);
  for (const file of [...files, load, save]) {
    const found = file === undefined ? undefined : fileAt(file === '-' ? 0 : file);
    if (file === undefined || found === undefined) continue;
    if (found === printed)
      throw new Failure(
        `${placeOf(file)}: the output would overwrite this file. Write to another file and rename it afterwards`,
      );
    if (found === told)
      throw new Failure(
        `${placeOf(file)}: standard error is redirected to this file, which the command reads or saves. Redirect it elsewhere`,
      );
  }
}

/** A string that identifies the file or pipe with this name, or that is open; undefined if there is none. */
function fileAt(place: string | number): string | undefined {
  try {
    const options = { bigint: true } as const;
    const found = typeof place === 'number' ? fstatSync(place, options) : statSync(place, options);
    return found.isFile() || found.isFIFO() ? `${found.dev} ${found.ino}` : undefined;
  } catch {
    return undefined; // Whatever opens the file later reports the error.
  }
}
