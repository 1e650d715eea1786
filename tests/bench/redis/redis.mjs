// `npm run bench -- redis`: RedisCuckooFilter beside what Redis offers for "seen before?" on the same server, in one run: a set,
// one key per key, and the local filter; then lookups and memory with LARGE keys. Keys have 30 characters, the filter errs once in a
// thousand, batches have 1,000 keys. `--keys=N` changes the number of keys.
// `--fill=N` changes how many keys four writers fill a filter with in the last part (redis-load.mjs), 10 million otherwise; 0 leaves it
// out; `--load` runs that and the costs per key alone; `--memory`, what strings take by their size. `--module=PATH` has RedisBloom beside these, whose module is the file PATH.
// With `--load`, `--keys` is at least 50,000.
// Invariant: contenders take turns, round by round, so that other work on the machine meets all of them.
import { existsSync } from 'node:fs';

import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { cli, pause, startServer } from '../../redis/servers.mjs';
import { fail, keep, median, printMachine } from '../timing.mjs';
import { sortedOrPlain } from './redis-memory.mjs';
import { loneAdds, perKey, ratios, underLoad } from './redis-load.mjs';

const given = process.argv.find((word) => word.startsWith('--keys='))?.slice(7);
const count = Number(given ?? 50_000);
const BATCH = 1000;
const LARGE = 1_000_000;
/** Batches that wait for an answer at once. */
const WAITING = 8;
const ROUNDS = 5;

const fill = Number(process.argv.find((word) => word.startsWith('--fill='))?.slice(7) ?? 10_000_000);
const module = process.argv.find((word) => word.startsWith('--module='))?.slice(9);
if (module !== undefined && !existsSync(module)) fail(`--module: there is no file ${module}`);
if (process.argv.includes('--load')) {
  printMachine('none');
  await load();
  process.exit();
}
if (process.argv.includes('--memory')) {
  await strings();
  process.exit();
}

const { port } = await startServer();
const socket = { host: '127.0.0.1', port };
const clients = {
  redis: await createClient({ socket }).connect(),
  ioredis: new Redis({ ...socket, enableAutoPipelining: true, autoResendUnfulfilledCommands: false }),
};
const sends = { redis: fromNodeRedis(clients.redis), ioredis: fromIoRedis(clients.ioredis) };
const keysTo = (length) =>
  Array.from({ length }, (_, i) => `${i}`.padStart(12, 'user:00000000').padEnd(30, ':abcdefghijklmnopq'));
const batchesOf = (all) =>
  Array.from({ length: Math.ceil(all.length / BATCH) }, (_, i) => all.slice(BATCH * i, BATCH * (i + 1)));
const keys = keysTo(count);
const batches = batchesOf(keys);

printMachine('none');
console.log(
  `Redis ${/redis_version:(.*)/.exec(cli(port, 'INFO', 'server'))[1].trim()}, ${count} keys, ${BATCH} in a batch\n`,
);

