// The files that repeat what package.json says: its name, its version and its license.
import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const textOf = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const manifest = JSON.parse(textOf('package.json')) as {
  name: string;
  version: string;
  license: string;
  exports: Record<string, string | { import: { default: string } }>;
};

test('each entry says where its types are, for Deno', () => {
  const entries = Object.values(manifest.exports).flatMap((target) =>
    typeof target === 'string' ? [] : [target.import.default],
  );
  expect(entries.length).toBeGreaterThan(4);
  for (const path of entries) {
    const [, types = ''] = /^\/\* @ts-self-types="(.*?)" \*\/\n/.exec(textOf(path)) ?? [];
    expect([path, types]).toEqual([path, `./${path.split('/').at(-1)?.replace('.js', '.d.ts')}`]);
    expect(existsSync(join(ROOT, 'dist/esm', types))).toBe(true);
  }
});

test('CITATION.cff has the name, the version and the license of package.json, and the paper', () => {
  const field = (name: string): string | undefined =>
    new RegExp(`^${name}: (.*)$`, 'm').exec(textOf('CITATION.cff'))?.[1];
  expect([field('title'), field('version'), field('license')]).toEqual([
    manifest.name,
    manifest.version,
    manifest.license,
  ]);
  expect(textOf('CITATION.cff')).toContain('doi: 10.1145/2674005.2674994');
});

test('the changelog begins with the version, and CMake builds it', () => {
  const [, latest] = /^## (\S+) \(/m.exec(textOf('CHANGELOG.md')) ?? [];
  expect(latest).toBe(manifest.version);
  expect(textOf('CMakeLists.txt')).toContain(`VERSION ${manifest.version}`);
});

test('docs/inside/tried.md says of the versions that `npm run test:matrix` installs that they work', () => {
  const table = textOf('docs/inside/tried.md').split('# What was tried where')[1] ?? '';
  const rows = [...table.matchAll(/^\| (.*?) \| ([\d.]+) \| (.*?) \|$/gm)];
  expect(rows.length).toBeGreaterThan(30);
  expect(rows.filter(([, , , result]) => result !== 'works')).toEqual([]);
  const { dependencies } = JSON.parse(textOf('tests/matrix/package.json')) as {
    dependencies: Record<string, string>;
  };
  const installed = Object.values(dependencies).map((version) => version.replace(/^npm:.*@/, ''));
  const tried = rows.filter(([, name = '']) => !name.startsWith('Node')).map(([, , version]) => version);
  expect(tried.filter((version = '') => !installed.includes(version))).toEqual([]);
});
