// The plain model that filters are compared with: a multiset of keys, seen through their fingerprints and candidate buckets.
// Invariant: two keys are one to a filter iff they have the same fingerprint and the same two candidate buckets; so the model's
// answers are exact, false positives included.
import { homesOf, type Layout } from './reader';

/** What a filter of this layout holds after the same operations, if it is right. */
export class Multiset {
  readonly #layout: Layout;
  readonly #bucketSize: number;
  /** Copies by kind: fingerprint and candidate buckets. */
  readonly #kinds = new Map<number, number>();
  /** Copies by key. */
  readonly #keys = new Map<number, number>();
  size = 0;

  constructor(layout: Layout & { readonly bucketSize: number }) {
    this.#layout = layout;
    this.#bucketSize = layout.bucketSize;
  }
  /** `key` with its hash. */
  add(key: number, hash: bigint): void {
    this.#change(key, hash, 1);
  }
  delete(key: number, hash: bigint): void {
    this.#change(key, hash, -1);
  }
  clear(): void {
    this.#kinds.clear();
    this.#keys.clear();
    this.size = 0;
  }
  /** What the filter's `count` must say. */
  count(hash: bigint): number {
    return this.#kinds.get(this.#kindOf(hash)) ?? 0;
  }
  /** Copies of the key itself. */
  copies(key: number): number {
    return this.#keys.get(key) ?? 0;
  }
  keys(): number[] {
    return [...this.#keys].filter(([, copies]) => copies > 0).map(([key]) => key);
  }
  /** How many copies of a key with this hash fit at most: all slots of its candidate buckets. */
  mostCopies(hash: bigint): number {
    const { primary, alternate } = homesOf(hash, this.#layout);
    return primary === alternate ? this.#bucketSize : 2 * this.#bucketSize;
  }

  #change(key: number, hash: bigint, by: number): void {
    const kind = this.#kindOf(hash);
    this.#kinds.set(kind, (this.#kinds.get(kind) ?? 0) + by);
    this.#keys.set(key, this.copies(key) + by);
    this.size += by;
  }
  #kindOf(hash: bigint): number {
    const { fingerprint, primary, alternate } = homesOf(hash, this.#layout);
    return fingerprint * 2 ** 20 + (primary < alternate ? primary : alternate);
  }
}
