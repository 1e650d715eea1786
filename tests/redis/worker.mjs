// A process of the fault test, which dies while it doubles a shard, or makes random adds, deletes and lookups, compared with the exact
// set of the keys that it knows to be in.
// Invariant: what the server did not answer is neither in nor out; all else must be found, at every moment.
import { Redis, Cluster } from 'ioredis';
import { createClient, createCluster, createSentinel } from 'redis';
import { fromIoRedis, fromNodeRedis, RedisBatchError, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { MASTER, pause, until } from './servers.mjs';

const HOST = '127.0.0.1';
const { ports, kind, options, seed, seconds, bySentinel, dies = false } = JSON.parse(process.argv[2]);

// It ends with the process that started it.
process.stdin.resume().on('end', () => process.exit(1));

/** What sends commands by a client of that kind. */
async function connect() {
  const nodes = ports.map((port) => ({ host: HOST, port }));
  if (kind === 'ioredis') {
    const client =
      ports.length > 1
        ? new Cluster(nodes, { slotsRefreshInterval: 1000, retryDelayOnFailover: 0 })
        : new Redis({
            ...(bySentinel ? { sentinels: nodes, name: MASTER } : nodes[0]),
            autoResendUnfulfilledCommands: false,
          });
    client.on('error', () => undefined);
    return fromIoRedis(client);
  }
  const client =
    ports.length > 1
      ? createCluster({ rootNodes: nodes.map((socket) => ({ socket })) })
      : bySentinel
        ? createSentinel({ name: MASTER, sentinelRootNodes: nodes })
        : createClient({ socket: nodes[0] });
  client.on('error', () => undefined);
  await client.connect();
  return fromNodeRedis(client);
}

let state = seed;
const below = (count) => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return Math.floor((state / 2 ** 32) * count);
};

const told = { acknowledged: 0, deleted: 0, lookups: 0, unanswered: 0, lost: 0 };
const sure = new Set();

/** The outcome of each key of `keys`, done or not, whatever breaks. */
async function attempt(keys, act) {
  try {
    await act(keys);
    return keys.map(() => 'done');
  } catch (error) {
    if (!(error instanceof RedisBatchError)) throw error;
    ++told.unanswered;
    await pause(20);
    return keys.map((_, i) => error.outcomes[i] ?? 'unknown');
  }
}

async function check(filter, keys) {
  const found = await filter.containsMany(keys);
  told.lookups += found.length;
  told.lost += found.filter((each) => each === 0).length;
}

async function run() {
  const filter = await RedisCuckooFilter.open({ send: await connect(), ...options });
  console.log('ready');
  let number = 0;
  for (const end = Date.now() + 1000 * seconds; Date.now() < end;) {
    const turn = below(10);
    if (turn < 5 && sure.size < 5000) {
      const keys = Array.from({ length: 1 + below(300) }, () => `${seed} ${++number}`);
      const outcomes = await attempt(keys, (all) => filter.addMany(all));
      keys.filter((_, i) => outcomes[i] === 'done').forEach((key) => sure.add(key));
      told.acknowledged += outcomes.filter((each) => each === 'done').length;
    } else if (turn < 8) {
      const keys = [...sure].slice(below(sure.size), below(sure.size) + 200).slice(0, 200);
      // Before the answer: a key whose delete is not answered may be out.
      keys.forEach((key) => sure.delete(key));
      const outcomes = await attempt(keys, (all) => filter.deleteMany(all));
      told.deleted += outcomes.filter((each) => each === 'done').length;
      told.lost += outcomes.filter((each) => each === 'nothing').length;
      // A refusal is definite: they are still in.
      keys.filter((_, i) => outcomes[i] === 'refused').forEach((key) => sure.add(key));
    }
    await check(filter, [...sure].slice(0, 1000)).catch(() => ++told.unanswered);
  }
  // Once the servers answer again.
  await until(() => check(filter, sure).then(() => true));
  console.log(`\n${JSON.stringify(told)}`);
  process.exit();
}

/** Adds keys until a shard must double, and dies before a piece of that. */
async function die() {
  const send = await connect();
  const dying = (command) =>
    command.includes('move') ? process.kill(process.pid, 'SIGKILL') : send(command);
  const filter = await RedisCuckooFilter.open({ send: dying, ...options });
  for (let i = 0; ; i += 100)
    await filter
      .addMany(Array.from({ length: 100 }, (_, k) => `dying ${process.pid} ${i + k}`))
      .catch(() => pause(20));
}

await (dies ? die() : run());
