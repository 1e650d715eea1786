// Which tests are asked about a mutant, and in which order: those that reach it, the likeliest to notice it first.
import { basename, dirname } from 'node:path';

/** Of a test file, what can notice `mutant`: its tests, the quickest first, and the most hits of one. */
export function reachingPart({ name, overhead, durations, reached }, { id }) {
  const hits = new Map(reached.get(id));
  // Code that is reached outside of a test may change any test.
  const tests = Object.entries(durations).filter(([test]) => hits.has('') || hits.has(test));
  return {
    name,
    overhead,
    tests: tests.sort(([, one], [, other]) => one - other),
    hits: Math.max(...hits.values()),
  };
}

/**
 * What it costs to ask a test file about a mutant of `file`: its time, divided by how many of the file's mutants it has
 * killed. A test file that is named like `file` or its folder begins as if it had killed some.
 */
export function cost({ name, overhead, tests }, file, kills) {
  const words = name.split(/[/.-]/);
  const named = [basename(file, '.ts'), basename(dirname(file))].filter((word) =>
    words.includes(word),
  ).length;
  const milliseconds = overhead + sum(tests.map(([, duration]) => duration));
  return milliseconds / (1 + 20 * ((kills.get(name) ?? 0) + 5 * named));
}

/** Chooses the tests to run: the first one of these files, and then those that fit into the time. The others are `left`. */
export function askedOf(files, milliseconds) {
  let spent = 0;
  const asked = [];
  const left = [];
  for (const { name, overhead, tests, hits } of files) {
    const file = { name, tests: [], hits };
    for (const [test, duration] of tests) {
      const more = duration + (file.tests.length === 0 ? overhead : 0);
      if (spent > 0 && spent + more > milliseconds) break;
      spent += more;
      file.tests.push(test);
    }
    const others = tests.slice(file.tests.length).map(([test]) => test);
    if (file.tests.length > 0) asked.push(file);
    if (others.length > 0) left.push({ name, tests: others, hits });
  }
  return { asked, milliseconds: spent, left };
}

export function sum(numbers) {
  return numbers.reduce((all, number) => all + number, 0);
}
