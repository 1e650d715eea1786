// llms.txt, the list of pages for programs that read them, and beside it the Markdown files as they are.
// Invariant: every link in it leads to a file that this writes.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FILES, PARTS, ROOT, textOf, titleOf } from './pages.ts';

export function writeForMachines(folder: string): void {
  for (const file of FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), textOf(file));
  }
  writeFileSync(join(folder, 'llms.txt'), llms());
  const text = FILES.filter((file) => !file.includes('.zh.') && !file.startsWith('docs/inside/'))
    .map((file) => `<!-- ${file} -->\n\n${textOf(file)}`)
    .join('\n');
  writeFileSync(join(folder, 'llms-full.txt'), text);
}

function llms(): string {
  const { name, description } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    name: string;
    description: string;
  };
  const parts = PARTS.map(({ en, files }) => {
    const lines = files.map((file) => `- [${titleOf(file)}](${file}): ${summaryOf(file)}`);
    return `## ${en === 'Inside' ? 'Optional' : en}\n\n${lines.join('\n')}\n`;
  });
  const all = 'All pages but the optional ones are in one file: [llms-full.txt](llms-full.txt).';
  return `# ${name}\n\n> ${description}\n\n${all}\n\n${parts.join('\n')}`;
}

/** What a page begins with: its first sentence, or if code or a list comes first its headings. */
function summaryOf(file: string): string {
  const [, first = ''] = textOf(file)
    .split(/\n\s*\n/)
    .filter((block) => !block.startsWith('English |'));
  if (!/^[A-Z`[]/.test(first) || first.startsWith('```')) return headingsOf(file).join('; ');
  const text = first.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/\s+/g, ' ');
  return /^.*?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

function headingsOf(file: string): string[] {
  return [...textOf(file).matchAll(/^## (.*)$/gm)].map(([, heading = '']) => heading);
}
