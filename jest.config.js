// Tests in Node. They import the package by its own name, so they run what a user installs: the bundles in dist/.
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

export default {
  projects: [
    {
      ...common,
      displayName: 'node',
      testMatch: [
        '<rootDir>/tests/js/**/*.test.ts',
        '<rootDir>/tests/world/**/*.test.ts',
        '!**/tests/js/demo/(page|rooms)/*',
      ],
    },
    {
      ...common,
      displayName: 'page',
      testMatch: ['<rootDir>/tests/js/demo/(page|rooms)/*.test.ts'],
      globalSetup: '<rootDir>/tests/js/demo/serve.mjs',
    },
  ],
  testTimeout: 120_000,
  // Two processes even on two processors, where Jest would take its own alone; and a fresh one once the heap has grown,
  // as tests that collect garbage wait for every collection.
  maxWorkers: 2,
  workerIdleMemoryLimit: '600MB',
};
