// A thread in which the command runs again and again. Each run evaluates the built file anew, as a process would, with its
// arguments, with file 0 as standard input, and up to `process.exit`, but takes a twentieth of the time.
import { closeSync, openSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { workerData } from 'node:worker_threads';

const { program, pipe, port, steps } = workerData;
let runs = 0;

port.on('message', async (parameters) => {
  replaceInput(pipe);
  next();
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
    import(`${pathToFileURL(program)}?run=${++runs}`).catch(reject);
  });
  process.emit('exit', code);
  process.removeAllListeners('exit');
  for (const name of ['stdout', 'stderr']) process[name].removeAllListeners('error');
  replaceInput('/dev/null');
  const [out, errors] = [written.stdout, written.stderr].map((pieces) => Buffer.concat(pieces));
  port.postMessage({ code, out, errors: errors.toString() });
  next();
});

function replaceInput(path) {
  closeSync(0);
  // The lowest number that is free is taken.
  if (openSync(path, 'r') !== 0) throw new Error('standard input is not file 0');
}

/** Tells the thread of the test that the next step is done. */
function next() {
  Atomics.add(steps, 0, 1);
  Atomics.notify(steps, 0);
}
