// A web server for a folder on this machine alone: for measurements and for tests in browsers.
// Invariant: it serves the files of the folder, compressed as a web server would, and nothing outside it.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const TYPES = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The file that a request asks for, as `[headers, body]`; null if there is none. */
export function fileFor(folder, url) {
  const path = normalize(new URL(url, 'http://localhost').pathname);
  try {
    const body = readFileSync(join(folder, path === '/' ? 'index.html' : path));
    const type = `${TYPES[extname(path)] ?? 'text/html'}; charset=utf-8`;
    return [{ 'content-type': type, 'content-encoding': 'gzip' }, gzipSync(body, { level: 9 })];
  } catch {
    return null;
  }
}

/** Listens on a free port; `answer` may handle a request itself, and then says true. */
export async function serve(folder, answer = () => false) {
  const server = createServer((request, response) => {
    if (answer(request, response)) return;
    const found = fileFor(folder, request.url);
    if (found === null) response.writeHead(404).end();
    else response.writeHead(200, found[0]).end(found[1]);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, address: `http://127.0.0.1:${server.address().port}/` };
}
