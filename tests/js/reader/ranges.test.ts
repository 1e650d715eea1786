// fetchRanges against servers that answer otherwise than they should: a lookup is right, or an error, and never "absent" from
// bytes that are not those of the filter.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  fetchRanges,
  FetchRangesError,
  FilterReader,
  type FetchRangesOptions,
} from 'cuckoofilter-wasm/reader';
import { close, listen } from '../support/local-server';

const KEYS = Array.from({ length: 3000 }, (_, i) => `user-${i}`);
const file = CuckooFilter.from(KEYS).serialize();
/** As long as the file, and without any of its keys. */
const other = CuckooFilter.from(KEYS.map((key) => `not ${key}`)).serialize();
const ASKED = [...KEYS.slice(0, 30), ...KEYS.slice(0, 30).map((key) => `absent ${key}`)];
const expected = Array.from(CuckooFilter.from(KEYS).containsMany(ASKED), Boolean);

interface Asked {
  readonly first: number;
  readonly last: number;
  readonly bytes: Uint8Array;
  /** Requests before this one. */
  readonly count: number;
}

/** The headers of a server that does all right. */
function headersOf({ first, bytes }: Asked, more: object = {}): Record<string, string | number> {
  return {
    etag: '"one"',
    'content-type': 'application/octet-stream',
    'content-range': `bytes ${first}-${first + bytes.length - 1}/${file.length}`,
    'content-length': bytes.length,
    ...more,
  };
}

type Mode = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void;

/** Sends the bytes asked for with these headers, without those that are undefined. */
const sending =
  (change: (asked: Asked) => object, body: (asked: Asked) => Uint8Array = ({ bytes }) => bytes): Mode =>
  (response, asked) => {
    const headers = Object.entries(headersOf(asked, change(asked))).filter(
      ([, value]) => (value as unknown) !== undefined,
    );
    response.writeHead(206, Object.fromEntries(headers)).end(body(asked));
  };
const isHead = ({ first }: Asked): boolean => first === 0;
const date = (seconds: number): string => new Date(1_700_000_000_000 + 1000 * seconds).toUTCString();
const dated = (modified: number, now: number): object => ({
  etag: undefined,
  'last-modified': date(modified),
  date: date(now),
});
/** After the header, another file of the same length. */
const replaced = (asked: Asked): Uint8Array =>
  isHead(asked) ? asked.bytes : other.subarray(asked.first, asked.last + 1);

let mode: Mode = sending(() => ({}));
let count = 0;
let server: Server;
let url = '';
let requests: IncomingMessage[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    requests.push(request);
    const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(request.headers['range'] ?? '') ?? []).map(
      Number,
    ) as [number, number, number];
    const bytes = file.subarray(first, last + 1);
    mode(response, { first, last: Math.min(last, file.length - 1), bytes, count: count++ }, request);
  });
  server.keepAliveTimeout = 1;
  url = `${await listen(server)}filter`;
});
beforeEach(() => {
  count = 0;
  requests = [];
});
afterAll(() => {
  server.closeAllConnections();
  return close(server);
});

/** The answers for all keys, or the first error. */
async function answers(options?: FetchRangesOptions): Promise<readonly boolean[] | Error> {
  try {
    const { header, read } = await fetchRanges(url, options);
    const remote = FilterReader.remote(header);
    const found: boolean[] = [];
    for (const key of ASKED) found.push(remote.answer(key, await read(remote.locate(key))));
    return found;
  } catch (error) {
    return error as Error;
  }
}

const right: [name: string, Mode][] = [
  ['a strong ETag', sending(() => ({}))],
  ['no Content-Length', sending(() => ({ 'content-length': undefined }))],
  ['the encoding identity', sending(() => ({ 'content-encoding': 'identity' }))],
  ['no ETag, and Last-Modified a second ago', sending(() => dated(5, 6))],
  ['a weak ETag, and Last-Modified an hour ago', sending(() => ({ ...dated(0, 3600), etag: 'W/"one"' }))],
  [
    'a redirect to one address',
    (response, asked, request) => {
      if (request.url === '/filter') response.writeHead(302, { location: '/there' }).end();
      else sending(() => ({}))(response, asked, request);
    },
  ],
];

test.each(right)('a server with %s is asked with the answers of the filter', async (_, how) => {
  mode = how;
  expect(await answers()).toEqual(expected);
  for (const { headers } of requests) expect(headers['accept-encoding']).toMatch(/^identity(, identity)?$/);
});

