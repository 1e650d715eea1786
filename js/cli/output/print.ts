// Standard output and standard error. Invariant: when the promise resolves, all bytes are written, and the caller may
// change them.
import { fstatSync, fsyncSync, readSync, statSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { targetOf } from '../../file/replacement.js';
import { Failure, fileFailure, naming, placeOf } from '../words/failure.js';
import type { CommandName, Settings } from '../words/options.js';

/** Node writes less than 2 GiB in one call. */
const PIECE_BYTES = 2 ** 30;

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
  if (stream.fd !== undefined && !(stream instanceof Socket)) return writeAll(stream.fd, bytes);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES)
    await new Promise<void>((resolve, reject) => {
      stream.write(bytes.subarray(at, at + PIECE_BYTES), (error) => (error ? reject(error) : resolve()));
    });
}

/** Writes all bytes, however few the system takes at once. In Bun, a pipe is such a file, and fails while it is full. */
async function writeAll(fd: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;)
    try {
      at += writeSync(fd, bytes, at, Math.min(PIECE_BYTES, bytes.length - at));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') throw error;
      await setTimeout(1);
    }
}

/** If standard output is a file, waits until it is on the disk: only then do some file systems tell that it is full. */
export function flushOutput(): void {
  if (fstatSync(1).isFile()) naming('standard output', () => fsyncSync(1));
}

/** Commands that a run makes no sense of without what they print; `build` saves a filter, and `query` has an exit code. */
const PRINTING = ['dedup', 'merge', 'info', 'plan'];

/**
 * Whether the open file `fd` stands for one that was closed when the process began: Node then opens /dev/null for both
 * reading and writing. Shells open it for one of them. Some programs that start others do so as well, which looks alike.
 */
function wasClosed(fd: 0 | 1): boolean {
  try {
    if (fstatSync(fd).rdev !== statSync('/dev/null').rdev) return false;
    readSync(fd, Buffer.alloc(1));
    return writeSync(fd, '') === 0;
  } catch {
    return false; // It can only be read or only be written, or the system has no /dev/null.
  }
}

/**
 * Throws Failure if standard input or output is needed but closed, and if standard output or standard error is a file
 * that the command reads or saves: it would read what it writes, without end, or spoil the filter.
 */
export function checkStreams(command: CommandName, settings: Settings): void {
  const { files, load, save, output } = settings;
  // Otherwise lines would be lost, although the run seems to succeed.
  if (files.includes('-') && wasClosed(0))
    throw new Failure('standard input is closed. Name a file, or redirect standard input from one');
  if (output === undefined && PRINTING.includes(command) && wasClosed(1))
    throw new Failure(
      'standard output is closed, or ignored by the program that started this one. Redirect it to a file, or with > to /dev/null',
    );
  // Merge has read its filters before it replaces one of them.
  const isReplacing = command === 'merge' && output !== undefined;
  const printed = command === 'build' || isReplacing ? undefined : fileAt(output ?? 1);
  const told = fileAt(2);
  if (save !== undefined && output !== undefined && isOneFile(save, output))
    throw new Failure(`${output}: --save and --output name the same file. Use another name for one of them`);
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

/** Whether two names of files, which may not exist yet, are of one. */
function isOneFile(one: string, other: string): boolean {
  try {
    return targetOf(one) === targetOf(other);
  } catch {
    return false; // Whatever opens them later reports the error.
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
