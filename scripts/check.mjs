// `npm run check`: checks format, lint and types, then runs `npm test`. `npm run format` (--fix) mends the first two instead.
// Invariant: it changes files only with --fix, and its last line is that of `npm test`.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { build } from './build.mjs';
import { root, run, say } from './run.mjs';

/** The release that decides the layout: others lay some lines out differently. */
const CLANG_FORMAT = 14;

const fix = process.argv.includes('--fix');
const { env } = await bootstrap(['npm', 'wasm', 'native', 'browser', 'format', 'redis']);
const node = (script, ...args) =>
  run(process.execPath, [join(root, 'node_modules', script), ...args], { env });

say('format');
await node('prettier/bin/prettier.cjs', fix ? '--write' : '--check', '--log-level=warn', '.');
const { stdout: version } = spawnSync('clang-format', ['--version'], { encoding: 'utf8' });
if (version.includes(`version ${CLANG_FORMAT}.`)) {
  const { stdout: sources } = spawnSync('git', ['ls-files', '*.h', '*.cpp'], { cwd: root, encoding: 'utf8' });
  const mode = fix ? ['-i'] : ['--dry-run', '--Werror'];
  await run('clang-format', ['--style=file', ...mode, ...sources.split('\n').filter(Boolean)], { env });
} else {
  console.log(
    `the C++ layout is not checked: clang-format ${CLANG_FORMAT} decides it, here is ${version.trim()}`,
  );
}
say('lint');
await node('eslint/bin/eslint.js', '.', ...(fix ? ['--fix'] : []));
if (!fix) {
  say('types');
  await build(env); // The tests are checked against the declarations that users get.
  for (const project of ['js', 'js/cli', 'tests', 'demo'])
    await node('typescript/bin/tsc', '-p', project, '--noEmit');
  await import('./test.mjs');
}
