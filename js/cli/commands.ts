// The commands. Each makes or loads a filter, runs the lines through it, and returns the exit code.
import { CuckooFilter, FilterFullError } from 'cuckoofilter-wasm';
import { lineCount } from './estimate.js';
import { Failure } from './failure.js';
import { checkSavable, loadFilter, saveFilter } from './filter-file.js';
import { print } from './output.js';
import { endOfLine, newOf, sift } from './sift.js';
import { UNKNOWN_CAPACITY, type CommandName, type Settings } from './settings.js';

/** Exit codes, the same as those of grep. */
export const FOUND = 0;
export const NOTHING = 1;
export const TROUBLE = 2;

/** Each returns the exit code. Throws Failure. */
export const commands: Record<CommandName, (settings: Settings) => Promise<number>> = {
  async dedup(settings) {
    const filter = filterFor(settings);
    await sift(settings, {
      filter,
      judge: (keys) => newOf(filter, keys),
      printed: settings.duplicates ? 0 : 1,
      withoutKey: 1,
    });
    if (settings.save !== undefined) saveFilter(filter, settings.save);
    return FOUND;
  },

  async build(settings) {
    if (settings.save === undefined)
      throw new Failure('build needs --save FILE, the file to write the filter to');
    const filter = filterFor(settings);
    await sift(settings, {
      filter,
      judge: (keys) => newOf(filter, keys),
      printed: undefined,
      withoutKey: 1,
    });
    saveFilter(filter, settings.save);
    return FOUND;
  },

  async query(settings) {
    if (settings.load === undefined)
      throw new Failure('query needs --load FILE, with a filter saved by build or dedup');
    const filter = loadFilter(settings.load);
    const printed = await sift(settings, {
      filter,
      judge: (keys) => filter.containsMany(keys),
      printed: settings.invert ? 0 : 1,
      withoutKey: 0,
    });
    return printed > 0 ? FOUND : NOTHING;
  },

  async merge({ files: [first = '', ...others], output }) {
    if (output !== undefined) checkSavable(output);
    else if (process.stdout.isTTY)
      throw new Failure('merge needs --output FILE, because standard output is a terminal');
    const merged = loadFilter(first);
    for (const file of others) mergeFile(merged, first, file);
    if (output === undefined) await print(merged.serialize());
    else saveFilter(merged, output);
    return FOUND;
  },

  async info({ files }) {
    for (const file of files) await print(description(file, loadFilter(file)));
    return FOUND;
  },
};

/** The filter to use: loaded, or new. The only place that decides the options of a new filter. */
function filterFor(settings: Settings): CuckooFilter {
  if (settings.save !== undefined) checkSavable(settings.save);
  if (settings.load !== undefined) return loadFilter(settings.load);
  const capacity = settings.capacity ?? lineCount(settings.files, endOfLine(settings));
  const capacities = capacity === undefined ? UNKNOWN_CAPACITY : { capacity };
  try {
    return new CuckooFilter({ ...capacities, falsePositiveRate: settings.rate });
  } catch (error) {
    // In the words of the command line.
    const { message } = error as Error;
    throw new Failure(message.replace(/^capacity/, '--capacity').replace(/^falsePositiveRate/, '--rate'));
  }
}

/** Merges the filter saved in `file`. Keys in both are stored once, as in every filter that the command makes. */
function mergeFile(merged: CuckooFilter, first: string, file: string): void {
  const filter = loadFilter(file);
  try {
    merged.mergeIfAbsent(filter);
  } catch (error) {
    throw new Failure(`${file}: ${mergeProblem(error as Error, merged, first)}`);
  } finally {
    filter.dispose();
  }
}

/** In the words of the command line. */
function mergeProblem(error: Error, merged: CuckooFilter, first: string): string {
  const advice = 'Build all with the same --capacity, the number of keys of all together';
  if (error instanceof FilterFullError)
    return `cannot merge: no room, with ${merged.size} keys in a filter for ${merged.maxCapacity}. ${advice}`;
  const [, name, own, foreign] = /: (.+?) is (.+?) here, (.+?) in the other filter/.exec(error.message) ?? [];
  if (name === undefined) return error.message;
  const label = name
    .replace('maxCapacity', 'largest capacity')
    .replace(/[A-Z]/g, (one) => ` ${one.toLowerCase()}`);
  return `cannot merge: ${label} is ${own} in ${first}, ${foreign} in this file. ${advice}, and the same --rate`;
}

function description(file: string, filter: CuckooFilter): string {
  const rows: [string, string | number][] = [
    ['file', file],
    ['keys', filter.size],
    ['capacity', filter.capacity],
    ['largest capacity', filter.maxCapacity],
    ['false positive rate', filter.falsePositiveRate.toPrecision(3)],
    ['load', filter.loadFactor.toFixed(3)],
    ['bits per key', filter.bitsPerKey.toFixed(2)],
    ['bytes of the table', filter.byteLength],
    ['buckets', filter.bucketCount],
    ['slots per bucket', filter.bucketSize],
    ['fingerprint bits', filter.fingerprintBits],
    ['addressing', filter.addressing],
    ['seed', String(filter.seed)],
    ['kicks at most', filter.maxKicks],
  ];
  return rows.map(([name, value]) => `${name.padEnd(22)}${value}\n`).join('');
}
