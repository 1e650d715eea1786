// The commands and the options that each of them takes, with what help says of them.
// An option is described once, here, and a command refuses the options that it does not list.

export interface Option {
  readonly short?: string;
  /** What stands for the value in help; an option without it takes no value. */
  readonly value?: string;
  readonly isNumber?: boolean;
  readonly help: string;
}

const TABLE = {
  key: {
    short: 'k',
    value: 'KEY',
    help: 'compare one part of each line: field KEY (1, 2, ...), or what /KEY/ matches; default: the whole line',
  },
  delimiter: {
    short: 'd',
    value: 'BYTE',
    help: 'the byte between fields, for --key with a number; default: tab. Quotes have no meaning: use --csv for them',
  },
  'json-key': {
    value: 'NAME',
    help: 'each line is a JSON object (NDJSON): compare the property NAME (not a path). A string and a whole number with the same digits are one key',
  },
  csv: {
    help: 'the input is CSV: commas (or --delimiter) between fields, quotes, and line breaks in quotes. Rows may end with LF, CR or CRLF. --key may name a column. About as fast as --delimiter alone',
  },
  header: {
    help: 'with --csv and a numeric --key: the first row is a header. dedup and query print it, and never compare it',
  },
  'keep-empty': {
    help: 'a line whose key is empty (or null, with --json-key) counts as a line without the key',
  },
  zero: { short: 'z', help: 'lines end with a zero byte, not a newline' },
  capacity: {
    short: 'c',
    value: 'N',
    isNumber: true,
    help: 'make room for N distinct keys at once, which saves time. The filter still grows',
  },
  'max-capacity': {
    short: 'm',
    value: 'N',
    isNumber: true,
    help: 'let the filter grow to N keys; default: 1,000,000,000, or what --rate allows. If N equals --capacity, the filter is smaller and does not grow',
  },
  rate: {
    short: 'r',
    value: 'P',
    isNumber: true,
    help: 'highest false positive rate, at any size; default: 0.001',
  },
  load: {
    short: 'l',
    value: 'FILE',
    help: 'the saved filter to use. query needs one; without it, dedup and build start with an empty filter',
  },
  save: {
    short: 's',
    value: 'FILE',
    help: 'save the filter to FILE at the end; may be the same file as --load',
  },
  create: {
    help: 'with --load and --save: if the --load file does not exist, start with an empty filter and say so',
  },
  output: {
    short: 'o',
    value: 'FILE',
    help: 'write the result to FILE, which is replaced only once everything is written; default: standard output',
  },
  duplicates: { short: 'D', help: 'print the duplicates instead of the new lines' },
  invert: { short: 'v', help: 'print the lines whose key is not in the filter' },
  summary: {
    help: 'end with a summary on standard error, even if it is not a terminal; dedup always does',
  },
  quiet: { short: 'q', help: 'show no progress, summary or advice' },
  json: { help: 'print the figures as JSON' },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof TABLE;

export const OPTIONS: Readonly<Record<OptionName, Option>> = TABLE;

type CamelCase<Name> = Name extends `${infer First}-${infer Rest}` ? `${First}${Capitalize<Rest>}` : Name;
type ValueOf<Given> = Given extends { isNumber: true }
  ? number
  : Given extends { value: string }
    ? string
    : boolean;

/** What a command line asks for: the options by their names in camel case. */
export type Settings = { readonly files: readonly string[] } & {
  readonly [Name in OptionName as CamelCase<Name>]?: ValueOf<(typeof TABLE)[Name]>;
};

export type CommandName = 'dedup' | 'build' | 'query' | 'merge' | 'info' | 'plan';

export interface Command {
  /** What follows the name of the command. */
  readonly arguments: string;
  readonly summary: string;
  /** More of what help says of this command alone. */
  readonly details: string;
  readonly options: readonly OptionName[];
  readonly examples: readonly string[];
  /** Its files are filters, and it needs at least one. */
  readonly isOfFilters?: boolean;
}

const INPUT = ['key', 'delimiter', 'json-key', 'csv', 'header', 'keep-empty', 'zero'] as const;
const SIZE = ['capacity', 'max-capacity', 'rate'] as const;
const REPORT = ['summary', 'quiet', 'json'] as const;

const FILES = `Without a file, or for the file -, lines are read from standard input. Input compressed with gzip or zstd is
decompressed, and UTF-16 input that starts with a byte order mark is converted to UTF-8.`;

const GROWTH = `A new filter grows as needed, so no option about its size is necessary. Its false positive rate never exceeds
--rate. Saved filters can be merged if they were made with the same --rate and --max-capacity, or with neither.`;

export const COMMANDS: Readonly<Record<CommandName, Command>> = {
  dedup: {
    arguments: '[options] [files]',
    summary: 'print each line only the first time it occurs',
    details: `${FILES}

${GROWTH}

A dropped line is almost always a duplicate. At most --rate / 2 of the distinct lines (1 in 2,000 by default) are
dropped by mistake. The summary on standard error says how many to expect. A line without the key is always printed. An
empty field is a key like any other, so only the first line with it is printed; --keep-empty prints all such lines. If no
line has the key, the run ends with exit code 2 and saves nothing.

The filter is saved after the whole output is written. A run that is killed in its last moment may already have saved it.
To rule this out, use another name for --save, and rename that file once the run has ended with exit code 0.`,
    options: [...INPUT, 'duplicates', 'output', 'load', 'save', 'create', ...SIZE, ...REPORT],
    examples: [
      'dedup --output unique.log access.log',
      'dedup --load seen.cuckoo --save seen.cuckoo --create new.txt > unseen.txt',
      'dedup --csv --key email users.csv.gz',
      'dedup --json-key id events.ndjson',
      'dedup --key 2 --delimiter : access.log',
      "dedup --key '/id=(\\d+)/' access.log",
    ],
  },
  build: {
    arguments: '--save FILE [options] [files]',
    summary: 'save a filter of all lines',
    details: `${FILES}

${GROWTH}

A filter that may still grow takes more space. For the smallest file, set --capacity and --max-capacity to the number of
keys.

With --load, the keys are added to those of a saved filter. A line without the key is not stored. An empty field is a key
like any other, unless --keep-empty is given. If no line has the key, the run ends with exit code 2 and saves nothing.`,
    options: ['save', 'load', 'create', ...INPUT, ...SIZE, ...REPORT],
    examples: [
      'build --save seen.cuckoo ids.txt',
      'build --load seen.cuckoo --save seen.cuckoo more-ids.txt',
      'build --capacity 1000000 --max-capacity 1000000 --save small.cuckoo ids.txt',
    ],
  },
  query: {
    arguments: '--load FILE [options] [files]',
    summary: 'look lines up in a saved filter',
    details: `${FILES}

Prints the lines whose key is in the filter. A key in the filter is always found. A key that is not in the
filter may be found by mistake, at the rate that info prints. A line without the key counts as not found.`,
    options: ['load', 'invert', ...INPUT, ...REPORT],
    examples: ['query --load seen.cuckoo ids.txt', 'query --load seen.cuckoo --invert new-ids.txt'],
  },
  merge: {
    arguments: '[options] filters',
    summary: 'combine saved filters into one',
    details: `A key that is in several filters is stored once. Filters can be merged if they were made with the same --rate and
--max-capacity, or with neither. If one was made with --capacity equal to --max-capacity, all must have been.`,
    options: ['output', ...REPORT],
    examples: ['merge --output all.cuckoo monday.cuckoo tuesday.cuckoo'],
    isOfFilters: true,
  },
  info: {
    arguments: '[options] filters',
    summary: 'print the size and options of saved filters',
    details:
      'With --json, prints one line of JSON per filter. If a file is refused, names the rule of the format that the file breaks.',
    options: ['json'],
    examples: ['info seen.cuckoo', 'info --json *.cuckoo'],
    isOfFilters: true,
  },
  plan: {
    arguments: '[options]',
    summary: 'print how large a filter would be, without making it',
    details: 'Without --capacity, prints the size of the filter that build starts with for piped input.',
    options: [...SIZE, 'json'],
    examples: ['plan --capacity 1000000', 'plan --capacity 1000000 --max-capacity 1000000 --rate 0.01'],
  },
};
