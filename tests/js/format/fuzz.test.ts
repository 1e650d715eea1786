// Replays in WebAssembly the corpus of saved bytes that fuzzing found, as tests/cpp/format/fuzz_test.cpp does natively. The
// corpora of operations are replayed there alone: here, filters/model.test.ts compares operations with a multiset.
// Invariant: bytes give a FormatError or a sound filter.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter, FormatError } from 'cuckoofilter-wasm';
import { claim, sameBytes } from '../support/random';
import { HEADER_BYTES, resealed, TRAILER_BYTES } from '../support/reference/reader';
import { xxh64 } from '../support/reference/xxh64';

const LONGEST_TABLE = 1 << 20;

function* corpus(): Generator<Uint8Array> {
  const archive = readFileSync(join(__dirname, '../../fuzz/corpus/format.bin'));
  // Each input stands behind its length (scripts/fuzz.mjs).
  for (let at = 0, end; at < archive.length; at = end) {
    end = at + 4 + archive.readUInt32LE(at);
    yield Uint8Array.from(archive.subarray(at + 4, end));
  }
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
  for (const [i, input] of [...corpus()].entries()) {
    using filter = loaded(sealed(input));
    if (filter === undefined) continue;
    ++sound;
    claim(filter.byteLength <= LONGEST_TABLE, () => `input ${i}: the table is too large`);
    using again = CuckooFilter.deserialize(filter.serialize());
    claim(sameBytes(again.serialize(), filter.serialize()), () => `input ${i}: saved again it differs`);
    const { size } = filter;
    if (filter.tryAdd(1) === 'added') claim(filter.has(1) && filter.delete(1), () => `input ${i}: 1 is lost`);
    claim(filter.size === size, () => `input ${i}: the size is wrong`);
  }
  expect(sound).toBeGreaterThan(50);
});
