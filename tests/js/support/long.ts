// How much a test does: a part that reaches every claim in `npm test`, all of it in `npm run test:long`, which sets LONG_TESTS
// and runs the test files that import this one.
export const IS_LONG = process.env['LONG_TESTS'] !== undefined;

/** `all` in a long run, else `few`. */
export function runs<T>(few: T, all: T): T {
  return IS_LONG ? all : few;
}

/** All `cases` in a long run; else `count` of them, spread evenly, with the first. For cases that repeat one claim. */
export function some<T>(cases: readonly T[], count: number): readonly T[] {
  if (IS_LONG || count >= cases.length) return cases;
  return Array.from({ length: count }, (_, i) => cases[Math.floor((i * cases.length) / count)] as T);
}
