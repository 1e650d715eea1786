// Keys that arrive over time, in chunks for the calls that take many.
// Invariant: no more than one chunk is held, and the source is closed unless it ended or failed by itself.
import { atKey } from '../basic-errors.js';
import type { Bytes } from '../engine/bytes.js';
import { argumentError } from '../errors.js';
import { answersIn, countOnes, giveAnswers, Mask } from './answers.js';
import type { Key, KeyOf } from './key.js';
import { checkKeys, snapshot, type Keys } from './keys.js';
import { reasonOf, signalOf, stopIfAborted, stopOf, type AsyncOptions } from './signals.js';
import { end, isOwn, keeping, type Thrown } from './thrown.js';
import { Turns } from './turns.js';

/**
 * Keys that arrive over time: an async iterable, such as a stream of keys, or an iterable of keys or of promises of
 * keys. The chunks of a file or of a response's body are not keys: read its lines.
 */
export type AsyncKeys<K extends Key = Key> =
  AsyncIterable<KeyOf<K>> | Iterable<PromiseLike<KeyOf<K>>> | Keys<K>;

/** Keys per batch: enough that it costs hardly more per key than a longer one, and few enough to take little time. */
const CHUNK = 1024;

/** Adds one chunk of keys, and returns how many of them are added. */
export type AddChunk<K extends Key = Key> = (chunk: readonly KeyOf<K>[]) => number;

/** Attaches to the package's own error what was done before it: `ofChunk` is that error as it ended a chunk. */
type Carry = (own: unknown, ofChunk: unknown) => void;

/**
 * Adds keys chunk by chunk. The package's own errors get counts and indices over all chunks. If a callback such as
 * `onGrow` throws, that is thrown after all keys.
 */
class Adding {
  /** What the user's code has thrown. */
  readonly thrown: Thrown[] = [];
  #own: Thrown | undefined;
  #keys = 0;
  #added = 0;

  constructor(
    readonly addChunk: AddChunk,
    readonly carry?: Carry,
  ) {}

  /**
   * Adds the keys of a longer list, batch by batch. Returns `false` if that ends the call: at once, or, if a clock has
   * thrown, with the last of these keys.
   */
  async addAll(keys: readonly Key[], turns: Turns, signal?: AbortSignal): Promise<boolean> {
    for (let at = 0; at < keys.length; at += CHUNK) {
      if (!this.#add(keys.slice(at, at + CHUNK))) return false;
      if (turns.isDue(CHUNK)) await turns.turn();
      if (!signal?.aborted) continue;
      this.thrown.push({ error: reasonOf(signal) });
      return false;
    }
    return !this.thrown.some(({ isLast }) => isLast);
  }

  #add(chunk: readonly Key[]): boolean {
    try {
      this.#added += keeping(this.thrown, () => this.addChunk(chunk));
      this.#keys += chunk.length;
      return true;
    } catch (error) {
      // Errors that are not the package's own come from an overridden method, or from a filter that was disposed of.
      if (!isOwn(error, chunk)) this.thrown.push({ error });
      else this.fail(error);
      return false;
    }
  }

