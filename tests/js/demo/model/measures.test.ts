// The measurements behind the demo's plots: against the paper's figures and exact counts.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { Filling } from '../../../../demo/src/core/measure';
import { enPanels } from '../../../../demo/src/i18n/en-panels';
import { zhPanels } from '../../../../demo/src/i18n/zh-panels';
import { along, decades } from '../../../../demo/src/model/picture/plot';
import { measureOf } from '../../../../demo/src/model/scenes/measures';
import type { Settings } from '../../../../demo/src/model/settings';
import {
  bitsPerKey,
  crossing,
  intervalOf,
  rateAt,
  rounded,
  SET_BITS,
  SPEEDS,
} from '../../../../demo/src/model/statistics';

function loadWhenFull(bucketSize: number, seed: number, search: Settings['search'] = 'random-walk'): number {
  const sizes = { bucketCount: 131_072 / bucketSize, bucketSize, fingerprintBits: 16, maxKicks: 500 };
  const filling = new Filling(sizes, seed * 10_000_000, search);
  while (!filling.isFull) filling.advance();
  const { load } = filling;
  filling.dispose();
  return 100 * load;
}

test.each([
  [1, 48, 54],
  [2, 84, 90],
  [4, 95, 98],
  [8, 98, 100],
])(
  'tables of 131,072 slots, %i a bucket, refuse their first key between %i and %i %% of load',
  (slots, least, most) => {
    for (let seed = 0; seed < 5; ++seed) {
      const load = loadWhenFull(slots, seed);
      expect(load).toBeGreaterThanOrEqual(least);
      expect(load).toBeLessThanOrEqual(most);
    }
  },
);

test('the walk that the scenes teach is the first one measured, and the library’s search fills a table further', () => {
  for (const slots of [2, 4, 8])
    expect(loadWhenFull(slots, 1, 'breadth-first')).toBeGreaterThan(loadWhenFull(slots, 1) + 0.3);
  // Taught: XOR, and a random victim, which leaves a table of one slot a bucket no emptier than the search does.
  expect(loadWhenFull(1, 1)).toBeGreaterThan(48);
});

test('short fingerprints break filling: 2 and 3 bits stop far below 4', () => {
  const load = (fingerprintBits: number): number => {
    const filling = new Filling({ bucketCount: 32_768, bucketSize: 4, fingerprintBits, maxKicks: 500 });
    while (!filling.isFull) filling.advance();
    const { load: reached } = filling;
    filling.dispose();
    return reached;
  };
  expect(load(2)).toBeLessThan(0.6);
  expect(load(3)).toBeLessThan(0.85);
  expect(load(4)).toBeGreaterThan(0.93);
});

test('the bins of kicks hold every insert once', () => {
  const filling = new Filling({ bucketCount: 256, bucketSize: 4, fingerprintBits: 12, maxKicks: 500 });
  while (!filling.isFull) filling.advance(100);
  expect(filling.bins.reduce((sum, { inserts }) => sum + inserts, 0)).toBe(filling.size);
  expect(filling.bins[0]?.kicks).toBe(0);
  expect(Math.max(...filling.bins.map(({ inserts, kicks }) => kicks / Math.max(1, inserts)))).toBeGreaterThan(
    10,
  );
  filling.dispose();
});

test('a table fills the same way whatever the pieces', () => {
  const sizes = { bucketCount: 512, bucketSize: 4, fingerprintBits: 8, maxKicks: 200 };
  const [one, other] = [new Filling(sizes), new Filling(sizes)];
  for (let i = 0; i < 18; ++i) one.advance(100);
  for (let i = 0; i < 6; ++i) other.advance(300);
  expect(other.slots()).toEqual(one.slots());
  one.dispose();
  other.dispose();
});

describe('the figures to take home', () => {
  const textOf = (name: string): string => readFileSync(join(__dirname, '../../../..', name), 'utf8');

  test('are those of the README', () => {
    const readme = textOf('README.md');
    const row = (name: string): string =>
      readme.split('\n').find((line) => line.startsWith(`| ${name}`)) ?? '';
    for (const [call, name, method] of [
      ['has', '`contains`, new', '`Set.has`'],
      ['add', '`add`, new', '`Set.add`'],
    ] as const) {
      const [own, set, bloom] = SPEEDS[call].map(([least, most]) => `${least} to ${most}`);
      expect(row(name)).toContain(
        `| ${own} million/s | ${set} times ${method}, ${bloom} times the Bloom filter |`,
      );
    }
    expect(row('memory')).toContain(`\`Set\`, with its strings: ${SET_BITS.join(' to ')};`);
    const size = `${Math.round(Number(/([\d.]+) kB/.exec(row('download'))?.[1]))} kB`;
    for (const { take } of [enPanels, zhPanels]) {
      expect(take.lead.replaceAll('\u00a0', ' ')).toContain(size);
      // Whatever runs without WebAssembly is called so where its speed stands.
      expect(take.columns.at(-1)).toContain('JavaScript');
    }
  });
});

