// Keys of every form, all different, for the program that every host runs. Invariant: no two of them are the same bytes.

/* global TextEncoder */

/** The UTF-8 of a string, by the host's own encoder into memory of its own. */
export const utf8 = (text) => new TextEncoder().encode(text);

/**
 * Strings at each border of the ways to write one, and half characters at every place. The bytes of a half character are
 * those of U+FFFD, so each text has its own letters beside it.
 */
export const TEXTS = [
  ...['', 'a', 'alice', 'user@example.org', 'https://example.org/a/page/with/a/longer/address', 'a\0b'],
  ...[14, 15, 27, 28, 29, 100].map((length) => 'x'.repeat(length)),
  ...[1, 14, 15, 28, 29].map((length) => 'é'.repeat(length)),
  ...['日本語', '😀', '👩‍👩‍👧‍👦', '\ufeffbom', `${'x'.repeat(27)}é`, `${'x'.repeat(28)}é`, `é${'x'.repeat(28)}`],
  ...['\ud83d', '1\ud83d', '\ud83d2', '3\ud83d4', '5\ude00', '\ude006', '7\ude008'],
  ...['\ude00\ud83d', '9\ud83d\ud83d\ude00'],
];

/** Longer than the scratch buffer, or than a third of it: such strings are hashed alone or in pieces. */
export const LONG_TEXTS = [
  ...['x'.repeat(70_000), 'é'.repeat(33_000), `x${'😀'.repeat(17_000)}`, '日'.repeat(21_846)],
  ...['x'.repeat(21_845), 'x'.repeat(21_846), `${'x'.repeat(65_535)}😀`, `${'x'.repeat(65_535)}\ud83d`],
];

const word = (integer) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt.asUintN(64, integer), true);
  return bytes;
};

/** All of them, some of which are long. */
export function allKeys() {
  const integers = [0, 1, -1, 5, 255, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53 - 1, 1 - 2 ** 53];
  const bigints = [6n, 2n ** 63n, -(2n ** 63n) + 1n, 2n ** 64n - 2n, -3n];
  const arrays = [
    Uint8Array.of(1, 2, 3),
    new Uint8Array([9, 8, 7, 6, 5]).subarray(1, 3),
    Int16Array.of(-2, 3),
    Uint32Array.of(7, 8, 9),
    Float64Array.of(0.5),
    BigInt64Array.of(-4n, 4n),
    new DataView(Uint8Array.of(40, 41).buffer),
    Uint8Array.of(50, 51).buffer,
    new Uint8Array(70_000).fill(3),
    word(77n),
  ];
  const keys = [...TEXTS, ...LONG_TEXTS, ...integers, ...bigints, ...arrays];
  // Bytes that threads share, in place of plain ones where there are none: the same keys, so the same hashes everywhere.
  const Shared = globalThis.SharedArrayBuffer ?? ArrayBuffer;
  for (const length of [11, 80_000]) keys.push(new Uint8Array(new Shared(length)).fill(length % 251));
  keys.push(new Uint8Array(new Shared(12)).fill(12).buffer);
  return keys;
}

/** Strings of thread `thread`: short and long, ASCII and not. */
export function textsOf(thread) {
  const forms = [(it) => it, (it) => `${it} ${'x'.repeat(30)}`, (it) => `é${it}`, (it) => `日本 ${it} 😀`];
  return Array.from({ length: 400 }, (_, i) => forms[i % forms.length](`${thread}:${i}`));
}
