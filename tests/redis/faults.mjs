// `npm run test:redis`: what becomes of a filter on a server when something fails, as a table. Processes with both clients add,
// delete and look up at random, against exact sets, while servers and processes are killed, masters change and shards move.
// `--short` takes a few seconds for each row, as in `npm test`; `--million=N` adds that many millions of keys in the last row;
// `--server=valkey` and `--server=redis-8` take another server than the system's, and fetch it if it is missing.
// Invariant: the exit code is 0 only if no key was lost, except where Redis may lose what it has acknowledged.
import { spawn } from 'node:child_process';
import { createClient } from 'redis';
import { fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { provideServer } from '../../scripts/bootstrap/redis-servers.mjs';
import { cli, MASTER, pause, startCluster, startSentinel, startServer, until } from './servers.mjs';

const isShort = process.argv.includes('--short');
const seconds = isShort ? 5 : 30;
const valueOf = (flag) => process.argv.find((word) => word.startsWith(`${flag}=`))?.slice(flag.length + 1);
const millions = Number(valueOf('--million') ?? (isShort ? 0 : 10));
const other = valueOf('--server');
if (other !== undefined) process.env.REDIS_SERVER = await provideServer(other);
const only = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const rows = [];
const DEAD = 'a master was killed, and its replica took over';

/**
 * Runs processes with both clients for some seconds, and `fault` again and again meanwhile; adds a row. There is room for 20 times
 * what the processes know to be in, because what was not answered may be in too, and stays.
 */
async function row(title, ports, fault, { shards = 1, capacity = 400_000, maxCapacity, bySentinel } = {}) {
  if (only.length > 0 && !only.some((word) => title.includes(word))) return;
  // What was acknowledged may be lost there, so processes go on knowingly.
  const acceptRollback = title === DEAD;
  const options = { name: title.replace(/\W+/g, '-'), capacity, maxCapacity, shards, acceptRollback };
  const workers = ['redis', 'ioredis', 'redis', 'ioredis'].map((kind, seed) =>
    worker({ ports, kind, seed: seed + 1, seconds, options, bySentinel }),
  );
  const sums = Promise.all(workers.map(({ told }) => told)).then((all) =>
    Object.fromEntries(
      Object.keys(all[0]).map((name) => [name, all.reduce((sum, each) => sum + each[name], 0)]),
    ),
  );
  let faults = 0;
  let isOver = false;
  void sums.finally(() => (isOver = true));
  await Promise.race([sums, Promise.all(workers.map(({ ready }) => ready))]);
  for (const end = Date.now() + 1000 * (seconds - 2); fault !== undefined && Date.now() < end && !isOver;) {
    await fault(options);
    ++faults;
    await pause(isShort ? 300 : 1000);
  }
  rows.push([title, fault === undefined ? '' : faults, ...Object.values(await sums)]);
  print(rows.at(-1));
}

/** A row for what makes all calls fail: whoever had the filter, or opens it as before, must not be told that its keys are absent. */
async function strange(title, fault, halfWay = () => undefined) {
  if (only.length > 0 && !only.some((word) => title.includes(word))) return;
  const client = await createClient({ socket: { host: '127.0.0.1', port: server.port } }).connect();
  const options = {
    send: fromNodeRedis(client),
    name: title.replace(/\W+/g, '-'),
    capacity: 20_000,
    shards: 4,
  };
  const keys = Array.from({ length: 10_000 }, (_, i) => `key ${i}`);
  const before = await RedisCuckooFilter.open(options);
  let added = await before.addMany(keys.slice(0, 5000));
  await halfWay(options.name);
  added += await before.addMany(keys.slice(5000));
  const made = await fault(options.name, options);
  let [lookups, unanswered, lost] = [0, 0, 0];
  // What a program keeps.
  const { identity, epochs } = before;
  const later =
    made ?? (await RedisCuckooFilter.open({ ...options, identity, epochs }).catch(() => undefined));
  // Who makes it again knows that it is empty.
  for (const filter of made === undefined && later !== undefined ? [before, later] : [before])
    for (let first = 0; first < keys.length; first += 100) {
      const found = await filter.containsMany(keys.slice(first, first + 100)).catch(() => undefined);
      lookups += 100;
      if (found === undefined) ++unanswered;
      else lost += found.filter((each) => each === 0).length;
    }
  client.destroy();
  rows.push([title, 1, added, 0, lookups, unanswered, lost]);
  print(rows.at(-1));
}

function worker(parameters) {
  const words = [new URL('worker.mjs', import.meta.url).pathname, JSON.stringify(parameters)];
  const child = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let out = '';
  const ready = new Promise((resolve) => child.stdout.once('data', resolve));
  child.stdout.on('data', (data) => (out += data));
  const told = new Promise((resolve, reject) => {
    const timer = setTimeout(() => child.kill('SIGKILL'), 1000 * seconds + 90_000);
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      const last = out.trim().split('\n').at(-1);
      if (!last.startsWith('{')) reject(new Error(`a process of the test ended with ${signal ?? code}`));
      else resolve(JSON.parse(last));
    });
  });
  return { ready, told, ended };
}

