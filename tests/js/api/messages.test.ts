// What errors say to people on their first day: the words that tell what is wrong and what helps.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, dedupe, Deduper, dedupeStream, FormatError } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as TracedCuckooFilter } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { said, thrownBy } from '../support/random';
import { resealed } from '../support/reference/reader';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);

describe('bytes that are not what was wanted', () => {
  const one = new CuckooFilter({ capacity: 10 }).serialize();
  const layers = new ScalableCuckooFilter({ capacity: 10 }).serialize();

  test('are shown where they are no filter, such as a web page', () => {
    expect(said(() => CuckooFilter.deserialize(text('<!DOCTYPE html><title>404')))).toBe(
      'cannot load these 25 bytes: not a saved filter; they begin with "<!DOCTYPE"',
    );
    expect(said(() => CuckooFilter.deserialize(new Uint8Array(0)))).toBe(
      'cannot load these 0 bytes: not a saved filter. The file is empty',
    );
    // The first begins with a byte order mark. The second has two of the three bytes that mark a saved filter, by chance.
    for (const page of ['\ufeff<html>', '<b>Cab\r\n'])
      expect(said(() => CuckooFilter.deserialize(text(page)))).toMatch(
        / bytes: not a saved filter; they begin with "/,
      );
  });

  test.each<[unknown, string]>([
    [Promise.resolve(one), ' (await the promise), got [object Promise]'],
    [new Response(one), ' (await its arrayBuffer()), got [object Response]'],
    [new Blob([one]), ' (await its arrayBuffer()), got [object Blob]'],
    [new File([one], 'saved'), ' (await its arrayBuffer()), got [object File]'],
    [
      new Request('http://localhost', { method: 'POST', body: one }),
      ' (await its arrayBuffer()), got [object Request]',
    ],
    [JSON.parse(JSON.stringify(one)), ' (JSON keeps no bytes: save them as base64), got an object'],
    [Array.from(one), ' (JSON keeps no bytes: save them as base64), got an array'],
    [5, ', got 5'],
    [
      String.raw`\x89434b`,
      ` (from hexadecimal text: Buffer.from(text.slice(2), 'hex')), got ${JSON.stringify(String.raw`\x89434b`)}`,
    ],
    ['0x89434B', ` (from hexadecimal text: Buffer.from(text.slice(2), 'hex')), got "0x89434B"`],
    ['89434b', ` (from hexadecimal text: Buffer.from(text, 'hex')), got "89434b"`],
  ])('say how to get bytes out of %p', (value, words) => {
    expect(said(() => CuckooFilter.deserialize(value as never))).toBe(
      `bytes must be a Uint8Array or ArrayBuffer${words}`,
    );
  });

  const CLASSES: readonly (readonly [string, (text: string) => unknown])[] = [
    ['CuckooFilter', (saved) => CuckooFilter.deserialize(saved as never)],
    ['Deduper', (saved) => Deduper.deserialize(saved as never)],
    ['CuckooCounter', (saved) => CuckooCounter.deserialize(saved as never)],
    ['CuckooValues', (saved) => CuckooValues.deserialize(saved as never)],
    ['ExpiringFilter', (saved) => ExpiringFilter.deserialize(saved as never)],
    ['ScalableCuckooFilter', (saved) => ScalableCuckooFilter.deserialize(saved as never)],
    ['SharedCuckooFilter', (saved) => SharedCuckooFilter.deserialize(saved as never)],
    ['TracedCuckooFilter', (saved) => TracedCuckooFilter.deserialize(saved as never)],
    ['FilterReader', (saved) => new FilterReader(saved as never)],
    ['FilterReader.remote', (saved) => FilterReader.remote(saved as never)],
  ];

  test.each(CLASSES)('are told for %s where they are hexadecimal text', (_, load) => {
    const hex = Buffer.from(one).toString('hex');
    expect(said(() => load(hex))).toContain("(from hexadecimal text: Buffer.from(text, 'hex'))");
    expect(said(() => load(`0x${hex}`))).toContain("Buffer.from(text.slice(2), 'hex')");
  });

  test.each(CLASSES)('are told for %s where they are base64, or the name of a file', (_, load) => {
    for (const text of [Buffer.from(one).toString('base64'), 'seen.cuckoo'])
      expect(said(() => load(text))).toContain(
        '(from a file: readFileSync(path); from base64: Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))',
      );
  });

  test('are told where they were read as text, or with others of one buffer', () => {
    const asText = Buffer.from(Buffer.from(one).toString('utf8'));
    expect(said(() => CuckooFilter.deserialize(asText))).toMatch(
      /they were read as text: read files without an encoding, and responses by arrayBuffer\(\)$/,
    );
    const pool = new Uint8Array(8192);
    pool.set(one, 3000);
    expect(said(() => CuckooFilter.deserialize(pool.buffer))).toMatch(
      /one begins at byte 3000: pass its view, not its buffer$/,
    );
  });

  test('are counted in the singular', () => {
    expect(said(() => CuckooFilter.deserialize(Uint8Array.of(65)))).toMatch(/^cannot load this 1 byte: /);
  });

  test.each<[code: string, bytes: Uint8Array, message: string]>([
    ['cut-short', one.subarray(0, -1), 'cut short, or more bytes follow. Get the whole file again'],
    ['damaged', one.with(80, (one[80] ?? 0) ^ 1), 'damaged: the checksum differs. Get the file again'],
    [
      'inconsistent',
      resealed(one, (v) => v.setUint8(13, 0)),
      'damaged, or not made by this package. Make the filter again',
    ],
    [
      'unsupported-version',
      // The rest of the bytes does not matter.
      new CuckooValues({ capacity: 10, valueBits: 4 }).serialize().with(8, 2),
      'newer format. Update cuckoofilter-wasm',
    ],
  ])('that are %s are told by their number and in words', (code, bytes, problem) => {
    expect(thrownBy(FormatError, () => CuckooFilter.deserialize(bytes))).toMatchObject({
      code,
      message: `cannot load these ${bytes.length} bytes: ${problem}`,
    });
  });

  test('are no wrong limit, which is told by its rule', () => {
    expect(said(() => CuckooFilter.deserialize(one, { maxBytes: -1 }))).toBe(
      'maxBytes must be a number, 0 or more, got -1',
    );
  });

  test('beyond maxBytes are told with it', () => {
    for (const act of [
      () => CuckooFilter.deserialize(one, { maxBytes: 10 }),
      () => ScalableCuckooFilter.deserialize(layers, { maxBytes: 10 }),
    ])
      expect(said(act)).toMatch(
        /these \d+ bytes: the table is larger than maxBytes \(10\)\. If you trust the source, raise it$/,
      );
  });

  test('that were transferred away are said to be', () => {
    const buffer = new ArrayBuffer(8);
    structuredClone(buffer, { transfer: [buffer] });
    const filter = new CuckooFilter({ capacity: 10 });
    for (const act of [
      () => filter.add(buffer),
      () => CuckooFilter.deserialize(buffer),
      () => filter.addMany([buffer]),
    ])
      expect(said(act)).toMatch(/its buffer was transferred/);
    expect(thrownBy(TypeError, () => CuckooFilter.deserialize(buffer)).cause).toBeDefined();
    expect(filter.add(new SharedArrayBuffer(8)).has(new ArrayBuffer(8))).toBe(true);
  });
});

