// RedisBloomFilter against what a server with RedisBloom answered and dumped (tests/golden/redisbloom).
import { describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  FilterFullError,
  FormatError,
  OutOfMemoryError,
  RedisBloomFilter,
  type DumpChunk,
} from 'cuckoofilter-wasm/redisbloom';
import { claim, Random, thrownBy } from '../support/random';

const FOLDER = join(__dirname, '../../golden/redisbloom');

type Rule =
  { readonly hex: string[] } | { readonly prefix: string; readonly from: number; readonly to: number };
interface SavedChunk {
  readonly iterator: number;
  readonly data?: string;
  readonly length?: number;
  readonly nonzero?: [offset: number, value: number][];
  readonly sha256?: string;
}
interface Recorded {
  readonly steps: {
    command: string;
    args?: (string | number)[];
    keys?: Rule[];
    replies: [unknown, number][];
  }[];
  readonly info: object;
  readonly chunks: SavedChunk[];
  readonly probes: Rule[];
  readonly exists: string;
  readonly count: [probe: number, copies: number][];
}

const recorded = (name: string): Recorded =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8')) as Recorded;
const NAMES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.json') && !/placements|load-replies/.test(name))
  .map((name) => name.slice(0, -5));

function keysOf(rules: readonly Rule[]): (string | Uint8Array)[] {
  return rules.flatMap((rule): (string | Uint8Array)[] =>
    'hex' in rule
      ? rule.hex.map((hex) => Buffer.from(hex, 'hex'))
      : Array.from({ length: rule.to - rule.from }, (_, i) => `${rule.prefix}${rule.from + i}`),
  );
}

function chunkOf({ iterator, data, length = 0, nonzero = [] }: SavedChunk): [number, Uint8Array] {
  if (data !== undefined) return [iterator, Uint8Array.from(Buffer.from(data, 'base64'))];
  const bytes = new Uint8Array(length);
  for (const [offset, value] of nonzero) bytes[offset] = value;
  return [iterator, bytes];
}

/** Short enough to compare and to print. */
const summary = (chunks: readonly (readonly [number, Uint8Array])[]): unknown =>
  chunks.map(([iterator, data]) => [iterator, data.length, createHash('sha256').update(data).digest('hex')]);

/** What the server answers to `command`, without its words. */
function replyOf(filter: RedisBloomFilter, command: string, key: string | Uint8Array): number | string {
  const act = {
    'CF.ADD': () => filter.add(key),
    'CF.INSERT': () => filter.add(key),
    'CF.ADDNX': () => filter.addNX(key),
    'CF.INSERTNX': () => filter.addNX(key),
    'CF.DEL': () => filter.delete(key),
  }[command];
  if (act === undefined) throw new Error(command);
  const before = filter.info();
  try {
    return Number(act());
  } catch (error) {
    claim(error instanceof FilterFullError, () => String(error));
    expect(filter.info()).toEqual(before);
    return 'ERR:Filter is full';
  }
}

/** A new filter as the arguments of CF.RESERVE say, or as CF.ADD makes it. */
function reserved([capacity = 1024, ...words]: readonly (string | number)[] = []): RedisBloomFilter {
  const value = (name: string): number | undefined =>
    words.includes(name) ? Number(words[words.indexOf(name) + 1]) : undefined;
  return RedisBloomFilter.reserve({
    capacity: Number(capacity),
    bucketSize: value('BUCKETSIZE'),
    maxIterations: value('MAXITERATIONS'),
    expansion: value('EXPANSION'),
  });
}

describe.each(NAMES)('%s', (name) => {
  const { steps, info, chunks, probes, exists, count } = recorded(name);
  const dump = chunks.map(chunkOf);

  test('loaded, it answers as the server does and dumps the same bytes', () => {
    const filter = RedisBloomFilter.load(dump);
    const keys = keysOf(probes);
    expect(keys.map((key) => Number(filter.exists(key))).join('')).toBe(exists);
    expect(keys.flatMap((key, i) => (filter.count(key) > 0 ? [[i, filter.count(key)]] : []))).toEqual(count);
    expect(filter.info()).toEqual(info);
    expect(summary(filter.dump())).toEqual(summary(dump));
  });

  test('the same commands from the start give the same replies and the same dump', () => {
    const filter = reserved(steps.find(({ command }) => command === 'CF.RESERVE')?.args);
    for (const { command, keys = [], replies } of steps) {
      if (command === 'CF.RESERVE') continue;
      const wanted = replies.flatMap(([reply, times]) => Array<unknown>(times).fill(reply));
      const given = keysOf(keys).map((key) => replyOf(filter, command, key));
      expect(given).toEqual(wanted);
    }
    expect(filter.info()).toEqual(info);
    expect(summary(filter.dump())).toEqual(summary(dump));
  });
});