function print(cells) {
  console.log(
    `| ${cells.map((cell) => (typeof cell === 'number' ? cell.toLocaleString('en') : cell)).join(' | ')} |`,
  );
}

const server = await startServer({ isKept: true });
const info = cli(server.port, 'INFO', 'server');
const [, program, version] = /(valkey)_version:(\S+)/.exec(info) ?? /(redis)_version:(\S+)/.exec(info);
console.log(`${program} ${version}\n`);
print([
  'what failed',
  'times',
  'adds acknowledged',
  'deletes acknowledged',
  'lookups',
  'batches without an answer',
  'keys lost',
]);
print(Array(7).fill('---'));

await row('nothing', [server.port], undefined);
await row('the scripts were flushed', [server.port], () => cli(server.port, 'SCRIPT', 'FLUSH'));
const growing = { capacity: 1000, maxCapacity: 1_000_000, shards: 2 };
await row('nothing, and it grows', [server.port], undefined, growing);
await row(
  'a process was killed while it doubled a shard',
  [server.port],
  async (options) => {
    const { told, ended } = worker({
      ports: [server.port],
      kind: 'redis',
      seed: 0,
      seconds,
      options,
      dies: true,
    });
    void told.catch(() => undefined);
    await ended;
  },
  { ...growing, shards: 16 },
);
await row('all clients were disconnected', [server.port], () =>
  cli(server.port, 'CLIENT', 'KILL', 'TYPE', 'normal'),
);
await row(
  'the server was killed, and restarted from its append-only file',
  [server.port],
  async () => {
    await server.end('SIGKILL');
    await server.start();
  },
  growing,
);
await row('the memory was full', [server.port], async () => {
  cli(server.port, 'CONFIG', 'SET', 'maxmemory', '1');
  await pause(300);
  cli(server.port, 'CONFIG', 'SET', 'maxmemory', '0');
});
await strange('a shard was deleted, and processes opened the filter again', (name) =>
  cli(server.port, 'DEL', `${name}:2`),
);
await strange('the filter was deleted, and made again by another process', (name, options) => {
  cli(server.port, 'DEL', name, ...[1, 2, 3].map((i) => `${name}:${i}`));
  return RedisCuckooFilter.open(options);
});
await strange(
  'a shard was restored from an older backup',
  (name) => cli(server.port, 'COPY', 'older', `${name}:1`, 'REPLACE'),
  (name) => cli(server.port, 'COPY', `${name}:1`, 'older'),
);
await server.end();

const [first, second, sentinel] = await startSentinel();
await row(
  'a sentinel made the replica the master',
  [sentinel.port],
  async () => {
    const isMaster = ({ port }) => cli(port, 'ROLE').startsWith('master');
    const [master, replica] = isMaster(first) ? [first, second] : [second, first];
    // A sentinel does not prevent losses, so the master refuses changes meanwhile. If it made them wait (CLIENT PAUSE), the sentinel's
    // own messages would wait too, and behind them the command that makes it a replica.
    const least = (count) => cli(master.port, 'CONFIG', 'SET', 'min-replicas-to-write', count);
    least('2');
    await until(() => {
      const told = cli(master.port, 'INFO', 'replication');
      return /,offset=(\d+)/.exec(told)[1] === /master_repl_offset:(\d+)/.exec(told)[1];
    });
    await until(() => {
      if (isMaster(replica)) return cli(master.port, 'ROLE').includes('connected');
      // A sentinel may give up after 5 s, on a busy machine for example.
      cli(sentinel.port, 'SENTINEL', 'FAILOVER', MASTER);
      return false;
    });
    least('0');
  },
  { ...growing, bySentinel: true },
);
await Promise.all([sentinel, first, second].map((each) => each.end()));

