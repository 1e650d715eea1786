// Lookups in a filter that lies elsewhere, of which only the bytes that decide are read.
import type { Key } from '../keys/key.js';
import { check } from './arguments.js';
import { hashKey } from './key.js';
import type { Opened } from './open.js';
import type { ByteRange } from './table.js';

/**
 * A saved filter that lies elsewhere, such as on a server or in a file, made by `FilterReader.remote`. For each key,
 * `locate` tells which bytes to read, and `answer` what they say.
 */
export class RemoteFilter {
  /** @internal */
  static get name(): string {
    return 'RemoteFilter';
  }

  declare private readonly opened: Opened;

  private constructor(opened: Opened) {
    this.opened = opened;
  }

  /** @internal */
  static of(opened: Opened): RemoteFilter {
    return new RemoteFilter(opened);
  }

  /**
   * The parts of the saved form that decide whether `key` is in the filter: two for each layer, in ascending order, of at
   * most 33 bytes each, or one if the key's two buckets coincide or adjoin. Throws TypeError if `key` is no key.
   */
  locate(key: Key): readonly ByteRange[] {
    const { hash, tables } = this.opened;
    const low = hashKey(hash, key);
    return tables.flatMap((table) => table.ranges(low));
  }

  /**
   * Whether `key` is in the filter, as `contains` says it, by the bytes in `ranges`: those that `locate(key)` asked for, in
   * the same order. Throws RangeError if they have other lengths. A checksum cannot be verified this way, so
   * bytes that were changed on the way go unnoticed.
   */
  answer(key: Key, ranges: readonly Uint8Array[]): boolean {
    const { hash, tables } = this.opened;
    const asked = this.locate(key);
    const [lengths, given] = [asked, ranges].map((parts: unknown) =>
      String(Array.from(Object(parts) as unknown[], (part) => (Object(part) as Uint8Array).length)),
    );
    check('ranges', `the ranges that locate asked for, ${lengths} bytes`, given, true, given === lengths);
    // By their offsets in the saved form, because tables read them there.
    const known: Record<number, number> = {};
    asked.forEach(({ offset }, i) =>
      (ranges[i] as Uint8Array).forEach((byte, at) => (known[offset + at] = byte)),
    );
    const low = hashKey(hash, key);
    return tables.some((table) => table.copies(known as unknown as ArrayLike<number>, low) > 0);
  }
}