test('single keys land where the server puts them', () => {
  const { placements } = JSON.parse(readFileSync(join(FOLDER, 'placements.json'), 'utf8')) as {
    placements: [hex: string, fingerprint: number, first: number, other: number][];
  };
  expect(placements.length).toBeGreaterThan(100);
  for (const [hex, fingerprint, first, other] of placements) {
    const filter = reserved([65536, 'BUCKETSIZE', 1, 'EXPANSION', 0]);
    const key = Buffer.from(hex, 'hex');
    const places = new Set<number>();
    for (let copy = 0; copy < (first === other ? 1 : 2); ++copy) {
      filter.add(key);
      const data = (filter.dump()[1] as DumpChunk)[1];
      for (const [at, byte] of data.entries()) if (byte === fingerprint) places.add(at);
      if (copy === 0) expect([...places]).toEqual([first]);
    }
    expect([...places].sort()).toEqual([...new Set([first, other])].sort());
  }
});

describe('chunks that are not as the server dumps them', () => {
  const { cases } = JSON.parse(readFileSync(join(FOLDER, 'load-replies.json'), 'utf8')) as {
    cases: { label: string; chunks: SavedChunk[]; replies: string[] }[];
  };
  /** What the server takes and would lose keys of: the last three lack chunks. */
  const LOSSES = [
    'expansion 3 (not a power of two)',
    'expansion 32769',
    'item count that disagrees with the bytes',
    'chunk shorter than the sub-filter, at its start',
    '33 sub-filters',
    '32 sub-filters',
  ];

  test.each(cases.map((each) => [each.label, each] as const))('%s', (label, { chunks, replies }) => {
    const load = (): RedisBloomFilter => RedisBloomFilter.load(chunks.map(chunkOf));
    const isTaken = replies.every((reply) => reply === 'OK');
    if (isTaken && !LOSSES.includes(label)) load();
    else expect(thrownBy(FormatError, load).message).toMatch(/^cannot load these chunks: /);
  });

  test('one that is missing, twice there, cut short or moved is a FormatError', () => {
    for (const name of NAMES.filter((each) => each !== 'three-chunks')) {
      const dump = recorded(name).chunks.map(chunkOf);
      const damaged = dump.flatMap(([iterator, data], i) => [
        dump.filter((_, at) => at !== i),
        [...dump, [iterator, data] as const],
        dump.with(i, [iterator, data.subarray(1)]),
        dump.with(i, [iterator, data.subarray(0, -1)]),
        dump.with(i, [iterator + 1, data]),
        dump.with(i, [iterator, new Uint8Array(data.length)]),
      ]);
      for (const chunks of [[], ...damaged])
        expect(thrownBy(FormatError, () => RedisBloomFilter.load(chunks)).code).toMatch(/^[a-z-]+$/);
    }
  });

  test('a header of random bytes is a FormatError, and takes no memory', () => {
    const random = new Random(7);
    const [, ...rest] = recorded('tiny').chunks.map(chunkOf);
    for (let i = 0; i < 2000; ++i) {
      const header = random.bytes(38);
      for (const at of [0, 8, 16, 24]) header.fill(0, at + random.below(8), at + 8);
      thrownBy(FormatError, () => RedisBloomFilter.load([[1, header], ...rest]));
    }
  });

  test('the end of CF.SCANDUMP may be among them, and iterators may be bigints', () => {
    const dump = recorded('tiny').chunks.map(chunkOf);
    const chunks = [
      ...dump.map(([iterator, data]) => [BigInt(iterator), data] as const),
      [0, new Uint8Array()] as const,
    ];
    expect(summary(RedisBloomFilter.load(chunks).dump())).toEqual(summary(dump));
  });
});