/** Microseconds per key of `run` for all batches, `most` of them at once. */
async function timed(run, some = batches, most = WAITING) {
  const begin = performance.now();
  const waiting = new Set();
  for (const batch of some) {
    const done = run(batch).then(() => waiting.delete(done));
    waiting.add(done);
    if (waiting.size === most) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  return (1000 * (performance.now() - begin)) / some.flat().length;
}

/** Keys of a round. */
let perRound = count;

/** Microseconds per key that the server worked in commands of these names since the counts were reset. */
function serverTime(...names) {
  const stats = cli(port, 'INFO', 'commandstats');
  const sum = names.reduce(
    (all, name) => all + Number(new RegExp(`cmdstat_${name}:.*?usec=(\\d+)`).exec(stats)?.[1] ?? 0),
    0,
  );
  return sum / perRound;
}

/** Rounds of contenders, of which the first is the reference; `reset` runs before each, not measured. */
async function compare(title, contenders, asked) {
  const times = contenders.map(() => []);
  const onServer = contenders.map(() => []);
  for (let round = 0; round <= ROUNDS; ++round)
    for (const [i, { run, reset, commands }] of contenders.entries()) {
      await reset?.();
      cli(port, 'CONFIG', 'RESETSTAT');
      const time = await run();
      if (round === 0) continue;
      times[i].push(time);
      onServer[i].push(commands ? serverTime(...commands) : NaN);
    }
  console.log(`${title}: µs per key (median, least), of which on the server; speed beside the first`);
  contenders.forEach(({ name }, i) => {
    const ratio = median(times[i].map((time, round) => times[0][round] / time));
    const goal =
      i === 1 && asked !== undefined ? `  asked ${asked}: ${ratio >= asked ? 'reached' : 'not reached'}` : '';
    const [middle, least, server] = [median(times[i]), Math.min(...times[i]), median(onServer[i])];
    console.log(
      `  ${name.padEnd(48)}${middle.toFixed(2).padStart(7)}${least.toFixed(2).padStart(7)}${server.toFixed(2).padStart(7)}  x ${ratio.toFixed(2)}${goal}`,
    );
    keep({ title, label: name, reference: contenders[0].name, times: times[i], ratio });
  });
  console.log();
}

const callOf = (name) => {
  const client = clients[name];
  if (name === 'redis') return (words) => client.sendCommand(words);
  return ([word, ...rest]) => client.call(word, ...rest);
};
const READS = ['bitfield'];

for (const name of Object.keys(clients)) {
  const filter = await RedisCuckooFilter.open({ send: sends[name], name: `filter ${name}`, capacity: count });
  const call = callOf(name);
  const local = CuckooFilter.from(keys);
  await compare(
    `${name}, adds`,
    [
      {
        name: 'pipelined SADD, one key in each',
        reset: () => call(['DEL', 'set']),
        run: () => timed((batch) => Promise.all(batch.map((key) => call(['SADD', 'set', key])))),
        commands: ['sadd'],
      },
      {
        name: 'RedisCuckooFilter.addMany',
        reset: () => filter.reset(),
        run: () => timed((batch) => filter.addMany(batch)),
        commands: ['evalsha'],
      },
      {
        name: 'SADD, 1,000 keys in each',
        reset: () => call(['DEL', 'set']),
        run: () => timed((batch) => call(['SADD', 'set', ...batch])),
        commands: ['sadd'],
      },
      {
        name: 'SET NX EX, pipelined',
        run: () =>
          timed((batch) => Promise.all(batch.map((key) => call(['SET', key, '', 'NX', 'EX', '1000'])))),
        commands: ['set'],
      },
    ],
    0.5,
  );
  const replica = await filter.replica({ refreshMs: 0 });
  await compare(
    `${name}, lookups`,
    [
      {
        name: 'SMISMEMBER',
        run: () => timed((batch) => call(['SMISMEMBER', 'set', ...batch])),
        commands: ['smismember'],
      },
      {
        name: 'RedisCuckooFilter.containsMany',
        run: () => timed((batch) => filter.containsMany(batch)),
        commands: READS,
      },
      { name: 'its replica', run: () => timed(async (batch) => replica.containsMany(batch)) },
      { name: 'CuckooFilter, local', run: () => timed(async (batch) => local.containsMany(batch)) },
    ],
    1,
  );
}
await lookupsInLarge();
await memory();
await load();
process.exit();

async function load() {
  await ratios(Number(given ?? LARGE / 4));
  await perKey(Number(given ?? LARGE), module);
  await loneAdds(Number(given ?? LARGE) / 10);
  if (fill > 0) await underLoad(fill, module);
}

/** Batches out of LARGE keys, some at once and one by one. */
async function lookupsInLarge() {
  const all = batchesOf(keysTo(LARGE));
  const some = all.filter((_, i) => i % Math.ceil(all.length / 50) === 0);
  perRound = some.flat().length;
  for (const batch of all) await callOf('redis')(['SADD', 'large set', ...batch]);
  for (const name of Object.keys(clients)) {
    const filter = await filled(sends[name], `large ${name}`, all.flat());
    for (const most of [WAITING, 1])
      await compare(
        `${name}, lookups in ${LARGE} keys, ${most} at once`,
        [
          {
            name: 'SMISMEMBER',
            run: () => timed((batch) => callOf(name)(['SMISMEMBER', 'large set', ...batch]), some, most),
            commands: ['smismember'],
          },
          {
            name: 'RedisCuckooFilter.containsMany',
            run: () => timed((batch) => filter.containsMany(batch), some, most),
            commands: READS,
          },
        ],
        1,
      );
  }
}

/** A filter with these keys, which it gets at once. */
async function filled(send, name, all) {
  const filter = await RedisCuckooFilter.open({ send, name, capacity: all.length });
  const local = new CuckooFilter((await filter.info()).options);
  local.addMany(all);
  await filter.publish(local);
  local.dispose();
  return filter;
}

/** What a set and a filter take, each on a server of its own: by the server's count, and of the machine's memory. */
async function memory() {
  console.log('memory: bytes per key of a set, of the filter, and their ratio (asked: 1/50)');
  const measures = {
    'MEMORY USAGE of the key': (port) => Number(cli(port, 'MEMORY', 'USAGE', 'it', 'SAMPLES', '0')),
    'growth of used_memory': (port) => infoOf(port, 'used_memory'),
    'growth of used_memory_rss': (port) => infoOf(port, 'used_memory_rss'),
  };
  for (const number of [LARGE / 2, LARGE]) {
    const set = await grown(measures, async (send) => {
      for (const batch of batchesOf(keysTo(number))) await send(['SADD', 'it', ...batch]);
    });
    // Its string is as long when it is empty.
    const filter = await grown(measures, (send) =>
      RedisCuckooFilter.open({ send, name: 'it', capacity: number }),
    );
    Object.keys(measures).forEach((name, i) => {
      const [one, other] = [set[i] / number, filter[i] / number];
      console.log(
        `  ${number} keys, ${name.padEnd(27)}${one.toFixed(1).padStart(6)}${other.toFixed(2).padStart(7)}  1/${(one / other).toFixed(1)}`,
      );
    });
  }
}

/** What strings take, with sorted buckets and without. */
async function strings() {
  const server = await startServer();
  const client = await createClient({ socket: { host: '127.0.0.1', port: server.port } }).connect();
  await sortedOrPlain(fromNodeRedis(client), async (bytes) => {
    await client.setRange('string', bytes - 1, ' ');
    const told = await client.sendCommand(['MEMORY', 'USAGE', 'string']);
    await client.del('string');
    return told;
  });
  client.destroy();
  await server.end();
}

function infoOf(port, field) {
  return Number(new RegExp(`${field}:(\\d+)`).exec(cli(port, 'INFO', 'memory'))[1]);
}

/** By how much `fill` makes each measure grow on a new server, without what is kept for the client. */
async function grown(measures, fill) {
  const server = await startServer();
  const all = () => Object.values(measures).map((measure) => measure(server.port));
  const work = async (act) => {
    const client = await createClient({ socket: { ...socket, port: server.port } }).connect();
    await act(fromNodeRedis(client));
    client.destroy();
    await pause(1000);
    return all();
  };
  // The program is there before, once for all filters.
  const before = await work((send) => RedisCuckooFilter.open({ send, name: 'other', capacity: 1 }));
  const after = await work(fill);
  await server.end();
  return after.map((bytes, i) => bytes - before[i]);
}
