// Which Markdown files are the site's pages, where each page stands, and the menus. Invariant: every page of docs/ is in a
// menu: a new one that is not listed here ends the build. The pages of the reference are generated, and in no other place.
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeReference } from './reference.ts';

/** The checkout's folder. */
export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** Where the pages are put together for VitePress. */
const STAGE = join(ROOT, 'site/pages');

const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
/** The package's entries, each with its source: each is a page of the reference. */
const ENTRIES = new Map(
  Object.keys(exports).flatMap((key) => {
    const entry = key === '.' ? 'index' : key.slice(2);
    // Some are projects of their own beside js/src.
    const sources = [`js/src/${entry}.ts`, `js/${entry}/index.ts`].filter((file) =>
      existsSync(join(ROOT, file)),
    );
    return sources.map((source) => [entry, source] as const);
  }),
);
const REFERENCE = [...ENTRIES.keys()].map((entry) => `docs/reference/${entry}.md`);

/** Pages that do not stand where their file does. */
export const REWRITES: Readonly<Record<string, string>> = {
  'README.md': 'index.md',
  'README.zh.md': 'zh/index.md',
  'docs/start.zh.md': 'zh/docs/start.md',
  'docs/inside/README.md': 'docs/inside/index.md',
};

const GUIDES =
  'remove-duplicates database ship-a-list other-languages save keys grow expire count values share redis command-line';
const PLATFORMS = 'runtimes platforms';
const INSIDE = 'README how-it-works format sizing performance paper redis redis-operators tried cpp';

const inFolder = (folder: string, names: string): string[] =>
  names.split(' ').map((name) => `docs/${folder}/${name}.md`);

/** A part of the menu: its English and Chinese name, and its pages. */
export const PARTS: readonly { en: string; zh: string; files: readonly string[] }[] = [
  {
    en: 'Start',
    zh: '开始',
    files: ['README.md', 'docs/start.md', 'docs/pitfalls.md', 'docs/coming-from.md'],
  },
  { en: 'Guides', zh: '指南（英文）', files: inFolder('guides', GUIDES) },
  { en: 'Platforms', zh: '平台（英文）', files: inFolder('guides', PLATFORMS) },
  {
    en: 'Reference',
    zh: '参考（英文）',
    files: ['docs/api.md', ...REFERENCE, 'docs/glossary.md', 'SECURITY.md', 'CHANGELOG.md'],
  },
  { en: 'Inside', zh: '内部（英文）', files: inFolder('inside', INSIDE) },
];

const CHINESE: Readonly<Record<string, string>> = {
  'README.md': 'README.zh.md',
  'docs/start.md': 'docs/start.zh.md',
};

/** All pages, as files of the checkout or of the reference. */
export const FILES: readonly string[] = [...PARTS.flatMap(({ files }) => files), ...Object.values(CHINESE)];

/** The file in the checkout that a page is made of. */
export function sourceOf(page: string): string {
  return Object.entries(REWRITES).find(([, to]) => to === page)?.[0] ?? page;
}

/** Where the page of a file stands, as VitePress writes links; `file` may have a #heading. */
export function linkTo(file: string): string {
  const [path = '', heading] = file.split('#');
  const page = `/${REWRITES[path] ?? path}`.replace(/index\.md$/, '').replace(/\.md$/, '.html');
  return heading === undefined ? page : `${page}#${heading}`;
}

/** The text of a page, by its file. */
export function textOf(file: string): string {
  return readFileSync(join(STAGE, REWRITES[file] ?? file), 'utf8');
}

/** The first heading of a file. */
export function titleOf(file: string): string {
  return /^# (.*)$/m.exec(textOf(file))?.[1]?.replaceAll('`', '') ?? file;
}

interface Part {
  text: string;
  collapsed?: boolean;
  items: { text: string; link: string }[];
}

export function menu(language: 'en' | 'zh'): Part[] {
  const inLanguage = (file: string): string => (language === 'zh' ? (CHINESE[file] ?? file) : file);
  return PARTS.map((part) => ({
    text: part[language],
    ...(part.en === 'Inside' ? { collapsed: true } : {}),
    items: part.files.map((file) => {
      const page = inLanguage(file);
      const isForeign = language === 'zh' && part.en === 'Start' && page === file;
      return { text: nameOf(page) + (isForeign ? '（英文）' : ''), link: linkTo(page) };
    }),
  }));
}

function nameOf(file: string): string {
  if (file === 'README.md') return 'Overview';
  return file === 'README.zh.md' ? '概览' : titleOf(file);
}

/**
 * Copies the files, with the pictures of docs/, each to where its page stands, and generates the reference there: VitePress
 * searches by language only if the folders are those of the languages. Returns their folder. Throws if docs/ has a page that
 * no menu has.
 */
export async function stagePages(): Promise<string> {
  const there = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' }).map(
    (name) => `docs/${name.replaceAll('\\', '/')}`,
  );
  const lost = there.filter((file) => file.endsWith('.md') && !FILES.includes(file));
  if (lost.length > 0) throw new Error(`site/.vitepress/pages.ts lists no menu for ${lost.join(', ')}`);
  rmSync(STAGE, { recursive: true, force: true });
  const written = FILES.filter((file) => !REFERENCE.includes(file));
  for (const file of [...written, ...there.filter((name) => name.endsWith('.svg'))])
    cpSync(join(ROOT, file), join(STAGE, REWRITES[file] ?? file));
  for (const file of ['README.md', 'README.zh.md']) showPictures(join(STAGE, REWRITES[file] ?? file));
  await writeReference(ROOT, [...ENTRIES.values()], join(STAGE, 'docs/reference'));
  return STAGE;
}

/** Leads the pictures of a page, which may have their address in the repository, to the files of the site. */
function showPictures(page: string): void {
  const folder = relative(dirname(page), STAGE) || '.';
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, text.replaceAll(/(?<=src(?:set)?=")[^"]*?(?=docs\/inside\/)/g, `${folder}/`));
}
