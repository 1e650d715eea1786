// The words of the command line: which commands there are, which options each takes, and what a given line asks for.
// Invariant: an option is described once, here, and a command refuses the options that it does not list.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { Failure } from './failure.js';
import { STANDARD_INPUT } from './source.js';

/** What a command line asks for. */
export interface Settings {
  readonly files: readonly string[];
  readonly key?: string;
  readonly delimiter?: string;
  readonly zero?: boolean;
  readonly capacity?: number;
  readonly rate?: number;
  readonly load?: string;
  readonly save?: string;
  readonly output?: string;
  readonly duplicates?: boolean;
  readonly invert?: boolean;
}

const OPTIONS = {
  key: {
    type: 'string',
    short: 'k',
    value: ' KEY',
    help: 'compare field KEY (from 1), or what /KEY/ matches (its first group)',
  },
  delimiter: { type: 'string', short: 'd', value: ' BYTE', help: 'what ends a field; default: tab' },
  zero: { type: 'boolean', short: 'z', value: '', help: 'lines end with a zero byte' },
  capacity: {
    type: 'string',
    short: 'c',
    value: ' N',
    help: 'distinct keys that must fit; default: estimated from files, else as many as come',
  },
  rate: { type: 'string', short: 'r', value: ' P', help: 'false positive rate at capacity; default: 0.001' },
  load: { type: 'string', short: 'l', value: ' FILE', help: 'begin with the filter saved in FILE' },
  save: { type: 'string', short: 's', value: ' FILE', help: 'save the filter in FILE at the end' },
  output: {
    type: 'string',
    short: 'o',
    value: ' FILE',
    help: 'save the filter in FILE; default: write it to standard output',
  },
  duplicates: { type: 'boolean', short: 'D', value: '', help: 'print the lines that are dropped instead' },
  invert: { type: 'boolean', short: 'v', value: '', help: 'print the lines that are not in the filter' },
} as const;

const COMMANDS = {
  dedup: {
    summary:
      'print each line the first time it comes; about half of P of the new lines are dropped with the others',
    options: ['key', 'delimiter', 'zero', 'capacity', 'rate', 'load', 'save', 'duplicates'],
  },
  build: {
    summary: 'save a filter of the keys of all lines; needs --save',
    options: ['key', 'delimiter', 'zero', 'capacity', 'rate', 'load', 'save'],
  },
  query: {
    summary: 'print the lines whose key is in a filter; needs --load',
    options: ['key', 'delimiter', 'zero', 'load', 'invert'],
  },
  merge: {
    summary: 'make one of saved filters that were made with the same --capacity, that of all, and --rate',
    options: ['output'],
  },
  info: { summary: 'describe saved filters', options: [] },
} as const satisfies Record<string, { summary: string; options: readonly (keyof typeof OPTIONS)[] }>;

export type CommandName = keyof typeof COMMANDS;

/** Commands whose files are filters, not lines. */
const OF_FILTERS: readonly CommandName[] = ['merge', 'info'];

/** What a command line asks to be done; `help` and `version` are not about files. */
export interface CommandLine {
  readonly command: CommandName | 'help' | 'version';
  readonly settings: Settings;
}

/** What `words`, the arguments, ask for. Throws Failure for what makes no sense. */
export function commandLineOf(words: readonly string[]): CommandLine {
  const [command = '', ...rest] = words;
  if (command === '--help' || command === '-h' || rest.includes('--help'))
    return { command: 'help', settings: { files: [] } };
  if (command === '--version') return { command: 'version', settings: { files: [] } };
  if (!isCommand(command)) throw new Failure(`no command ${JSON.stringify(command)}; --help lists them`);
  const settings = settingsOf(command, rest);
  if (settings.load !== undefined && (settings.capacity ?? settings.rate) !== undefined)
    throw new Failure('--capacity and --rate are for a new filter, not for one that is loaded');
  return { command, settings };
}

/** What `--help` prints. */
export function help(): string {
  const commands = Object.entries(COMMANDS).map(([name, { summary, options }]) => {
    const lines = options.map((option: keyof typeof OPTIONS) => {
      const { short, value, help: text } = OPTIONS[option];
      return `      ${`-${short}, --${option}${value}`.padEnd(24)}${text}`;
    });
    return [`  ${name} [options] [files]`, `      ${summary}`, ...lines].join('\n');
  });
  return `usage: cuckoofilter-wasm command [options] [files]

${commands.join('\n\n')}

Without files, or for the file -, standard input is read; input that begins as gzip does is unzipped. A line without
the key asked for is never dropped, stored or found. The exit code is 0; 1 if query prints nothing; 2 for an error.
`;
}

function isCommand(name: string): name is CommandName {
  return Object.hasOwn(COMMANDS, name);
}

function settingsOf(command: CommandName, words: readonly string[]): Settings {
  const names: readonly (keyof typeof OPTIONS)[] = COMMANDS[command].options;
  const { values, positionals } = parsed(
    words,
    Object.fromEntries(names.map((name) => [name, OPTIONS[name]])),
  );
  const settings: Record<string, unknown> = { ...values };
  for (const name of ['capacity', 'rate']) {
    if (name in values) settings[name] = numberOf(name, String(values[name]));
  }
  const isListed = positionals.length > 0 || OF_FILTERS.includes(command);
  if (positionals.length === 0 && isListed)
    throw new Failure(`${command} needs files that build or dedup saved`);
  return { ...settings, files: isListed ? positionals : [STANDARD_INPUT] };
}

function parsed(words: readonly string[], options: ParseArgsConfig['options']): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...words], options: options ?? {}, allowPositionals: true });
  } catch (error) {
    throw new Failure((error as Error).message.split('\n')[0]);
  }
}

function numberOf(name: string, text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (text !== '' && Number.isFinite(value)) return value;
  throw new Failure(`--${name} must be a number, got ${JSON.stringify(text)}`);
}
