// Standard output. Invariant: what is written is written when the promise is kept, so its bytes may be changed then.

/** Writes to standard output. Rejects with the system's error: EPIPE where nobody reads any more. */
export function print(bytes: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
