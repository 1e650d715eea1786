// Buffers that are transferred away or shrunk while something still uses them (AVGP/js-parallelism-demos#2,
// GoogleChromeLabs/comlink#96): never "absent", always a TypeError with a code.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, PackedKeys } from 'cuckoofilter-wasm';
import { FilterReader, REMOTE_HEADER_BYTES } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { thrownBy } from '../js/support/random';

const KEYS = Array.from({ length: 100 }, (_, i) => `key ${i}`);
const FORMS = [
  ['a CuckooFilter', CuckooFilter.from(KEYS).serialize()],
  ['a ScalableCuckooFilter', ScalableCuckooFilter.from(KEYS, { capacity: 10, maxCapacity: 20 }).serialize()],
] as const;
const changed = {
  code: 'invalid-argument',
  message: 'the bytes of the saved filter were changed: pass bytes.slice()',
};
const lost = { code: 'invalid-argument', message: expect.stringMatching(/has no bytes left/) as unknown };

/** A buffer as ES2024 has it. */
type Resizable = ArrayBuffer & { resize(length: number): void };

/** `bytes` in a buffer that can shrink, in the middle of it, and a length-tracking view if `tracks`. */
function resizable(bytes: Uint8Array, tracks: boolean): { room: Resizable; view: Uint8Array } {
  const Buffer = ArrayBuffer as unknown as new (length: number, options: object) => Resizable;
  const room = new Buffer(8 + bytes.length, { maxByteLength: 1000 + bytes.length });
  const view = tracks ? new Uint8Array(room, 8) : new Uint8Array(room, 8, bytes.length);
  view.set(bytes);
  return { room, view };
}

describe.each(FORMS)('a reader of %s', (_, bytes) => {
  const lose: readonly (readonly [string, () => FilterReader, object])[] = [
    [
      'overwritten',
      () => {
        const copy = bytes.slice();
        const reader = new FilterReader(copy);
        copy.fill(0);
        return reader;
      },
      changed,
    ],
    [
      'transferred away',
      () => {
        const copy = bytes.slice();
        const reader = new FilterReader(copy);
        structuredClone(copy.buffer, { transfer: [copy.buffer] });
        return reader;
      },
      lost,
    ],
    ...[false, true].flatMap((tracks) =>
      [0, 8, 50, bytes.length - 9].flatMap((left) =>
        [false, true].map((isBack): readonly [string, () => FilterReader, object] => [
          `${tracks ? 'tracked, ' : ''}shrunk to ${left} bytes${isBack ? ', then back' : ''}`,
          () => {
            const { room, view } = resizable(bytes, tracks);
            const reader = new FilterReader(view);
            room.resize(8 + left);
            if (isBack) room.resize(8 + bytes.length);
            return reader;
          },
          isBack ? changed : lost,
        ]),
      ),
    ),
  ];

  test.each(lose)('whose bytes are %s throws', (_, make, error) => {
    const reader = make();
    for (const ask of [
      () => reader.has('key 1'),
      () => reader.contains('absent'),
      () => reader.count('key 1'),
      () => reader.containsMany(['key 1']),
    ])
      expect(thrownBy(TypeError, ask)).toMatchObject(error);
    expect([reader.seed, reader.size]).toEqual([0n, 100]);
  });

  test('answers in a buffer that has grown, in shared memory, and after the key bytes were lost', () => {
    const { room, view } = resizable(bytes, true);
    const reader = new FilterReader(view);
    room.resize(500 + bytes.length);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    for (const each of [reader, new FilterReader(shared)])
      expect(KEYS.every((key) => each.has(key))).toBe(true);
    const key = Uint8Array.of(1);
    structuredClone(key.buffer, { transfer: [key.buffer] });
    expect(thrownBy(TypeError, () => reader.has(key))).toMatchObject({ code: 'invalid-key' });
  });

  test('is not made of such bytes, nor a remote filter', () => {
    const gone = bytes.slice();
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    const { room, view } = resizable(bytes, false);
    room.resize(4);
    for (const given of [gone, gone.buffer, view])
      for (const make of [
        () => new FilterReader(given),
        () => FilterReader.remote(given),
        () => CuckooFilter.deserialize(given),
      ])
        expect(thrownBy(TypeError, make)).toMatchObject(lost);
  });
});

