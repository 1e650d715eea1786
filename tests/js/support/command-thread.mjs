// A thread in which the command runs again and again. Each run evaluates the built file anew, as a process would, with its
// arguments, with file 0 as standard input, and up to `process.exit`, but takes a twentieth of the time.
import { closeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

const { program, pipe, port, steps } = workerData;

port.on('message', async ({ run, parameters }) => {
  const answer = await ran(run, parameters).catch((error) => ({ failure: String(error.stack ?? error) }));
  port.postMessage({ run, ...answer });
  reach(2 * run);
});

async function ran(run, parameters) {
  replaceInput(pipe);
  reach(2 * run - 1);
  const written = { stdout: [], stderr: [] };
  for (const name of ['stdout', 'stderr'])
    process[name].write = (bytes, done) => {
      written[name].push(Buffer.from(bytes));
      done?.();
      return true;
    };
  process.argv = [process.execPath, program, ...parameters];
  const code = await new Promise((resolve, reject) => {
    process.exit = resolve;
    process.once('uncaughtException', reject);
    import(`${pathToFileURL(program)}?run=${run}`).catch(reject);
  });
  process.emit('exit', code);
  for (const event of ['exit', 'uncaughtException']) process.removeAllListeners(event);
  for (const name of ['stdout', 'stderr']) process[name].removeAllListeners('error');
  replaceInput('/dev/null');
  const [out, errors] = [written.stdout, written.stderr].map((pieces) => Buffer.concat(pieces));
  return { code, out, errors: errors.toString() };
}

function replaceInput(path) {
  closeSync(0);
  // The lowest number that is free is taken.
  if (openSync(path, 'r') !== 0) throw new Error('standard input is not file 0');
}

/** Tells the thread of the test that this step is reached: each run has two. */
function reach(step) {
  Atomics.store(steps, 0, step);
  Atomics.notify(steps, 0);
}
