// `npm run check`: checks format, lint and types, then runs `npm test`; with `--all`, as .ci/run has it, then every other test.
// `npm run format` (--fix) mends the first two instead; `--no-tests` skips the tests.
// Invariant: it changes files only with --fix, and its last line is the sum over all tests that ran.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { root, run, say } from './run.mjs';
import { buildFor, groupOf, report, runTests, sumOf } from './test.mjs';

/** The release that decides the layout: others lay some lines out differently. */
const CLANG_FORMAT = 14;

const isFix = process.argv.includes('--fix');
const hasTests = !isFix && !process.argv.includes('--no-tests');
const groups = (
  process.argv.includes('--all') ? ['core', 'demo,redis-server,package,conformance,native'] : ['core']
).map((names) => groupOf(names.split(',')));
const { env } = await bootstrap([
  ...(hasTests ? new Set(groups.flatMap(({ needs }) => needs)) : ['npm', 'wasm']),
  'format',
]);
const tool = (advice, program, ...args) =>
  run(program, args, { env }).catch(() => {
    console.error(`\n${advice}`);
    process.exit(1);
  });
const node = (advice, script, ...args) =>
  tool(advice, process.execPath, join(root, 'node_modules', script), ...args);

say('format');
const FORMAT = 'The layout differs in the files above. `npm run format` mends it.';
await node(FORMAT, 'prettier/bin/prettier.cjs', isFix ? '--write' : '--check', '--log-level=warn', '.');
const { stdout: version } = spawnSync('clang-format', ['--version'], { encoding: 'utf8' });
if (version.includes(`version ${CLANG_FORMAT}.`)) {
  const { stdout: sources } = spawnSync('git', ['ls-files', '*.h', '*.cpp'], { cwd: root, encoding: 'utf8' });
  const mode = isFix ? ['-i'] : ['--dry-run', '--Werror'];
  await tool(FORMAT, 'clang-format', '--style=file', ...mode, ...sources.split('\n').filter(Boolean));
} else {
  console.log(
    `the C++ layout is not checked: clang-format ${CLANG_FORMAT} decides it, here is ${version.trim()}`,
  );
}
// ESLint and the tests read the declarations that users get. Mending takes those of the last build, so that it also works
// while code is incomplete.
if (hasTests) await buildFor(groups[0], env);
else if (!isFix) await build(env);
say('lint');
const LINT = 'ESLint has objections, above. `npm run format` mends some kinds of them.';
await node(
  isFix ? 'What is left is to be mended by hand.' : LINT,
  'eslint/bin/eslint.js',
  '.',
  ...(isFix ? ['--fix'] : []),
);
if (!isFix) {
  say('types');
  await Promise.all(
    ['js', 'js/redis', 'js/redisbloom', 'js/file', 'js/cli', 'tests', 'demo'].map((project) =>
      node('The types are wrong, as TypeScript says above.', 'typescript/bin/tsc', '-p', project, '--noEmit'),
    ),
  );
}
if (isFix) process.exit();
// What documents and words must be like is checked by Jest, but tests no code.
const results = [await runTests(groupOf(['lint']), env)];
if (results[0].failed > 0) process.exit(1);
if (hasTests) {
  for (const [i, group] of groups.entries()) {
    if (i > 0 && group.native.length > 0) await buildFor({ jest: [], native: group.native }, env);
    results.push(await runTests(group, env));
  }
  report(sumOf(results));
}
