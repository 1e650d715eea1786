// The command line: which commands there are, which options each takes, and how the arguments are read.
// Invariant: an option is described once, here, and a command refuses the options that it does not list.
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { nearestOf } from '../src/given.js';
import { Failure } from './failure.js';
import { count } from './progress.js';
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

/**
 * The capacity of a new filter if neither `--capacity` nor the size of the input says how many keys will come. The six
 * doublings in between cost six bits per key before the first of them.
 */
export const UNKNOWN_CAPACITY = { capacity: 10_000_000, maxCapacity: 640_000_000 };

const SEE_HELP = 'run cuckoofilter-wasm --help for the list';

const OPTIONS = {
  key: {
    type: 'string',
    short: 'k',
    value: ' KEY',
    help: 'the key is field KEY (from 1), or what /KEY/ matches; default: the whole line',
  },
  delimiter: {
    type: 'string',
    short: 'd',
    value: ' BYTE',
    help: 'the byte between two fields; default: tab',
  },
  zero: { type: 'boolean', short: 'z', value: '', help: 'lines end with a zero byte instead of a newline' },
  capacity: {
    type: 'string',
    short: 'c',
    value: ' N',
    help: 'number of distinct keys to make room for; default: see below',
  },
  rate: {
    type: 'string',
    short: 'r',
    value: ' P',
    help: 'false positive rate of the full filter; default: 0.001',
  },
  load: { type: 'string', short: 'l', value: ' FILE', help: 'use the filter saved in FILE' },
  save: { type: 'string', short: 's', value: ' FILE', help: 'save the filter to FILE at the end' },
  output: {
    type: 'string',
    short: 'o',
    value: ' FILE',
    help: 'save the result to FILE; default: standard output',
  },
  duplicates: {
    type: 'boolean',
    short: 'D',
    value: '',
    help: 'print the duplicates instead of the new lines',
  },
  invert: { type: 'boolean', short: 'v', value: '', help: 'print the lines whose key is not in the filter' },
} as const;

const COMMANDS = {
  dedup: {
    summary: 'print each line only the first time it occurs',
    options: ['key', 'delimiter', 'zero', 'capacity', 'rate', 'load', 'save', 'duplicates'],
  },
  build: {
    summary: 'save a filter with the key of every line; needs --save',
    options: ['key', 'delimiter', 'zero', 'capacity', 'rate', 'load', 'save'],
  },
  query: {
    summary: 'print the lines whose key is in a saved filter; needs --load',
    options: ['key', 'delimiter', 'zero', 'load', 'invert'],
  },
  merge: {
    summary: 'combine saved filters; build them all with the same --rate and the same --capacity (the total)',
    options: ['output'],
  },
  info: { summary: 'print the size and options of saved filters', options: [] },
} as const satisfies Record<string, { summary: string; options: readonly (keyof typeof OPTIONS)[] }>;

export type CommandName = keyof typeof COMMANDS;

/** The command to run, and its settings. `help` and `version` have no files. */
export interface CommandLine {
  readonly command: CommandName | 'help' | 'version';
  readonly settings: Settings;
}

/** Reads the arguments in `words`. Throws Failure if they make no sense. */
export function commandLineOf(words: readonly string[]): CommandLine {
  const [command = '', ...rest] = words;
  if (command === '--help' || command === '-h' || rest.includes('--help'))
    return { command: 'help', settings: { files: [] } };
  if (command === '--version') return { command: 'version', settings: { files: [] } };
  if (!isCommand(command))
    throw new Failure(
      words.length === 0
        ? `no command given; ${SEE_HELP}`
        : `unknown command ${JSON.stringify(command)}; ${SEE_HELP}`,
    );
  const settings = settingsOf(command, rest);
  if (settings.load !== undefined && (settings.capacity ?? settings.rate) !== undefined)
    throw new Failure('leave out --capacity and --rate with --load: the saved filter has its own');
  return { command, settings };
}

/** What `--help` prints. */
export function help(): string {
  const { capacity, maxCapacity } = UNKNOWN_CAPACITY;
  const commands = Object.entries(COMMANDS).map(([name, { summary, options }]) => {
    const lines = options.map((option: keyof typeof OPTIONS) => {
      const { short, value, help: text } = OPTIONS[option];
      return `      ${`-${short}, --${option}${value}`.padEnd(24)}${text}`;
    });
    const words = [
      name,
      ...(options.length > 0 ? ['[options]'] : []),
      isOfFilters(name) ? 'filters' : '[files]',
    ];
    return [`  ${words.join(' ')}`, `      ${summary}`, ...lines].join('\n');
  });
  return `usage: cuckoofilter-wasm command [options] [files]

${commands.join('\n\n')}

Files: without a file, or if a file is -, lines are read from standard input. Gzipped input is unzipped.
Keys: if the regular expression has groups, the key is the first group. A line without the key is never
  dropped, stored or found.
Capacity: estimated from the sizes of the files. If the input is piped or compressed, the filter starts with
  room for ${count(capacity)} keys and grows up to ${count(maxCapacity)}.
False positives: dedup also drops a few new lines, a share of about P / 2 (0.05 % by default).
Exit code: 0 for success, 1 if query printed nothing, 2 for an error.

Examples:
  cuckoofilter-wasm dedup access.log > unique.log
  cuckoofilter-wasm dedup --key 2 --delimiter , users.csv.gz
  cuckoofilter-wasm build --save seen.cuckoo ids.txt
  cuckoofilter-wasm query --load seen.cuckoo --invert new-ids.txt
  cuckoofilter-wasm info seen.cuckoo
`;
}

/** Whether the files of the command are filters, not lines. */
function isOfFilters(name: string): boolean {
  return name === 'merge' || name === 'info';
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
  const isListed = positionals.length > 0 || isOfFilters(command);
  if (positionals.length === 0 && isListed)
    throw new Failure(`${command} needs files saved by build or dedup`);
  return { ...settings, files: isListed ? positionals : [STANDARD_INPUT] };
}

function parsed(words: readonly string[], options: ParseArgsConfig['options']): ReturnType<typeof parseArgs> {
  try {
    return parseArgs({ args: [...words], options: options ?? {}, allowPositionals: true });
  } catch (error) {
    throw new Failure(problemOf(error as Error, Object.keys(options ?? {})));
  }
}

/** What parseArgs found wrong, in one short line. Its own messages are longer and differ between versions of Node. */
function problemOf({ message }: Error, names: readonly string[]): string {
  const [first = ''] = message.split('\n');
  const [, option = ''] = /^[^']*'(?:-\w, )?(--?[^\s']+)/.exec(first) ?? [];
  if (first.startsWith('Unknown option')) {
    const nearest = nearestOf(option, names);
    return `unknown option ${option}; ${nearest === undefined ? SEE_HELP : `did you mean --${nearest}?`}`;
  }
  if (/missing|ambiguous/.test(first))
    return `${option} needs a value; if the value begins with -, write --name=value`;
  return /not take/.test(first) ? `${option} takes no value` : first;
}

function numberOf(name: string, text: string): number {
  const value = Number(text.replaceAll('_', ''));
  if (text !== '' && Number.isFinite(value)) return value;
  throw new Failure(`--${name} must be a number, got ${JSON.stringify(text)}`);
}
