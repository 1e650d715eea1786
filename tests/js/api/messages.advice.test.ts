// What errors about options advise, followed for many options at once. The words are those of messages.options.test.ts.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { some } from '../support/long';

type Options = Readonly<Record<string, unknown>>;

const RATES = [1e-12, 1e-10, 1.5e-9, 3e-8, 1e-7, 1e-6, 1e-4, 0.001, 0.2];

/** Options that contradict each other in many ways. */
const ALL: Options[] = [1, 5, 1000, 18_607, 2 ** 20, 2 ** 33].flatMap((capacity) =>
  RATES.flatMap((falsePositiveRate) =>
    [undefined, 1, 2, 4, 5, 8].flatMap((bucketSize) =>
      [undefined, 1, 64, 1e6].flatMap((times) =>
        [
          {},
          { bucketCount: Math.ceil(capacity / 4) },
          { bucketCount: 2 ** Math.ceil(Math.log2(capacity)) },
          { semiSort: true },
          { addressing: 'xor' },
          { prefer: 'speed' },
          { fingerprintBits: 12 },
        ].map((more) => ({
          capacity,
          falsePositiveRate,
          bucketSize,
          maxCapacity: times && Math.min(2 ** 34, capacity * times),
          ...more,
        })),
      ),
    ),
  ),
);

/** The options that an error advises, if it advises any. */
const ADVICE: readonly (readonly [RegExp, (...words: string[]) => Options])[] = [
  [/^falsePositiveRate \S+ is too low\. Use (\S+) or more$/, (rate) => ({ falsePositiveRate: Number(rate) })],
  [/^(\w+) \S+ is too small for .+ use (\d+)$/, (name = '', enough) => ({ [name]: Number(enough) })],
  [/^(\w+) \S+ is too small for /, (name = '') => ({ [name]: undefined })],
  [/^periods must be at most (\d+) /, (periods) => ({ periods: Number(periods) })],
];

function advised(message: string): Options | undefined {
  for (const [pattern, follow] of ADVICE) {
    const match = pattern.exec(message);
    if (match !== null) return follow(...match.slice(1));
  }
  return undefined;
}

test.each([
  ['CuckooFilter', CuckooFilter, {}],
  ['ScalableCuckooFilter', ScalableCuckooFilter, {}],
  ['ExpiringFilter', ExpiringFilter, { periods: 25, every: '1 h' }],
  ['CuckooValues', CuckooValues, { valueBits: 20 }],
  ['CuckooCounter', CuckooCounter, {}],
  ['SharedCuckooFilter', SharedCuckooFilter, {}],
])('who follows the advice of an error of %s is not told the same again', (_, Class, more) => {
  const plan = (options: Options): string => {
    let message = '';
    try {
      (Class as unknown as { plan(given: Options): object }).plan(options);
    } catch (error) {
      message = (error as RangeError).message;
    }
    return message;
  };
  let followed = 0;
  const wrong: string[] = [];
  for (const given of some(ALL, 1500)) {
    let options: Options = { ...given, ...more };
    if (Class === SharedCuckooFilter) options = { ...options, maxCapacity: undefined };
    const changed = new Set<string>();
    for (let change = advised(plan(options)); change !== undefined; change = advised(plan(options))) {
      ++followed;
      const name = Object.keys(change).join();
      if (changed.has(name)) wrong.push(`${plan(options)}: ${JSON.stringify(options)}`);
      if (changed.has(name)) break;
      changed.add(name);
      options = { ...options, ...change };
    }
  }
  expect(wrong).toEqual([]);
  expect(followed).toBeGreaterThan(50);
});
