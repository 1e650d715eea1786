// Reads the arguments of the command.
// Every message is written here, because those of Node's parser differ between versions, and name its
// functions.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { nearestOf } from '../src/options/read.js';
import { STANDARD_INPUT } from './input/source.js';
import { Failure } from './words/failure.js';
import { COMMANDS, OPTIONS, type CommandName, type OptionName, type Settings } from './words/options.js';

/** What to do. `help` of a command has its name. */
export type CommandLine =
  | { readonly action: 'run'; readonly command: CommandName; readonly settings: Settings }
  | { readonly action: 'help'; readonly command?: CommandName }
  | { readonly action: 'version' }
  /** There are no arguments. */
  | { readonly action: 'nothing' };

/** Reads the arguments in `words`. Throws Failure if they make no sense. */
export function commandLineOf(words: readonly string[]): CommandLine {
  const [first, ...rest] = words;
  if (first === undefined) return { action: 'nothing' };
  if (first === '--version' || first === '-V') return { action: 'version' };
  if (first === '--help' || first === '-h' || first === 'help') {
    const [about] = rest;
    return about === undefined || /^(help|-.*)$/.test(about)
      ? { action: 'help' }
      : { action: 'help', command: commandOf(about) };
  }
  const command = commandOf(first);
  return asksForHelp(rest)
    ? { action: 'help', command }
    : { action: 'run', command, settings: settingsOf(command, rest) };
}

function commandOf(name: string): CommandName {
  if (Object.hasOwn(COMMANDS, name)) return name as CommandName;
  // The name of a file, with the command left out.
  const isFile = name === STANDARD_INPUT || /[./\\]/.test(name) || existsSync(name);
  const nearest = isFile ? `dedup ${name}` : nearestOf(name, Object.keys(COMMANDS));
  const advice =
    nearest === undefined ? 'run cuckoofilter-wasm --help for the list' : `did you mean ${nearest}?`;
  throw new Failure(`unknown command ${JSON.stringify(name)}; ${advice}`);
}

function asksForHelp(words: readonly string[]): boolean {
  const end = words.indexOf('--');
  return (end < 0 ? words : words.slice(0, end)).some((word) => word === '--help' || word === '-h');
}

function settingsOf(command: CommandName, words: readonly string[]): Settings {
  const { options, isOfFilters = false } = COMMANDS[command];
  const settings: Record<string, string | number | boolean> = {};
  const files: string[] = [];
  for (const token of tokensOf(words, options)) {
    if (token.kind === 'positional') files.push(nameIn(token.value, 'the file name'));
    if (token.kind !== 'option') continue;
    const name = options.find((each) => each === token.name);
    if (name === undefined) throw unknownOption(command, token.rawName, options);
    const value = valueOf(name, token);
    if (value !== true && settings[camelCase(name)] !== undefined)
      throw new Failure(`--${name} is given twice: leave one out`);
    settings[camelCase(name)] = value;
  }
  if (command === 'plan' && files.length > 0)
    throw new Failure(`plan takes no files; for a saved filter, run cuckoofilter-wasm info`);
  if (isOfFilters && files.length === 0)
    throw new Failure(`${command} needs the names of filters saved by build or dedup`);
  const isStandardInput = files.length === 0 && !isOfFilters && command !== 'plan';
  const read: Settings = { ...settings, files: isStandardInput ? [STANDARD_INPUT] : files };
  checkTogether(read);
  return read;
}

