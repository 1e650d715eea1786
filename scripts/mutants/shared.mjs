// What both halves of `npm run mutants` have in common: samples, the list of those that survive, and the table at the end.
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

import { root, say } from '../run.mjs';

/** Of the mutants that change anything, this share must be killed. */
const SHARE = 0.95;

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

/** The verdicts on mutants as `Verdicts` writes them. */
const LETTERS = { killed: 'k', survived: 's' };

/**
 * What became of each mutant, kept in the repository because a whole run takes hours: a letter for each mutant of a file,
 * in order, until the file's source changes.
 */
export class Verdicts {
  #path;
  /** Of each file: the hash of its source, and the letters. */
  #all;

  static async open(path) {
    const verdicts = new Verdicts();
    verdicts.#path = join(root, path);
    verdicts.#all = JSON.parse(await readFile(verdicts.#path, 'utf8').catch(() => '{}'));
    return verdicts;
  }

  /** For each mutant of a file: 'killed' or 'survived'; neither if it was not run since the file changed. */
  of(file, source) {
    const nameOf = (letter) => Object.keys(LETTERS).find((state) => LETTERS[state] === letter);
    return [...this.#lettersOf(file, source)].map(nameOf);
  }

  /** Stores the verdict on each mutant of a file. A mutant that was not run keeps the verdict that it had. */
  async keep(file, source, mutants) {
    const before = this.#lettersOf(file, source);
    const letters = mutants.map(({ state }, i) => LETTERS[state] ?? before[i] ?? '.');
    this.#all[file] = { source: hash(source), verdicts: letters.join('') };
    const sorted = Object.fromEntries(
      Object.entries(this.#all).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
    await writeFile(this.#path, `${JSON.stringify(sorted, undefined, 2)}\n`);
  }

  #lettersOf(file, source) {
    const { source: of, verdicts = '' } = this.#all[file] ?? {};
    return of === hash(source) ? verdicts : '';
  }
}

function hash(text) {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
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

/**
 * The list of mutants that survive: by reason, then by line. Those of a group with a `reason` are equivalent: nobody could
 * notice them. Those of a group with `survives`, which holds the reason, count as survivors. Each of its `lines` stands
 * for all mutants of that line.
 */
export class Listed {
  #entries;

  constructor(groups) {
    this.#entries = groups.flatMap(({ file, mutants = {}, lines = [], survives }) => {
      const state = survives ? 'survived' : 'equivalent';
      const pairs = Object.entries(mutants).flatMap(([line, all]) =>
        all.map((becomes) => ({ line, becomes })),
      );
      return pairs
        .concat(lines.map((line) => ({ line })))
        .map((pair) => ({ file, ...pair, state, used: false }));
    });
  }

  /** What becomes of `mutant`, by this list or else by `judge`: sets its `state`, and tells of a survivor that is not listed. */
  async settle(mutant, judge) {
    const found = this.#found(mutant);
    mutant.state = this.isEquivalent(mutant) ? 'equivalent' : await judge();
    for (const entry of found) entry.used ||= entry.state === mutant.state;
    if (mutant.state === 'survived' && found.length === 0) tell(mutant);
  }

  isEquivalent(mutant) {
    return this.#found(mutant).some(({ state }) => state === 'equivalent');
  }

  #found(mutant) {
    return this.#entries.filter(
      ({ file, line, becomes = mutant.becomes }) =>
        file === mutant.file && line === mutant.line && becomes === mutant.becomes,
    );
  }

  /** Entries, of all or for one of `files`, that fit none of the mutants any more, or one that is killed now. */
  unused(files) {
    return this.#entries.filter(({ file, used }) => !used && (files?.includes(file) ?? true));
  }
}

/** The line of the table for mutants of `name`, which have a `state` each. */
export function row(name, mutants) {
  const count = (state) => mutants.filter((mutant) => mutant.state === state).length;
  const [killed, survived, equivalent] = [count('killed'), count('survived'), count('equivalent')];
  const share = killed + survived === 0 ? 1 : killed / (killed + survived);
  const counts = `${killed} killed, ${survived} survived, ${equivalent} equivalent`;
  return { share, text: `${name.padEnd(34)} ${counts}, ${(100 * share).toFixed(1)} %` };
}

/** Prints a mutant that no test noticed. */
function tell({ file, number, line, becomes, isReached }) {
  console.log(
    `survived: ${file}:${number}${isReached ? '' : ', reached by no test'}\n  - ${line}\n  + ${becomes}`,
  );
}

/** Prints the table, and the entries of a list that fit no mutant any more. Sets the exit code to 1 if all is not well. */
export function summarize(mutants, unused, list) {
  say('killed, survived and equivalent mutants, and the share killed of those that are not equivalent');
  for (const [file, own] of grouped(mutants)) console.log(row(file, own).text);
  const { share, text } = row('all', mutants);
  console.log(text);
  for (const { file, line, becomes } of unused)
    console.log(
      `${list}: ${file} has this mutant no more, or it is killed now:\n  - ${line}\n  + ${becomes ?? '(any)'}`,
    );
  if (share < SHARE || unused.length > 0) process.exitCode = 1;
}

function grouped(mutants) {
  const groups = new Map();
  for (const mutant of mutants) groups.set(mutant.file, [...(groups.get(mutant.file) ?? []), mutant]);
  return groups;
}
