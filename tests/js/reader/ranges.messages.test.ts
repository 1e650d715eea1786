// What fetchRanges asks of a server, and what its errors say, word by word.
import { expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import {
  fetchRanges,
  FetchRangesError,
  REMOTE_HEADER_BYTES,
  type FetchRangesOptions,
} from 'cuckoofilter-wasm/reader';

type Fetch = NonNullable<FetchRangesOptions['fetch']>;

const file = CuckooFilter.from(['a', 'b'], { capacity: 100 }).serialize();
const URL_OF_FILE = 'https://example.org/f.cuckoo';
const HEAD = `bytes=0-${REMOTE_HEADER_BYTES - 1}`;

/** Answers as a right server does, but for the headers and the status that `change` gives for the request of this number. */
function server(change: (count: number) => Readonly<Record<string, string | number | undefined>>): {
  fetch: Fetch;
  asked: { url: unknown; init: Record<string, unknown> }[];
} {
  const asked: { url: unknown; init: Record<string, unknown> }[] = [];
  const fetch = (url: unknown, init: Record<string, unknown>): Promise<unknown> => {
    const { status = 206, body, ...headers } = change(asked.length) as Record<string, never>;
    asked.push({ url, init });
    const { range } = init['headers'] as { range: string };
    const [, first, last] = (/^bytes=(\d+)-(\d+)$/.exec(range) ?? []).map(Number) as [number, number, number];
    const bytes = file.slice(first, last + 1);
    const all = {
      etag: '"one"',
      'content-range': `bytes ${first}-${first + bytes.length - 1}/${file.length}`,
      'content-length': String(bytes.length),
      ...headers,
    };
    const given = Object.entries(all).filter(
      (entry): entry is [string, string] => (entry[1] as unknown) !== undefined,
    );
    const content = body === undefined ? bytes : bytes.subarray(0, Number(body));
    return Promise.resolve({
      url: String(url),
      status,
      headers: new Headers(given),
      body: null,
      arrayBuffer: () => Promise.resolve(content.slice().buffer),
    });
  };
  return { fetch: fetch as unknown as Fetch, asked };
}

test('a request names its range, wants it uncompressed and from no cache, and has the signal', async () => {
  const { fetch, asked } = server(() => ({}));
  const { signal } = new AbortController();
  const { header, read } = await fetchRanges(new URL(URL_OF_FILE), { fetch, signal });
  expect(header).toEqual(file.subarray(0, REMOTE_HEADER_BYTES));
  const other = new AbortController().signal;
  await read([{ offset: 10, length: 1 }], { signal: other });
  await read([{ offset: file.length - 2, length: 5 }]);
  const init = (range: string, given: AbortSignal | null): object => ({
    headers: { range, 'accept-encoding': 'identity' },
    signal: given,
    cache: 'no-store',
  });
  expect(asked).toEqual([
    { url: URL_OF_FILE, init: init(HEAD, signal) },
    { url: URL_OF_FILE, init: init('bytes=10-10', other) },
    { url: URL_OF_FILE, init: init(`bytes=${file.length - 2}-${file.length + 2}`, null) },
  ]);
});

const NEEDED = 'The server must answer Range requests (status 206), uncompressed';
const last = REMOTE_HEADER_BYTES - 1;
test.each([
  [{ status: 200 }, 'status 200'],
  [{ status: 416 }, 'status 416'],
  [{ 'content-encoding': 'gzip' }, 'Content-Encoding gzip'],
  [{ 'content-encoding': 'identity, br' }, 'Content-Encoding identity, br'],
  [{ 'content-range': undefined }, 'Content-Range missing, or not exposed to other origins'],
  [{ 'content-range': `x bytes 0-${last}/${file.length}` }, `Content-Range x bytes 0-${last}/${file.length}`],
  [{ 'content-range': `bytes 0-${last}/${file.length} x` }, `Content-Range bytes 0-${last}/${file.length} x`],
  [{ 'content-range': `bytes 1-${last}/${file.length}` }, `Content-Range bytes 1-${last}/${file.length}`],
  [
    { 'content-range': `bytes 0-${last - 1}/${file.length}` },
    `Content-Range bytes 0-${last - 1}/${file.length}`,
  ],
  [{ 'content-length': '5' }, 'Content-Length 5'],
  [{ body: '5' }, '5 bytes'],
])('%o is told', async (change, got) => {
  const error = await fetchRanges(URL_OF_FILE, { fetch: server(() => change).fetch }).catch(
    (it: unknown) => it,
  );
  expect(error).toBeInstanceOf(FetchRangesError);
  expect([(error as FetchRangesError).code, (error as FetchRangesError).message]).toEqual([
    'not-the-range',
    `asked for ${HEAD}, got ${got}. ${NEEDED}`,
  ]);
});

test.each([
  [404, 'the server has no such file (status 404)'],
  [503, 'the server did not send the file (status 503)'],
])('status %i is told without advice about ranges', async (status, message) => {
  const { fetch } = server(() => ({ status }));
  await expect(fetchRanges(URL_OF_FILE, { fetch })).rejects.toMatchObject({ code: 'not-the-range', message });
});

test.each([
  [{ etag: undefined }],
  [{ etag: 'W/"one"' }],
  [{ etag: '"one" ' + 'x' }],
  [{ etag: '""' }],
  [
    {
      etag: undefined,
      'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
      date: 'Tue, 14 Nov 2023 22:13:20 GMT',
    },
  ],
])('%o does not tell a replaced file', async (change) => {
  await expect(fetchRanges(URL_OF_FILE, { fetch: server(() => change).fetch })).rejects.toMatchObject({
    code: 'no-identity',
    message:
      'the answer has no strong ETag (or Last-Modified a second older than its Date), so a replaced file would go ' +
      'unnoticed. Have the server send an ETag, and expose it to other origins',
  });
});

test.each([undefined, 5, {}])('%p as the address is an error that says what it must be', async (url) => {
  await expect(fetchRanges(url as never)).rejects.toMatchObject({
    code: 'invalid-argument',
    message: expect.stringMatching(/^url must be a string or a URL, got /),
  });
});

test.each([
  [{ etag: '"two"' }],
  [{ 'content-range': `bytes 10-10/${file.length + 1}` }],
  [{ status: 416, 'content-range': 'bytes */5' }],
])('%o after the header means that the file has changed', async (change) => {
  const { fetch } = server((count) => (count === 0 ? {} : change));
  const { read } = await fetchRanges(URL_OF_FILE, { fetch });
  await expect(read([{ offset: 10, length: 1 }])).rejects.toMatchObject({
    code: 'changed',
    message: 'the file has changed: call fetchRanges again, and FilterReader.remote with the new header',
  });
});

test('a part that begins past the end of the file is not told as a change', async () => {
  const { fetch } = server((count) => (count === 0 ? {} : { status: 416 }));
  const { read } = await fetchRanges(URL_OF_FILE, { fetch });
  await expect(read([{ offset: file.length, length: 1 }])).rejects.toMatchObject({ code: 'not-the-range' });
});

test('other options are refused by name', async () => {
  const { fetch, asked } = server(() => ({}));
  await expect(fetchRanges(URL_OF_FILE, { fetch, sinal: 1 } as never)).rejects.toThrow(
    /^options must be a plain object with only signal and fetch, got sinal$/,
  );
  expect(asked).toEqual([]);
  const { read } = await fetchRanges(URL_OF_FILE, { fetch });
  await expect(read([], { fetch } as never)).rejects.toThrow(
    /^options must be a plain object with only signal, got fetch$/,
  );
});

test.each([
  ['has no Request', undefined],
  ['has one that knows no caches', Map],
])('an engine that %s is not given the option', async (_, Request) => {
  const before = globalThis.Request;
  globalThis.Request = Request as never;
  try {
    const { fetch, asked } = server(() => ({}));
    await fetchRanges(URL_OF_FILE, { fetch });
    expect(asked.map(({ init }) => 'cache' in init)).toEqual([false]);
  } finally {
    globalThis.Request = before;
  }
});
