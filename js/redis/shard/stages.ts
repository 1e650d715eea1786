// The forms that the string of one shard may have: its places and its header for each number of doublings to come.
// Invariant: a string belongs to the shard only if its stamp does, too; otherwise it may be from any filter with the
// same parameters.
import { HEADER } from '../../src/reader/table.js';
import { FIELD, placesAt, TAIL, type Places } from './places.js';
import { identityOf, isHeader, isStamped, MOVING, numberAt, STAMP, stamped } from './saved.js';

/**
 * The bytes of the header that every read compares: magic, kind with the doublings to come, number of buckets, and from
 * the stamp the index and four bytes of the identity. The epoch is read too: it is 0 only if the string is too short.
 */
export const PROOF: readonly number[] = [0, 10, 24, STAMP];

/** The string under a key. */
export interface Found {
  /** The bytes that it has. */
  readonly length: number;
  /** The first of them. */
  readonly header: Uint8Array;
  readonly size: number;
  readonly epoch: number;
  /** What tells this string from others that were made under the key. */
  readonly random: Uint8Array;
  readonly isDoubling: boolean;
  /** Whether the filter's other shards are still to be made, if this is the first. */
  readonly isBeingMade: boolean;
}

/** What the program answers to `look`: the length, the header, and the tail. */
export function foundIn(answer: Uint8Array): Found {
  const length = numberAt(answer, 0);
  const header = answer.slice(FIELD, FIELD + Math.min(length, HEADER));
  const tail = answer.subarray(-TAIL);
  return {
    length,
    header,
    size: numberAt(tail, 0),
    epoch: numberAt(tail, FIELD),
    random: tail.slice(4 * FIELD, 5 * FIELD),
    isDoubling: header[MOVING] === 1,
    isBeingMade: tail[TAIL - 1] === 1,
  };
}

export class Stages {
  readonly index: number;
  readonly #begun: Places;
  readonly #places: (Places | undefined)[];
  readonly #headers = new Map<Places, Uint8Array>();
  #identity: Uint8Array = new Uint8Array();

  /** Of shard `index`, which begins with these places. */
  constructor(index: number, places: Places) {
    this.index = index;
    this.#begun = places;
    this.#places = Array<Places | undefined>(places.table.doublings).fill(undefined).concat(places);
  }

  /** Of the filter that is meant. */
  get identity(): Uint8Array {
    return this.#identity;
  }
  set identity(identity: Uint8Array) {
    this.#identity = identity;
    this.#headers.clear();
  }

  /** Whether there is more than one. */
  get areMany(): boolean {
    return this.#places.length > 1;
  }

  /** The header of the string while its table has these places. */
  headerOf(places: Places): Uint8Array {
    let header = this.#headers.get(places);
    if (header === undefined) {
      header = stamped(places.header, this.index, this.#identity);
      this.#headers.set(places, header);
    }
    return header;
  }

  /** The header of the string that the table doubles into, which may double once less. */
  nextHeader(places: Places): Uint8Array {
    return this.headerOf(this.#at(places.table.doublings - 1) as Places);
  }

  #at(doublings: number): Places | undefined {
    if (doublings >= this.#places.length) return undefined;
    return (this.#places[doublings] ??= placesAt(this.#begun, doublings));
  }

  /** The places of a string that has this header, but for the stamp. */
  like(header: Uint8Array): Places | undefined {
    const places = this.#at((header[15] as number) >> 2);
    return places !== undefined && isHeader(places, header) ? places : undefined;
  }

  /** The places of a string that is like this, with the length for them. */
  ofFound({ header, length }: Found): Places | undefined {
    const places = this.like(header);
    return places?.stringBytes === length ? places : undefined;
  }

  /** The places of a string of this shard. */
  own(bytes: Uint8Array): Places | undefined {
    const places = this.like(bytes);
    return places !== undefined && isStamped(this.headerOf(places), bytes) ? places : undefined;
  }

  /** The same, by the numbers at PROOF. */
  proven(values: readonly number[]): Places | undefined {
    const places = this.#at(((values[1] as number) % 256) >> 2);
    if (places === undefined) return undefined;
    const header = this.headerOf(places);
    return PROOF.every((at, i) => numberAt(header, at) === values[i]) ? places : undefined;
  }

  /** Whether a string with this header is of the same filter, whichever shard it is. */
  isOfFilter(header: Uint8Array): boolean {
    return identityOf(header).every((byte, i) => byte === this.#identity[i]);
  }
}
