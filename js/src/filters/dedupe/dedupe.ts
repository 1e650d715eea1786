// Removes duplicates from iterables and streams, with a Deduper between the source and its consumer.
// Invariant: an item is taken from the source only when the consumer wants one, judged once, and passed on at once if
// it is new. So order and back-pressure are kept, and at most one item is held. Items are not gathered into batches:
// with their keys in an array of 256, `areNew` took 120 ns per item where `isNew` took 100, and iterating took 300.
import { argumentError, InvalidKeyError, ruleError, shown } from '../../errors.js';
import { arriving, close, isAsyncSource } from '../../keys/chunks.js';
import { checkedSignal, type AsyncOptions } from '../../keys/signals.js';
import type { Key } from '../../keys/key.js';
import { isOneKey } from '../../keys/keys.js';
import { FILTER_OPTIONS } from '../../options/options.js';
import { readOptions } from '../../options/read.js';
import { Deduper, type DeduperOptions } from './deduper.js';

declare global {
  /** Lets programs without a library that declares streams read these types. With one, it adds nothing. */
  // eslint-disable-next-line -- members and uses are those of the library's own declaration
  interface TransformStream<I, O> {}
}

/** Tells new keys from those seen before: a Deduper, an ExpiringFilter, or an object of your own. */
export interface Judge {
  /** Whether `key` is new. From now on it counts as seen. */
  isNew(key: Key): boolean;
}

/** How items are told apart. */
export type DedupeOptions<T> = AsyncOptions & {
  /**
   * Where to find the key of an item: the name of a property, or a function that returns the key. Default: the item
   * itself is the key. If the function throws, the consumer gets the error. An item without the property is a TypeError
   * with the item's index.
   */
  readonly key?: ((item: T) => Key) | (keyof T & string) | undefined;
} & (
    | (DeduperOptions & { readonly deduper?: undefined })
    | ({ readonly [Name in keyof DeduperOptions]?: undefined } & {
        /**
         * What to ask instead of a new Deduper: a Deduper to continue with, an ExpiringFilter ("not seen in the last
         * hour"), or any other object with `isNew`. It is not disposed of when the source ends.
         */
        readonly deduper: Judge;
      })
  );

/**
 * Yields the items of `source` whose keys did not occur before, in order. Returns a generator for an iterable, and an
 * async generator for a stream. Throws as `new Deduper` does. The iteration throws what the source or `key` throws,
 * InvalidKeyError with the item's index, and FilterFullError; it closes the source.
 *
 * @example
 * for (const user of dedupe(users, { key: 'id', capacity: 1_000_000 })) console.log(user);
 */
