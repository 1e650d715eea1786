// Strings to UTF-8, for engines without `TextEncoder.encodeInto`, and for the reader, which needs nothing from the engine.

/** Writes the UTF-8 of `text` from `start` on, with U+FFFD for a lone surrogate, and returns where it ends. */
export function writeUtf8(bytes: Uint8Array, start: number, text: string): number {
  const { length } = text;
  let end = start;
  for (let i = 0; i < length; ++i) {
    let point = text.codePointAt(i) as number;
    if (point < 0x80) {
      bytes[end++] = point;
      continue;
    }
    if (point > 0xffff) ++i;
    if (point >> 11 === 0x1b) point = 0xfffd;
    let more = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    bytes[end++] = (256 - (128 >> more)) | (point >> (6 * more));
    while (more > 0) bytes[end++] = 0x80 | ((point >> (6 * --more)) & 0x3f);
  }
  return end;
}

/** As `TextEncoder.encodeInto`, but reads only as many UTF-16 units as surely fit, at 3 bytes each. */
export function encodeUtf8Into(text: string, bytes: Uint8Array): TextEncoderEncodeIntoResult {
  let read = Math.min(text.length, Math.floor(bytes.length / 3));
  // The two halves of a character stay together.
  if (read < text.length && text.charCodeAt(read - 1) >> 10 === 0x36) --read;
  return { read, written: writeUtf8(bytes, 0, text.slice(0, read)) };
}