/** Refuses options that do not go together. */
function checkTogether(settings: Settings): void {
  const { load, save, create, capacity, maxCapacity, rate, csv, header, zero, key, jsonKey } = settings;
  if (create && (load === undefined || save === undefined))
    throw new Failure('--create needs --load FILE and --save FILE, usually the same file');
  const sizes = { '--capacity': capacity, '--max-capacity': maxCapacity, '--rate': rate };
  const given = Object.entries(sizes).filter(([, value]) => value !== undefined);
  if (load !== undefined && !create && given.length > 0)
    throw new Failure(
      `leave out ${given.map(([name]) => name).join(' and ')}: the filter in ${load} keeps the size and rate it was made with`,
    );
  if (jsonKey !== undefined && (csv || key !== undefined))
    throw new Failure('leave out --key and --csv with --json-key: each line is a JSON object');
  if (csv && key === undefined)
    throw new Failure('--csv needs --key with the number or name of a column, such as --key 2');
  if (csv && zero) throw new Failure('leave out --zero with --csv: rows end with a line break');
  if (header && !csv) throw new Failure('--header needs --csv');
}

type Token = NonNullable<ReturnType<typeof parseArgs>['tokens']>[number];

/** Without the parser's own checks and messages. */
function tokensOf(words: readonly string[], options: readonly OptionName[]): readonly Token[] {
  const config = options.map((name) => {
    const { short, value } = OPTIONS[name];
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, short === undefined ? { type } : { type, short }] as const;
  });
  return (
    parseArgs({
      args: [...words],
      options: Object.fromEntries(config),
      strict: false,
      allowPositionals: true,
      tokens: true,
    }).tokens ?? []
  );
}

function valueOf(
  name: OptionName,
  { rawName, value, inlineValue }: Extract<Token, { kind: 'option' }>,
): string | number | boolean {
  const { value: shown, isNumber } = OPTIONS[name];
  if (shown === undefined) {
    if (value !== undefined) throw new Failure(`${rawName} takes no value`);
    return true;
  }
  // A value that begins with a hyphen is probably the next option.
  if (value === undefined || (inlineValue !== true && /^-./.test(value) && !(isNumber && /^-\d/.test(value))))
    throw new Failure(`${rawName} needs a value; if the value begins with -, write --${name}=VALUE`);
  return isNumber
    ? numberOf(name, value)
    : shown === 'FILE'
      ? nameIn(value, `the file name after ${rawName}`)
      : value;
}

/** `name`, which messages call `place`. Throws Failure if it is empty, as `"$FILE"` is if that variable is not set. */
function nameIn(name: string, place: string): string {
  if (name === '')
    throw new Failure(`${place} is empty. If it comes from a shell variable, that variable is not set`);
  return name;
}

/** Takes 1_000_000 and 1,000,000 as well, but not 0,001, by which some mean 0.001. */
function numberOf(name: string, text: string): number {
  const value = Number(
    /^[1-9]\d{0,2}(,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text.replaceAll('_', ''),
  );
  if (text !== '' && Number.isFinite(value)) return value;
  const example = name === 'rate' ? '0.001' : '1000000 or 1e6';
  throw new Failure(`--${name} must be a number such as ${example}, got ${JSON.stringify(text)}`);
}

/** What to do instead of options that no command has. */
const INSTEAD: Record<string, string> = {
  '--column': 'did you mean --key?',
  '--field': 'did you mean --key?',
  '--progress': 'progress is shown on a terminal, without an option',
};

/** What to do instead of `--output`, by the commands that do not have it. */
const OUTPUT: Partial<Record<CommandName, string>> = {
  build: 'did you mean --save?',
  query: 'redirect standard output, as in query --load seen.cuckoo ids.txt > found.txt',
};

function unknownOption(command: CommandName, name: string, options: readonly OptionName[]): Failure {
  // Of another command.
  const isKnown = Object.entries(OPTIONS).some(
    ([each, { short = '-' }]) => name === `--${each}` || name === `-${short}`,
  );
  const nearest = isKnown ? undefined : nearestOf(name, options);
  const advice =
    (name === '-o' || name === '--output' ? OUTPUT[command] : INSTEAD[name]) ??
    (nearest === undefined
      ? `run cuckoofilter-wasm help ${command} for the list`
      : `did you mean --${nearest}?`);
  return new Failure(`${isKnown ? `${command} does not take` : 'unknown option'} ${name}; ${advice}`);
}

function camelCase(name: string): string {
  return name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}
