// The examples that ask a filter elsewhere, as they stand in js/examples: on a plain HTTP server, and in a file.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { TIME_LIMIT } from '../support/command';
import { close, listen } from '../support/local-server';

const ROOT = join(__dirname, '../../..');
const EXAMPLES = join(ROOT, 'js/examples');
const KEYS = Array.from({ length: 3000 }, (_, i) => `user-${i}`);
const ASKED = Array.from({ length: 60 }, (_, i) => `user-${i * 100}`);
const filter = CuckooFilter.from(KEYS);
const expected = ASKED.map((key) => filter.has(key));

let saved = filter.serialize();
let sent = 0;
let server: Server;
let address: string;

/** What Node prints for the text of a module, in another process, so that the server can answer. */
async function node(text: string): Promise<unknown> {
  const flags = ['--input-type=module', '--eval', text];
  const { stdout } = await promisify(execFile)(process.execPath, flags, { cwd: ROOT, ...TIME_LIMIT });
  return JSON.parse(stdout) as unknown;
}

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const etag = `"${createHash('sha256').update(saved).digest('hex')}"`;
    const isPart = first !== undefined && request.url !== '/whole';
    const part = isPart ? saved.subarray(Number(first), Number(last) + 1) : saved;
    sent += part.length;
    const range = { 'content-range': `bytes ${first}-${Number(first) + part.length - 1}/${saved.length}` };
    response.writeHead(isPart ? 206 : 200, { etag, 'content-length': part.length, ...(isPart && range) });
    response.end(part);
  });
  address = (await listen(server)).slice(0, -1);
});

afterAll(() => close(server));

const opened = (path: string): string => `
  import { openRemote } from '${EXAMPLES}/remote-http.mjs';
  const remote = await openRemote('${address}${path}');`;

test('a filter on a server is asked by ranges, with the answers of the filter', async () => {
  sent = 0;
  const asked = `${opened('/filter')}
    const answers = [];
    for (const key of ${JSON.stringify(ASKED)}) answers.push(await remote.has(key));
    console.log(JSON.stringify(answers));`;
  expect(await node(asked)).toEqual(expected);
  expect(sent).toBeLessThan(saved.length);
});

test('a server that ignores ranges, or has another filter by now, is an error', async () => {
  const refused = `import { openRemote } from '${EXAMPLES}/remote-http.mjs';
    await openRemote('${address}/whole').catch((error) => console.log(JSON.stringify(error.message)));`;
  expect(await node(refused)).toMatch(/got status 200\. The server must answer Range requests/);
  const before = saved;
  const changed = `${opened('/filter')}
    await fetch('${address}/change', { method: 'POST' });
    await remote.has('user-1').catch((error) => console.log(JSON.stringify(error.message)));`;
  server.once('request', () =>
    server.once('request', () => (saved = CuckooFilter.from(['other']).serialize())),
  );
  expect(await node(changed)).toMatch(/^the file has changed: call fetchRanges again/);
  saved = before;
});

test('a filter in a file is asked without loading it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-remote-'));
  const file = join(folder, 'filter');
  const other = join(folder, 'other');
  writeFileSync(file, filter.serialize());
  writeFileSync(other, 'no filter');
  const asked = `
    import { openFile } from '${EXAMPLES}/remote-file.mjs';
    const remote = await openFile('${file}');
    const answers = await Promise.all(${JSON.stringify(ASKED)}.map((key) => remote.has(key)));
    await remote.close();
    const code = await openFile('${other}').catch((error) => error.code);
    console.log(JSON.stringify([answers, code]));`;
  expect(await node(asked)).toEqual([expected, 'not-a-filter']);
  rmSync(folder, { recursive: true });
});
