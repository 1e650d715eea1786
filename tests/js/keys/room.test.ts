// Keys at the end of the buffer that a batch shares: whatever is left of it, a batch does what single calls do.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, type Key } from 'cuckoofilter-wasm';

/** Bytes of the keys of one run: bytesLength in js/src/engine/scratch.ts. */
const ROOM = 65_536;

const options = { capacity: 100, fingerprintBits: 32 } as const;

/** Keys that take a byte, eight, or up to three a character; none ends in a zero, as the memory behind the buffer may. */
const LAST: readonly (readonly [string, Key])[] = [
  ['a bigint', -2n],
  ['a number', -3],
  ['a text', 'last'],
  ['a text of eight', 'eightbyt'],
  ['a text whose characters take three bytes', '日本語日本'],
  ['a text too long for the short way', 'fifteen letters'],
  ['a text of characters in pairs', '\u{1f600}\u{1f601}\u{1f602}'],
  ['half a pair', '\ud83d'],
  ['eight bytes', Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8)],
  ['a byte', Uint8Array.of(9)],
];

describe.each(LAST)('%s where little is left of the buffer', (_, last) => {
  test.each([
    ['bytes', (length: number): Key => new Uint8Array(length).fill(7)],
    ['a text', (length: number): Key => 'x'.repeat(Math.max(0, length))],
  ])('behind %s is the key that it is alone', (_, before) => {
    for (let left = 0; left <= 50; ++left) {
      for (const keys of [
        [before(ROOM - left), last, 'next'],
        ['first', before(ROOM - left - 5), last, last],
        // A text takes the room of three bytes a character, so it fills a third.
        ['é'.repeat(7), before(Math.floor((ROOM - left) / 3)), before(Math.floor((2 * ROOM) / 3)), last],
      ]) {
        using batch = new CuckooFilter(options);
        using singles = new CuckooFilter(options);
        expect(batch.addMany(keys)).toBe(keys.length);
        for (const key of keys) singles.add(key);
        if (!batch.equals(singles)) throw new Error(`${left} bytes left: another key was added`);
        if (batch.containsMany(keys).includes(0)) throw new Error(`${left} bytes left: a key is lost`);
      }
    }
  });
});
