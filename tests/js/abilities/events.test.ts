// The trace's records as events, word by word, also those that the core never writes.
import { expect, test } from '@jest/globals';
import { readEvent, RECORD_WORDS, type TraceEvent } from '../../../js/src/abilities/events';

/** A record of operation 7, whose words are all different. */
function record(kind: number, { flags = 0, slot = 3, code = 0, before = 13 } = {}): Uint32Array {
  return Uint32Array.of(7, kind | (flags << 8) | (slot << 16) | (code << 24), 11, 12, before, 14, 15, 16);
}

const size = 11 + 12 * 2 ** 32;
const change = { bucket: 11, slot: 3, before: 13, after: 14, otherBucket: 12 };
const ALL = 0b11_1111;

const EVENTS: readonly [Uint32Array, object][] = [
  [record(0, { code: 4 }), { kind: 'begin', name: 'erase', hash: (14n << 32n) | 13n, size }],
  ...[0, 1, 2, ALL].map((flags): [Uint32Array, object] => [
    record(1, { flags }),
    {
      ...{ kind: 'locate', rawFingerprint: 13, fingerprint: 14, wasZeroReplaced: (flags & 1) !== 0 },
      ...{ primary: 11, alternate: 12, offset: 16, homesCoincide: (flags & 2) !== 0 },
    },
  ]),
  ...[0, 4, 8, ALL].map((flags): [Uint32Array, object] => [
    record(2, { flags }),
    {
      ...{ kind: 'probe', bucket: 11, slot: 3, content: 13, sought: 16 },
      ...{ isMatch: (flags & 4) !== 0, isEmpty: (flags & 8) !== 0 },
    },
  ]),
  [record(3), { kind: 'place', ...change, kick: 15 }],
  ...[0, 16, 32, ALL].map((flags): [Uint32Array, object] => [
    record(4, { flags }),
    { kind: 'kick', ...change, kick: 15, draw: 16, hasRoom: (flags & 16) !== 0 },
  ]),
  [record(5), { kind: 'undo', ...change, kick: 15 }],
  [record(6), { kind: 'remove', ...change }],
  ...['insert', 'insertIfAbsent', 'contains', 'count', 'erase', 'clear', 'grow', 'shrink', 'merge'].flatMap(
    (name, before) =>
      [0, 1, 2, 3].map((code): [Uint32Array, object] => {
        const outcome = ['added', 'full', 'too-many-copies', 'present'][code];
        const result = name.startsWith('insert') ? outcome : code !== 0;
        return [record(7, { before, code }), { kind: 'end', name, result, kicks: 15, copies: 16, size }];
      }),
  ),
  [record(8), { kind: 'encode', bucket: 11, slot: 3, settled: 16, codeBefore: 13, codeAfter: 14 }],
  [record(9, { code: 6 }), { kind: 'reset', name: 'grow' }],
  [record(10), { kind: 'split', bucket: 11, slot: 3, before: 13, after: 14, toBucket: 12 }],
  ...[0, 16, 32, ALL].map((flags): [Uint32Array, object] => [
    record(11, { flags }),
    {
      ...{ kind: 'look', bucket: 11, from: 12, slot: 3, content: 13, kicks: 15 },
      ...{ hasRoom: (flags & 16) !== 0, isCutShort: (flags & 32) !== 0 },
    },
  ]),
];

test('a record gives the event of its kind, with each word where it belongs', () => {
  expect(record(0)).toHaveLength(RECORD_WORDS);
  for (const [words, event] of EVENTS) expect(readEvent(words)).toEqual({ operation: 7, ...event });
});

test('every kind of event is there', () => {
  const kinds = new Set(EVENTS.map(([words]) => readEvent(words).kind));
  const all: Record<TraceEvent['kind'], true> = {
    ...{ begin: true, locate: true, probe: true, place: true, kick: true, undo: true, remove: true },
    ...{ encode: true, reset: true, end: true, split: true, look: true },
  };
  expect([...kinds].sort()).toEqual(Object.keys(all).sort());
});

test('a record that is no event is refused by its kind, and codes without a name are those of an insert', () => {
  for (const kind of [12, 255]) expect(() => readEvent(record(kind))).toThrow(`kind ${kind}`);
  expect(readEvent(record(0, { code: 200 }))).toMatchObject({ name: 'insert' });
  expect(readEvent(record(7, { before: 0, code: 200 }))).toMatchObject({ name: 'insert', result: false });
});