describe('filters made here', () => {
  test('an empty one dumps its sizes, and loads again', () => {
    const filter = RedisBloomFilter.reserve({ capacity: 1000, bucketSize: 3, expansion: 2 });
    expect(filter.info()).toMatchObject({ 'Number of buckets': 512, 'Number of items inserted': 0 });
    expect(RedisBloomFilter.load(filter.dump()).info()).toEqual(filter.info());
  });

  test.each([
    [1025, 2, 512],
    [1024, 2, 512],
    [1026, 2, 1024],
    [1_048_577, 2, 524_288],
    [1000, 3, 512],
    [4, 2, 2],
  ])(
    'a capacity of %i in buckets of %i has %i buckets, as on the server',
    (capacity, bucketSize, buckets) => {
      expect(RedisBloomFilter.reserve({ capacity, bucketSize }).info()['Number of buckets']).toBe(buckets);
    },
  );

  test('with 32 sub-filters nothing is added, even if there is room', () => {
    const filter = RedisBloomFilter.reserve({ capacity: 2, bucketSize: 1 });
    let added = 0;
    for (let i = 0; filter.info()['Number of filters'] < 32; ++i) if (filter.add(`key ${i}`)) ++added;
    expect(thrownBy(FilterFullError, () => filter.add('one more')).reason).toBe('full');
    expect(filter.info()['Number of items inserted']).toBe(added);
    expect(filter.addNX('key 0')).toBe(false);
    for (let i = 0; i < added; ++i) expect(filter.exists(`key ${i}`)).toBe(true);
  });

  test('after random calls, saved and loaded in between, none has a false negative', () => {
    const random = new Random(3);
    for (const bucketSize of [1, 2, 3, 4, 8, 255])
      for (const expansion of [0, 1, 2, 4]) {
        let filter = RedisBloomFilter.reserve({
          capacity: Math.max(64, 2 * bucketSize),
          bucketSize,
          expansion,
          maxIterations: 1 + random.below(50),
        });
        const model = new Map<string, number>();
        for (let i = 0; i < 1500; ++i) {
          const key = `key ${random.below(300)}`;
          const copies = model.get(key) ?? 0;
          if (random.below(5) < 3) {
            const before = summary(filter.dump());
            try {
              filter.add(key);
              model.set(key, copies + 1);
            } catch (error) {
              claim(error instanceof FilterFullError, () => String(error));
              expect(summary(filter.dump())).toEqual(before);
            }
          } else if (copies > 0) {
            expect(filter.delete(key)).toBe(true);
            model.set(key, copies - 1);
          }
          if (i % 100 === 0) filter = RedisBloomFilter.load(filter.dump());
        }
        for (const [key, copies] of model)
          claim(filter.count(key) >= copies, () => `${bucketSize} ${expansion} ${key}`);
        for (const [key, copies] of model)
          for (let i = 0; i < copies; ++i) claim(filter.delete(key), () => key);
        expect(filter.info()['Number of items inserted']).toBe(0);
      }
  });

  test.each([
    [{}, TypeError, 'capacity is required: an integer from 1 to 4294967296'],
    [undefined, TypeError, 'options are required, such as { capacity: 1000 }'],
    [
      { capacity: 10, maxIteration: 5 },
      TypeError,
      'unknown option maxIteration; did you mean maxIterations?',
    ],
    [{ capacity: '10' }, TypeError, 'capacity must be an integer from 1 to 4294967296, got "10"'],
    [{ capacity: 0 }, RangeError, 'capacity must be an integer from 1'],
    [{ capacity: 3 }, RangeError, 'capacity must be at least twice bucketSize (4), got 3'],
    [{ capacity: 10, bucketSize: 256 }, RangeError, 'bucketSize must be an integer from 1 to 255'],
    [{ capacity: 10, maxIterations: 0 }, RangeError, 'maxIterations must be an integer from 1 to 65535'],
    [{ capacity: 10, expansion: 3 }, RangeError, 'expansion must be 0 or a power of two up to 32768'],
  ])('%j is refused', (options, Kind, message) => {
    expect(
      thrownBy(Kind as typeof Error, () => RedisBloomFilter.reserve(options as { capacity: number })).message,
    ).toContain(message);
  });

  test('memory that is refused is an error that says what to do, and changes nothing', () => {
    const filter = RedisBloomFilter.reserve({ capacity: 16, bucketSize: 1, expansion: 32_768 });
    filter.add('a');
    filter.add('a');
    const before = [filter.info(), summary(filter.dump())];
    const Own = Uint8Array;
    try {
      globalThis.Uint8Array = new Proxy(Own, {
        construct: (_, [length]: [number]) => new Own(length > 1e5 ? -1 : length),
      });
      // The two buckets of the key are full, so that it needs a sub-filter.
      for (const add of [() => filter.add('a'), () => filter.addNX('a') || filter.add('a')])
        expect(thrownBy(FilterFullError, add)).toMatchObject({
          message:
            'the filter is full, and another sub-filter of 524288 bytes is too large for memory: reserve a larger capacity with a smaller expansion',
          reason: 'full',
        });
      const { code, message } = thrownBy(OutOfMemoryError, () =>
        RedisBloomFilter.reserve({ capacity: 2 ** 20 }),
      );
      expect([code, message]).toEqual([
        'out-of-memory',
        'the filter is too large for memory (1048576 bytes): reserve a smaller capacity',
      ]);
    } finally {
      globalThis.Uint8Array = Own;
    }
    expect([filter.info(), summary(filter.dump())]).toEqual(before);
    expect([filter.count('a'), filter.add('a'), filter.count('a')]).toEqual([2, true, 3]);
  });

  test('new is a TypeError that names what makes a filter', () => {
    const Class = RedisBloomFilter as unknown as new (...given: unknown[]) => unknown;
    for (const given of [[], [null], [{ capacity: 10 }], [{ tables: [] }]])
      expect(thrownBy(TypeError, () => new Class(...given))).toMatchObject({
        code: 'invalid-argument',
        message: 'create a filter with RedisBloomFilter.reserve(options) or RedisBloomFilter.load(chunks)',
      });
  });
});
