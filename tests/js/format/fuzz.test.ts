// Replays the corpus of the fuzz bodies (tests/fuzz) in WebAssembly: the same inputs, read by the same rules as there,
// but that none of the operations' filters grows or is merged.
// Invariant: bytes give a FormatError or a sound filter, and a filter gives what a multiset of its keys does.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import { claim, sameBytes } from '../support/random';
import { Multiset } from '../support/reference/multiset';
import { HEADER_BYTES, resealed, TRAILER_BYTES } from '../support/reference/reader';
import { xxh64, xxh64OfInteger } from '../support/reference/xxh64';

const LONGEST_TABLE = 1 << 20;

function corpus(body: string): { name: string; input: Uint8Array }[] {
  const archive = readFileSync(join(__dirname, `../../fuzz/corpus/${body}.bin`));
  const inputs: { name: string; input: Uint8Array }[] = [];
  // Each input stands behind its length (scripts/fuzz.mjs).
  for (let at = 0; at < archive.length;) {
    const end = at + 4 + archive.readUInt32LE(at);
    inputs.push({ name: `input ${inputs.length}`, input: Uint8Array.from(archive.subarray(at + 4, end)) });
    at = end;
  }
  return inputs;
}

/** With lengths and checks that fit, where an unused bit asks for them. */
function sealed(input: Uint8Array): Uint8Array {
  const isToFit = (input[15] ?? 0) >= 0xfc;
  const isToFitGrowing = input[17] === 0xff;
  if (input.length < HEADER_BYTES + TRAILER_BYTES || !(isToFit || isToFitGrowing)) return input;
  return resealed(input, (view, bytes) => {
    if (isToFit) view.setUint8(15, view.getUint8(15) ^ 0xff);
    if (isToFitGrowing) view.setUint16(16, Number(view.getUint8(15) >= 4), true);
    const check = xxh64(new TextEncoder().encode('cuckoofilter'), view.getBigUint64(48, true));
    view.setBigUint64(56, check, true);
    view.setBigUint64(64, BigInt(bytes.length - HEADER_BYTES - TRAILER_BYTES), true);
  });
}

/** The filter in `bytes`, or undefined where they are a FormatError. */
function loaded(bytes: Uint8Array): CuckooFilter | undefined {
  try {
    return CuckooFilter.deserialize(bytes, { maxBytes: LONGEST_TABLE });
  } catch (error) {
    if (error instanceof FormatError) return undefined;
    throw error;
  }
}

test('every stored byte string gives a FormatError or a sound filter', () => {
  let sound = 0;
  for (const { name, input } of corpus('format')) {
    using filter = loaded(sealed(input));
    if (filter === undefined) continue;
    ++sound;
    claim(filter.byteLength <= LONGEST_TABLE, () => `${name}: the table is too large`);
    using again = CuckooFilter.deserialize(filter.serialize());
    claim(sameBytes(again.serialize(), filter.serialize()), () => `${name}: saved again it differs`);
    const { size } = filter;
    if (filter.tryAdd(1) === 'added') claim(filter.has(1) && filter.delete(1), () => `${name}: 1 is lost`);
    claim(filter.size === size, () => `${name}: the size is wrong`);
  }
  expect(sound).toBeGreaterThan(50);
});

/** The parameters in an input's first 8 bytes. */
function optionsOf(input: Uint8Array): ConstructorParameters<typeof CuckooFilter>[0] {
  const [byte0 = 0, byte1 = 0, byte2 = 0, byte3 = 0, maxKicks = 0, seed = 0, byte6 = 0, byte7 = 0] = input;
  const isXor = byte0 % 2 === 1;
  const bucketSize = 1 + (byte2 % 8);
  const width = 2 + (byte3 % 31);
  const semiSort = bucketSize === 4 && width >= 5 && byte6 % 2 === 1;
  const quarters = semiSort && width > 5 && width <= 24 ? byte7 % 4 : 0;
  return {
    capacity: 1,
    bucketCount: isXor ? 2 ** (byte1 % 9) : 1 + byte1,
    addressing: isXor ? 'xor' : 'reflect',
    bucketSize,
    fingerprintBits: width - quarters / 4,
    semiSort,
    maxKicks,
    seed,
  };
}

/** Does the operations of an input; `check` is told of each whether it did what the multiset says. */
function operate(input: Uint8Array, check: (holds: boolean) => void): void {
  let filter = new CuckooFilter(optionsOf(input));
  const { bucketCount, bucketSize, fingerprintBits, addressing } = filter;
  const model = new Multiset({ bucketCount, bucketSize, fingerprintBits, addressing });
  const hashes = Array.from({ length: 256 }, (_, key) => xxh64OfInteger(key, filter.seed));
  const countOf = (key: number): number => model.count(hashes[key] ?? 0n);
  const added = (key: number): void => model.add(key, hashes[key] ?? 0n);
  const deleted = (key: number): void => model.delete(key, hashes[key] ?? 0n);
  const replace = (other: CuckooFilter): void => {
    filter.dispose();
    filter = other;
  };
  const batches = (first: number): void => {
    const keys = Array.from({ length: 100 }, (_, i) => (first + i) % 256);
    check(filter.containsMany(keys).every((found, i) => found === Number(countOf(keys[i] ?? 0) > 0)));
    const before = filter.size;
    try {
      filter.addMany(keys);
    } catch {
      // Full: the keys before are in.
    }
    const done = keys.slice(0, filter.size - before);
    check(filter.deleteMany(done) === done.length);
  };
  const others: Record<number, (key: number) => void> = {
    0: () => {
      filter.clear();
      model.clear();
    },
    1: (key) => {
      const was = countOf(key) > 0;
      check(filter.delete(key) === was);
      if (was) deleted(key);
    },
    2: (key) => {
      const was = countOf(key) > 0;
      const { size } = filter;
      try {
        check(filter.addIfAbsent(key) === !was);
      } catch {
        check(!was);
      }
      if (filter.size > size) added(key);
    },
    3: () => replace(CuckooFilter.deserialize(filter.serialize())),
    4: () => replace(filter.clone()),
    5: batches,
  };
  const add = (key: number): void => {
    if (filter.tryAdd(key) === 'added') added(key);
  };
  for (let at = 8; at + 1 < input.length; at += 2) {
    const key = input[at + 1] ?? 0;
    (others[(input[at] ?? 0) % 16] ?? add)(key);
    check(filter.size === model.size && filter.count(key) === countOf(key));
  }
  for (let key = 0; key < 256; ++key) check(filter.count(key) === countOf(key));
  filter.dispose();
}

test('every stored sequence of operations agrees with a multiset', () => {
  for (const { name, input } of corpus('operations')) {
    if (input.length >= 8) operate(input, (holds) => claim(holds, () => `${name} differs`));
  }
});
