// The links of Markdown documents, checked against the files and headings that they name.
// Invariant: only relative links are looked at; nothing is fetched.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

/**
 * The relative links of `documents`, paths in the folder `root`, that lead to no file or to no heading, each as
 * `document: target`.
 */
export function brokenLinks(root: string, documents: readonly string[]): string[] {
  return documents.flatMap((document) =>
    linksOf(readFileSync(join(root, document), 'utf8'))
      .filter((target) => !isThere(root, document, target))
      .map((target) => `${document}: ${target}`),
  );
}

/** The targets of the relative links and pictures in a text of Markdown. */
function linksOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target));
}

function isThere(root: string, document: string, target: string): boolean {
  const [path = '', heading] = target.split('#');
  const file = join(root, path === '' ? document : normalize(join(dirname(document), path)));
  if (!existsSync(file)) return false;
  return heading === undefined || headingsOf(readFileSync(file, 'utf8')).includes(heading);
}

/** The names of a text's headings as GitHub and npm make them: lower case, without punctuation, hyphens for spaces. */
function headingsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function withoutCode(text: string): string {
  return text.replaceAll(/^```.*?^```/gms, '').replaceAll(/^ {4}.*$/gm, '');
}
