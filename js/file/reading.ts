// All bytes of a file, of any size: readFile takes at most 2 GiB.
// Invariant: room for a file whose size is known is made once, and no more is read than a filter within the limit has.
import { open } from 'node:fs/promises';
import { roomFor } from '../src/engine/bytes.js';
import { FormatError } from '../src/errors.js';
import { stopIfAborted } from '../src/keys/signals.js';
import { whenFree } from './held.js';
import { PIECE_BYTES } from './replacement.js';

/** More than a saved filter has besides its tables: headers, one per layer if there are layers, and checksums. */
const FRAME_BYTES = 2 ** 16;

/**
 * The bytes of the file at `path`. Rejects with the system's error; with FormatError, code `too-large`, if they are more
 * than a filter with tables of `maxBytes` has; with OutOfMemoryError; and with the reason of `signal`.
 */
export async function bytesOf(
  path: string,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<Uint8Array> {
  const most = maxBytes + FRAME_BYTES;
  // Here, EACCES and EPERM mean that permission is lacking.
  const handle = await whenFree(() => open(path, 'r'), ['EBUSY']);
  try {
    const { size } = await handle.stat(); // 0 for a pipe
    checkSize(size, most);
    let bytes = roomFor(size + 1, path); // one more, which shows where the file ends
    let length = 0;
    for (let got = 1; got > 0; length += got) {
      stopIfAborted(signal);
      checkSize(length, most);
      if (length === bytes.length) bytes = enlarged(bytes, path);
      const room = Math.min(PIECE_BYTES, bytes.length - length);
      got = (await handle.read(bytes, length, room, null)).bytesRead;
    }
    return bytes.subarray(0, length);
  } finally {
    await handle.close();
  }
}

function checkSize(size: number, most: number): void {
  if (size > most)
    throw new FormatError(
      `the file has more than maxBytes (${most - FRAME_BYTES}). Raise maxBytes if you trust the source`,
      'too-large',
    );
}

function enlarged(bytes: Uint8Array, path: string): ReturnType<typeof roomFor> {
  const larger = roomFor(Math.max(PIECE_BYTES, 2 * bytes.length), path);
  larger.set(bytes);
  return larger;
}
