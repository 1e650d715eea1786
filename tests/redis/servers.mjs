// Redis servers on loopback, alone or as a cluster, in a temporary folder.
// Invariant: only what was started here is ended, by its process, whatever becomes of the caller.
// `node tests/redis/servers.mjs [--cluster | --sentinel]` starts one, a cluster of six, or a master with a replica and a sentinel,
// prints their ports as JSON, and ends with its input.
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const HOST = '127.0.0.1';
const PATIENCE_MS = 500_000;
/** A node of a cluster also listens on its port plus this. */
const BUS = 10_000;

const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-redis-'));
const running = new Set();

process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/** What redis-cli answers. */
export function cli(port, ...words) {
  const all = ['-h', HOST, '-p', String(port), ...words];
  return execFileSync('redis-cli', all, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
}

export class Server {
  /** `first` are words before all others. */
  constructor(port, options, first = []) {
    this.port = port;
    this.options = options;
    this.first = first;
  }

  /** Starts it, again after it was ended, with the files that it left; resolves when it answers. */
  async start() {
    const own = join(folder, String(this.port));
    mkdirSync(own, { recursive: true });
    // A sentinel keeps no keys.
    const keeps = ['--dir', own, ...(this.first.length > 0 ? [] : ['--save', ''])];
    const words = [...this.first, '--port', String(this.port), '--bind', HOST, ...keeps, ...this.options];
    // Another one than the system's, if that is set.
    const program = process.env.REDIS_SERVER ?? 'redis-server';
    this.process = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] });
    running.add(this.process);
    this.ended = new Promise((resolve) => this.process.once('exit', resolve));
    const failed = this.ended.then(() => {
      running.delete(this.process);
      throw new Error(`${program} at port ${this.port} has ended`);
    });
    failed.catch(() => undefined);
    // Not another one, which took the port in the meantime.
    const isOwn = () => cli(this.port, 'INFO', 'server').includes(`process_id:${this.process.pid}`);
    await Promise.race([until(isOwn), failed]);
    return this;
  }

  async end(signal = 'SIGKILL') {
    this.process.kill(signal);
    await this.ended;
  }
}

/**
 * What a server answers is on its disk. Without `always`, a server whose disk is busy answers before it has written, and loses
 * that even if only its process is killed.
 */
const KEPT = ['--appendonly', 'yes', '--appendfsync', 'always'];

/** A server alone. With `isKept` it writes an append-only file. */
export async function startServer({ isKept = false, words = [] } = {}) {
  const port = await freePort();
  return new Server(port, [...(isKept ? KEPT : []), ...words]).start();
}

/** Three masters, each with a replica. */
export async function startCluster() {
  const ports = new Set();
  while (ports.size < 6) ports.add(await freePort());
  const nodes = await Promise.all(
    [...ports].map((port) => {
      const words = ['--cluster-enabled', 'yes', '--cluster-config-file', `nodes-${port}.conf`];
      return new Server(port, [...words, '--cluster-node-timeout', '15000', ...KEPT]).start();
    }),
  );
  const addresses = nodes.map(({ port }) => `${HOST}:${port}`);
  const options = ['--cluster-replicas', '1', '--cluster-yes'];
  execFileSync('redis-cli', ['--cluster', 'create', ...addresses, ...options], { stdio: 'pipe' });
  await until(() => nodes.every(({ port }) => cli(port, 'CLUSTER', 'INFO').includes('cluster_state:ok')));
  await until(() => nodes.filter(({ port }) => cli(port, 'ROLE').startsWith('slave')).length === 3);
  return nodes;
}

export const MASTER = 'main';
/** A master, its replica, and a sentinel that knows the master by the name of MASTER. */
export async function startSentinel({ downAfterMs = 1000, failoverMs = 5000 } = {}) {
  // Each may be the master.
  const soon = ['--repl-diskless-sync-delay', '0'];
  const master = await startServer({ isKept: true, words: soon });
  const words = [...soon, '--replicaof', HOST, String(master.port)];
  const replica = await startServer({ isKept: true, words });
  await until(() => cli(replica.port, 'INFO', 'replication').includes('master_link_status:up'));
  const port = await freePort();
  const file = join(folder, `sentinel-${port}.conf`);
  const lines = [
    `sentinel monitor ${MASTER} ${HOST} ${master.port} 1`,
    `sentinel down-after-milliseconds ${MASTER} ${downAfterMs}`,
    `sentinel failover-timeout ${MASTER} ${failoverMs}`,
  ];
  writeFileSync(file, lines.join('\n'));
  const sentinel = await new Server(port, [], [file, '--sentinel']).start();
  await until(() => cli(port, 'SENTINEL', 'REPLICAS', MASTER).includes(String(replica.port)));
  return [master, replica, sentinel];
}

/** Resolves once `holds` returns true and does not throw; throws after a time that only what hangs takes. */
export async function until(holds, what = String(holds)) {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await pause(50)) {
    try {
      if (await holds()) return;
    } catch {
      // Not yet.
    }
  }
  throw new Error(`waited in vain for ${what}`);
}

export function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** A port that is free now, as is the one of the cluster's bus; below those that connections take. */
async function freePort() {
  for (;;) {
    const port = 12_000 + Math.floor(Math.random() * 10_000);
    if ((await isFree(port)) && (await isFree(port + BUS))) return port;
  }
}

function isFree(port) {
  return new Promise((resolve) => {
    const server = createServer().once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  process.stdin.resume().on('end', () => process.exit());
  // A master that is slow is not taken for one that is down.
  const patient = { downAfterMs: PATIENCE_MS, failoverMs: PATIENCE_MS };
  const start = { '--cluster': startCluster, '--sentinel': () => startSentinel(patient) }[process.argv[2]];
  const nodes = start === undefined ? [await startServer()] : await start();
  console.log(JSON.stringify(nodes.map(({ port }) => port)));
}
