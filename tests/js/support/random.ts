// Pseudo-random numbers for tests, and the wrapper that says which seed a failed test ran with.
// Invariant: a seed gives the same numbers on every machine. Source: Doty-Humphrey's sfc32 (PractRand), public domain.

const { floor } = Math;

/** A stream of random numbers that depends on its seed alone. */
export class Random {
  #a = 0;
  #b = 0x9e3779b9;
  #c: number;
  #counter = 1;

  constructor(seed: number) {
    this.#c = seed | 0;
    for (let i = 0; i < 12; ++i) this.bits();
  }
  /** An integer in [0, 2^32). */
  bits(): number {
    const result = (this.#a + this.#b + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) | 0;
    return result >>> 0;
  }
  /** An integer in [0, count), for counts up to 2^32. */
  below(count: number): number {
    return floor((this.bits() / 2 ** 32) * count);
  }
  /** An integer in [0, 2^64). */
  bits64(): bigint {
    return (BigInt(this.bits()) << 32n) | BigInt(this.bits());
  }
  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.below(256));
  }
  /** The same values in another order. */
  shuffled<T>(values: readonly T[]): T[] {
    const result = [...values];
    for (let i = result.length - 1; i > 0; --i) {
      const j = this.below(i + 1);
      [result[i], result[j]] = [result[j] as T, result[i] as T];
    }
    return result;
  }
}

/** A test's body that is given numbers from `seed`; what it throws names the seed. */
export function withSeed(seed: number, body: (random: Random) => void): () => void {
  return () => {
    try {
      body(new Random(seed));
    } catch (error) {
      if (error instanceof Error) error.stack = `seed ${seed}: ${error.stack ?? error.message}`;
      throw error;
    }
  };
}

/** Throws what `message` says unless `holds`: `expect` for inner loops, where it would take most of the time. */
export function claim(holds: boolean, message: () => string): asserts holds {
  if (!holds) throw new Error(message());
}

/** What `action` throws; the test fails if it does not throw an error of `kind`. */
export function thrownBy<T extends Error>(kind: new (...args: never[]) => T, action: () => unknown): T {
  try {
    action();
  } catch (error) {
    if (error instanceof kind) return error;
    throw new Error(`expected a ${kind.name}, got ${String(error)}`, { cause: error });
  }
  throw new Error(`expected a ${kind.name}, but nothing was thrown`);
}

/** What the error that `action` throws says. */
export function said(action: () => unknown): string {
  return thrownBy(Error, action).message;
}

/** What `promise` is rejected with, which must be a `Kind`. */
export async function rejected<T extends Error>(
  Kind: abstract new (...args: never[]) => T,
  promise: Promise<unknown>,
): Promise<T> {
  const error: unknown = await promise.then(
    () => 'nothing',
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof Kind))
    throw new Error(`expected a ${Kind.name}, got ${String(error)}`, { cause: error });
  return error;
}

/** True if both hold the same bytes. */
export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return Buffer.compare(one, other) === 0;
}
