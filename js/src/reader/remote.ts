// Lookups in a saved filter that is stored elsewhere. They read only the bytes that decide the answer.
import type { Key, KeyOf } from '../keys/key.js';
import { notResizable } from '../basic-errors.js';
import { check, viewOf } from './arguments.js';
import { bytesOf, hashKey } from './key.js';
import type { Opened } from './open.js';
import type { ByteRange } from './table.js';

/**
 * A saved filter that is stored elsewhere, such as on a server or in a file, made by `FilterReader.remote`. For each
 * key, `locate` tells which bytes to read, and `answer` gives the answer from these bytes.
 */
export class RemoteFilter<K extends Key = Key> {
  /** @internal */
  static get name(): string {
    return 'RemoteFilter';
  }

  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'RemoteFilter';
  }

  declare private readonly opened: Opened;

  private constructor(opened: Opened) {
    Object.defineProperty(this, 'opened', { value: opened, configurable: true });
  }

  /** @internal */
  static of(opened: Opened): RemoteFilter {
    return new RemoteFilter(opened);
  }

  /**
   * The parts of the saved form that decide whether `key` is in the filter: two per layer, of at most 33 bytes each, in
   * ascending order; or one if the key's two buckets are the same or adjacent. Throws InvalidKeyError if `key` is not a
   * valid key.
   */
  locate(key: KeyOf<K>): readonly ByteRange[] {
    const { hash, tables } = this.opened;
    const low = hashKey(hash, key, bytesOf);
    return tables.flatMap((table) => table.ranges(low));
  }

  /**
   * Whether `key` is in the filter, as for `contains`. `ranges` has the bytes that `locate(key)` asked for, in the same
   * order. Throws RangeError if their lengths differ from those, and TypeError if a buffer is gone or resizable. The
   * checksum cannot be verified this way, so bytes that were changed on the way go unnoticed.
   */
  answer(key: KeyOf<K>, ranges: readonly Uint8Array[]): boolean {
    const { hash, tables } = this.opened;
    const asked = this.locate(key);
    // Copies, because an iterator may transfer away what it gave before.
    const views = Array.from(Object(ranges) as unknown[], (part) => {
      const view = viewOf(part);
      return view && notResizable('ranges', view).slice();
    });
    const [lengths, given] = [asked, views].map((parts) => `${parts.map((part) => part?.length)}`);
    check('ranges', `what locate asked for, ${lengths} bytes`, given || 'none', true, given === lengths);
    // The bytes by their offsets in the saved form, where tables read them.
    const known: Record<number, number> = {};
    asked.forEach(({ offset }, i) => views[i]?.forEach((byte, at) => (known[offset + at] = byte)));
    const low = hashKey(hash, key, bytesOf);
    return tables.some((table) => table.copies(known as unknown as ArrayLike<number>, low) > 0);
  }
}
