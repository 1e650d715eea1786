// The array that a caller keeps for the answers of a batch: the rule is the same for every class.
// Invariant: it is checked before anything is done, and never written beyond its end. The code is valid ES2020, because
// the reader loads it.
import { lostBuffer } from '../basic-errors.js';
import type { Bytes } from '../engine/bytes.js';
import { arrayNameOf } from './plain.js';

/** How a class checks an argument and reads its bytes: the package does more of it than the reader. */
export interface Checks {
  check(name: string, rule: string, value: unknown, isType: boolean, isInRange?: boolean): void;
  viewOf(value: unknown, name?: string): Uint8Array | undefined;
}

/** The caller's array, as its bytes. */
export interface Into {
  readonly bytes: Bytes;
  /**
   * How many of `more` bytes fit after the first `done`. Throws RangeError if none does, and TypeError if the caller's
   * code, which gives the keys, has taken the buffer away.
   */
  room(done: number, more: number): number;
}

/**
 * `into` as an array of the class `View` for the answers about `keys`, at least `count` of them. `own` is the memory of
 * the filter, which must not be overwritten, and nor may keys that are still to be read. Throws TypeError for anything
 * else, RangeError if it is too short.
 */
export function intoOf(
  into: unknown,
  { name, BYTES_PER_ELEMENT: width }: typeof Uint8Array | typeof Uint32Array,
  keys: unknown,
  count: number,
  own: ArrayBufferView | undefined,
  { check, viewOf }: Checks,
): Into {
  check('into', `a ${name}`, into, arrayNameOf(into) === name);
  const bytes = viewOf(into, 'into') as Bytes;
  const { buffer, byteOffset: begin, length } = bytes;
  const need = (answers: number): void => {
    const rule = `at least ${answers}, one for each key`;
    check('into.length', rule, length / width, true, answers * width <= length);
  };
  need(count);
  const packed = Object(keys) as { readonly bytes?: unknown; readonly ends?: unknown };
  for (const part of [own, keys, packed.bytes, packed.ends]) {
    const taken = ArrayBuffer.isView(part) ? viewOf(part) : undefined;
    const isApart =
      taken?.buffer !== buffer ||
      begin + length <= taken.byteOffset ||
      taken.byteOffset + taken.length <= begin;
    check('into', 'apart from the memory of the keys and the filter', into, isApart);
  }
  return {
    bytes,
    room(done, more) {
      if (bytes.length !== length) throw lostBuffer('into');
      if (done === length && more > 0) need(done / width + 1);
      return Math.min(more, length - done);
    },
  };
}