describe('a remote filter', () => {
  const [[, bytes]] = FORMS;
  const rangesOf = (remote: ReturnType<typeof FilterReader.remote>): Uint8Array[] =>
    remote.locate('key 1').map(({ offset, length }) => bytes.slice(offset, offset + length));

  test('answers after its header is gone', () => {
    const header = bytes.slice(0, REMOTE_HEADER_BYTES);
    const remote = FilterReader.remote(header);
    structuredClone(header.buffer, { transfer: [header.buffer] });
    expect(remote.answer('key 1', rangesOf(remote))).toBe(true);
  });

  test('refuses ranges that are gone, or are no bytes', () => {
    const remote = FilterReader.remote(bytes.subarray(0, REMOTE_HEADER_BYTES));
    const ranges = rangesOf(remote);
    const { buffer } = ranges[0] as Uint8Array<ArrayBuffer>;
    structuredClone(buffer, { transfer: [buffer] });
    expect(thrownBy(TypeError, () => remote.answer('key 1', ranges))).toMatchObject(lost);
    // An iterator may take a part back after it gave it.
    const again = rangesOf(remote);
    const taken = (function* (): Generator<Uint8Array> {
      for (const part of again) {
        yield part;
        structuredClone(part.buffer, { transfer: [part.buffer as ArrayBuffer] });
      }
    })();
    expect(remote.answer('key 1', taken as never)).toBe(true);
    const odd = rangesOf(remote).map(({ length }) => ({ length, forEach: () => undefined }));
    expect(() => remote.answer('key 1', odd as never)).toThrow(RangeError);
  });
});

test.each([false, true])(
  'views of resizable buffers are refused where zeros would be "absent" (tracked: %s)',
  (tracks) => {
    const refusal = {
      code: 'invalid-argument',
      message: expect.stringMatching(/must not be in a resizable buffer: pass its slice\(\)$/) as unknown,
    };
    const { view } = resizable(Uint8Array.of(97, 98, 99, 100), tracks);
    const ends = new Uint32Array(view.buffer, 8, tracks ? undefined : 1);
    const packed = new PackedKeys(Uint8Array.of(97), Uint32Array.of(1));
    for (const make of [
      () => new PackedKeys(view, Uint32Array.of(1)),
      () => new PackedKeys(Uint8Array.of(97), ends),
      () => CuckooFilter.from(Object.assign(packed, { bytes: view })),
    ])
      expect(thrownBy(TypeError, make)).toMatchObject(refusal);
    const [[, bytes]] = FORMS;
    const remote = FilterReader.remote(bytes);
    const parts = remote
      .locate('key 1')
      .map(({ offset, length }) => resizable(bytes.subarray(offset, offset + length), tracks).view);
    expect(thrownBy(TypeError, () => remote.answer('key 1', parts))).toMatchObject(refusal);
  },
);

test.each([new Uint32Array(3), new Float64Array(3), new BigInt64Array(3)])(
  'a typed array of keys that is gone is an invalid key to every class: %p',
  (keys) => {
    structuredClone(keys.buffer, { transfer: [keys.buffer] });
    const reader = new FilterReader(FORMS[0][1]);
    for (const has of [reader, new CuckooFilter({ capacity: 10 })])
      expect(thrownBy(TypeError, () => has.containsMany(keys))).toMatchObject({ code: 'invalid-key' });
    const { room } = resizable(new Uint8Array(16), false);
    const shrunk = new Uint32Array(room, 8, 2);
    room.resize(8);
    expect(thrownBy(TypeError, () => reader.containsMany(shrunk))).toMatchObject({ code: 'invalid-key' });
  },
);

test.each(['bytes', 'ends'] as const)('PackedKeys whose %s go while they are iterated throw', (name) => {
  const keys = new PackedKeys(Uint8Array.of(1, 2, 3), Uint32Array.of(1, 2, 3));
  const walk = (): void => {
    for (const key of keys) {
      const { buffer } = keys[name] as Uint8Array<ArrayBuffer>;
      if (key[0] === 1) structuredClone(buffer, { transfer: [buffer] });
    }
  };
  expect(thrownBy(TypeError, walk)).toMatchObject(lost);
});