  /** Ends with the package's own error, as it ended a chunk, corrected for the keys of earlier chunks. */
  fail(ofChunk: unknown): void {
    const { index = 0, added } = ofChunk as { index?: number; added?: number };
    const error = atKey(this.#keys + index, ofChunk);
    if (added !== undefined) Object.assign(error as object, { added: this.#added + added });
    this.carry?.(error, ofChunk);
    this.#own = { error };
  }

  /** How many keys were added in all. Throws what ended the call. */
  end(): number {
    end(this.thrown, this.#own);
    return this.#added;
  }
}

/**
 * Adds the keys as `Adding` does, and returns how many were added. If the source throws, the keys before that are
 * added, and what it threw is thrown, whatever comes of those keys. `keyOf` gives the key of an item of the source.
 */
export async function inChunks<K extends Key>(
  keys: AsyncKeys<K>,
  add: AddChunk<K>,
  options: AsyncOptions = {},
  { carry, keyOf = itself }: { carry?: Carry; keyOf?: ((item: never) => Key) | undefined } = {},
): Promise<number> {
  const signal = signalOf(options);
  const adding = new Adding(add as AddChunk, carry);
  const turns = new Turns();
  let chunk: Key[] = [];
  let goesOn = true;
  /** What a source of the package has thrown. */
  let own: Thrown | undefined;
  // All of it, even if the signal aborts meanwhile: these keys were given before.
  const flush = async (): Promise<boolean> => {
    const taken = chunk;
    chunk = [];
    return (goesOn = await adding.addAll(taken, turns));
  };
  const take = (item: Key): boolean | Promise<boolean> =>
    chunk.push(snapshot(keyOf(item as never))) < CHUNK || flush();
  try {
    await eachItem(keys as AsyncIterable<Key>, signal, take, turns);
  } catch (error) {
    if (isOwn(error, keys)) own = { error };
    else adding.thrown.push({ error });
  }
  if (goesOn && (await flush()) && own !== undefined) adding.fail(own.error);
  return adding.end();
}

export async function gatheredAsync(
  keys: AsyncKeys,
  options: AsyncOptions,
  keyOf: (item: never) => Key = itself,
): Promise<Key[]> {
  const signal = signalOf(options);
  const all: Key[] = [];
  await eachItem(keys as AsyncIterable<Key>, signal, (item) => all.push(snapshot(keyOf(item as never))) > 0);
  return all;
}

function itself(key: Key): Key {
  return key;
}

/** As `inChunks`, for keys that are all there. */
export async function inSlices(keys: readonly Key[], add: AddChunk, signal?: AbortSignal): Promise<number> {
  const adding = new Adding(add);
  await adding.addAll(keys, new Turns(), signal);
  return adding.end();
}

/** The answers of `ask` for all keys, chunk by chunk. The package's own errors carry the answers of all chunks. */
export async function answersInChunks<K extends Key>(
  keys: AsyncKeys<K>,
  ask: (chunk: readonly KeyOf<K>[]) => Uint8Array,
  options: AsyncOptions,
): Promise<Bytes> {
  const mask = new Mask([]);
  const askChunk = (chunk: readonly KeyOf<K>[]): number => {
    mask.reserveFor(chunk);
    const answers = ask(chunk);
    mask.push(answers);
    return countOnes(answers);
  };
  const carry: Carry = (own, ofChunk) => {
    mask.push(answersIn(ofChunk));
    giveAnswers(own, mask.pushed);
  };
  await inChunks(keys, askChunk, options, { carry });
  return mask.take();
}

/**
 * Calls `take` with each item of `source`, with promises awaited, until it gives `false`. Ends with the reason of
 * `signal` if that aborts. In between, the event loop turns. Throws TypeError if `source` cannot be keys.
 */
async function eachItem<Item>(
  source: AsyncIterable<Item> | Iterable<Item | PromiseLike<Item>>,
  signal: AbortSignal | undefined,
  take: (item: Item) => boolean | Promise<boolean>,
  turns = new Turns(),
): Promise<void> {
  if (isAsyncSource(source)) {
    let asked = 1;
    let rest = 1;
    for await (const item of arriving<Item>(source, signal)) {
      const goesOn = take(item);
      if (goesOn !== true && !(await goesOn)) return;
      if (--rest > 0) continue;
      if (turns.isDue(asked)) await turns.turn();
      asked = rest = turns.rest;
    }
    return;
  }
  checkKeys(source as Keys);
  if (signal?.aborted) closeSoon(() => source[Symbol.iterator]().return?.());
  stopIfAborted(signal);
  const { orStop, forget } = stopOf(signal);
  try {
    for (const item of source) {
      const awaited = isPromise(item) ? await orStop(item) : item;
      stopIfAborted(signal);
      const goesOn = take(awaited);
      if (goesOn !== true && !(await goesOn)) return;
      if (turns.isDue()) await turns.turn();
      stopIfAborted(signal);
    }
  } finally {
    forget();
  }
}

/**
 * Whether `value` yields its items over time: an async iterable, or a stream without an iterator, as in Safari. Throws
 * TypeError for a stream of bytes, whose chunks may end anywhere.
 */
export function isAsyncSource(value: unknown): value is AsyncIterable<unknown> {
  const object = Object(value) as object;
  if ((object as { readableObjectMode?: boolean }).readableObjectMode === false || isByteStream(object))
    throw argumentError('chunks of bytes are not keys: read lines (node:readline), or generate keys');
  return Symbol.asyncIterator in object || 'getReader' in object;
}

/** Whether `source` is a web stream of bytes: only those have such a reader. */
function isByteStream(source: object): boolean {
  try {
    (source as ReadableStream).getReader({ mode: 'byob' }).releaseLock();
    return true;
  } catch {
    return false;
  }
}

/**
 * The items of `source`. If `signal` aborts, the iteration throws its reason, and the source is closed: a stream at
 * once, an iterator after the item that it was asked for.
 */
export function arriving<Item>(source: AsyncIterable<Item>, signal?: AbortSignal): AsyncIterable<Item> {
  const isPlain = signal === undefined && Symbol.asyncIterator in source;
  return isPlain ? source : items(source, signal);
}

interface Begun<Item> {
  readonly next: () => PromiseLike<{
    readonly done?: boolean | undefined;
    readonly value?: Item | undefined;
  }>;
  readonly close: () => unknown;
}

function begun<Item>(source: AsyncIterable<Item>): Begun<Item> {
  if ('getReader' in source) {
    const reader = (source as unknown as ReadableStream<Item>).getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  const iterator = source[Symbol.asyncIterator]();
  return {
    next: () => iterator.next() as PromiseLike<{ done?: boolean; value?: Item }>,
    close: () => {
      (source as { destroy?: () => void }).destroy?.(); // Node's streams, whose iterator waits for an item
      return iterator.return?.();
    },
  };
}

/** Ends a source from which nothing was read. */
export async function close(source: AsyncIterable<unknown>): Promise<void> {
  await begun(source).close();
}

async function* items<Item>(
  source: AsyncIterable<Item>,
  signal?: AbortSignal,
): AsyncGenerator<Item, void, undefined> {
  const { next, close } = begun(source);
  const { orStop, forget } = stopOf(signal);
  let isOpen = true;
  try {
    for (;;) {
      stopIfAborted(signal);
      isOpen = false; // If `next` fails, the source has ended by itself.
      const step = await orStop(next());
      if (step.done) return;
      isOpen = true;
      stopIfAborted(signal);
      yield step.value as Item;
    }
  } finally {
    forget();
    // Not awaited after an abort, because the source may hang; and the caller gets the signal's reason, not an error of
    // the source.
    if (signal?.aborted) closeSoon(close);
    else if (isOpen) await close();
  }
}

/** Whether `await` waits for `item`. */
function isPromise<Item>(item: Item | PromiseLike<Item>): item is PromiseLike<Item> {
  return typeof item === 'object' && item !== null && 'then' in item && typeof item.then === 'function';
}

function closeSoon(close: () => unknown): void {
  void Promise.resolve()
    .then(close)
    .catch(() => undefined);
}
