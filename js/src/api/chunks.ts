// Keys that arrive over time, in chunks for the calls that take many.
// Invariant: no more than one chunk is held, and the source is closed unless it ended or failed by itself.
import { FilterFullError } from '../errors.js';
import type { Key } from '../wasm/key.js';
import { checkKeys, snapshot, type Keys } from '../wasm/keys.js';

/** Keys that arrive over time: an async iterable, such as a stream, or an iterable of keys or of promises of keys. */
export type AsyncKeys = AsyncIterable<Key> | Iterable<PromiseLike<Key>> | Keys;

/** Keys per chunk: enough that a batch costs no more per key than a longer one. */
const CHUNK = 1024;

/**
 * Calls `add` with the keys, chunk by chunk, and returns how many it added in all; where it throws, with the counts and the
 * index of all chunks. If the source throws, the keys before that are added.
 */
export async function inChunks(keys: AsyncKeys, add: (chunk: readonly Key[]) => number): Promise<number> {
  if (!(Object(keys) as Partial<AsyncIterable<Key>>)[Symbol.asyncIterator]) checkKeys(keys as Keys);
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
    for await (const key of arriving(keys as AsyncIterable<Key>))
      if (chunk.push(snapshot(key)) === CHUNK) flush();
  } finally {
    flush();
  }
  return added;
}

/**
 * `source` itself if it is an async iterable. Otherwise its items, or what they promise: `for await` does the same, but in
 * engines before 2025 leaves the source open where a promise rejects.
 */
export function arriving<Item>(
  source: AsyncIterable<Item> | Iterable<Item | PromiseLike<Item>>,
): AsyncIterable<Item> {
  return Symbol.asyncIterator in Object(source)
    ? (source as AsyncIterable<Item>)
    : (resolved(source as Iterable<Item>) as AsyncIterable<Item>);
}

async function* resolved<Item>(
  source: Iterable<Item | PromiseLike<Item>>,
): AsyncGenerator<Item | PromiseLike<Item>, void, undefined> {
  for (const item of source) yield item;
}

/** `error` of a chunk, which `before` keys came before, of which `added` were added. */
function ofAll(error: unknown, before: number, added: number): unknown {
  if (error instanceof FilterFullError)
    return new FilterFullError(error.message, error.reason, added + error.added);
  const [, index, rest] = (error instanceof TypeError && /^key (\d+)(.*)/s.exec(error.message)) || [];
  return index === undefined ? error : new TypeError(`key ${before + Number(index)}${rest}`);
}
