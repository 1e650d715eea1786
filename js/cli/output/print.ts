// Standard output. Invariant: when the promise resolves, the bytes are written, and the caller may change them.
import { fileFailure } from '../words/failure.js';

/** Nobody reads standard output any more, as when `head` has its lines. */
export class ReaderGone extends Error {}

/** Writes to standard output. Rejects with ReaderGone, or with Failure for any other error of the system. */
export function print(bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(failureOf(error)) : resolve()));
  });
}

function failureOf(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' ? new ReaderGone() : fileFailure('standard output', error);
}
