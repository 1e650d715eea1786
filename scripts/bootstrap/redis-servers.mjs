// Redis 8 and Valkey, to test with other servers than Debian's own: those of PATH if they are new enough, else Debian 13's packages
// as a tree of their own in the cache folder (trees.mjs). `node scripts/bootstrap/redis-servers.mjs redis-8|valkey` prints the
// path of the server, for REDIS_SERVER.

import { spawnSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../run.mjs';
import { findProgram, readSystem, say, SetupError } from './system.mjs';
import { provideTree, treeFolder, writeWrappers } from './trees.mjs';

const SERVERS = {
  'redis-8': { program: 'redis-server', packages: ['redis-server', 'redis-tools'], isWanted: /v=[89]/ },
  valkey: { program: 'valkey-server', packages: ['valkey-server', 'valkey-tools'], isWanted: /v=/ },
};
/** What both are linked with. */
const libraries =
  'libc6 libstdc++6 libgcc-s1 libssl3t64 libsystemd0 libcap2 liblzf1 libjemalloc2 libatomic1 zlib1g libzstd1';

/** The path of that server. Fetches it if it is not there: 20 MB, some ten seconds. */
export async function provideServer(name) {
  const server = SERVERS[name];
  if (server === undefined)
    throw new SetupError(`unknown server: ${name}; known are ${Object.keys(SERVERS).join(' ')}`);
  const { program, packages, isWanted } = server;
  const found = findProgram(program);
  if (found && isWanted.test(spawnSync(found, ['--version'], { encoding: 'utf8' }).stdout)) return found;
  const { isDebian, release, codename, name: system } = readSystem();
  if (!isDebian || release < 12)
    throw new SetupError(`on ${system}, install ${name} by hand, and name its program in REDIS_SERVER`);
  await provideTree(name, [...packages, ...libraries.split(' ')], codename, async (tree) => {
    writeWrappers(tree, 'bin', [program]);
    await run(path.join(tree, 'bin', program), ['--version'], { quiet: true });
  });
  return path.join(treeFolder(name), 'bin', program);
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url))
  await provideServer(process.argv[2]).then(console.log, (error) => {
    say(error.message);
    process.exitCode = 1;
  });
