// The colours of fingerprints, by which a bucket is read at a glance.
import { expect, test } from '@jest/globals';
import { hueOf, toneOf } from '../../../../demo/src/model/picture/bits';

const BYTE = Array.from({ length: 255 }, (_, i) => i + 1);

/** Degrees between two hues. */
function between(one: number, other: number): number {
  const apart = Math.abs(hueOf(one) - hueOf(other));
  return Math.min(apart, 360 - apart);
}

test('hardly any two fingerprints have like hues and one tone', () => {
  const pairs = BYTE.flatMap((one) =>
    BYTE.filter((other) => other < one).map((other) => [one, other] as const),
  );
  const hues = pairs.filter(([one, other]) => between(one, other) < 18);
  const same = hues.filter(([one, other]) => toneOf(one) === toneOf(other));
  expect(hues.length / pairs.length).toBeGreaterThan(0.09);
  expect(same.length / pairs.length).toBeLessThan(0.02);
});
