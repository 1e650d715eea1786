// The packed tarball, installed into an empty folder, as a user's first minute has it; tests/js/package has the rest.
import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_LIMIT } from '../support/command';

const ROOT = join(__dirname, '../../..');
const USE = "const filter = CuckooFilter.from(['a', 5]); console.log(filter.has('a'), filter.has('5'));";

test('it installs without a network, and works from ES modules, CommonJS and as a command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'smoke-'));
  const run = (cwd: string, program: string, ...parameters: string[]): string =>
    execFileSync(program, parameters, { cwd, encoding: 'utf8', ...TIME_LIMIT });
  try {
    const told = run(ROOT, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder);
    const [packed] = JSON.parse(told) as { filename: string }[];
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    run(folder, 'npm', 'install', '--offline', '--no-audit', '--no-fund', `./${packed?.filename}`);
    writeFileSync(join(folder, 'a.mjs'), `import { CuckooFilter } from 'cuckoofilter-wasm'; ${USE}`);
    writeFileSync(join(folder, 'a.cjs'), `const { CuckooFilter } = require('cuckoofilter-wasm'); ${USE}`);
    for (const name of ['a.mjs', 'a.cjs']) expect(run(folder, process.execPath, name)).toBe('true false\n');
    writeFileSync(join(folder, 'lines'), 'a\nb\na\n');
    expect(run(folder, join('node_modules', '.bin', 'cuckoofilter-wasm'), 'dedup', '-q', 'lines')).toBe(
      'a\nb\n',
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
