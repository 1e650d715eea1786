// The sub-filters of RedisBloom's cuckoo filter: where fingerprints go, and in which order slots are tried, so that the
// same calls give the same bytes as on the server. A fingerprint is a byte, 0 an empty slot.
// Invariant: a refused insert changes no byte, and a fingerprint is only ever moved between its own buckets.
import { FilterFullError } from '../src/errors.js';
import { HIGH } from '../src/reader/hash64.js';

/** What a filter was made with. */
export interface BloomParameters {
  /** Buckets of the first sub-filter, a power of two. */
  readonly bucketCount: number;
  /** Fingerprints per bucket. */
  readonly bucketSize: number;
  /** Entries that an insert may move. */
  readonly maxIterations: number;
  /**
   * The factor by which each sub-filter has more buckets than the one before: a power of two, or 0 if there are no
   * further ones.
   */
  readonly expansion: number;
}

/** A key as the filter knows it: its fingerprint, and the low 32 bits of its hash. */
export interface Print {
  readonly fingerprint: number;
  readonly low: number;
}

/** With this many sub-filters, the server refuses to add, unless it is configured otherwise. */
const MOST_TABLES = 32;

/** Buckets of sub-filter `k`. */
export function bucketsOf({ bucketCount, expansion }: BloomParameters, k: number): number {
  return bucketCount * expansion ** k;
}

/**
 * The fingerprint of a hash, 1 to 255, and the hash's low half. `low` is that half, and HIGH holds the high half. The sum of
 * both halves has the remainder of the whole hash, because 2^32 leaves 1 when divided by 255.
 */
export function printOf(low: number): Print {
  return { fingerprint: (((low >>> 0) + ((HIGH[0] as number) >>> 0)) % 255) + 1, low };
}

/** An empty sub-filter; undefined if there is no memory for it. */
export function emptyTable(bytes: number): Uint8Array | undefined {
  try {
    return new Uint8Array(bytes);
  } catch {
    return undefined;
  }
}

/** Sub-filters, the oldest first. */
export class BloomTables {
  readonly parameters: BloomParameters;
  readonly tables: Uint8Array[];

  constructor(parameters: BloomParameters, tables: Uint8Array[]) {
    this.parameters = parameters;
    this.tables = tables;
  }

  /** Copies of a print. Counted twice where both of its buckets are the same, as the server does. */
  count(print: Print): number {
    let copies = 0;
    for (const [k, table] of this.tables.entries())
      for (const bucket of this.#bucketsIn(k, print))
        for (let slot = 0; slot < this.parameters.bucketSize; ++slot)
          if (table[bucket * this.parameters.bucketSize + slot] === print.fingerprint) ++copies;
    return copies;
  }

  has(print: Print): boolean {
    return this.#swap(print, print.fingerprint, print.fingerprint);
  }

  /**
   * Stores a copy; false, with nothing changed, if there is no room and no sub-filter can be added. Throws FilterFullError, with
   * nothing changed, if memory for it is refused.
   */
  insert(print: Print): boolean {
    if (this.tables.length >= MOST_TABLES) return false;
    if (this.#swap(print, 0, print.fingerprint) || this.#kick(print)) return true;
    const { expansion, bucketSize } = this.parameters;
    if (expansion === 0) return false;
    const bytes = bucketsOf(this.parameters, this.tables.length) * bucketSize;
    const table = emptyTable(bytes);
    if (table === undefined) {
      const advice = 'reserve a larger capacity with a smaller expansion';
      throw new FilterFullError(
        `the filter is full, and another sub-filter of ${bytes} bytes is too large for memory: ${advice}`,
        'full',
        0,
      );
    }
    this.tables.push(table);
    return this.#swap(print, 0, print.fingerprint);
  }

  /** Removes a copy; false if there is none. */
  remove(print: Print): boolean {
    return this.#swap(print, print.fingerprint, 0);
  }

  /** Moves entries from newer sub-filters to older ones, and drops the newest if it is then empty. */
  compact(): void {
    for (let k = this.tables.length - 1; k > 0; --k) {
      const table = this.tables[k] as Uint8Array;
      let isEmpty = true;
      for (const [at, fingerprint] of table.entries()) {
        if (fingerprint === 0) continue;
        const bucket = Math.floor(at / this.parameters.bucketSize);
        if (this.#moveDown({ fingerprint, low: bucket | 0 }, k)) table[at] = 0;
        else isEmpty = false;
      }
      if (!isEmpty) return;
      this.tables.pop();
    }
  }

  /** Stores a copy in a sub-filter before `end`, the oldest with room. */
  #moveDown(print: Print, end: number): boolean {
    for (let k = 0; k < end; ++k) if (this.#swapIn(k, print, 0, print.fingerprint)) return true;
    return false;
  }

  /** Puts `after` in place of the first `before` in the buckets of `print`, from the newest sub-filter on. */
  #swap(print: Print, before: number, after: number): boolean {
    for (let k = this.tables.length - 1; k >= 0; --k) if (this.#swapIn(k, print, before, after)) return true;
    return false;
  }

  #swapIn(k: number, print: Print, before: number, after: number): boolean {
    return this.#bucketsIn(k, print).some((bucket) => this.#swapAt(k, bucket, before, after));
  }

  #swapAt(k: number, bucket: number, before: number, after: number): boolean {
    const table = this.tables[k] as Uint8Array;
    const begin = bucket * this.parameters.bucketSize;
    for (let at = begin; at < begin + this.parameters.bucketSize; ++at) {
      if (table[at] !== before) continue;
      table[at] = after;
      return true;
    }
    return false;
  }

  /** Moves entries of the newest sub-filter until one finds an empty slot; false, with all moved back, if none does. */
  #kick(print: Print): boolean {
    const k = this.tables.length - 1;
    const table = this.tables[k] as Uint8Array;
    const { bucketSize, maxIterations } = this.parameters;
    const path: number[] = [];
    let [bucket] = this.#bucketsIn(k, print);
    let carried = print.fingerprint;
    const exchange = (at: number): void => {
      const victim = table[at] as number;
      table[at] = carried;
      carried = victim;
    };
    for (let i = 0; i < maxIterations; ++i) {
      const at = bucket * bucketSize + (i % bucketSize);
      path.push(at);
      exchange(at);
      bucket = this.#other(k, bucket, carried);
      if (this.#swapAt(k, bucket, 0, carried)) return true;
    }
    path.reverse().forEach(exchange);
    return false;
  }

  /** The two buckets of `print` in sub-filter `k`, which may be the same. */
  #bucketsIn(k: number, { fingerprint, low }: Print): [number, number] {
    return [(low & (this.#bucketCount(k) - 1)) >>> 0, this.#other(k, low, fingerprint)];
  }

  /** The other bucket of `fingerprint`, by one of them or by the hash. There are at most 2^32, so 32 bits are enough. */
  #other(k: number, bucket: number, fingerprint: number): number {
    return ((bucket ^ Math.imul(fingerprint, 0x5bd1e995)) & (this.#bucketCount(k) - 1)) >>> 0;
  }

  #bucketCount(k: number): number {
    return bucketsOf(this.parameters, k);
  }
}
