// Standard output. Invariant: when the promise resolves, the bytes are written, and the caller may change them.
import { fstatSync, statSync } from 'node:fs';
import { Failure, fileFailure, placeOf } from '../words/failure.js';
import type { CommandName, Settings } from '../words/options.js';

const PIECE_BYTES = 2 ** 30;

/** Nobody reads standard output any more, as when `head` has its lines. */
export class ReaderGone extends Error {}

/** Writes to standard output. Rejects with ReaderGone, or with Failure for any other error of the system. */
export async function print(bytes: Uint8Array | string): Promise<void> {
  // Node writes less than 2 GiB in one call.
  if (typeof bytes === 'string' || bytes.length <= PIECE_BYTES) return write(bytes);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) await write(bytes.subarray(at, at + PIECE_BYTES));
}

function write(bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(failureOf(error)) : resolve()));
  });
}

function failureOf(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' ? new ReaderGone() : fileFailure('standard output', error);
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
