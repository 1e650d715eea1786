// Removes duplicates from streams and iterables, with a Deduper between the source and its consumer.
// Invariant: an item is asked for only when one is wanted, judged once, and passed on at once if it is new; so the
// source's order and back-pressure are kept, and no more than one item is held. Items are not gathered into batches:
// with their keys in an array of 256, `areNew` took 120 ns an item where `isNew` took 100, and iterating took 300.
import { arriving } from './chunks.js';
import { Deduper, type DeduperOptions } from './deduper.js';
import { ruleError, shown } from '../errors.js';
import { readOptions } from '../given.js';
import type { Key } from '../wasm/key.js';
import { isOneKey } from '../wasm/keys.js';
import { kindOf } from '../kind.js';
import { FILTER_OPTIONS } from '../options.js';

declare global {
  /** For programs whose libraries have no streams, so that they can read these types. Where there are, it adds nothing. */
  // eslint-disable-next-line -- members and uses are those of the library's own declaration
  interface TransformStream<I, O> {}
}

/** How items are told apart. */
export type DedupeOptions<T> = {
  /**
   * Where the key of an item is: the name of a property, or a function that returns it. Default: the item itself must be a
   * key. If the function throws, the consumer gets the error; an item without the property is a TypeError with its index.
   */
  readonly key?: ((item: T) => Key) | (keyof T & string) | undefined;
} & (
  | DeduperOptions
  | {
      /**
       * A deduper to go on with, in place of the options of a new one. It is still yours when the source ends: it is not
       * disposed of.
       */
      readonly deduper: Deduper;
    }
);

/**
 * Yields the items of `source` whose keys did not occur before, in order. Throws at once as `new Deduper` does, and
 * TypeError if the source cannot be iterated, or is a text or bytes. The iteration throws what the source or `key` throws, TypeError with the item's
 * index if a key is not valid, and FilterFullError. However it ends, the source is closed.
 *
 * @example
 * for await (const user of dedupe(users, { key: 'id', capacity: 1_000_000 })) console.log(user);
 */
export function dedupe<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options: DedupeOptions<T>,
): AsyncGenerator<T, void, undefined> {
  const { [Symbol.asyncIterator]: asynchronous, [Symbol.iterator]: synchronous } = Object(source) as Partial<
    Iterable<T> & AsyncIterable<T>
  >;
  if (typeof (asynchronous ?? synchronous) !== 'function' || isOneKey(source))
    throw ruleError('source', 'an iterable or an async iterable of items', source);
  return newItems(source, new Judge(options));
}

/**
 * A transform stream that passes on the chunks whose keys did not occur before, in order. Throws at once as `new Deduper`
 * does. The stream fails on both sides if `key` throws, if a key is not valid (TypeError), and with FilterFullError.
 *
 * @example
 * users.pipeThrough(dedupeStream({ key: 'id', capacity: 1_000_000 })).pipeTo(sink);
 */
export function dedupeStream<T>(options: DedupeOptions<T>): TransformStream<T, T> {
  const judge = new Judge(options);
  const transformer: Transformer<T, T> & { cancel(): void } = {
    transform(item, controller) {
      try {
        if (judge.isNew(item)) controller.enqueue(item);
      } catch (error) {
        judge.end();
        throw error;
      }
    },
    flush: () => judge.end(),
    // Engines that do not call it yet free the memory when the stream is collected.
    cancel: () => judge.end(),
  };
  return new TransformStream(transformer);
}

async function* newItems<T>(
  source: Iterable<T> | AsyncIterable<T>,
  judge: Judge<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    for await (const item of arriving(source)) {
      if (judge.isNew(item)) yield item;
    }
  } finally {
    judge.end();
  }
}

/** A deduper of items. It frees the memory at the end if it made the deduper itself. */
class Judge<T> {
  readonly #key: ((item: T) => Key) | string | undefined;
  #index = 0;
  readonly #deduper: Deduper;
  readonly #isOwner: boolean;

  constructor(given: DedupeOptions<T>) {
    const { key, deduper, ...options } = readOptions<
      Pick<DedupeOptions<T>, 'key'> & { deduper?: Deduper } & DeduperOptions
    >(given, [...FILTER_OPTIONS, 'key', 'deduper']);
    if (!['undefined', 'function', 'string'].includes(typeof key))
      throw ruleError('key', 'a property name, or a function that returns a key', key);
    if (deduper !== undefined && kindOf(deduper) !== 'Deduper')
      throw ruleError('deduper', 'a Deduper', deduper);
    const [beside] = Object.keys(options);
    if (deduper !== undefined && beside !== undefined)
      throw new TypeError(`${beside} must be left out if deduper is given`);
    this.#key = key;
    this.#isOwner = deduper === undefined;
    this.#deduper = deduper ?? new Deduper(options);
  }
  isNew(item: T): boolean {
    const index = this.#index++;
    const key = this.#keyOf(item, index);
    try {
      return this.#deduper.isNew(key);
    } catch (error) {
      throw error instanceof TypeError ? new TypeError(`item ${index}: ${error.message}`) : error;
    }
  }
  #keyOf(item: T, index: number): Key {
    const key = this.#key;
    if (key === undefined) return item as Key;
    if (typeof key === 'function') return key(item);
    const holder = Object(item) as Record<string, Key>;
    if (key in holder) return holder[key] as Key;
    throw new TypeError(`item ${index} has no property ${shown(key)}: ${shown(item)}`);
  }
  end(): void {
    if (this.#isOwner) this.#deduper.dispose();
  }
}
