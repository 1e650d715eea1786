// What help prints, made from the table of options.
// Invariant: no line is longer than 100 characters.
import { COMMANDS, OPTIONS, type CommandName, type OptionName } from './options.js';

const WIDTH = 100;
const COLUMN = 28;

/** What `--help` prints, or `help NAME`. */
export function help(name?: CommandName): string {
  return name === undefined ? overview() : helpOf(name);
}

function overview(): string {
  const rows = Object.entries(COMMANDS).map(([name, { summary }]) => `  ${name.padEnd(8)}${summary}`);
  return `usage: cuckoofilter-wasm COMMAND [options] [files]

Removes duplicate lines, and tells which lines were seen before, in a few bytes of memory per line.

Commands:
${rows.join('\n')}

Each day, print only the lines not seen before:
  cuckoofilter-wasm dedup --load seen.cuckoo --save seen.cuckoo --create new.txt

cuckoofilter-wasm help COMMAND prints the options and examples of a command.
cuckoofilter-wasm --version prints the version.

Exit codes: 0 for success, 1 if query printed no line, 2 for an error.
`;
}

function helpOf(name: CommandName): string {
  const { arguments: words, summary, details, options, examples } = COMMANDS[name];
  return `usage: cuckoofilter-wasm ${name} ${words}

${summary.charAt(0).toUpperCase()}${summary.slice(1)}.

${details
  .split('\n\n')
  .map((text) => linesOf(text, WIDTH).join('\n'))
  .join('\n\n')}

Options:
${[...options.map(optionLines), ...row('-h, --help', 'print this help')].join('\n')}

Examples:
${examples.map((example) => `  cuckoofilter-wasm ${example}`).join('\n')}

Exit codes: 0 for success, ${name === 'query' ? '1 if no line was printed, ' : ''}2 for an error.
`;
}

function optionLines(name: OptionName): string {
  const { short, value, help: text } = OPTIONS[name];
  const left = `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
  return row(left, text).join('\n');
}

/** Two columns, the right one in as many lines as it takes. */
function row(left: string, right: string): string[] {
  const lines = linesOf(right, WIDTH - COLUMN);
  return lines.map((line, i) => `  ${(i === 0 ? left : '').padEnd(COLUMN - 2)}${line}`);
}

function linesOf(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const last = lines.length - 1;
    const longer = lines[last] === '' ? word : `${lines[last]} ${word}`;
    if (longer.length <= width) lines[last] = longer;
    else lines.push(word);
  }
  return lines;
}
