// Keys that arrive over time, in chunks for the calls that take many.
// Invariant: no more than one chunk is held, and the source is closed unless it ended or failed by itself.
import { atKey } from '../basic-errors.js';
import type { Bytes } from '../engine/bytes.js';
import { argumentError, InvalidKeyError } from '../errors.js';
import { Mask, takeAnswers } from './answers.js';
import { errorWith } from './error-with.js';
import type { Key } from './key.js';
import { checkKeys, snapshot, type Keys } from './keys.js';
import { signalOf, stopOf, type AsyncOptions } from './signals.js';

/**
 * Keys that arrive over time: an async iterable, such as a stream of keys, or an iterable of keys or of promises of
 * keys. The chunks of a file or of a response's body are not keys: read its lines.
 */
export type AsyncKeys = AsyncIterable<Key> | Iterable<PromiseLike<Key>> | Keys;

/** Keys per chunk: enough that a batch costs no more per key than a longer one. */
const CHUNK = 1024;

/**
 * Calls `add` with the keys, chunk by chunk, and returns how many it added in total. Its errors get counts and indices
 * over all chunks. If the source throws, the keys before that are added.
 */
export async function inChunks(
  keys: AsyncKeys,
  add: (chunk: readonly Key[]) => number,
  options: AsyncOptions = {},
): Promise<number> {
  const signal = signalOf(options);
  if (!isAsyncSource(keys)) checkKeys(keys as Keys);
  let chunk: Key[] = [];
  let before = 0;
  let added = 0;
  const flush = (): void => {
    const taken = chunk;
    chunk = [];
    try {
      added += add(taken);
    } catch (error) {
      throw ofAll(error, before, added);
    }
    before += taken.length;
  };
  try {
    for await (const key of arriving(keys as AsyncIterable<Key>, signal))
      if (chunk.push(snapshot(key)) === CHUNK) flush();
  } finally {
    flush();
  }
  return added;
}

/** The answers of `ask` for all keys, chunk by chunk. If it throws, the error carries the answers of all chunks. */
export async function answersInChunks(
  keys: AsyncKeys,
  ask: (chunk: readonly Key[]) => Uint8Array,
  options: AsyncOptions,
): Promise<Bytes> {
  const mask = new Mask([]);
  const askChunk = (chunk: readonly Key[]): number => {
    const before = mask.ones();
    try {
      mask.push(ask(chunk));
    } catch (error) {
      mask.push(takeAnswers(error));
      throw error;
    }
    return mask.ones() - before;
  };
  try {
    await inChunks(keys, askChunk, options);
  } catch (error) {
    throw errorWith(error, 'answers', mask.pushed);
  }
  return mask.take();
}

/**
 * Whether `value` yields its items over time: an async iterable, or a stream without an iterator, as in Safari. Throws
 * TypeError for a stream of bytes, whose chunks may end anywhere.
 */
export function isAsyncSource(value: unknown): value is AsyncIterable<unknown> {
  const object = Object(value) as object;
  if ((object as { readableObjectMode?: boolean }).readableObjectMode === false || isByteStream(object))
    throw argumentError(
      'chunks of bytes are not keys: read lines, for example with node:readline, or pass a generator of keys',
    );
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
 * The items of `source`, with promises awaited. If `signal` aborts, the iteration throws its reason, and the source is
 * closed: a stream at once, an iterator after the item that it was asked for.
 */
export function arriving<Item>(
  source: AsyncIterable<Item> | Iterable<Item | PromiseLike<Item>>,
  signal?: AbortSignal,
): AsyncIterable<Item> {
  const isPlain = signal === undefined && Symbol.asyncIterator in source;
  return isPlain ? source : items(source, signal);
}

/** A source that is being read. `next` and `close` may return promises or plain values. */
interface Begun {
  readonly next: () => unknown;
  readonly close: () => unknown;
}

function begun<Item>(source: object): Begun {
  if ('getReader' in source) {
    const reader = (source as ReadableStream<Item>).getReader();
    return { next: () => reader.read(), close: () => reader.cancel() };
  }
  if (Symbol.asyncIterator in source) {
    const iterator = (source as AsyncIterable<Item>)[Symbol.asyncIterator]();
    return {
      next: () => iterator.next(),
      close: () => {
        (source as { destroy?: () => void }).destroy?.(); // Node's streams, whose iterator waits for an item
        return iterator.return?.();
      },
    };
  }
  const iterator = (source as Iterable<Item | PromiseLike<Item>>)[Symbol.iterator]();
  const close = (): unknown => iterator.return?.();
  const next = async (): Promise<IteratorResult<Item, unknown>> => {
    const step = iterator.next();
    if (step.done) return step;
    try {
      return { done: false, value: await step.value };
    } catch (error) {
      close(); // Engines before 2025 leave the source open if a promise rejects.
      throw error;
    }
  };
  return { next, close };
}

/** Ends a source from which nothing was read. */
export async function close(source: object): Promise<void> {
  await begun(source).close();
}

async function* items<Item>(source: object, signal?: AbortSignal): AsyncGenerator<Item, void, undefined> {
  const { next, close } = begun<Item>(source);
  const { orStop, forget } = stopOf(signal);
  let isOpen = true;
  try {
    for (;;) {
      signal?.throwIfAborted();
      isOpen = false; // If `next` fails, the source has ended by itself.
      const step = (await orStop(next())) as IteratorResult<Item>;
      if (step.done) return;
      isOpen = true;
      signal?.throwIfAborted();
      yield step.value;
    }
  } finally {
    forget();
    // Not awaited after an abort, because the source may hang; and the caller gets the signal's reason, not an error of
    // the source.
    if (signal?.aborted)
      void Promise.resolve()
        .then(close)
        .catch(() => undefined);
    else if (isOpen) await close();
  }
}

/** The error of a chunk, corrected for the `before` keys of earlier chunks, of which `added` were added. */
function ofAll(error: unknown, before: number, added: number): unknown {
  if (error instanceof InvalidKeyError) return atKey(before + (error.index ?? 0), error);
  // FilterBusyError is of an entry that other programs do not carry.
  const { code, added: now = 0 } = Object(error) as { code?: unknown; added?: number };
  const counts = code === 'filter-full' || code === 'filter-busy';
  return counts ? Object.assign(error as object, { added: added + now }) : error;
}
