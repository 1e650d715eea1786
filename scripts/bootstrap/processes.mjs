// Runs the programs that the set-up needs: finds them on PATH, shows that they are alive, repeats what may fail by chance.
// Invariant: a signal that reaches this process is passed on to the running child, and `run` returns only after that child
// has ended, so that a caller's `finally` cleans up after a finished program, never under a living one.

import { spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { constants as systemConstants } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const progressIntervalMs = 5_000;
const retryDelayMs = 3_000;
const linesShownOnFailure = 12;
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** A reason to stop that the user can act on: it is shown as it is, without a stack trace. */
export class SetupError extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A program that ran and failed: what a second try may mend. */
export class CommandError extends SetupError {}

/** Prints one line about what is done and why. Standard error keeps the output of the caller's own program clean. */
export function say(line) {
  process.stderr.write(`[bootstrap] ${line}\n`);
}

/** The full path of the first program on PATH with one of these names; undefined if there is none. */
export function findProgram(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  return names.flatMap((name) => folders.map((folder) => path.resolve(folder, name))).find(isExecutable);
}

/** Whether the path is a file that this user may run. */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/**
 * Runs a program to its end. While it runs, a line every few seconds says how long it has
 * taken and what it printed last. Throws CommandError, with the command and its last lines, if the program fails, and
 * SetupError if a signal interrupted it.
 */
export async function run(command, args, options = {}, title = path.basename(command)) {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true, ...options });
  const lines = [];
  for (const input of [child.stdout, child.stderr])
    createInterface({ input }).on('line', (line) => keepLine(lines, line));
  const interruption = passSignalsOn(child);
  const stopProgress = showProgress(title, lines);
  try {
    const status = await ending(child);
    if (interruption.signal) throw interrupted(interruption.signal);
    if (status !== 0) throw new CommandError(failureText(command, args, status, lines));
  } finally {
    stopProgress();
    interruption.stop();
  }
}

/** Calls `attempt` up to three times, as a download or a lock held by another program may need. */
export async function withRetries(what, attempt, attempts = 3) {
  for (let number = 1; ; number += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (number === attempts || !(error instanceof CommandError)) throw error;
      say(`${what} failed, trying again (${number + 1} of ${attempts})`);
      await sleep(retryDelayMs * number);
    }
  }
}

function keepLine(lines, line) {
  if (line.trim() !== '') lines.push(line);
  if (lines.length > linesShownOnFailure) lines.shift();
}

/** A child that cannot even be started reports 'error' instead of 'close'. */
function ending(child) {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? code));
  });
}

/** `detached` gives the child a process group of its own: a signal must reach what the child started, too. */
function passSignalsOn(child) {
  const interruption = { signal: undefined };
  const pass = (signal) => {
    interruption.signal = signal;
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      say(`waiting for ${child.spawnfile}, which cannot be stopped (${error.code})`);
    }
  };
  signals.forEach((signal) => process.on(signal, pass));
  interruption.stop = () => signals.forEach((signal) => process.off(signal, pass));
  return interruption;
}

function interrupted(signal) {
  return new SetupError(
    `interrupted by ${signal}; the next run goes on from here`,
    128 + systemConstants.signals[signal],
  );
}

function showProgress(name, lines) {
  const start = Date.now();
  const timer = setInterval(() => {
    const seconds = Math.round((Date.now() - start) / 1000);
    say(`  ${name}, ${seconds} s: ${(lines.at(-1) ?? 'working').trim().slice(0, 90)}`);
  }, progressIntervalMs);
  return () => clearInterval(timer);
}

function failureText(command, args, status, lines) {
  const shown = [
    `this command failed (${status}):`,
    `  ${[command, ...args].join(' ')}`,
    ...lines.map((line) => `    ${line}`),
  ];
  return shown.join('\n');
}
