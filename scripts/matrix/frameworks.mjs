// The rows of `npm run test:matrix` that are frameworks: test runners, and a built Next.js application.
import { rm } from 'node:fs/promises';

import { answersOf, expected, file, node, tool } from './place.mjs';

/** Passes if the one test does; `kind` is the ending of its file. */
async function jest(version, environment, kind) {
  const config = {
    rootDir: file('jest'),
    testMatch: [`<rootDir>/*.${kind}`],
    moduleFileExtensions: ['mjs', 'cjs', 'js', 'json'],
    testEnvironment:
      environment === 'node' ? 'node' : tool(`jest-environment-jsdom${version}`, 'build/index.js'),
    transform: {},
  };
  const flags = ['--experimental-vm-modules', '--no-warnings'];
  await node(...flags, tool(`jest${version}`, 'bin/jest.js'), '--config', JSON.stringify(config));
  return expected;
}

async function vitest(environment) {
  const args = ['run', '--root', file('vitest'), '--environment', environment];
  await node(tool('vitest/vitest.mjs'), ...args);
  return expected;
}

/** What the routes of an application answer, on the edge runtime and in Node: the program's, and those of the recipe. */
async function next(bundler) {
  await rm(file('next/.next'), { recursive: true, force: true });
  Object.assign(process.env, { NEXT_TELEMETRY_DISABLED: '1', NAMES_FILE: file('next/public/names.cuckoo') });
  await node(tool('next/dist/bin/next'), 'build', `--${bundler}`, file('next'));
  const answers = await answersOf(
    (port) => [process.execPath, tool('next/dist/bin/next'), 'start', '--port', String(port), file('next')],
    ['/edge', '/node', '/taken/alice', '/taken/bob', '/taken-edge/alice', '/taken-edge/bob'],
  );
  const taken = ['{"taken":true}', '{"taken":false}'];
  const wanted = [expected, expected, ...taken, ...taken].join();
  return answers.join() === wanted ? expected : answers.join();
}

export const FRAMEWORKS = [
  ...['', '-29'].flatMap((version) =>
    ['node', 'jsdom'].flatMap((environment) =>
      ['cjs', 'mjs'].map((kind) => ({
        name: `Jest, ${kind === 'cjs' ? 'CommonJS' : 'ES module'}, environment ${environment}`,
        version: `jest${version}`,
        attempt: () => jest(version, environment, kind),
      })),
    ),
  ),
  ...['node', 'jsdom'].map((environment) => ({
    name: `Vitest, environment ${environment}`,
    version: 'vitest',
    attempt: () => vitest(environment),
  })),
  ...['webpack', 'turbopack'].map((bundler) => ({
    name: `Next.js with ${bundler}, routes on the edge and in Node`,
    version: 'next',
    attempt: () => next(bundler),
  })),
];