export function dedupe<T>(
  source: AsyncIterable<T>,
  options: DedupeOptions<T>,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T>(source: Iterable<T>, options: DedupeOptions<T>): Generator<T, void, undefined>;
export function dedupe<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options: DedupeOptions<T>,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options: DedupeOptions<T>,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined> {
  const isAsync = isAsyncSource(source);
  const isIterable = typeof (Object(source) as Partial<Iterable<T>>)[Symbol.iterator] === 'function';
  if (!(isIterable || isAsync) || isOneKey(source))
    throw ruleError('source', 'an iterable or an async iterable of items', source);
  const items = new Items(options);
  if (isAsync) return closing(source, arrivingItems(source, items));
  const generator = newItems(source, items);
  generator.next(); // to its first yield: from there, it closes the source however the iteration ends
  return generator;
}

/**
 * A transform stream that passes on the chunks whose keys did not occur before, in order. Throws at once as `new Deduper`
 * does. The stream fails on both sides if `key` throws, if a key is not valid (TypeError), and with FilterFullError.
 *
 * @example
 * users.pipeThrough(dedupeStream({ key: 'id', capacity: 1_000_000 })).pipeTo(sink);
 */
export function dedupeStream<T>(options: DedupeOptions<T>): TransformStream<T, T> {
  const judge = new Items(options);
  const { signal } = judge;
  let stop = (): void => undefined;
  const end = (): void => {
    signal?.removeEventListener('abort', stop);
    judge.end();
  };
  const transformer: Transformer<T, T> & { cancel(): void } = {
    start(controller) {
      stop = () => {
        controller.error(signal?.reason);
        end();
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    },
    transform(item, controller) {
      try {
        if (judge.isNew(item)) controller.enqueue(item);
      } catch (error) {
        end();
        throw error;
      }
    },
    flush: end,
    // In engines that do not call this yet, memory is freed when the stream is collected.
    cancel: end,
  };
  return new TransformStream(transformer);
}

/** First yields nothing, once. */
function* newItems<T>(source: Iterable<T>, judge: Items<T>): Generator<T, void, undefined> {
  let isBegun = false;
  try {
    yield undefined as T;
    isBegun = true;
    for (const item of source) {
      if (judge.signal?.aborted) throw judge.signal.reason;
      if (judge.isNew(item)) yield item;
    }
  } finally {
    if (!isBegun) source[Symbol.iterator]().return?.();
    judge.end();
  }
}

/** `items`, whose `return` and `throw` also close a source that they have not begun to read. */
function closing<T>(
  source: AsyncIterable<T>,
  items: AsyncGenerator<T, void, undefined>,
): AsyncGenerator<T, void, undefined> {
  const end = items.return.bind(items);
  let isBegun = false;
  const begin = items.next.bind(items);
  items.next = () => {
    isBegun = true;
    return begin();
  };
  const closeUnread = async (): Promise<void> => {
    if (isBegun) return;
    isBegun = true;
    await close(source);
  };
  items.return = async (value) => {
    await closeUnread();
    return end(value);
  };
  const fail = items.throw.bind(items);
  items.throw = async (error) => {
    await closeUnread();
    return fail(error);
  };
  return items;
}

async function* arrivingItems<T>(
  source: AsyncIterable<T>,
  judge: Items<T>,
): AsyncGenerator<T, void, undefined> {
  try {
    for await (const item of arriving(source, judge.signal)) {
      if (judge.isNew(item)) yield item;
    }
  } finally {
    judge.end();
  }
}

/**
 * Judges items by their keys. Makes the deduper at the first item, so that a source that is never read takes no memory.
 */
class Items<T> {
  readonly signal: AbortSignal | undefined;
  readonly #key: ((item: T) => Key) | string | undefined;
  readonly #options: DeduperOptions | undefined;
  #judge: Judge | undefined;
  #own: Deduper | undefined;
  #index = 0;

  constructor(given: DedupeOptions<T>) {
    const { key, deduper, signal, ...options } = readOptions<
      Pick<DedupeOptions<T>, 'key' | 'signal'> & { deduper?: Judge } & DeduperOptions
    >(given, [...FILTER_OPTIONS, 'key', 'deduper', 'signal']);
    if (!['undefined', 'function', 'string'].includes(typeof key))
      throw ruleError('key', 'a property name, or a function that returns a key', key);
    if (deduper !== undefined && typeof (Object(deduper) as Partial<Judge>).isNew !== 'function')
      throw ruleError('deduper', 'an object with isNew(key), such as a Deduper', deduper);
    const [beside] = Object.keys(options);
    if (deduper !== undefined && beside !== undefined)
      throw argumentError(`${beside} must be left out if deduper is given`);
    this.signal = checkedSignal(signal);
    if (deduper === undefined) Deduper.plan(options); // throws now what the constructor would throw later
    this.#key = key;
    this.#options = options;
    this.#judge = deduper;
  }
  isNew(item: T): boolean {
    const index = this.#index++;
    const key = this.#keyOf(item, index);
    try {
      this.#judge ??= this.#own = new Deduper(this.#options as DeduperOptions);
      return this.#judge.isNew(key);
    } catch (error) {
      throw error instanceof InvalidKeyError ? new InvalidKeyError(`item ${index}: ${error.message}`) : error;
    }
  }
  #keyOf(item: T, index: number): Key {
    const key = this.#key;
    if (key === undefined) return item as Key;
    if (typeof key === 'function') return key(item);
    const holder = Object(item) as Record<string, Key>;
    if (key in holder) return holder[key] as Key;
    throw argumentError(`item ${index} has no property ${shown(key)}: ${shown(item)}`);
  }
  end(): void {
    this.#own?.dispose();
  }
}
