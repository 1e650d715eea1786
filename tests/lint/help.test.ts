// The words and lay-out of what help prints, for all commands and for each: options, examples that parse, paragraphs, columns.
import { describe, expect, test } from '@jest/globals';
import { commandLineOf } from '../../js/cli/arguments';
import { help } from '../../js/cli/words/help';
import { COMMANDS, type CommandName } from '../../js/cli/words/options';

const INPUT = [
  '-k, --key KEY',
  '-d, --delimiter BYTE',
  '--json-key NAME',
  '--csv',
  '--header',
  '--keep-empty',
  '-z, --zero',
];
const SIZE = ['-c, --capacity N', '-m, --max-capacity N', '-r, --rate P'];
const REPORT = ['--summary', '-q, --quiet', '--json'];
const OPTIONS: Record<CommandName, readonly string[]> = {
  dedup: [
    ...INPUT,
    '-D, --duplicates',
    '-o, --output FILE',
    '-l, --load FILE',
    '-s, --save FILE',
    '--create',
    ...SIZE,
    ...REPORT,
  ],
  build: ['-s, --save FILE', '-l, --load FILE', '--create', ...INPUT, ...SIZE, ...REPORT],
  query: ['-l, --load FILE', '-v, --invert', ...INPUT, ...REPORT],
  merge: ['-o, --output FILE', ...REPORT],
  info: ['--json'],
  plan: [...SIZE, '--json'],
};
/** Those that tell how a filter grows. */
const GROWING: readonly CommandName[] = ['dedup', 'build'];
const NAMES = Object.keys(OPTIONS) as CommandName[];

/** The command lines in a text of help, as words. */
function examplesOf(text: string): string[][] {
  return [...text.matchAll(/^ {2}cuckoofilter-wasm (.*?)(?: > .*)?$/gm)].map(([, words = '']) =>
    words.split(' ').map((word) => word.replaceAll("'", '')),
  );
}

test('help lists the commands, in order, and its examples make sense', () => {
  const listed = [...help().matchAll(/^ {2}(\w+) +\w+( \S+){2,}$/gm)].map(([, name]) => name);
  expect(listed.filter((name) => name !== 'cuckoofilter')).toEqual(NAMES);
  const asked = examplesOf(help()).map((words) => commandLineOf(words));
  expect(asked).toEqual([expect.objectContaining({ command: 'dedup' })]);
});

describe.each(NAMES)('help of %s', (name) => {
  const text = help(name);

  test('begins with its usage and ends with exit codes', () => {
    expect(text).toMatch(new RegExp(`^usage: cuckoofilter-wasm ${name} [^\\n]+\\n\\n[A-Z][^\\n]+\\.\\n\\n`));
    const codes = `0 for success, ${name === 'query' ? '1 if no line was printed, ' : ''}2 for an error`;
    expect(text.endsWith(`\n\nExit codes: ${codes}.\n`)).toBe(true);
  });

  test('says what the command does, in paragraphs as wide as they may be', () => {
    const { summary, details } = COMMANDS[name];
    const [, first, ...more] = text.split('\n\n');
    expect(first).toBe(`${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`);
    const paragraphs = details.split('\n\n');
    const lines = more.slice(0, paragraphs.length).map((paragraph) => paragraph.split('\n'));
    expect(lines.map((each) => each.join(' '))).toEqual(
      paragraphs.map((paragraph) => paragraph.split(/\s+/).join(' ')),
    );
    for (const each of lines)
      for (const [i, line] of each.slice(1).entries())
        expect(`${each[i]} ${line.split(' ')[0]}`.length).toBeGreaterThan(100);
    expect(text.includes('from standard input')).toBe(OPTIONS[name].includes('-z, --zero'));
    expect(text.includes('grows as needed')).toBe(GROWING.includes(name));
  });

  test('tells each of its options, in columns', () => {
    const [, rows = ''] = /\nOptions:\n([^]*?)\n\n/.exec(text) ?? [];
    const left = rows.split('\n').map((row) => row.slice(0, 28).trim());
    expect(left.filter((words) => words !== '')).toEqual([...OPTIONS[name], '-h, --help']);
    for (const row of rows.split('\n')) expect(row).toMatch(/^ {2}(-\w, --| {4}--| {26}\S)/);
    for (const row of rows.split('\n')) expect(row.slice(28)).toMatch(/^\S+( \S+)*$/);
  });

  test('has examples that make sense, and no line that is too long', () => {
    const [, examples = ''] = /\nExamples:\n([^]*?)\n\n/.exec(text) ?? [];
    const asked = examplesOf(examples).map((words) => commandLineOf(words));
    expect(asked.length).toBeGreaterThan(0);
    for (const each of asked) expect(each).toMatchObject({ action: 'run', command: name });
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
