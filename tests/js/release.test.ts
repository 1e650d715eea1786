// `npm run release:check`, in folders that lack one thing each.
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_LIMIT } from './command';

const ROOT = join(__dirname, '../..');
const READY = {
  name: 'sample',
  version: '1.2.3',
  repository: 'example/sample',
  homepage: 'https://example.com/',
  bugs: 'https://example.com/bugs',
  publishConfig: { access: 'public', provenance: true },
  scripts: { test: 'node --eval 0' },
};
const CHANGELOG = '# Changelog\n\n## 1.2.3 (2024-02-29)\n';
let folder: string;

function git(...words: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

/** What the command says of a folder with this package.json and this changelog, all of it committed. */
function checked(manifest: object, changelog = CHANGELOG): { code: number | null; told: string[] } {
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'Change');
  return check();
}

function check(at = folder): { code: number | null; told: string[] } {
  const { status, stdout } = spawnSync(process.execPath, [join(ROOT, 'scripts/release.mjs'), at], {
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  return { code: status, told: stdout.trim().split('\n') };
}

const NOT_RUN = '- npm test has not run: it does when nothing else is missing';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-release-'));
  git('init', '--quiet');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a folder where nothing is missing is ready, after its tests', () => {
  expect(checked(READY)).toEqual({ code: 0, told: ['running npm test', 'sample 1.2.3 can be published'] });
});

test.each(['repository', 'homepage', 'bugs'])('%s is missed, and not invented', (field) => {
  const { code, told } = checked({ ...READY, [field]: undefined });
  expect(code).toBe(1);
  expect(told).toEqual([
    `- package.json: ${field} is missing; only the publisher knows it`,
    NOT_RUN,
    'not ready',
  ]);
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).not.toHaveProperty(field);
});

test.each([
  '## 1.2.3 (not released yet)',
  '## 1.2.3',
  '## 1.2.30 (2024-02-29)',
  '## 1.2.3 (2023-02-29)',
  '## 1.2.3 (2999-01-01)',
])('a changelog with "%s" is not that of a release', (heading) => {
  const { code, told } = checked(READY, `# Changelog\n\n${heading}\n`);
  expect([code, told[0]]).toEqual([1, '- CHANGELOG.md has no heading "## 1.2.3 (YYYY-MM-DD)"']);
});

test('the settings of publishing are missed', () => {
  expect(checked({ ...READY, publishConfig: undefined })).toEqual({
    code: 1,
    told: [
      '- package.json: publishConfig.access is not "public"',
      '- package.json: publishConfig.provenance is not true',
      NOT_RUN,
      'not ready',
    ],
  });
});

test('tests that fail, and changes that are not committed, are missed', () => {
  expect(checked({ ...READY, scripts: { test: 'node --eval "process.exit(1)"' } })).toEqual({
    code: 1,
    told: ['running npm test', '- npm test fails', 'not ready'],
  });
  checked(READY);
  writeFileSync(join(folder, 'new.txt'), '');
  expect(check().told[0]).toBe('- git: there are changes that are not committed');
});
