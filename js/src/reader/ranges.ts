// Parts of a file on a web server, by HTTP Range requests.
// Invariant: the bytes returned are those that were asked for, from the file whose header was read first; anything else
// the server answers is an error. So an answer never comes from the bytes of another file, or of an error page.
import type { AsyncOptions } from '../keys/signals.js';
import { check, plain, viewOf } from './arguments.js';
import { REMOTE_HEADER_BYTES } from './open.js';
import type { ByteRange } from './table.js';

/**
 * Why an answer was refused. `changed`: it is from another file than the header. `not-the-range`: it does not have the
 * bytes that were asked for. `no-identity`: it has no ETag or date by which a replaced file could be noticed.
 */
export type FetchRangesErrorCode = 'changed' | 'not-the-range' | 'no-identity';

/** A server's answer is not the part of the file that was asked for; `code` says why. */
export class FetchRangesError extends Error {
  /** @internal */
  static override get name(): string {
    return 'FetchRangesError';
  }
  declare readonly name: 'FetchRangesError';
  /** Why the answer was refused. */
  declare readonly code: FetchRangesErrorCode;

  constructor(message: string, code: FetchRangesErrorCode) {
    super(message);
    this.name = 'FetchRangesError';
    this.code = code;
  }
}

interface Body {
  cancel?(): Promise<void>;
  getReader?(): Reader;
  destroy?(): unknown;
  [Symbol.asyncIterator]?(): AsyncIterator<unknown>;
}

interface Reader {
  read(): Promise<{ readonly done: boolean; readonly value?: unknown }>;
  cancel(): Promise<void>;
}

/** What a `fetch` of yours must answer: a Response, or an object with the parts of one that are read. */
export interface RangeResponse {
  readonly status: number;
  readonly url: string;
  readonly headers: { get(name: string): string | null };
  /** A ReadableStream of bytes, or a stream of Node, as node-fetch has. Without either, `arrayBuffer` is called. */
  readonly body?: object | null;
  arrayBuffer(): Promise<ArrayBuffer>;
}

/** What a `fetch` of yours is called with, beside the address. */
export interface RangeRequest {
  readonly headers: Record<string, string>;
  readonly signal: AbortSignal | null;
  readonly cache?: 'no-store';
}

/** How a file is opened. */
export interface FetchRangesOptions extends AsyncOptions {
  /** Used instead of the global `fetch`, for example to add headers or credentials to `init`. */
  readonly fetch?: ((url: string, init: RangeRequest) => Promise<RangeResponse>) | undefined;
}

/** A file on a web server, as it was when `fetchRanges` read its header. */
export interface RemoteFile {
  /** The first REMOTE_HEADER_BYTES bytes, or all if there are fewer: for `FilterReader.remote`. */
  readonly header: Uint8Array;
  /**
   * Fetches the ranges that `locate` asked for, with one request each, and returns their bytes in order, for
   * `RemoteFilter.answer`. A range that reaches past the end of the file gives fewer bytes. Rejects as `fetchRanges`
   * does.
   */
  read(ranges: readonly ByteRange[], options?: AsyncOptions): Promise<Uint8Array[]>;
}

/**
 * Opens the file at `url`, for `FilterReader.remote`. The server must answer Range requests, uncompressed, with a
 * strong ETag (or a Last-Modified a second older than its Date). Rejects with FetchRangesError for any other answer. If
 * its code is `changed`, the file was replaced: call `fetchRanges` again. Does not retry.
 *
 * @example
 * const { header, read } = await fetchRanges('https://example.org/leaked.cuckoo');
 * const remote = FilterReader.remote(header);
 * remote.answer('alice', await read(remote.locate('alice')));
 */
export async function fetchRanges(
  url: string | { readonly href: string },
  options: FetchRangesOptions = {},
): Promise<RemoteFile> {
  const { signal, fetch = globalThis.fetch } = plain<FetchRangesOptions>('options', options, [
    'signal',
    'fetch',
  ]);
  const address: unknown = typeof url === 'string' ? url : (Object(url) as { href?: unknown }).href;
  check('url', 'a string or a URL', url, typeof address === 'string');
  check('options.fetch', 'a function', fetch, typeof fetch === 'function');
  // A header from a cache and parts from the server might be of two different files for as long as the cache keeps the
  // header. Some engines refuse the option.
  const fresh =
    typeof Request === 'function' && 'cache' in Request.prototype ? { cache: 'no-store' as const } : {};
  let first: Part | undefined;
  const readOne = async (
    { offset, length }: ByteRange,
    signal: AbortSignal | null = null,
  ): Promise<Uint8Array> => {
    const range = `bytes=${offset}-${offset + length - 1}`;
    const headers = { range, 'accept-encoding': 'identity' };
    const answer = await fetch(address as string, { headers, signal, ...fresh });
    try {
      const part = partOf(answer, offset, length, first);
      const bytes = await bytesOf(answer, part.length);
      if (bytes.length !== part.length) throw notTheRange(range, `${bytes.length} bytes`);
      first = first ?? part;
      return bytes;
    } catch (error) {
      // The rest may be a large file, and is not wanted.
      const body: Body | null | undefined = answer.body;
      if (body?.cancel) void body.cancel().catch(() => undefined);
      else body?.destroy?.();
      throw error;
    }
  };
  const header = await readOne({ offset: 0, length: REMOTE_HEADER_BYTES }, signal);
  return {
    header,
    read: async (ranges, given = {}) => {
      const { signal } = plain<AsyncOptions>('options', given, ['signal']);
      return Promise.all(ranges.map((range) => readOne(range, signal)));
    },
  };
}

