// The words of a BITFIELD that reads numbers of FIELD bytes from given bytes of a string on.
import { FIELD } from './saved.js';

/** As texts. Of each number, the first byte is the highest. */
export function* wordsOf(begins: Iterable<number>): Generator<string> {
  for (const begin of begins) {
    yield 'GET';
    yield `u${8 * FIELD}`;
    yield String(8 * begin);
  }
}

/** What the program needs for the same, as MessagePack: an array of short texts, `command` and the bits where numbers begin. */
export function packedBegins(command: string, begins: Float64Array): Uint8Array {
  const bytes = new Uint8Array(5 + 1 + command.length + 17 * begins.length);
  new DataView(bytes.buffer).setUint32(1, 1 + begins.length);
  bytes[0] = 0xdd;
  let end = 5;
  const put = (text: string): void => {
    bytes[end++] = 0xa0 + text.length;
    for (let i = 0; i < text.length; ++i) bytes[end++] = text.charCodeAt(i);
  };
  put(command);
  for (const begin of begins) put(String(8 * begin));
  return bytes.subarray(0, end);
}
