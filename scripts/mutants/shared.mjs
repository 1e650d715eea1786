// What both halves of `npm run mutants` have in common: samples, a cache, and the table at the end.
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { root, say } from '../run.mjs';

/** This share must be killed. A few percent of the mutants change nothing that anybody could notice. */
const SHARE = 0.9;

/** What `--name=value` among the words gives. */
export const option = (words, name) => words.map((word) => word.split(`--${name}=`)[1]).find(Boolean);

/** `--sample` of the mutants, at equal distances; which ones, `--seed` says. */
export function sampled(mutants, words) {
  const count = Number(option(words, 'sample') ?? mutants.length);
  if (count >= mutants.length) return mutants;
  // Multiples of the golden ratio lie far from each other, so few mutants are in the samples of two seeds.
  const first = (0.5 + 0.618034 * Number(option(words, 'seed') ?? 0)) % 1;
  return Array.from({ length: count }, (_, i) => mutants[Math.floor(((i + first) * mutants.length) / count)]);
}

/** Runs `action` on each value, as many at a time as there are processors. */
export async function inParallel(values, action) {
  const left = [...values];
  const work = async () => {
    while (left.length > 0) await action(left.shift());
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/**
 * What was found, by name, in a file under `folder`, so that a run that was interrupted goes on where it was. The file's name
 * is a hash of all `sources`, and a survivor is kept with that of the `tests`: if a test is added, only survivors are asked
 * again. If tests were taken away or made weaker, delete the folder.
 */
export class Kept {
  #file;
  #found;
  #tests;

  static async open(folder, sources, tests) {
    await mkdir(folder, { recursive: true });
    const kept = new Kept();
    kept.#file = join(folder, `${await hashOf(sources)}.txt`);
    kept.#tests = await hashOf(tests);
    const lines = (await readFile(kept.#file, 'utf8').catch(() => '')).split('\n').slice(0, -1);
    kept.#found = new Map(lines.map((line) => JSON.parse(line)));
    return kept;
  }

  /** What is kept under `name`, or what `find` gives now. */
  async once(name, find) {
    return this.#found.get(this.#byTests(name)) ?? this.#keep(this.#byTests(name), await find());
  }

  /** 'killed' or 'survived': what is kept of the mutant `name`, or what `judge` finds now. */
  async verdict(name, judge) {
    const found = this.#found.get(name) ?? this.#found.get(this.#byTests(name));
    if (found !== undefined) return found;
    const state = await judge();
    return this.#keep(state === 'killed' ? name : this.#byTests(name), state);
  }

  #byTests(name) {
    return `${name}, with tests ${this.#tests}`;
  }

  async #keep(name, value) {
    this.#found.set(name, value);
    await appendFile(this.#file, `${JSON.stringify([name, value])}\n`);
    return value;
  }
}

/** A hash of all files at these paths and, where they are folders, within them. */
async function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.map((each) => join(root, each))) {
    const isFile = (await stat(path)).isFile();
    const names = isFile ? [''] : (await readdir(path, { recursive: true })).sort();
    for (const name of names) {
      const content = await readFile(join(path, name)).catch(() => '');
      hash.update(`${name} ${content.length} `).update(content);
    }
  }
  return hash.digest('hex').slice(0, 16);
}

/** The line of the table for mutants of `name`, which have a `state` each. */
export function row(name, mutants) {
  const count = (state) => mutants.filter((mutant) => mutant.state === state).length;
  const [killed, survived] = [count('killed'), count('survived')];
  const share = killed + survived === 0 ? 1 : killed / (killed + survived);
  const counts = `${killed} killed, ${survived} survived`;
  return { share, text: `${name.padEnd(34)} ${counts}, ${(100 * share).toFixed(1)} %` };
}

/** Prints a mutant that no test noticed. */
export function tell({ file, number, line, becomes, isReached }) {
  console.log(
    `survived: ${file}:${number}${isReached ? '' : ', reached by no test'}\n  - ${line}\n  + ${becomes}`,
  );
}

/** Prints the table. Sets the exit code to 1 if too few are killed. */
export function summarize(mutants) {
  say('killed and survived mutants, and the share killed');
  for (const [file, own] of grouped(mutants)) console.log(row(file, own).text);
  const { share, text } = row('all', mutants);
  console.log(text);
  if (share < SHARE) process.exitCode = 1;
}

function grouped(mutants) {
  const groups = new Map();
  for (const mutant of mutants) groups.set(mutant.file, [...(groups.get(mutant.file) ?? []), mutant]);
  return groups;
}
