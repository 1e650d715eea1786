// Removes duplicates from iterables and streams, with a Deduper between the source and its consumer.
// Invariant: an item is taken from the source only when the consumer wants one, judged once, and passed on at once if
// it is new. So order and back-pressure are kept, and at most one item is held. Items are not gathered into batches,
// which would take longer.
import { isForDeduper, kindOf } from '../../class-names.js';
import { argumentError, InvalidKeyError, ruleError, shown } from '../../errors.js';
import { arriving, close, isAsyncSource } from '../../keys/chunks.js';
import { checkedSignal, reasonOf, SIGNAL, stopIfAborted, type AsyncOptions } from '../../keys/signals.js';
import { end, isOf, keeping, type Thrown } from '../../keys/thrown.js';
import { Turns } from '../../keys/turns.js';
import type { Key, KeyOf } from '../../keys/key.js';
import { hasLength, type Keys } from '../../keys/keys.js';
import type { FromOptions } from '../../options/options.js';
import { isOneKey } from '../../options/plain.js';
import { readOptions } from '../../options/read.js';
import { BOOLEAN, FILTER_OPTIONS } from '../../options/rules.js';
import { withCapacity } from '../from-keys.js';
import type { TableFilter } from '../table-filter.js';
import { Deduper, type DeduperOptions } from './deduper.js';

declare global {
  /** Lets programs without a library that declares streams read these types. With one, it adds nothing. */
  // eslint-disable-next-line -- members and uses are those of the library's own declaration
  interface TransformStream<I, O> {}
}

/** Tells new keys from those seen before: a Deduper, an ExpiringFilter, or an object of your own. */
export interface DeduperLike<K extends Key = Key> {
  /** `true` if `key` is new, else `false`; a promise is an error. From now on the key counts as seen. */
  isNew(key: KeyOf<K>): boolean;
}

/**
 * The keys of the type `K` that a judge is asked about. It is `K & Key`, in a form by which no compiler guesses `K` from the
 * judge: the items decide it.
 */
export type Asked<K> = Extract<[K][K extends unknown ? 0 : never], Key>;

/** What tells whether keys of the type `K` are new. */
export type Judge<K> = DeduperLike<Asked<K>> | TableFilter<unknown, Asked<K>>;

/** Returns the key of an item. */
export type KeyFunction<T, K extends Key = Key> = (item: T) => K;

/** How items of the type `T` are told apart; `K` is what the option `key` returns, if it is a function. */
export type DedupeOptions<T, Own = DeduperOptions, K extends Key = Key> = AsyncOptions & {
  /**
   * Where to find the key of an item: the name of a property, or a function that returns the key. Default: the item
   * itself is the key. If the function throws, the consumer gets the error. An item without the property throws a
   * TypeError that names the item's index.
   */
  readonly key?: KeyFunction<T, K> | (keyof T & string) | undefined;
  /**
   * What to ask instead of a new Deduper: a Deduper to continue with, an ExpiringFilter ("not seen in the last hour"),
   * a CuckooFilter, or any other object with `isNew`. It is not disposed of when the source ends.
   */
  readonly deduper?: unknown;
} & (
    | (Own & { readonly deduper?: undefined; readonly isNew?: undefined })
    | ({ readonly [Name in keyof DeduperOptions]?: undefined } & (
        | { readonly key?: undefined; readonly deduper: Judge<T> }
        | { readonly key: KeyFunction<T, K>; readonly deduper: Judge<K> }
        | { [Name in keyof T & string]: { readonly key: Name; readonly deduper: Judge<T[Name]> } }[keyof T &
            string]
      ))
  );

/**
 * Yields the items of `source` whose keys did not occur before, in order. Returns a generator for an iterable, and an
 * async generator for a stream. Throws as `new Deduper` does. The iteration throws what the source or `key` throws,
 * InvalidKeyError with the item's index, and FilterFullError; it closes the source.
 *
 * `options` may be a Deduper, or a filter, alone. For an array or a Set, `capacity` defaults to the number of items.
 *
 * @example
 * console.log([...dedupe(['a', 'b', 'a'])]); // [ 'a', 'b' ]
 * for (const user of dedupe(users, { key: 'id', capacity: 1_000_000 })) console.log(user);
 */
