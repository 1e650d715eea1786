// Strings as keys of a shared filter where `TextEncoder.encodeInto` refuses memory that threads share, as in browsers
// (whatwg/encoding#172).
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';

const encodeInto = TextEncoder.prototype.encodeInto;

beforeEach(() => {
  jest.spyOn(TextEncoder.prototype, 'encodeInto').mockImplementation(function (
    this: TextEncoder,
    text,
    into,
  ) {
    if (into.buffer instanceof SharedArrayBuffer) throw new TypeError('must not be shared');
    return encodeInto.call(this, text, into);
  });
});

afterEach(() => {
  jest.restoreAllMocks();
});

/** Texts for each way to write one: ASCII up to 28 characters and longer, other characters, and pieces of 64 KiB. */
const TEXTS = [
  ...['', 'alice', 'x'.repeat(28), 'x'.repeat(29), 'é', '日本語', '😀', '\ud83d', '\ude00'],
  ...['é'.repeat(21_846), 'x'.repeat(70_000), `x${'😀'.repeat(40_000)}`, 'last'],
];

test('strings are the same keys in a shared filter and in a plain one, singly and together', () => {
  const { options } = SharedCuckooFilter.plan({ capacity: 100, falsePositiveRate: 1e-6 });
  const plain = CuckooFilter.from(TEXTS, options);
  const bytes = plain.serialize();
  const shared = SharedCuckooFilter.from(TEXTS, options);
  expect(shared.serialize()).toEqual(bytes);
  const singly = new SharedCuckooFilter(options);
  for (const text of TEXTS) singly.add(text);
  expect(singly.serialize()).toEqual(bytes);
  expect(TEXTS.filter((text) => !singly.has(text))).toEqual([]);
  expect([...shared.containsMany([...TEXTS, 'never'])]).toEqual([...TEXTS.map(() => 1), 0]);
  expect(shared.deleteMany(TEXTS)).toBe(TEXTS.length);
});
