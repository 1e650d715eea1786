// Several processes that share one filter: two workers register users, and a web server answers "is this name taken?", asking
// the database only if the filter says "perhaps". Run it with `node js/examples/seen-server.mjs`; it needs `npm install redis`, and a
// Redis server: REDIS_URL names one, otherwise it starts `redis-server`. With `--check` it asks itself some names, and ends.
// The order keeps every answer right: a name is added to the filter before the database has it.
import { fork, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';

import { createClient } from 'redis';
import { fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';

const FILE = fileURLToPath(import.meta.url);
const NAMES_EACH = 2000;
const TABLE = 'users'; // a hash of the same server stands for the database

/** The filter and the database, as every process opens them. */
async function open(url) {
  const client = createClient({ url });
  client.on('error', (error) => console.error(`redis: ${error.message}`)); // it connects again by itself
  await client.connect();
  const options = { send: fromNodeRedis(client), name: 'taken names', capacity: 100_000 };
  return { client, filter: await RedisCuckooFilter.open(options) };
}

/** Registers users. A worker that fails in between may leave a name in the filter only, which costs one query later. */
async function work(url, worker) {
  const { client, filter } = await open(url);
  for (let i = 0; i < NAMES_EACH; i += 100) {
    const names = Array.from({ length: 100 }, (_, k) => `user-${worker}-${i + k}`);
    await filter.addMany(names);
    await client.hSet(TABLE, Object.fromEntries(names.map((name) => [name, 'registered'])));
  }
  await client.close();
}

/** Answers `GET /taken/NAME`. While Redis does not answer, it asks the database, as if there were no filter. */
async function serve(url) {
  const { client, filter } = await open(url);
  const counts = { requests: 0, queries: 0 };
  const server = createServer(async (request, response) => {
    const name = decodeURIComponent(request.url.replace('/taken/', ''));
    ++counts.requests;
    try {
      let isTaken = await filter.contains(name).catch(() => true);
      if (isTaken) {
        ++counts.queries;
        isTaken = (await client.hExists(TABLE, name)) === 1;
      }
      response.end(JSON.stringify({ name, isTaken }));
    } catch {
      response.writeHead(503).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, client, counts, address: `http://127.0.0.1:${server.address().port}` };
}

/** A server of one's own at a port that is given; it ends with this process. */
async function startRedis(port) {
  const words = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--dir',
    process.env.TMPDIR ?? '/tmp',
  ];
  const child = spawn('redis-server', words, { stdio: 'ignore' });
  process.once('exit', () => child.kill());
  return `redis://127.0.0.1:${port}`;
}

async function main() {
  const url = process.env.REDIS_URL ?? (await startRedis(20_000 + Math.floor(Math.random() * 10_000)));
  const { server, client, counts, address } = await serve(url);
  const workers = [1, 2].map((worker) => fork(FILE, ['--worker', String(worker), url]));
  await Promise.all(workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve))));
  console.log(`two workers have registered ${2 * NAMES_EACH} users; ask ${address}/taken/user-1-7`);
  if (!process.argv.includes('--check')) return;
  const ask = async (name) => (await (await fetch(`${address}/taken/${name}`)).json()).isTaken;
  let taken = 0;
  for (let i = 0; i < 500; ++i) taken += Number(await ask(`user-2-${i}`)) + Number(await ask(`nobody-${i}`));
  console.log(`${counts.requests} requests, ${taken} names taken, ${counts.queries} queries to the database`);
  server.closeAllConnections();
  server.close();
  await client.close();
  process.exit();
}

const [, , role, worker, url] = process.argv;
await (role === '--worker' ? work(url, worker) : main());
