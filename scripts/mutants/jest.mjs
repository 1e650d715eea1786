// The JavaScript tests with a mutant on: in processes that run them for one mutant after the other, or by Jest itself.
// Invariant: a process that takes too long is ended together with everything that its tests started, and so are all
// processes at the end.
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { root } from '../run.mjs';

/** A process ends after so many runs, because each leaves some memory taken. */
const RUNS = 40;

/** Process groups that run tests now. */
const groups = new Set();

process.on('exit', () => groups.forEach(stop));
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

function stop(group) {
  groups.delete(group);
  try {
    process.kill(-group, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** A process of its own group, so that what the tests start ends with it. */
function start(args, sandbox, stdio, variables) {
  const env = { ...process.env, ...variables };
  const child = spawn(process.execPath, args, { cwd: sandbox, detached: true, stdio, env });
  groups.add(child.pid);
  return child;
}

/** Runs the tests of a file without a mutant. */
export async function runTests(sandbox, file, variables) {
  return withFolder(sandbox, [file], async (ofRun) => {
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    const args = [
      jest,
      '--config',
      'jest.config.json',
      '--runInBand',
      '--forceExit', // What a failed test left open must not keep the run waiting.
      '--runTestsByPath',
      `tests/js/${file.name}`,
    ];
    const child = start(args, sandbox, ['ignore', 'pipe', 'pipe'], { ...ofRun, ...variables });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    const code = await new Promise((resolve) => child.on('exit', resolve));
    stop(child.pid);
    return { code, output };
  });
}

/** Processes that wait for a run. */
const free = [];

/**
 * Runs the chosen tests of files, or all of a file, one file after the other up to the first failure. Returns the name of
 * the file that failed, or true if it took more than so many milliseconds or ended the process; false if all passed.
 */
export function failureOf(sandbox, chosen, variables, milliseconds) {
  return withFolder(sandbox, chosen, async (ofRun) => {
    let worker = free.pop();
    if (!worker?.child.connected) worker = { child: startWorker(sandbox), runs: 0 };
    const names = chosen.map(({ name }) => name);
    const answer = await answerOf(
      worker.child,
      { names, variables: { ...ofRun, ...variables } },
      milliseconds,
    );
    if (answer === undefined || ++worker.runs === RUNS) stop(worker.child.pid);
    else free.push(worker);
    return answer === undefined || (answer.failed ?? false);
  });
}

/** Ends the processes that wait. */
export function endWorkers() {
  for (const { child } of free.splice(0)) stop(child.pid);
}

function startWorker(sandbox) {
  const worker = join(root, 'tests/mutants/js/worker.cjs');
  return start([worker, sandbox], sandbox, ['ignore', 'ignore', 'ignore', 'ipc'], {});
}

/** What the process answers; undefined if it ended or took too long. */
function answerOf(child, message, milliseconds) {
  return new Promise((resolve) => {
    const timer = setTimeout(() => finish(undefined), milliseconds);
    const onExit = () => finish(undefined);
    const finish = (answer) => {
      clearTimeout(timer);
      child.off('message', finish).off('exit', onExit);
      resolve(answer);
    };
    child.on('message', finish).on('exit', onExit);
    child.send(message, (error) => error && finish(undefined));
  });
}

/** Calls `action` with the variables of a run: its folder for temporary files, and the list of what it runs. */
async function withFolder(sandbox, chosen, action) {
  const folder = await mkdtemp(join(sandbox, 'temporary-'));
  const list = join(folder, 'tests.json');
  await writeFile(list, JSON.stringify(chosen));
  try {
    return await action({ TMPDIR: folder, MUTANT_TESTS: list });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