const nodes = await startCluster();
const ports = nodes.map(({ port }) => port);
const masters = () => nodes.filter(({ port }) => cli(port, 'ROLE').startsWith('master'));
const isWhole = () => nodes.every(({ port }) => cli(port, 'CLUSTER', 'INFO').includes('cluster_state:ok'));
await row('nothing, in a cluster', ports, undefined, { shards: 8 });
await row(
  'a master handed over to its replica',
  ports,
  async () => {
    const replica = nodes.find(({ port }) => cli(port, 'ROLE').startsWith('slave'));
    const isMaster = () => cli(replica.port, 'ROLE').startsWith('master');
    // The server gives up after 5 s, as on a machine that is busy.
    for (let tick = 0; !isMaster(); ++tick, await pause(100))
      if (tick % 70 === 0) cli(replica.port, 'CLUSTER', 'FAILOVER');
    await until(isWhole);
  },
  { shards: 8 },
);
await row(
  'a shard moved to another node',
  ports,
  async ({ name }) => {
    const all = masters();
    const slot = cli(all[0].port, 'CLUSTER', 'KEYSLOT', name);
    const holder = () => all.find(({ port }) => Number(cli(port, 'CLUSTER', 'COUNTKEYSINSLOT', slot)) > 0);
    await until(() => holder() !== undefined);
    const from = holder();
    const to = all.find((each) => each !== from);
    const idOf = ({ port }) => cli(port, 'CLUSTER', 'MYID');
    cli(to.port, 'CLUSTER', 'SETSLOT', slot, 'IMPORTING', idOf(from));
    cli(from.port, 'CLUSTER', 'SETSLOT', slot, 'MIGRATING', idOf(to));
    await pause(100);
    for (;;) {
      const keys = cli(from.port, 'CLUSTER', 'GETKEYSINSLOT', slot, '100').split('\n').filter(Boolean);
      if (keys.length === 0) break;
      cli(from.port, 'MIGRATE', '127.0.0.1', String(to.port), '', '0', '5000', 'KEYS', ...keys);
    }
    for (const { port } of [to, from, ...all]) cli(port, 'CLUSTER', 'SETSLOT', slot, 'NODE', idOf(to));
    await until(isWhole);
  },
  { shards: 1 },
);
const oneOf = (all) => all[Math.floor(Math.random() * all.length)];
await row(
  'a master was killed, and restarted from its append-only file',
  ports,
  async () => {
    const master = oneOf(masters());
    await master.end('SIGKILL');
    await master.start();
    await until(isWhole);
  },
  { shards: 8 },
);
// What a master acknowledged and had not sent to its replica is lost with it, so this row is told and not demanded.
for (const { port } of nodes) cli(port, 'CONFIG', 'SET', 'cluster-node-timeout', '1500');
await row(
  DEAD,
  ports,
  async () => {
    // A replica that is not in step, as after the row before, would not take over.
    const isInStep = ({ port }) => /^master|\nconnected\n/.test(cli(port, 'ROLE'));
    await until(() => nodes.every(isInStep));
    const master = oneOf(masters());
    const others = nodes.filter((node) => node !== master);
    const count = others.filter(({ port }) => cli(port, 'ROLE').startsWith('master')).length;
    await master.end('SIGKILL');
    await until(() => others.filter(({ port }) => cli(port, 'ROLE').startsWith('master')).length > count);
    await master.start();
    await until(() => isWhole() && cli(master.port, 'ROLE').includes('connected'));
  },
  { shards: 8 },
);
await Promise.all(nodes.map((node) => node.end()));

if (millions > 0 && only.length === 0) await large(millions * 1e6);
process.exit(rows.every((cells) => cells.at(-1) === 0 || cells[0] === DEAD) ? 0 : 1);

/** Many keys: every one is found, and few others are. */
async function large(count) {
  const { port } = await startServer();
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const options = { send: fromNodeRedis(client), name: 'large', capacity: count, shards: 4 };
  const filter = await RedisCuckooFilter.open(options);
  let found = 0;
  let positives = 0;
  for (let first = 0; first < count; first += 100_000) {
    const keys = Array.from({ length: 100_000 }, (_, i) => `key number ${first + i}`);
    await filter.addMany(keys);
  }
  for (let first = 0; first < count; first += 100_000) {
    const keys = Array.from({ length: 100_000 }, (_, i) => `key number ${first + i}`);
    found += (await filter.containsMany(keys)).reduce((sum, each) => sum + each, 0);
    if (first < 1e6)
      positives += (await filter.containsMany(keys.map((key) => `no ${key}`))).reduce((a, b) => a + b, 0);
  }
  const { size, expectedFalsePositiveRate } = await filter.info();
  rows.push([`nothing, with ${count / 1e6} million keys`, '', size, 0, count, 0, count - found]);
  print(rows.at(-1));
  const measured = positives / Math.min(count, 1e6);
  console.log(`\nfalse positive rate with ${size} keys: ${measured}, ${expectedFalsePositiveRate} expected`);
}