const multipart = ({ first, bytes }: Asked): Buffer =>
  Buffer.concat([
    Buffer.from(`--part\r\nContent-Range: bytes ${first}-${first + bytes.length - 1}/${file.length}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n--part--\r\n'),
  ]);
const wrong: [name: string, code: string, Mode][] = [
  [
    'ignores ranges (200)',
    'not-the-range',
    (response) => response.writeHead(200, { etag: '"one"' }).end(file),
  ],
  [
    'sends the whole file as 206',
    'not-the-range',
    sending(
      () => ({ 'content-range': `bytes 0-${file.length - 1}/${file.length}`, 'content-length': file.length }),
      () => file,
    ),
  ],
  [
    'sends the whole file as 206 without Content-Range',
    'not-the-range',
    sending(
      () => ({ 'content-range': undefined, 'content-length': undefined }),
      () => file,
    ),
  ],
  [
    'sends the whole file as the range asked for',
    'not-the-range',
    sending(
      () => ({ 'content-length': undefined }),
      () => file,
    ),
  ],
  [
    'sends too little',
    'not-the-range',
    sending(
      ({ bytes }) => ({ 'content-length': bytes.length - 1 }),
      ({ bytes }) => bytes.subarray(1),
    ),
  ],
  [
    'sends too little, without a length',
    'not-the-range',
    sending(
      () => ({ 'content-length': undefined }),
      ({ bytes }) => bytes.subarray(1),
    ),
  ],
  [
    'sends too much',
    'not-the-range',
    sending(
      ({ bytes }) => ({ 'content-length': bytes.length + 1 }),
      ({ bytes }) => Buffer.concat([bytes, Buffer.of(0)]),
    ),
  ],
  [
    'sends another part of the same length',
    'not-the-range',
    sending(
      ({ first, last }) => ({ 'content-range': `bytes ${first + 1}-${last + 1}/${file.length}` }),
      ({ first, last }) => file.subarray(first + 1, last + 2),
    ),
  ],
  [
    'sends fewer bytes than there are',
    'not-the-range',
    sending(
      ({ first, last, bytes }) => ({
        'content-range': `bytes ${first}-${last - 1}/${file.length}`,
        'content-length': bytes.length - 1,
      }),
      ({ bytes }) => bytes.subarray(0, -1),
    ),
  ],
  [
    'does not know how long the file is',
    'not-the-range',
    sending(({ first, last }) => ({ 'content-range': `bytes ${first}-${last}/*` })),
  ],
  [
    'counts in another unit',
    'not-the-range',
    sending(({ first, last }) => ({ 'content-range': `lines ${first}-${last}/9999` })),
  ],
  [
    'compresses the part',
    'not-the-range',
    sending(
      ({ bytes }) => ({ 'content-encoding': 'gzip', 'content-length': gzipSync(bytes).length }),
      ({ bytes }) => gzipSync(bytes),
    ),
  ],
  [
    'sends a part of the compressed file',
    'not-the-range',
    sending(
      ({ first, last }) => ({
        'content-encoding': 'gzip',
        'content-range': `bytes ${first}-${last}/${gzipSync(file).length}`,
      }),
      ({ first, last }) => gzipSync(file).subarray(first, last + 1),
    ),
  ],
  [
    'has no such bytes (416)',
    'not-the-range',
    (response) => response.writeHead(416, { 'content-range': 'bytes */0' }).end(),
  ],
  [
    'sends a page',
    'not-the-range',
    (response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Sign in</title>'),
  ],
  [
    'sends a page as 206',
    'not-the-range',
    (response) =>
      response.writeHead(206, { etag: '"one"', 'content-type': 'text/html' }).end('<!DOCTYPE html>'),
  ],
  [
    'sends parts within parts',
    'not-the-range',
    sending(
      (asked) => ({
        'content-type': 'multipart/byteranges; boundary=part',
        'content-range': undefined,
        'content-length': multipart(asked).length,
      }),
      multipart,
    ),
  ],
  ['sends nothing', 'not-the-range', (response) => response.writeHead(206, { etag: '"one"' }).end()],
  ['has no content (204)', 'not-the-range', (response) => response.writeHead(204).end()],
  ['has no such file', 'not-the-range', (response) => response.writeHead(404).end('not found')],
  ['has an error', 'not-the-range', (response) => response.writeHead(503).end('later')],
  ['has neither ETag nor Last-Modified', 'no-identity', sending(() => ({ etag: undefined }))],
  ['has a weak ETag alone', 'no-identity', sending(() => ({ etag: 'W/"one"' }))],
  ['has an empty ETag', 'no-identity', sending(() => ({ etag: '""' }))],
  ['has an ETag without quotes', 'no-identity', sending(() => ({ etag: 'one' }))],
  ['has changed the file in this second', 'no-identity', sending(() => dated(5, 5))],
  ['has no clock', 'no-identity', sending(() => ({ ...dated(5, 9), date: 'today' }))],
];

describe.each([
  ['from the start', () => true],
  ['after the header', (asked: Asked) => !isHead(asked)],
])('a server that %s', (_, isNow) => {
  test.each(wrong)('%s is refused (%s)', async (_name, code, how) => {
    mode = (response, asked, request) => (isNow(asked) ? how : sending(() => ({})))(response, asked, request);
    const error = await answers();
    expect(error).toBeInstanceOf(FetchRangesError);
    const isGone = (error as Error).message.includes('has changed');
    expect((error as FetchRangesError).code).toBe(isGone ? 'changed' : code);
    // A file that is shorter by now has no such bytes.
    expect(isGone).toBe(_name.includes('416') && count > 1);
  });
});

const changes: [name: string, Mode][] = [
  ['its ETag', sending((asked) => ({ etag: isHead(asked) ? '"one"' : '"two"' }), replaced)],
  ['its Last-Modified', sending((asked) => dated(isHead(asked) ? 0 : 1, 3600), replaced)],
  [
    'only its length',
    sending(
      ({ first, last }) => ({
        'content-range': `bytes ${first}-${last}/${file.length + Math.min(first, 1)}`,
      }),
      replaced,
    ),
  ],
  [
    'the address that a redirect leads to, with one ETag for all',
    (response, asked, request) => {
      if (request.url === '/filter') response.writeHead(302, { location: `/at/${asked.count}` }).end();
      else sending(() => ({}), replaced)(response, asked, request);
    },
  ],
];

test.each(changes)(
  'a file that changes %s is an error that says to read the header again',
  async (_, how) => {
    mode = how;
    expect(await answers()).toMatchObject({
      name: 'FetchRangesError',
      code: 'changed',
      message: expect.stringContaining('call fetchRanges again') as unknown,
    });
  },
);

test('a connection that breaks is the error of fetch, and nothing is tried twice', async () => {
  mode = (response) => response.destroy();
  // Not an Error of this realm.
  expect(await answers()).toMatchObject({ name: 'TypeError' });
  mode = (response, asked) => {
    response.writeHead(206, headersOf(asked));
    response.write(asked.bytes.subarray(0, 5), () => response.destroy());
  };
  const before = count;
  expect(await answers()).toMatchObject({ name: 'TypeError' });
  expect(count - before).toBe(1);
});

test('a signal ends opening and reading, and no other call', async () => {
  mode = sending(() => ({}));
  const reason = new Error('enough');
  const aborted = AbortSignal.abort(reason);
  await expect(fetchRanges(url, { signal: aborted })).rejects.toBe(reason);
  const opening = new AbortController();
  const { header, read } = await fetchRanges(new URL(url), { signal: opening.signal });
  opening.abort();
  const ranges = FilterReader.remote(header).locate('user-1');
  expect((await read(ranges)).map(({ length }) => length)).toEqual(ranges.map(({ length }) => length));
  await expect(read(ranges, { signal: aborted })).rejects.toBe(reason);
  mode = () => undefined;
  const late = new AbortController();
  const waiting = read(ranges, { signal: late.signal });
  late.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});

test('a file shorter than a header is read whole, and a fetch of the caller is used', async () => {
  const seen: string[] = [];
  const { header, read } = await fetchRanges(url, {
    fetch: (address, { headers }) => {
      seen.push(`${address === url} ${headers['range']}`);
      const [first, last] = /\d+-\d+/
        .exec(headers['range'] ?? '')?.[0]
        .split('-')
        .map(Number) as [number, number];
      const bytes = Uint8Array.of(1, 2, 3).slice(first, last + 1);
      const range = `bytes ${first}-${first + bytes.length - 1}/3`;
      return Promise.resolve(
        new Response(bytes, { status: 206, headers: { etag: '"x"', 'content-range': range } }),
      );
    },
  });
  expect([...header]).toEqual([1, 2, 3]);
  expect(await read([{ offset: 1, length: 2 }])).toEqual([Uint8Array.of(2, 3)]);
  expect(seen).toEqual(['true bytes=0-95', 'true bytes=1-2']);
  await expect(read([], { sinal: 1 } as never)).rejects.toThrow(TypeError);
  for (const options of [null, 5, { sinal: 1 }, { fetch: 5 }])
    await expect(fetchRanges(url, options as never)).rejects.toThrow(TypeError);
  await expect(fetchRanges(url, { fetch: 5 } as never)).rejects.toThrow(
    'options.fetch must be a function, got 5',
  );
});

test('a body without end is read only as far as decides, and cancelled', async () => {
  let sent = 0;
  let isOpen = true;
  mode = (response, asked) => {
    const headers = Object.entries(headersOf(asked)).filter(([name]) => name !== 'content-length');
    response.writeHead(206, Object.fromEntries(headers));
    response.on('close', () => (isOpen = false));
    const send = (): void => {
      for (let more = true; more && isOpen && sent < 2 ** 28; sent += 2 ** 20)
        more = response.write(Buffer.alloc(2 ** 20));
      if (isOpen && sent < 2 ** 28) response.once('drain', send);
      else response.destroy();
    };
    send();
  };
  expect(await answers()).toMatchObject({ code: 'not-the-range' });
  expect(sent).toBeLessThan(2 ** 26);
});

/** A `fetch` whose answers for the header have this body. */
const fetching =
  (body: object, status = 206): FetchRangesOptions['fetch'] =>
  () => {
    const bytes = file.subarray(0, 96);
    const headers = new Map(Object.entries(headersOf({ first: 0, last: 95, bytes, count: 0 })));
    return Promise.resolve({
      status,
      url: 'x',
      headers: { get: (name: string) => String(headers.get(name) ?? '') },
      body,
      arrayBuffer: () => Promise.resolve(bytes.slice().buffer),
    });
  };

test('a fetch whose bodies are no streams works, and so does its refusal', async () => {
  const read = await fetchRanges('x', { fetch: fetching({}) });
  expect(read.header).toEqual(file.subarray(0, 96));
  const refused = fetchRanges('x', { fetch: fetching({}, 200) });
  await expect(refused).rejects.toMatchObject({ code: 'not-the-range' });
});

describe('streams of Node as bodies, as of node-fetch,', () => {
  const filled = (length: number): Buffer => Buffer.alloc(length, file.subarray(0, 96));
  const endless = function* (length: number): Generator<Buffer> {
    for (let i = 0; i < 1e5; ++i) yield filled(length);
    throw new Error('read to the end');
  };

  test('are read in pieces', async () => {
    const body = Readable.from([file.subarray(0, 5), Buffer.alloc(0), file.subarray(5, 96)].map(Buffer.from));
    expect((await fetchRanges('x', { fetch: fetching(body) })).header).toEqual(file.subarray(0, 96));
  });

  test.each([
    ['without end', Readable.from(endless(1000)), 206],
    ['of empty pieces without end', Readable.from(endless(0)), 206],
    ['of an answer that is refused', Readable.from(endless(1000)), 200],
  ])('%s are destroyed', async (_, body, status) => {
    const refused = fetchRanges('x', { fetch: fetching(body, status) });
    await expect(refused).rejects.toMatchObject({ code: 'not-the-range' });
    expect(body.destroyed).toBe(true);
  });

  test('of text are refused', async () => {
    const body = Readable.from(['0'.repeat(96)]);
    await expect(fetchRanges('x', { fetch: fetching(body) })).rejects.toMatchObject({
      message: `a piece of the body must be bytes, got ${'0'.repeat(40)}`,
      code: 'invalid-argument',
    });
    expect(body.destroyed).toBe(true);
  });
});

test('a web stream of empty pieces without end is cancelled', async () => {
  let isCancelled = false;
  let count = 0;
  const body = new ReadableStream({
    pull: (to) => (++count < 1e5 ? to.enqueue(new Uint8Array(0)) : to.close()),
    cancel: () => void (isCancelled = true),
  });
  await expect(fetchRanges('x', { fetch: fetching(body) })).rejects.toMatchObject({ code: 'not-the-range' });
  expect([isCancelled, count < 1e4]).toEqual([true, true]);
});
