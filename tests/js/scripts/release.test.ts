// `npm run release:check`, in copies of the files that it reads, which lack one thing each.
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TIME_LIMIT } from '../support/command';

const ROOT = join(__dirname, '../../..');
const PAGES = ['README.md', 'README.zh.md', 'docs/start.md', 'docs/start.zh.md'];
const DOCUMENTS = ['CHANGELOG.md', 'CITATION.cff', ...PAGES, 'SECURITY.md'];
const FACTS = { repository: 'https://example.com/sample', author: 'Some Authors', date: '2024-02-29' };
const NOT_RUN = '- npm test has not run: it does when nothing else is missing';
const RUN_WRITE = 'does not say what publisher.json says; run npm run release:check -- --write';
let folder: string;

function git(...words: string[]): void {
  const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com'];
  const { status, stderr } = spawnSync('git', [...identity, ...words], { cwd: folder, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
}

const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8');
const manifestOf = (at: string): Record<string, unknown> =>
  JSON.parse(readFileSync(join(at, 'package.json'), 'utf8')) as Record<string, unknown>;

function write(name: string, content: object | string): void {
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`,
  );
}

function commit(): void {
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'Change');
}

function check(...words: string[]): { code: number | null; told: string[] } {
  const script = join(ROOT, 'scripts/release/release.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...words, folder], {
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  if (stderr !== '') throw new Error(stderr);
  return { code: status, told: stdout.trim().split('\n') };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-release-'));
  git('init', '--quiet');
  mkdirSync(join(folder, 'docs'));
});

beforeEach(() => {
  for (const name of DOCUMENTS) copyFileSync(join(ROOT, name), join(folder, name));
  write('package.json', { ...manifestOf(ROOT), scripts: { test: 'node --eval 0' } });
  write('publisher.json', FACTS);
  commit();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('this repository names all that is missing in one file', () => {
  copyFileSync(join(ROOT, 'publisher.json'), join(folder, 'publisher.json'));
  commit();
  const { code, told } = check();
  const blank = JSON.parse(textOf('publisher.json')) as Record<string, string>;
  const wanted = ['repository', 'author', 'date'].filter((name) => blank[name] === '');
  expect(code === 1 || wanted.length === 0).toBe(true);
  expect(told.slice(0, wanted.length)).toEqual(
    wanted.map((name) => expect.stringMatching(`^- publisher\\.json: fill in "${name}": `) as unknown),
  );
});

test('--write puts the facts into every file that tells them; then it is ready, after its tests', () => {
  const stale = ['package.json', 'CHANGELOG.md', 'CITATION.cff', ...PAGES, 'SECURITY.md'];
  expect(check()).toEqual({
    code: 1,
    told: [...stale.map((name) => `- ${name} ${RUN_WRITE}`), NOT_RUN, 'not ready'],
  });
  expect(check('--write').told).toEqual([
    ...stale.map((name) => `written: ${name}`),
    '- git: there are changes that are not committed',
    NOT_RUN,
    'not ready',
  ]);
  const { version } = manifestOf(ROOT) as { version: string };
  expect(manifestOf(folder)).toMatchObject({
    homepage: 'https://example.com/sample#readme',
    repository: { type: 'git', url: 'git+https://example.com/sample.git' },
    bugs: { url: 'https://example.com/sample/issues' },
    author: 'Some Authors',
  });
  expect(textOf('CHANGELOG.md')).toContain(`\n## ${version} (2024-02-29)\n`);
  for (const line of [
    "repository-code: 'https://example.com/sample'",
    "date-released: '2024-02-29'",
    "  - name: 'Some Authors'",
  ])
    expect(textOf('CITATION.cff').split('\n')).toContain(line);
  for (const page of PAGES) expect(textOf(page)).not.toContain('unpublished');
  expect(textOf('README.md')).toContain('[the repository](https://example.com/sample)');
  expect(textOf('README.zh.md')).toContain('[仓库](https://example.com/sample)');
  expect(textOf('SECURITY.md')).toContain('](https://example.com/sample/security/advisories)');
  const pictures = 'https://example.com/sample/raw/HEAD/docs/inside/pictures';
  for (const [page, language] of [
    ['README.md', 'en'],
    ['README.zh.md', 'zh'],
  ] as const) {
    expect(textOf(page)).toContain('[CONTRIBUTING.md](https://example.com/sample/blob/HEAD/CONTRIBUTING.md)');
    expect(textOf(page)).toContain(`srcset="${pictures}/kick-${language}-dark.svg"`);
    expect(textOf(page)).toContain(` src="${pictures}/kick-${language}-light.svg"`);
    // How to install what a clone packs is gone, and with it nothing else.
    expect(textOf(page)).not.toMatch(/unpublished|\.tgz/);
    const isThat = (line: string): boolean => /unpublished|\.tgz|`npm pack`/.test(line);
    const kept = readFileSync(join(ROOT, page), 'utf8')
      .split('\n')
      .filter((line) => !isThat(line));
    expect(textOf(page).replaceAll(/\n+/g, '\n').split('\n')).toHaveLength(
      kept.filter((line) => line !== '').length + 1,
    );
  }
  commit();
  expect(check()).toEqual({
    code: 0,
    told: ['running npm test', `cuckoofilter-wasm ${version} can be published`],
  });
});

test('--write follows a change of any fact, and takes a site', () => {
  check('--write');
  const facts = {
    repository: 'https://example.com/group/other',
    homepage: 'https://example.com/site/',
    author: 'Others',
    date: '2024-03-01',
  };
  write('publisher.json', facts);
  check('--write');
  for (const name of [...DOCUMENTS, 'package.json']) {
    expect(textOf(name)).not.toMatch(/example\.com\/sample|Some Authors|2024-02-29/);
  }
  expect(textOf('README.md')).toContain('[the repository](https://example.com/group/other)');
  expect(manifestOf(folder)['homepage']).toBe('https://example.com/site/');
  expect(textOf('README.md')).toContain('[the interactive demo](https://example.com/site/learn/)');
  expect(textOf('README.md')).toContain('"https://example.com/group/other/raw/HEAD/docs/inside/pictures/');
  commit();
  expect(check().code).toBe(0);
});

test.each([
  [{ date: '2023-02-29' }, '"date" must be the day of the release'],
  [{ date: '2999-01-01' }, '"date" must be the day of the release'],
  [{ date: 'soon' }, '"date" must be the day of the release'],
  [{ repository: 'example/sample' }, '"repository" must be the https address'],
  [{ repository: 'https://example.com/sample.git' }, '"repository" must be the https address'],
  [{ repository: 'https://example.com/sample/' }, '"repository" must be the https address'],
  [{ author: '' }, 'fill in "author": the name of the author'],
  [{ auhtor: 'x' }, 'unknown "auhtor"'],
])('%j is refused, and nothing is written', (change, message) => {
  write('publisher.json', { ...FACTS, ...change });
  const before = textOf('package.json');
  const { code, told } = check('--write');
  expect(code).toBe(1);
  expect(told[0]?.startsWith(`- publisher.json: ${message}`)).toBe(true);
  expect(textOf('package.json')).toBe(before);
});

test('a changelog without the version, and wrong settings of publishing, are missed', () => {
  check('--write');
  write('package.json', { ...manifestOf(folder), version: '99.0.0', publishConfig: undefined });
  commit();
  expect(check()).toEqual({
    code: 1,
    told: [
      '- CHANGELOG.md has no heading "## 99.0.0 (not released yet)"',
      '- package.json: publishConfig.access is not "public"',
      '- package.json: publishConfig.provenance is not true',
      NOT_RUN,
      'not ready',
    ],
  });
});

test('tests that fail, and changes that are not committed, are missed', () => {
  check('--write');
  const failing = { ...manifestOf(folder), scripts: { test: 'node --eval "process.exit(1)"' } };
  write('package.json', failing);
  check('--write');
  commit();
  expect(check()).toEqual({ code: 1, told: ['running npm test', '- npm test fails', 'not ready'] });
  write('new.txt', '');
  expect(check().told[0]).toBe('- git: there are changes that are not committed');
  rmSync(join(folder, 'new.txt'));
});
