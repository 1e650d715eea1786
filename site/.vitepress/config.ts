// The site: the README and docs/ as pages, with search, in English and Chinese. `npm run site` builds it.
// Invariant: a page asks no other host for anything; links between pages are checked by the build.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { writeForMachines } from './llms.ts';
import { configureMarkdown, slugOf } from './markdown.ts';
import { menu, ROOT, stagePages } from './pages.ts';

interface Manifest {
  name: string;
  description: string;
  repository?: { url: string };
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
/** The repository's page, once package.json names it. */
const repository = manifest.repository?.url.replace(/^git\+/, '').replace(/\.git$/, '');
const base = process.env['SITE_BASE'] ?? '/';
const srcDir = await stagePages();

const learn = (text: string, language: string) => ({
  text,
  link: `/learn/index.html#l=${language}`,
  target: '_self',
  noIcon: true,
});

/** Words of Chinese have no spaces between them. Sent to the page as source text, so it names nothing outside. */
function tokenize(text: string): string[] {
  const words = [...new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text)];
  return words.filter((word) => word.isWordLike).map((word) => word.segment);
}

export default defineConfig({
  base,
  srcDir,
  outDir: 'dist',
  title: manifest.name,
  description: manifest.description,
  head: [['link', { rel: 'icon', href: `${base}learn/icon.svg` }]],
  locales: {
    root: { label: 'English', lang: 'en' },
    zh: {
      label: '简体中文',
      lang: 'zh-CN',
      themeConfig: {
        nav: [
          { text: '开始', link: '/zh/docs/start' },
          { text: 'API（英文）', link: '/docs/api' },
          learn('动手学', 'zh'),
        ],
        outline: { level: [2, 3], label: '本页内容' },
        docFooter: { prev: '上一页', next: '下一页' },
        sidebarMenuLabel: '目录',
        returnToTopLabel: '回到顶部',
        darkModeSwitchLabel: '深色',
        langMenuLabel: '语言',
      },
    },
  },
  markdown: {
    anchor: { slugify: slugOf },
    // Themes with readable comments, because the comments show results.
    theme: { light: 'github-light-default', dark: 'github-dark-default' },
    config: (md) => configureMarkdown(md, repository),
  },
  themeConfig: {
    i18nRouting: false,
    nav: [{ text: 'Start', link: '/docs/start' }, { text: 'API', link: '/docs/api' }, learn('Learn', 'en')],
    sidebar: { '/': menu('en'), '/zh/': menu('zh') },
    outline: { level: [2, 3] },
    ...(repository === undefined ? {} : { socialLinks: [{ icon: 'github', link: repository }] }),
    search: {
      provider: 'local',
      options: {
        miniSearch: { options: { tokenize } },
        locales: {
          zh: {
            translations: {
              button: { buttonText: '搜索', buttonAriaLabel: '搜索' },
              modal: {
                noResultsText: '没有结果（此处只搜索中文页面，其余请在英文页面搜索）',
                resetButtonTitle: '清除',
                footer: { selectText: '选择', navigateText: '切换', closeText: '关闭' },
              },
            },
          },
        },
      },
    },
  },
  buildEnd: ({ outDir }) => writeForMachines(outDir),
});
