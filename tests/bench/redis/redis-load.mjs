// The parts of the Redis bench that measure the server alone: microseconds of its processor per key and per call, by how full a
// filter is, and bytes of the append-only file; and what others wait for while four writers fill a filter through every doubling.
// Invariant: processor time is that of the server's main thread (INFO cpu), with all that its commands cost; the servers are new.
import { setPriority } from 'node:os';
import { Worker, isMainThread, parentPort, workerData } from 'node:worker_threads';
import { createClient } from 'redis';
import { fromNodeRedis, RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { cli, startServer } from '../../redis/servers.mjs';

const BATCH = 1000;
/** Microseconds that a call of the program may take, by default. */
const MOST = 2000;
const keysFrom = (first, count) =>
  Array.from({ length: count }, (_, i) => `user:${first + i}`.padEnd(30, ':abcdefghijklmnopqrst'));

/** Microseconds that the server's main thread has worked. */
function processor(port) {
  const cpu = cli(port, 'INFO', 'cpu');
  const of = (kind) => Number(new RegExp(`used_cpu_${kind}_main_thread:([\\d.]+)`).exec(cpu)[1]);
  return 1e6 * (of('user') + of('sys'));
}

/** Calls of the program, and microseconds of each, since the counts were reset; that is by the clock, with what interrupted it. */
function calls(port) {
  const found = /cmdstat_evalsha:calls=(\d+),usec=\d+,usec_per_call=([\d.]+)/.exec(
    cli(port, 'INFO', 'commandstats'),
  );
  return found === null ? [0, 0] : [Number(found[1]), Number(found[2])];
}

/** How many calls of any kind took longer than they may, and the longest; by the clock. */
async function longCalls(client) {
  const milliseconds = (await client.sendCommand(['SLOWLOG', 'GET', '-1'])).map(
    ([, , micros]) => micros / 1000,
  );
  const over = (limit) => milliseconds.filter((each) => each > limit).length;
  const longest = Math.max(0, ...milliseconds).toFixed(2);
  return `${over(MOST / 1000)} over ${MOST / 1000} ms, ${over(3)} over 3 ms, the longest ${longest} ms`;
}

/** Gives a thread priority over all others, as if it had its own processor. Does nothing if the user may not do that. */
function goFirst(thread) {
  try {
    setPriority(thread, -20);
  } catch {
    console.log('  the server shares its processor with the writers: only root may give it priority');
  }
}

/** A server; with the module of RedisBloom if its path is given. */
function serverWith(module, options) {
  const words = module === undefined ? [] : ['--loadmodule', module];
  return startServer({ ...options, words: [...words, ...(options.words ?? [])] });
}

/**
 * Adds and lookups beside a set and, where its module is given, RedisBloom, from nearly empty to full; then bytes that an add leaves in
 * the append-only file.
 */
export async function perKey(count, module) {
  const server = await serverWith(module, { isKept: true, words: ['--appendfsync', 'no'] });
  const { port } = server;
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const filter = await RedisCuckooFilter.open({ send: fromNodeRedis(client), name: 'seen', capacity: count });
  const taken = async (act) => {
    const before = processor(port);
    for (let turn = 0; turn < 10; ++turn) await act(turn);
    return ((processor(port) - before) / 10 / BATCH).toFixed(2);
  };
  console.log(`${count} keys, ${BATCH} in a batch, one batch at a time: µs of the server per key (INFO cpu)`);
  if (module !== undefined) await client.sendCommand(['CF.RESERVE', 'bloom', String(count)]);
  const beside = module === undefined ? '' : '  CF.INSERT  CF.MEXISTS';
  console.log(
    `  share of capacity     add    SADD     ask  SMISMEMBER${beside}   calls of 10 batches, µs of each by the clock`,
  );
  let added = 0;
  const last = 1 - (10 * BATCH) / count;
  for (const share of [...[0.01, 0.5, 0.8, 0.9, 0.95].filter((each) => each < last), last]) {
    for (; added < share * count; added += BATCH) {
      const keys = keysFrom(added, BATCH);
      await filter.addMany(keys);
      if (module !== undefined) await client.sendCommand(['CF.INSERT', 'bloom', 'ITEMS', ...keys]);
    }
    cli(port, 'CONFIG', 'RESETSTAT');
    const first = added;
    const add = await taken((turn) => filter.addMany(keysFrom(first + BATCH * turn, BATCH)));
    const [number, each] = calls(port);
    const sadd = await taken((turn) =>
      client.sendCommand(['SADD', 'set', ...keysFrom(first + BATCH * turn, BATCH)]),
    );
    added += 10 * BATCH;
    const some = () => keysFrom(first + Math.floor(Math.random() * 9 * BATCH), BATCH);
    const ask = await taken(() => filter.containsMany(some()));
    const smismember = await taken(() => client.sendCommand(['SMISMEMBER', 'set', ...some()]));
    const cells = [add, sadd, ask, smismember.padStart(12)].map((cell) => cell.padStart(8));
    if (module !== undefined) {
      const insert = (turn) =>
        client.sendCommand(['CF.INSERT', 'bloom', 'ITEMS', ...keysFrom(first + BATCH * turn, BATCH)]);
      cells.push((await taken(insert)).padStart(11));
      cells.push((await taken(() => client.sendCommand(['CF.MEXISTS', 'bloom', ...some()]))).padStart(12));
    }
    console.log(`  ${share.toFixed(3).padEnd(17)}${cells.join('')}   ${number} of ${each}`);
  }
  const log = () => Number(/aof_current_size:(\d+)/.exec(cli(port, 'INFO', 'persistence'))[1]);
  const bytes = async (act, keys) => {
    const before = log();
    await act();
    return ((log() - before) / keys).toFixed(0);
  };
  const small = await RedisCuckooFilter.open({
    send: fromNodeRedis(client),
    name: 'small',
    capacity: 100_000,
  });
  const single = await bytes(async () => {
    for (const key of keysFrom(0, 1000)) await small.add(key);
  }, 1000);
  const atOnce = await bytes(() => Promise.all(keysFrom(20_000, 1000).map((key) => small.add(key))), 1000);
  const batch = await bytes(() => small.addMany(keysFrom(1000, 10_000)), 10_000);
  const deleted = await bytes(async () => {
    for (const key of keysFrom(0, 1000)) await small.delete(key);
  }, 1000);
  const set = await bytes(() => client.sendCommand(['SADD', 'other', ...keysFrom(0, 1000)]), 1000);
  console.log(
    `append-only file: ${single} bytes per add, ${atOnce} where 1,000 are called at once, ${batch} per key of addMany, ${deleted} per delete; SADD ${set}\n`,
  );
  client.destroy();
  await server.end();
}

/**
 * What calls take the server, as multiples of the same for a set on the same server, in one run: batches by thirds of how full the
 * filter is, in units of a batch of SADD that fills a set from its first key; and calls of one key each, one at a time.
 */
export async function ratios(count) {
  const server = await startServer({
    words: ['--slowlog-log-slower-than', '200', '--slowlog-max-len', '100000'],
  });
  const { port } = server;
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const send = fromNodeRedis(client);
  const filter = await RedisCuckooFilter.open({ send, name: 'seen', capacity: count });
  const third = BATCH * Math.floor(count / 3 / BATCH);
  /** Microseconds of the server for each of `number` keys. */
  const taken = async (number, act) => {
    const before = processor(port);
    await act();
    return (processor(port) - before) / number;
  };
  const batches = (first, act) =>
    taken(third, async () => {
      for (let at = first; at < first + third; at += BATCH) await act(keysFrom(at, BATCH));
    });
  const thirds = async (act) => [
    await batches(0, act),
    await batches(third, act),
    await batches(2 * third, act),
  ];
  const mean = (times) => times.reduce((sum, time) => sum + time, 0) / times.length;
  const sadd = mean(await thirds((keys) => client.sendCommand(['SADD', 'set', ...keys])));
  const adds = await thirds((keys) => filter.addMany(keys));
  const asked = mean(await thirds((keys) => filter.containsMany(keys)));
  const members = mean(await thirds((keys) => client.sendCommand(['SMISMEMBER', 'set', ...keys])));
  const deletes = mean(await thirds((keys) => filter.deleteMany(keys)));
  // Calls of one key, which take turns with those of a set.
  const small = await RedisCuckooFilter.open({ send, name: 'small', capacity: 10_000 });
  const lone = { add: [], SADD: [], contains: [], SISMEMBER: [], refused: [] };
  const each = async (name, keys, act) =>
    lone[name].push(
      await taken(keys.length, async () => {
        for (const key of keys) await act(key);
      }),
    );
  for (let round = 0; round < 10; ++round) {
    const keys = keysFrom(BATCH * round, BATCH / 2);
    await each('SADD', keys, (key) => client.sendCommand(['SADD', 'other', key]));
    await each('add', keys, (key) => small.add(key));
    await each('SISMEMBER', keys, (key) => client.sendCommand(['SISMEMBER', 'other', key]));
    await each('contains', keys, (key) => small.contains(key));
  }
  for (let first = 10 * BATCH, isFull = false; !isFull; first += BATCH)
    isFull = await small.addMany(keysFrom(first, BATCH)).then(
      () => false,
      ({ added }) => added < BATCH / 10,
    );
  for (let round = 10; round < 15; ++round)
    await each('refused', keysFrom(1e6 + BATCH * round, BATCH / 5), (key) =>
      small.add(key).catch(() => undefined),
    );
  const replica = await filter.replica({ refreshMs: 0 });
  await filter.publish(replica);
  replica.dispose();
  const longest = {};
  for (const [, , micros, [name, , keys, ...words]] of await client.sendCommand(['SLOWLOG', 'GET', '-1']))
    if (name === 'EVALSHA') {
      const action = words[Number(keys)];
      longest[action] = Math.max(longest[action] ?? 0, micros);
    }
  const least = (name) => Math.min(...lone[name]);
  const rows = [
    ['addMany, the first third of the capacity', adds[0], sadd, 3.5],
    ['addMany, the second third', adds[1], sadd, 5.5],
    ['addMany, the last third', adds[2], sadd, 11],
    ['deleteMany', deletes, sadd, 5],
    ['containsMany, beside SMISMEMBER', asked, members],
    ['a lone add', least('add'), least('SADD'), 2.3],
    ['a lone add that is refused, because the filter is full', least('refused'), least('SADD'), 10],
    ['a lone contains, beside SISMEMBER', least('contains'), least('SISMEMBER'), 1.2],
  ];
  console.log(`${3 * third} keys: µs of the server per key, and as a multiple of SADD`);
  for (const [name, time, other, goal] of rows)
    console.log(
      `  ${name.padEnd(56)}${time.toFixed(2).padStart(7)}  x ${(time / other).toFixed(1).padEnd(6)}${goal ? `asked: ${goal}` : ''}`,
    );
  const all = Object.entries(longest).map(([action, micros]) => `${action} ${(micros / 1000).toFixed(2)} ms`);
  console.log(`  the longest scripts by the clock, with what interrupted them: ${all.join(', ')}\n`);
  client.destroy();
  await server.end();
}

/**
 * What a lone add costs the server, beside a lone SADD, an empty script, and a script that makes the same calls of the server. Many
 * are sent at once, so that the network hardly counts. Contenders take turns, and each has its least time of all rounds.
 */
export async function loneAdds(count) {
  const server = await startServer({ isKept: true, words: ['--appendfsync', 'no'] });
  const { port } = server;
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const given = fromNodeRedis(client);
  const options = { name: 'lone', capacity: count };
  const filter = await RedisCuckooFilter.open({ send: given, ...options });
  await filter.addMany(keysFrom(0, count / 4));
  // The commands of lone adds, as they are sent.
  const adds = [];
  const send = (command, asking) => {
    if (!command.includes('change')) return given(command, asking);
    adds.push(command);
    return Promise.resolve(`0.${filter.epochs[0] + adds.length}`);
  };
  const recorder = await RedisCuckooFilter.open({ send, ...options });
  const rounds = 10;
  const perRound = 500;
  for (const key of keysFrom(count, rounds * perRound)) await recorder.add(key);
  const length = await client.strLen('lone');
  await client.setRange('same', length - 1, ' ');
  const calls = `local c, k, at = redis.call, KEYS[1], 72 + ARGV[3]:byte() * 6
    c('GETRANGE', k, 0, 71) c('GETRANGE', k, ${length - 32}, ${length}) c('GETRANGE', k, at, at + 5)
    c('SETRANGE', k, at, 'abcdef') c('SETRANGE', k, ${length - 32}, 'abcdefabcdef') return 1`;
  const scripted = async (text) => {
    const sha1 = await client.scriptLoad(text);
    return (i) => ['EVALSHA', sha1, '1', 'same', ...adds[i].slice(4)];
  };
  const contenders = {
    SADD: (i) => ['SADD', 'set', ...keysFrom(i, 1)],
    'an empty script': await scripted('return 1'),
    'a script with the same calls': await scripted(calls),
    add: (i) => adds[i],
  };
  const least = {};
  for (let round = 0; round < rounds; ++round)
    for (const [name, command] of Object.entries(contenders)) {
      const before = processor(port);
      const all = Array.from({ length: perRound }, (_, i) =>
        client.sendCommand(command(perRound * round + i)),
      );
      await Promise.all(all);
      least[name] = Math.min(least[name] ?? Infinity, (processor(port) - before) / perRound);
    }
  console.log('one key in a command, many commands at once: µs of the server each, and beside SADD');
  for (const [name, time] of Object.entries(least))
    console.log(`  ${name.padEnd(30)}${time.toFixed(2).padStart(7)}  x ${(time / least.SADD).toFixed(1)}`);
  console.log();
  client.destroy();
  await server.end();
}

/** What writers fill, by its name in the table: opens it, and gives what adds a batch. */
const FILLED = {
  'a filter': async (client, options) => {
    const filter = await RedisCuckooFilter.open({ send: fromNodeRedis(client), ...options });
    return (keys) => filter.addMany(keys);
  },
  'a set': async (client) => (keys) => client.sendCommand(['SADD', 'set', ...keys]),
  RedisBloom: async (client) => (keys) => client.sendCommand(['CF.INSERT', 'bloom', 'ITEMS', ...keys]),
};

/**
 * Four writers fill a filter with `count` keys, through every doubling, while a client pings: what pings and batches wait for, and how
 * long the whole takes; and the same of what else the server offers.
 */
export async function underLoad(count, module) {
  const options = { name: 'filled', capacity: Math.ceil(count / 64), maxCapacity: count };
  goFirst(0);
  for (const [name, kept] of [
    ['a filter', false],
    ['a filter', true],
    ['a set', true],
    ...(module === undefined ? [] : [['RedisBloom', true]]),
  ]) {
    const words = ['--slowlog-log-slower-than', String(MOST), '--slowlog-max-len', '1000000'];
    if (kept) words.push('--appendfsync', 'everysec');
    const server = await serverWith(name === 'RedisBloom' ? module : undefined, { isKept: kept, words });
    const { port } = server;
    goFirst(server.process.pid);
    const pinging = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
    const idle = await pings(pinging, pause(2000));
    if (name === 'RedisBloom')
      await pinging.sendCommand(['CF.RESERVE', 'bloom', String(options.capacity), 'EXPANSION', '2']);
    const before = processor(port);
    cli(port, 'CONFIG', 'RESETSTAT');
    const writers = Array.from({ length: 4 }, (_, i) => {
      const share = Math.floor(count / 4);
      const worker = new Worker(new URL(import.meta.url), {
        workerData: { port, options, name, first: i * share, share },
      });
      return new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    });
    const all = Promise.all(writers);
    const loaded = await pings(pinging, all);
    const told = await all;
    const seconds = Math.max(...told.map(({ end }) => end)) - Math.min(...told.map(({ begin }) => begin));
    const long = await longCalls(pinging);
    const perKey = ((processor(port) - before) / count).toFixed(2);
    console.log(
      `${count} keys into ${name} by four writers, ${kept ? 'with' : 'without'} an append-only file:`,
    );
    console.log(`  ping, idle:    ${idle}`);
    console.log(`  ping, loaded:  ${loaded}`);
    console.log(
      `  batch of ${BATCH}: ${spread(told.flatMap(({ times }) => times))}; the whole ${(seconds / 1000).toFixed(1)} s`,
    );
    if (name === 'a filter') {
      const [number, each] = calls(port);
      const filter = await RedisCuckooFilter.open({ send: fromNodeRedis(pinging), ...options });
      const { size, byteLength, shards } = await filter.info();
      console.log(
        `  from room for ${options.capacity}, in ${shards} shards: ${number} calls of ${each} µs by the clock; ${size} entries in ${byteLength} bytes`,
      );
    }
    console.log(`  calls: ${long}`);
    console.log(`  ${perKey} µs of the server per key, doublings among it\n`);
    pinging.destroy();
    await server.end();
  }
}

/** What pings wait for until `end` resolves, in milliseconds. */
async function pings(client, end) {
  const times = [];
  let isOver = false;
  void end.finally(() => (isOver = true));
  while (!isOver) {
    const begun = performance.now();
    await client.ping();
    times.push(performance.now() - begun);
    await pause(1);
  }
  await end;
  return spread(times);
}

/** What somebody waited for, in words. */
function spread(times) {
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(share * times.length))].toFixed(2);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)}, p99.9 ${at(0.999)}, worst ${at(1)} of ${times.length}`;
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

if (!isMainThread && workerData?.share !== undefined) {
  const { port, options, name, first, share } = workerData;
  setPriority(0, 0);
  const client = await createClient({ socket: { host: '127.0.0.1', port } }).connect();
  const add = await FILLED[name](client, options);
  const times = [];
  const begin = Date.now();
  for (let at = 0; at < share; at += BATCH) {
    const keys = keysFrom(first + at, Math.min(BATCH, share - at));
    const begun = performance.now();
    await add(keys);
    times.push(performance.now() - begun);
  }
  client.destroy();
  parentPort.postMessage({ begin, end: Date.now(), times });
}