describe('the formulas', () => {
  test('Bloom and cuckoo cross at 0.37 %, semi-sorted at 2.4 %', () => {
    expect(rounded(100 * crossing('cuckoo'))).toBe(0.37);
    expect(rounded(100 * crossing('semiSorted'))).toBe(2.4);
    for (const curve of ['cuckoo', 'semiSorted'] as const)
      expect(bitsPerKey(curve, crossing(curve))).toBeCloseTo(bitsPerKey('bloom', crossing(curve)), 9);
    expect(bitsPerKey('limit', 0.25)).toBe(2);
    expect(rateAt(bitsPerKey('cuckoo', 0.01))).toBeCloseTo(0.01, 9);
  });

  test('the range of a counted rate holds the rate, and stays between none and all', () => {
    const percents = (found: number): number[] =>
      intervalOf(found, 4000).map((rate) => Number((100 * rate).toPrecision(2)));
    expect(percents(1)).toEqual([0.0044, 0.14]);
    expect(percents(0)).toEqual([0, 0.096]);
    expect(percents(120)).toEqual([2.5, 3.6]);
    expect(intervalOf(4000, 4000)[1]).toBeLessThanOrEqual(1);
  });

  test('of all quadruples of nibbles 3,876 are sorted, which twelve bits tell apart', () => {
    const isSorted = (all: number): boolean =>
      [12, 8, 4].every((at) => ((all >> at) & 15) <= ((all >> (at - 4)) & 15));
    const sorted = Array.from({ length: 16 ** 4 }, (_, all) => all).filter(isSorted).length;
    expect([sorted, Math.ceil(Math.log2(sorted))]).toEqual([3876, 12]);
    for (const { space } of [enPanels, zhPanels]) {
      expect(space.nibbles).toContain(sorted.toLocaleString('en'));
      expect(space.nibbles).toContain((16 ** 4).toLocaleString('en'));
    }
  });

  test('a log axis puts the powers of ten at equal distances', () => {
    const axis = { label: '', least: 0.01, most: 100, isLog: true, ticks: [], format: String };
    [0.01, 0.1, 1, 10, 100].forEach((value, i) => expect(along(axis, value)).toBeCloseTo(i / 4, 9));
    expect(decades(0.001, 200)).toEqual([0.001, 0.01, 0.1, 1, 10, 100]);
  });

  test('the crossing is one of the four options, which all differ', () => {
    for (const [part, curve] of [
      [0, 'cuckoo'],
      [1, 'semiSorted'],
    ] as const) {
      const question = measureOf('bits', part);
      const options = question?.kind === 'choice' ? question.options : [];
      expect(options).toContain(String(rounded(100 * crossing(curve))));
      expect(new Set(options).size).toBe(4);
    }
  });
});

test('the Bloom filter errs as often as its share of set bits says', async () => {
  interface Bloom {
    readonly memory: WebAssembly.Memory;
    bloom_reset(bits: number, probes: number): void;
    bloom_insert(length: number): void;
    bloom_contains(length: number): number;
    bloom_key(): number;
    bloom_bits(): number;
  }
  const [bits, probes, keys, asked] = [256, 7, 24, 5000] as const;
  const file = readFileSync(join(__dirname, '../../../../build/wasm/demo/cpp/bloom.wasm'));
  const core = (await WebAssembly.instantiate(file)).instance.exports as unknown as Bloom;
  const put = (key: string): number =>
    new TextEncoder().encodeInto(key, new Uint8Array(core.memory.buffer, core.bloom_key())).written;
  let [computed, counted] = [0, 0];
  for (let table = 0; table < 100; ++table) {
    core.bloom_reset(bits, probes);
    for (let i = 0; i < keys; ++i) core.bloom_insert(put(`key ${table} ${i}`));
    const set = new Uint8Array(core.memory.buffer, core.bloom_bits(), bits).reduce((a, b) => a + b, 0);
    computed += asked * (set / bits) ** probes;
    for (let i = 0; i < asked; ++i) counted += core.bloom_contains(put(`stranger ${table} ${i}`)) & 1;
  }
  // One hash for all places would err 16 % more often.
  expect(counted / computed).toBeCloseTo(1, 1);
});
