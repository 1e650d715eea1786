// Tests in Node, as projects by what they are for. They import the package by its own name, so they run what a user installs:
// the bundles in dist/. Invariant: each test file belongs to just one project; scripts/test.mjs says which command runs which.
const common = {
  testEnvironment: '<rootDir>/tests/js/environment.cjs',
  // Not in the folder for temporary files, which `npm test` empties.
  cacheDirectory: '<rootDir>/build/jest',
  transform: { '\\.tsx?$': '<rootDir>/tests/js/transform.cjs' },
  // A copy of the package lies there, where `npm run mutants` changes it.
  modulePathIgnorePatterns: ['<rootDir>/build/'],
  // The bundles are finished JavaScript.
  transformIgnorePatterns: ['/node_modules/', '/dist/'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  setupFilesAfterEnv: ['<rootDir>/tests/js/equality.ts'],
};

/** The page is built once for a run, and served with a browser. */
const withPage = {
  globalSetup: '<rootDir>/tests/js/demo/serve.mjs',
  globalTeardown: '<rootDir>/tests/js/demo/unserve.mjs',
};

const project = (displayName, testMatch, more) => ({
  ...common,
  ...more,
  displayName,
  testMatch: testMatch.map((pattern) =>
    pattern.replace(/^!?/, (not) => (not ? '!**/tests/' : '<rootDir>/tests/')),
  ),
});

export default {
  projects: [
    // Every class, key, stream and command, also what others reported: needs nothing but Node.
    project('core', [
      'js/**/*.test.ts',
      'world/**/*.test.ts',
      '!js/(browser|demo|docs|package|scripts|smoke)/**',
      '!js/redis/*.test.ts',
      '!js/redis/(failures|replicas)/**',
    ]),
    // One short path through each thing that needs more.
    project('smoke', ['js/smoke/*.test.ts'], withPage),
    project('demo', ['js/demo/model/*.test.ts']),
    project('page', ['js/demo/(page|rooms)/*.test.ts'], withPage),
    project('redis', ['js/redis/*.test.ts', 'js/redis/(failures|replicas)/**/*.test.ts']),
    // What documents and words must be like; `npm run check` runs it.
    project('lint', ['lint/*.test.ts']),
    // What the saved form promises, in several languages; `npm run test:conformance`.
    project('conformance', ['conformance/*.test.ts']),
    project('package', ['js/(browser|docs|package|scripts)/**/*.test.ts']),
  ],
  // No test takes as long unless it hangs, however busy the machine is.
  testTimeout: 900_000,
  // Two processes even on two processors, where Jest would take its own alone; and a fresh one once the heap has grown,
  // as tests that collect garbage wait for every collection.
  maxWorkers: 2,
  workerIdleMemoryLimit: '600MB',
};
