// Bytes that the reader of the package refuses, as the classes do.
import { describe, test } from '@jest/globals';
import { CuckooFilter, type CuckooFilterOptions, type HashOption } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { integers } from '../support/integers';
import { runs } from '../support/long';
import { claim, withSeed } from '../support/random';
import { resealed } from '../support/reference/reader';
import { SECRET } from '../support/secrets';
import { classCode, codeOf } from './compared';

describe('bytes', () => {
  const same = (bytes: Uint8Array, options: object, what: () => string): void => {
    const code = codeOf(() => new FilterReader(bytes, options));
    const expected = classCode(bytes, options);
    claim(code === expected, () => `${what()}: ${code} for ${expected}`);
  };
  const saved = (options: CuckooFilterOptions, hash?: HashOption): [Uint8Array, HashOption | undefined] => [
    CuckooFilter.from(integers(0, 20), { ...options, hash }).serialize(),
    hash,
  ];
  const layers = ScalableCuckooFilter.from(integers(1, 200), { capacity: 20, maxCapacity: 40 }).serialize();
  const expiring = new ExpiringFilter({ capacity: 20, maxCapacity: 80, periods: 4 });
  expiring.isNew('a');
  const samples: [string, Uint8Array, HashOption | undefined][] = [
    ['plain', ...saved({ capacity: 20, seed: 5, bucketCount: 11, bucketSize: 3, fingerprintBits: 7 })],
    ['semi-sorted', ...saved({ capacity: 20, semiSort: true, fingerprintBits: 7.5 })],
    ['growing', ...saved({ capacity: 20, maxCapacity: 500 })],
    ['keyed', ...saved({ capacity: 20 }, SECRET)],
    ['layers', layers, undefined],
    ['values', CuckooValues.from([['a', 1]], { valueBits: 8, capacity: 20 }).serialize(), undefined],
    ['counters', CuckooCounter.from(['a'], { hash: SECRET }).serialize(), SECRET],
    ['periods', expiring.serialize(), undefined],
  ];

  test.each(samples)('that are damaged or cut have the code of the class: %s', (name, saved, hash) => {
    for (let at = 0; at < saved.length; ++at) {
      for (const change of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
        const bytes = saved.slice();
        bytes[at] = (bytes[at] ?? 0) ^ change;
        same(bytes, { hash }, () => `${name}, byte ${at} by ${change}`);
      }
      same(saved.subarray(0, at), { hash }, () => `${name}, cut at ${at}`);
    }
    same(Uint8Array.of(...saved, 0), { hash }, () => `${name}, one more`);
    same(saved, { hash: hash === undefined ? SECRET : undefined }, () => `${name}, other hash`);
    same(saved, { hash: { ...SECRET, key: new Uint8Array(16) } }, () => `${name}, other key`);
    if (codeOf(() => new FilterReader(saved, { hash })) !== 'none') return; // of another class
    const { byteLength } = new FilterReader(saved, { hash });
    for (const maxBytes of [0, byteLength - 1, byteLength, 1e300, Infinity])
      same(saved, { hash, maxBytes }, () => `${name}, at most ${maxBytes} bytes`);
  });

  test(
    'that are changed under a checksum that fits have the code of the class',
    withSeed(77, (random) => {
      for (const [name, saved, hash] of samples.slice(0, 4)) {
        for (let round = 0; round < runs(800, 4000); ++round) {
          const bytes = resealed(saved, (_, copy) => {
            for (let i = random.below(3); i >= 0; --i)
              copy[random.below(round % 2 === 0 ? 72 : copy.length - 8)] = random.below(
                round % 3 === 0 ? 8 : 256,
              );
          });
          same(bytes, { hash }, () => `${name}, round ${round}: ${Buffer.from(bytes).toString('hex')}`);
        }
      }
    }),
  );
});
