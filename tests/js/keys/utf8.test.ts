// UTF-8 without TextEncoder: the same bytes, whole characters, and never past the end of the room.
import { expect, test } from '@jest/globals';
import { encodeUtf8Into } from '../../../js/src/keys/utf8';

const TEXTS = ['', 'a', 'é', '€', '😀', '\ud83d', '\ude00', '\ude00\ud83d', 'a😀€é\ud83d', '😀😀😀'];

test('a room of three bytes per UTF-16 unit takes the whole string', () => {
  for (const text of [...TEXTS, String.fromCharCode(...Array.from({ length: 0xffff }, (_, i) => i))]) {
    const bytes = new Uint8Array(3 * text.length);
    const { read, written } = encodeUtf8Into(text, bytes);
    expect(read).toBe(text.length);
    expect(Buffer.from(bytes.subarray(0, written))).toEqual(Buffer.from(text));
  }
});

test('a smaller room takes whole characters, and some if it has six bytes', () => {
  for (const text of TEXTS)
    for (let size = 0; size < 3 * text.length; ++size) {
      const bytes = new Uint8Array(size);
      const { read, written } = encodeUtf8Into(text, bytes);
      const [taken, rest] = [text.slice(0, read), text.slice(read)].map((part) => Buffer.from(part));
      expect(Buffer.from(bytes.subarray(0, written))).toEqual(taken);
      expect(Buffer.concat([taken as Buffer, rest as Buffer])).toEqual(Buffer.from(text));
      if (size >= 6) expect(read).toBeGreaterThan(0);
    }
});