describe('a full filter', () => {
  test('that from made says that from leaves no room, and what to set', () => {
    const filter = CuckooFilter.from([-1]);
    expect(said(() => filter.addMany(Array.from({ length: 99 }, (_, i) => i)))).toMatch(
      /Make a new one with a larger capacity or maxCapacity; from\(keys\) alone leaves no room$/,
    );
  });
});

describe('dedupe', () => {
  const all = async <T>(items: Iterable<T> | AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = [];
    for await (const item of items) found.push(item);
    return found;
  };
  const users = [{ id: 1 }, { id: 2 }, { id: 1 }];

  test('fails at the call without a source, and says what is wanted', () => {
    for (const source of [undefined, 42, null])
      expect(said(() => dedupe(source as never, { capacity: 10 }))).toBe(
        `source must be an iterable or async iterable of items (one item: [item]), got ${source}`,
      );
    expect(said(() => (dedupe as () => unknown)())).toMatch(/^source must be /);
  });

  test('takes the name of a property as key', async () => {
    expect(await all(dedupe(users, { key: 'id', capacity: 10 }))).toEqual([{ id: 1 }, { id: 2 }]);
    expect(await all(dedupe(['a', 'bb', 'c'], { key: 'length', capacity: 10 }))).toEqual(['a', 'bb']);
    const stream = new ReadableStream<{ id: number }>({
      start(controller) {
        for (const user of users) controller.enqueue(user);
        controller.close();
      },
    });
    const news = stream.pipeThrough(dedupeStream<{ id: number }>({ key: 'id', capacity: 10 }));
    expect(await all(news as unknown as AsyncIterable<unknown>)).toEqual([{ id: 1 }, { id: 2 }]);
  });

  test.each<[unknown, string]>([
    [
      { name: 'no id' },
      'item 2 (an object) has no property "id": set key to one that all have, or a function',
    ],
    [undefined, 'item 2 (undefined) has no property "id": set key to one that all have, or a function'],
    [null, 'item 2 (null) has no property "id": set key to one that all have, or a function'],
    [
      { id: 1.5 },
      'item 2: a key must be a string, safe integer, 64-bit bigint or bytes, got 1.5: pass String(value)',
    ],
  ])('names the item %p without a key by its index', async (item, message) => {
    const items = [...users.slice(0, 2), item] as typeof users;
    await expect(all(dedupe(items, { key: 'id', capacity: 10 }))).rejects.toThrow(new TypeError(message));
  });

  test('names the item that is no key by its index, and leaves errors of the key function alone', async () => {
    await expect(all(dedupe(['a', null] as never, { capacity: 10 }))).rejects.toThrow(/^item 1: /);
    await expect(all(dedupe(['a', { id: 1 }] as never, { capacity: 10 }))).rejects.toThrow(
      /^item 1 is an object: set key to a property/,
    );
    const problem = new TypeError('mine');
    const key = (): never => {
      throw problem;
    };
    await expect(all(dedupe(users, { key, capacity: 10 }))).rejects.toBe(problem);
  });
});
