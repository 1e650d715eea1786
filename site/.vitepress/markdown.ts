// What the site does to the Markdown files: links between files become links between pages, and each complete program gets
// the button that runs it. Invariant: the files themselves are as GitHub and npm show them.
import type { MarkdownEnv, MarkdownRenderer } from 'vitepress';
import { dirname, normalize } from 'node:path/posix';
import { FILES, linkTo, sourceOf } from './pages.ts';

/** The part of a token of markdown-it that is changed. */
interface Token {
  type: string;
  info: string;
  content: string;
  children: Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

interface State {
  tokens: Token[];
  env: MarkdownEnv;
  Token: new (type: string, tag: string, nesting: number) => Token;
}

export function configureMarkdown(md: MarkdownRenderer, repository: string | undefined): void {
  md.core.ruler.push('pages', ({ tokens, env, Token }: State) => {
    const file = sourceOf(env.relativePath);
    for (const token of tokens) {
      mapLinks(token.children ?? [], file, repository);
      token.children = token.children?.flatMap((each) => linked(each, Token)) ?? null;
      if (token.type === 'code_block') boxCode(token);
    }
  });
  addRunButtons(md);
  addBreaks(md);
}

/** The name of a heading as GitHub and npm make it, so that links with # lead to the same place here. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}

/** Commands are indented in the files; a fence gives them a box and a button that copies. */
function boxCode(token: Token): void {
  token.type = 'fence';
  token.info = /^(# .*\n)?(npm|npx|cmake|docker) /.test(token.content) ? 'sh' : 'txt';
}

function mapLinks(tokens: Token[], file: string, repository: string | undefined): void {
  for (const token of tokens) {
    const target = token.type === 'link_open' ? token.attrGet('href') : null;
    if (target === null || /^([a-z]+:|#)/.test(target)) continue;
    const [path = '', heading] = target.split('#');
    const to = normalize(`${dirname(file)}/${path}`);
    const whole = heading === undefined ? to : `${to}#${heading}`;
    if (FILES.includes(to)) token.attrSet('href', linkTo(whole));
    // A file that is no page is in the repository alone.
    else if (repository !== undefined) token.attrSet('href', `${repository}/blob/main/${whole}`);
    else token.attrSet('href', '#');
  }
}

/** The name of a file that is a page leads to it. */
function linked(token: Token, Token: State['Token']): Token[] {
  if (token.type !== 'code_inline' || !FILES.includes(token.content)) return [token];
  const open = new Token('link_open', 'a', 1);
  open.attrSet('href', linkTo(token.content));
  return [open, token, new Token('link_close', 'a', -1)];
}

/**
 * A program in `js` is complete and prints what its comments say. One that needs Node cannot run in a page, nor one that shares
 * memory, as pages of a plain web server are not isolated.
 */
export function isRunnable(language: string, code: string): boolean {
  return language === 'js' && !/from '(node:|cuckoofilter-wasm\/shared')/.test(code);
}

function addRunButtons(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (...given) => {
    const html = fence?.(...given) ?? '';
    const [tokens, index] = given;
    const token = tokens[index];
    if (token === undefined || !isRunnable(token.info.trim(), token.content)) return html;
    return `<RunnableExample>${html}</RunnableExample>`;
  };
}

/** Lets long names break after a sign and before a capital letter, where there is no room, but no option after its hyphens. */
function addBreaks(md: MarkdownRenderer): void {
  const inline = md.renderer.rules.code_inline;
  md.renderer.rules.code_inline = (...given) =>
    (inline?.(...given) ?? '')
      .replace(/(?<=>[^<]*[.(/:])(?=\w)|(?<=>[^<]*[a-z])(?=[A-Z])/g, '<wbr>')
      .replace(/(?<=[> '])--?[a-z][a-z-]*(?=[< ])/g, '<span class="option">$&</span>');
}