export function dedupe<T, K extends Key = Key>(
  source: readonly T[] | ReadonlySet<T> | (Iterable<T> & ArrayBufferView & { readonly length: number }),
  options?: DedupeOptions<T, FromOptions<DeduperOptions>, K> | Judge<T>,
): Generator<T, void, undefined>;
export function dedupe<T, K extends Key = Key>(
  source: AsyncIterable<T>,
  options: DedupeOptions<T, DeduperOptions, K> | Judge<T>,
): AsyncGenerator<T, void, undefined>;
export function dedupe<T, K extends Key = Key>(
  source: Iterable<T>,
  options: DedupeOptions<T, DeduperOptions, K> | Judge<T>,
): Generator<T, void, undefined>;
export function dedupe<T, K extends Key = Key>(
  source: Iterable<T> | AsyncIterable<T>,
  options: DedupeOptions<T, DeduperOptions, K> | Judge<T>,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined>;
export function dedupe<T>(
  source: Iterable<T> | AsyncIterable<T>,
  options?: DedupeOptions<T, FromOptions<DeduperOptions>> | Judge<T>,
): Generator<T, void, undefined> | AsyncGenerator<T, void, undefined> {
  const isAsync = isAsyncSource(source);
  const isIterable = typeof (Object(source) as Partial<Iterable<T>>)[Symbol.iterator] === 'function';
  if (!(isIterable || isAsync) || isOneKey(source))
    throw ruleError('source', 'an iterable or async iterable of items (one item: [item])', source);
  const items = new Items<T>(options, countOf(source));
  const generator = isAsync ? arrivingItems(source, items) : newItems(source, items);
  void generator.next(); // to its first yield: from there, it closes the source however the iteration ends
  return generator;
}

/**
 * A transform stream that passes on the chunks whose keys did not occur before, in order. Throws at once as
 * `new Deduper` does. The stream fails on both sides if `key` throws, if a key is not valid (InvalidKeyError), and with
 * FilterFullError.
 *
 * @example
 * users.pipeThrough(dedupeStream({ key: 'id', capacity: 1_000_000 })).pipeTo(sink);
 */
export function dedupeStream<T, K extends Key = Key>(
  options: DedupeOptions<T, DeduperOptions, K> | Judge<T>,
): TransformStream<T, T> {
  const judge = new Items<T>(options);
  const { signal } = judge;
  let stop = (): void => undefined;
  const end = (): void => {
    signal?.removeEventListener('abort', stop);
    judge.end();
  };
  const transformer: Transformer<T, T> & { cancel(): void } = {
    start(controller) {
      stop = () => {
        controller.error(signal && reasonOf(signal));
        end();
      };
      if (signal?.aborted) stop();
      else signal?.addEventListener('abort', stop);
    },
    transform(item, controller) {
      try {
        if (judge.isNew(item)) controller.enqueue(item);
        judge.endOwn();
        judge.endItem();
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

/** The number of items, if `source` tells it. */
function countOf(source: unknown): number | undefined {
  if (source instanceof Set) return source.size;
  return hasLength(source as Keys) ? (source as ArrayLike<unknown>).length : undefined;
}

function judgeIn(value: unknown): DeduperLike | undefined {
  if (isForDeduper(value)) return { isNew: (key) => (value as TableFilter).addIfAbsent(key) };
  return typeof (Object(value) as Partial<DeduperLike>).isNew === 'function'
    ? (value as DeduperLike)
    : undefined;
}

/** First yields nothing, once. */
function* newItems<T>(source: Iterable<T>, judge: Items<T>): Generator<T, void, undefined> {
  let isBegun = false;
  try {
    yield undefined as T;
    isBegun = true;
    for (const item of source) {
      stopIfAborted(judge.signal);
      const isNew = judge.isNew(item);
      if (isNew === undefined) break;
      if (isNew) yield item;
      judge.endItem();
    }
    judge.endOwn();
  } finally {
    if (!isBegun) source[Symbol.iterator]().return?.();
    judge.end();
  }
}

/** Likewise. */
async function* arrivingItems<T>(
  source: AsyncIterable<T>,
  judge: Items<T>,
): AsyncGenerator<T, void, undefined> {
  let isBegun = false;
  try {
    yield undefined as T;
    isBegun = true;
    const turns = new Turns();
    for await (const item of arriving(source, judge.signal)) {
      const isNew = judge.isNew(item);
      if (isNew === undefined) break;
      if (isNew) yield item;
      judge.endItem();
      if (turns.isDue()) await turns.turn();
    }
    judge.endOwn();
  } finally {
    if (!isBegun) await close(source);
    judge.end();
  }
}

/**
 * Judges items by their keys. Makes the deduper at the first item, so that a source that is never read takes no memory.
 */
class Items<T> {
  readonly signal: AbortSignal | undefined;
  readonly #key: ((item: T) => Key) | string | undefined;
  readonly #options: DeduperOptions;
  #judge: DeduperLike | undefined;
  #own: Deduper | undefined;
  /** Whether the judge is an object of the caller's own, which throws errors of its own. */
  readonly #isForeign: boolean;
  readonly #thrown: Thrown[] = [];
  #failed: Thrown | undefined;
  #index = 0;

  /** `count` is the number of items, if it is known. */
  constructor(given: unknown, count?: number) {
    const alone = judgeIn(given) === undefined ? given : { deduper: given };
    const {
      key,
      deduper: judge,
      signal,
      ...options
    } = readOptions<
      Pick<DedupeOptions<T>, 'key' | 'signal'> & { deduper?: unknown } & FromOptions<DeduperOptions>
    >(alone === undefined && count !== undefined ? {} : alone, {
      ...FILTER_OPTIONS,
      key: undefined,
      deduper: undefined,
      ...SIGNAL,
    });
    if (!['undefined', 'function', 'string'].includes(typeof key))
      throw ruleError('key', 'a property name, or a function that returns a key', key);
    const deduper = judgeIn(judge);
    if (judge !== undefined && deduper === undefined)
      throw ruleError('deduper', 'a Deduper, another object with isNew(key), or a CuckooFilter', judge);
    const [beside] = Object.keys(options);
    if (deduper !== undefined && beside !== undefined)
      throw argumentError(`${beside} must be left out if deduper is given`);
    this.signal = checkedSignal(signal);
    this.#key = key;
    this.#options = (count === undefined ? options : withCapacity(options, count)) as DeduperOptions;
    this.#judge = deduper;
    this.#isForeign = deduper !== undefined && kindOf(judge) === undefined;
    if (deduper === undefined) Deduper.plan(this.#options); // throws now what the constructor would throw later
  }
  /** Undefined if the package itself throws: `endOwn` does that once the source is closed, whose errors go first. */
  isNew(item: T): boolean | undefined {
    const index = this.#index++;
    const key = this.#keyOf(item, index);
    if (this.#isForeign) return this.#askForeign(key);
    const judge = (this.#judge ??= this.#own = new Deduper(this.#options));
    try {
      return keeping(this.#thrown, () => judge.isNew(key));
    } catch (error) {
      this.endItem();
      this.#failed = { error: isOf(error, InvalidKeyError) ? this.#invalidKey(item, index, error) : error };
      return undefined;
    }
  }
  #invalidKey(item: T, index: number, error: InvalidKeyError): Error {
    const kind = shown(item);
    return new InvalidKeyError(
      this.#key === undefined && /^an (obj|arr)/.test(kind)
        ? `item ${index} is ${kind}: set key to a property name or a function`
        : `item ${index}: ${error.message}`,
    );
  }
  endOwn(): void {
    end([], this.#failed);
  }
  /** Throws what `onGrow` threw when the item was judged, once the consumer has it: it counts as seen. */
  endItem(): void {
    end(this.#thrown);
  }
  #askForeign(key: Key): boolean {
    const isNew: unknown = this.#judge?.isNew(key);
    if (typeof isNew === 'boolean') return isNew;
    throw argumentError(`isNew must return ${BOOLEAN.rule}, got ${shown(isNew)}`);
  }
  #keyOf(item: T, index: number): Key {
    const key = this.#key;
    if (key === undefined) return item as Key;
    if (typeof key === 'function') return key(item);
    const holder = Object(item) as Record<string, Key>;
    if (key in holder) return holder[key] as Key;
    throw argumentError(
      `item ${index} (${shown(item)}) has no property ${shown(key)}: set key to one that all have, or a function`,
    );
  }
  end(): void {
    this.#own?.dispose();
    this.endItem(); // if the consumer wants no more after the item
  }
}
