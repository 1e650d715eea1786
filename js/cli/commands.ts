// The commands. Each makes or loads a filter, runs the lines through it, and returns the exit code.
import { CuckooFilter } from 'cuckoofilter-wasm';
import { brokenRuleOf } from './filters/broken-rule.js';
import { loadFilter, loadIfThere, SavedFile } from './filters/filter-file.js';
import { mergedFrom } from './filters/merge.js';
import {
  isForLines,
  LOW_RATE,
  newFilter,
  newFilterOptions,
  RATE,
  type Wanted,
} from './filters/new-filter.js';
import { Seen } from './filters/seen.js';
import { countLines, lineCount } from './input/estimate.js';
import { describeFilter, describePlan } from './output/description.js';
import { linesTo } from './output/lines.js';
import { print, tell } from './output/print.js';
import { Run } from './output/summary.js';
import { endOfLine, sift } from './sift.js';
import { Failure } from './words/failure.js';
import type { CommandName, Settings } from './words/options.js';

/** Exit codes, the same as those of grep. */
export const FOUND = 0;
export const NOTHING = 1;
export const TROUBLE = 2;

/** Each returns the exit code. Throws Failure. */
export const commands: Record<CommandName, (settings: Settings) => Promise<number>> = {
  dedup: (settings) => fill('dedup', settings, settings.duplicates ? 0 : 1),

  build(settings) {
    if (settings.save === undefined)
      throw new Failure('build needs --save FILE, the file to write the filter to');
    return fill('build', settings, undefined);
  },

  async query(settings) {
    if (settings.load === undefined)
      throw new Failure('query needs --load FILE, with a filter saved by build or dedup');
    const seen = new Seen(await loadFilter(settings.load));
    const run = new Run('query', settings, seen);
    const counts = await sift(settings, {
      seen,
      judge: (keys) => seen.contains(keys),
      printed: settings.invert ? 0 : 1,
      withoutKey: 0,
      print,
    });
    await run.tell(seen, counts);
    return counts.printed > 0 ? FOUND : NOTHING;
  },

  async merge(settings) {
    const { files, output } = settings;
    if (output === undefined && process.stdout.isTTY)
      throw new Failure('merge needs --output FILE, because standard output is a terminal');
    const saved = output === undefined ? undefined : new SavedFile(output, files);
    const run = new Run('merge', settings);
    const merged = await mergedFrom(files);
    const seen = new Seen(merged);
    if (saved === undefined) await print(merged.serialize());
    else await saved.save(merged, () => run.print(seen, undefined));
    await run.tell(seen, undefined);
    return FOUND;
  },

  async info({ files, json = false }) {
    for (const file of files) {
      const filter = await loadFilter(file, { reason: brokenRuleOf });
      await print(describeFilter(file, filter, json));
      filter.dispose();
    }
    return FOUND;
  },

  async plan({ json = false, capacity, maxCapacity, rate }) {
    const options = newFilterOptions({ capacity, maxCapacity, rate, isSaved: true });
    await print(describePlan(CuckooFilter.plan(options), json));
    return FOUND;
  },
};

/** Runs the lines through a filter and adds their keys to it. `printed` is as in Sieve. */
async function fill(command: CommandName, settings: Settings, printed: 0 | 1 | undefined): Promise<number> {
  const { save, load, output } = settings;
  // Before the filter is looked for: if two runs start the same file, the second ends here and overwrites nothing.
  const saved = save === undefined ? undefined : new SavedFile(save, load === undefined ? [] : [load]);
  const lines = await linesTo(output);
  try {
    const seen = await seenBefore(command, settings, saved);
    const run = new Run(command, settings, seen);
    const counts = await sift(settings, {
      seen,
      judge: (keys) => seen.add(keys),
      printed,
      withoutKey: 1,
      print: lines.print,
    });
    if ((saved ?? output) !== undefined && command === 'dedup') await lines.flush();
    // Just before the filter: with that and without the lines, the next run would pass over the same input.
    const end = async (): Promise<void> => {
      await run.print(seen, counts);
      await lines.end();
    };
    await (saved === undefined ? end() : saved.save(seen.only, end));
    await run.tell(seen, counts);
    return FOUND;
  } catch (error) {
    await lines.discard();
    throw error;
  }
}

/** The filter of `--load`, or a new one. */
async function seenBefore(
  command: CommandName,
  settings: Settings,
  saved: SavedFile | undefined,
): Promise<Seen> {
  const { save, load, create, quiet = false } = settings;
  const say = async (text: string): Promise<void> => {
    if (!quiet) await tell(`cuckoofilter-wasm: ${text}`);
  };
  if (load !== undefined) {
    const advice = '. To start with an empty filter, leave out --load, or add --create and --save';
    const loaded = await (create ? loadIfThere(load) : loadFilter(load, { advice }));
    if (loaded !== undefined) return new Seen(loaded);
    await say(`${load} does not exist yet: starting with an empty filter`);
  } else if (command === 'dedup' && saved?.isReplacing === true)
    await say(`a new filter will replace the one in ${save}. To go on with that one, add --load ${save}`);
  return seenNothing(settings);
}

function seenNothing(settings: Settings): Seen {
  const { save, capacity, maxCapacity, rate, files } = settings;
  const end = settings.csv ? 'csv' : endOfLine(settings);
  const estimate = lineCount(files, end);
  const isSaved = save !== undefined;
  const isLimited =
    isSaved && capacity === undefined && maxCapacity === undefined && (rate ?? RATE) < LOW_RATE;
  const lines = isLimited && estimate !== undefined ? countLines(files, end) : estimate;
  const wanted: Wanted = { capacity, maxCapacity, rate, lines, isSaved };
  const filter = newFilter(wanted);
  if (!isForLines(wanted)) return new Seen(filter);
  return new Seen(filter, (share, offered) =>
    newFilter({
      ...wanted,
      rate: share * (rate ?? RATE),
      lines: Math.max(1, countLines(files, end) - offered),
    }),
  );
}
