// `npm run bench -- redis`: RedisCuckooFilter beside what Redis offers for "seen before?" on the same server, in one run: a set,
// one key per key, and the local filter. Keys have 30 characters, the filter errs once in a thousand, batches have 1,000 keys.
// `--keys=N` changes the number of keys.
// Invariant: contenders take turns, round by round, so that other work on the machine meets all of them.
import { Redis } from 'ioredis';
import { createClient } from 'redis';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { fromIoRedis, fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { cli, startServer } from '../redis/servers.mjs';
import { keep, median, printMachine } from './timing.mjs';

const count = Number(process.argv.find((word) => word.startsWith('--keys='))?.slice(7) ?? 50_000);
const BATCH = 1000;
/** Batches that wait for an answer at once. */
const WAITING = 8;
const ROUNDS = 5;

const { port } = await startServer();
const socket = { host: '127.0.0.1', port };
const clients = {
  redis: await createClient({ socket }).connect(),
  ioredis: new Redis({ ...socket, enableAutoPipelining: true }),
};
const sends = { redis: fromNodeRedis(clients.redis), ioredis: fromIoRedis(clients.ioredis) };
const keys = Array.from({ length: count }, (_, i) =>
  `${i}`.padStart(12, 'user:00000000').padEnd(30, ':abcdefghijklmnopq'),
);
const batches = Array.from({ length: Math.ceil(count / BATCH) }, (_, i) =>
  keys.slice(BATCH * i, BATCH * (i + 1)),
);

printMachine('none');
console.log(
  `Redis ${/redis_version:(.*)/.exec(cli(port, 'INFO', 'server'))[1].trim()}, ${count} keys, ${BATCH} in a batch\n`,
);

/** Microseconds per key of `run` for all batches, some of them at once. */
async function timed(run, some = batches) {
  const begin = performance.now();
  const waiting = new Set();
  for (const batch of some) {
    const done = run(batch).then(() => waiting.delete(done));
    waiting.add(done);
    if (waiting.size === WAITING) await Promise.race(waiting);
  }
  await Promise.all(waiting);
  return (1000 * (performance.now() - begin)) / some.flat().length;
}

/** Microseconds per key that the server worked in commands of these names since the counts were reset. */
function serverTime(...names) {
  const stats = cli(port, 'INFO', 'commandstats');
  const sum = names.reduce(
    (all, name) => all + Number(new RegExp(`cmdstat_${name}:.*?usec=(\\d+)`).exec(stats)?.[1] ?? 0),
    0,
  );
  return sum / count;
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

for (const [name, client] of Object.entries(clients)) {
  const filter = await RedisCuckooFilter.open({ send: sends[name], name: `filter ${name}`, capacity: count });
  const call =
    name === 'redis' ? (words) => client.sendCommand(words) : ([word, ...rest]) => client.call(word, ...rest);
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
        commands: ['bitfield_ro', 'evalsha'],
      },
      { name: 'its replica', run: () => timed(async (batch) => replica.containsMany(batch)) },
      { name: 'CuckooFilter, local', run: () => timed(async (batch) => local.containsMany(batch)) },
    ],
    1,
  );
  const memory = (key) => Number(cli(port, 'MEMORY', 'USAGE', key, 'SAMPLES', '0'));
  const [set, own] = [memory('set'), memory(`filter ${name}`)];
  const { byteLength } = await filter.info();
  const told = (bytes) => `${(bytes / count).toFixed(2)} bytes per key`;
  console.log(
    `memory: the set ${told(set)}, the filter ${told(own)} (1/${(set / own).toFixed(1)}; asked 1/50), its string ${told(byteLength)} (1/${(set / byteLength).toFixed(1)})`,
  );
  const used = () => Number(/used_memory:(\d+)/.exec(cli(port, 'INFO', 'memory'))[1]);
  const perKey = async (some, remove) => {
    const before = used();
    await remove(some);
    return `${((used() - before) / some.length).toFixed(1)} bytes`;
  };
  const single = await perKey(keys.slice(0, 5000), (some) =>
    Promise.all(some.map((key) => filter.delete(key))),
  );
  const batch = await perKey(keys.slice(5000, 10_000), (some) => filter.deleteMany(some));
  console.log(`answers to deletes: ${single} per delete, ${batch} per key of deleteMany\n`);
}
process.exit();
