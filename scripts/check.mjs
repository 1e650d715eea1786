// `npm run check`: formats (with --fix) or checks the format, lints, checks types, then runs `npm test`.
// Invariant: it changes files only with --fix.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { root, run, say } from './run.mjs';

const fix = process.argv.includes('--fix');
const { env } = await bootstrap(['npm', 'wasm', 'native', 'browser']);
const bin = (name) => join(root, 'node_modules', name);
const node = (script, ...args) => run(process.execPath, [bin(script), ...args], { env });

say('format');
await node('prettier/bin/prettier.cjs', fix ? '--write' : '--check', '--log-level=warn', '.');
const sources = spawnSync('git', ['ls-files', '*.h', '*.cpp'], { cwd: root, encoding: 'utf8' }).stdout.split(
  '\n',
);
if (spawnSync('clang-format', ['--version']).status === 0) {
  const clangFormat = ['--style=file', ...(fix ? ['-i'] : ['--dry-run', '--Werror'])];
  await run('clang-format', [...clangFormat, ...sources.filter(Boolean)], { env });
} else {
  console.log('clang-format is not installed: C++ is not checked (Debian: clang-format)');
}
say('lint');
await node('eslint/bin/eslint.js', '.', ...(fix ? ['--fix'] : []));
if (!fix) {
  await import('./test.mjs');
  say('types');
  for (const project of ['js', 'js/cli', 'tests', 'demo'])
    await node('typescript/bin/tsc', '-p', project, '--noEmit');
}
