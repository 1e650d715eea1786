// Standard output. Invariant: what is written is written when the promise is kept, so its bytes may be changed then.
import { fileFailure } from './failure.js';

/** Standard output has no reader any more, as that of `head` once it has its lines. */
export class ReaderGone extends Error {}

/** Writes to standard output. Rejects with ReaderGone, or with Failure for what else the system says. */
export function print(bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(failureOf(error)) : resolve()));
  });
}

function failureOf(error: NodeJS.ErrnoException): Error {
  return error.code === 'EPIPE' ? new ReaderGone() : fileFailure('standard output', error);
}
