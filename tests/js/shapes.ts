// The shapes of table that properties are tested for: every bucket size and width, every kind of bucket count.

export interface Shape {
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly bucketCount: number;
  readonly addressing: 'reflect' | 'xor';
}

/** Every bucket size and fingerprint width that is allowed, with each of `bucketCounts`, in every addressing it allows. */
export function* shapes(bucketCounts: readonly number[]): Generator<Shape> {
  for (let bucketSize = 1; bucketSize <= 8; ++bucketSize) {
    for (let fingerprintBits = 2; fingerprintBits <= 32; ++fingerprintBits) {
      for (const bucketCount of bucketCounts) {
        yield { bucketSize, fingerprintBits, bucketCount, addressing: 'reflect' };
        if (Number.isInteger(Math.log2(bucketCount))) {
          yield { bucketSize, fingerprintBits, bucketCount, addressing: 'xor' };
        }
      }
    }
  }
}

export function nameOf({ bucketSize, fingerprintBits, bucketCount, addressing }: Shape): string {
  return `b = ${bucketSize}, f = ${fingerprintBits}, m = ${bucketCount}, ${addressing}`;
}