/** Pieces that a body may have beyond one a byte, because some may be empty. */
const MORE_PIECES = 1000;

/** The body of `answer`. Because the body may be endless, stops after the piece that exceeds `most` bytes. */
async function bytesOf(answer: RangeResponse, most: number): Promise<Uint8Array> {
  const body: Body | null | undefined = answer.body;
  const reader = body?.getReader?.();
  const source = reader ? piecesOf(reader) : body;
  if (!source?.[Symbol.asyncIterator]) return new Uint8Array(await answer.arrayBuffer());
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const value of source as AsyncIterable<unknown>) {
    const piece = viewOf(value);
    check('a piece of the body', 'bytes', value, !!piece);
    pieces.push(piece as Uint8Array);
    length += (piece as Uint8Array).length;
    if (length > most || pieces.length > most + MORE_PIECES) break;
  }
  const bytes = new Uint8Array(length);
  for (const piece of pieces.reverse()) bytes.set(piece, (length -= piece.length));
  return bytes;
}

/** What `reader` reads. Not every engine can iterate its stream. */
async function* piecesOf(reader: Reader): AsyncGenerator<unknown, void, undefined> {
  try {
    for (let read; !(read = await reader.read()).done;) yield read.value;
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

const NO_IDENTITY =
  'the answer has no strong ETag (or Last-Modified a second older than its Date), so a replaced file would go unnoticed. ' +
  'Have the server send an ETag, and expose it to other origins';

interface Part {
  readonly length: number;
  readonly total: number;
  /** Stays the same as long as the file does. */
  readonly identity: string;
}

/** What the headers of `answer` promise: it must be the bytes asked for, from the file that `first` came from. */
function partOf(answer: RangeResponse, offset: number, length: number, first: Part | undefined): Part {
  const of = (name: string): string => answer.headers.get(name) ?? '';
  const asked = `bytes=${offset}-${offset + length - 1}`;
  const { status } = answer;
  if (status === 416 && first !== undefined && offset < first.total) throw changed();
  if (status >= 400 && status !== 416) {
    const problem = status === 404 ? 'has no such file' : 'did not send the file';
    throw new FetchRangesError(`the server ${problem} (status ${status})`, 'not-the-range');
  }
  if (status !== 206) throw notTheRange(asked, `status ${status}`);
  const encoding = of('content-encoding');
  if (!/^(identity)?$/i.test(encoding)) throw notTheRange(asked, `Content-Encoding ${encoding}`);
  const contentRange = of('content-range');
  const [, begin, last, total] = (/^bytes (\d+)-(\d+)\/(\d+)$/i.exec(contentRange) ?? []).map(Number);
  if (total === undefined)
    throw notTheRange(asked, `Content-Range ${contentRange || 'missing, or not exposed to other origins'}`);
  // RFC 9110, 8.8.2.2: a file may change twice in a second, and have the date of that second twice.
  const isPast = Date.parse(of('date')) - Date.parse(of('last-modified')) >= 1000;
  const tag = /^"[^"]+"$/.test(of('etag')) ? of('etag') : isPast ? of('last-modified') : undefined;
  if (tag === undefined) throw new FetchRangesError(NO_IDENTITY, 'no-identity');
  // An ETag belongs to one address.
  const identity = [answer.url, tag, total].join();
  if (first !== undefined && identity !== first.identity) throw changed();
  const end = Math.min(offset + length, total);
  if (begin !== offset || last !== end - 1) throw notTheRange(asked, `Content-Range ${contentRange}`);
  const given = of('content-length') || String(end - offset);
  if (Number(given) !== end - offset) throw notTheRange(asked, `Content-Length ${given}`);
  return { length: end - offset, total, identity };
}

function changed(): FetchRangesError {
  return new FetchRangesError(
    'the file has changed: call fetchRanges again, and FilterReader.remote with the new header',
    'changed',
  );
}

function notTheRange(asked: string, got: string): FetchRangesError {
  return new FetchRangesError(
    `asked for ${asked}, got ${got}. The server must answer Range requests (status 206), uncompressed`,
    'not-the-range',
  );
}
