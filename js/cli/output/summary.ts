// What the command reports after a run: the number of lines, what the filter holds, memory and time.
// Invariant: nothing is reported to a pipe or a file unless the options ask for it, or lines may be missing by mistake.
import type { Seen } from '../filters/seen.js';
import { about, count, counted, sized } from '../words/figures.js';
import type { CommandName, Settings } from '../words/options.js';
import { flushOutput, print, tell } from './print.js';

/** What went through a filter. */
export interface Counts {
  readonly lines: number;
  readonly printed: number;
  readonly withoutKey: number;
  /** Of the lines with a key, how many have an empty one. */
  readonly emptyKeys: number;
  /** Keys that were new to the filter. */
  readonly added: number;
}

/** One run of a command, from its beginning. */
export class Run {
  readonly #command: CommandName;
  readonly #settings: Settings;
  readonly #start = performance.now();
  readonly #mistakesBefore: number;

  /** `seen` is what lines will go through. */
  constructor(command: CommandName, settings: Settings, seen?: Seen) {
    this.#command = command;
    this.#settings = settings;
    this.#mistakesBefore = seen?.mistakes ?? 0;
  }

  /**
   * Prints the figures, if they belong on standard output. Called before the filter is saved, so that a failure here
   * saves nothing. `counts` is undefined for commands that read no lines.
   */
  async print(seen: Seen, counts: Counts | undefined): Promise<void> {
    if (!this.#isPrinted()) return;
    await print(`${JSON.stringify(this.#figures(seen, counts))}\n`);
    flushOutput();
  }

  /** Reports on the finished run on standard error, if that is wanted, as it is after `dedup`. */
  async tell(seen: Seen, counts: Counts | undefined): Promise<void> {
    const { summary = false, json = false, quiet = false, csv = false } = this.#settings;
    const isWanted = summary || json || this.#command === 'dedup' || process.stderr.isTTY;
    if (quiet || !isWanted || this.#isPrinted()) return;
    const figures = this.#figures(seen, counts);
    // The run has done its work, even if nobody hears of it.
    await tell(json ? JSON.stringify(figures) : textOf(figures, csv)).catch(() => {});
  }

  #isPrinted(): boolean {
    const { json = false, quiet = false } = this.#settings;
    // Otherwise, lines go to standard output.
    return json && !quiet && (this.#command === 'build' || this.#settings.output !== undefined);
  }

  #figures(seen: Seen, counts: Counts | undefined): Figures {
    const { save, output } = this.#settings;
    const mistakes = seen.mistakes - this.#mistakesBefore;
    const isFilling = this.#command === 'dedup' || this.#command === 'build';
    return {
      command: this.#command,
      ...(counts && linesOf(this.#command, counts)),
      expectedDroppedByMistake: isFilling ? Math.max(0, mistakes) : undefined,
      keys: seen.size,
      filterBytes: seen.byteLength,
      maxCapacity: seen.maxCapacity,
      falsePositiveRate: seen.expectedFalsePositiveRate,
      savedTo: this.#command === 'merge' ? output : save,
      memoryBytes: process.memoryUsage.rss(),
      seconds: Number(((performance.now() - this.#start) / 1000).toFixed(3)),
    };
  }
}

interface Figures extends Partial<Counts> {
  readonly command: CommandName;
  readonly dropped?: number;
  readonly repeated?: number;
  readonly expectedDroppedByMistake?: number | undefined;
  readonly keys: number;
  readonly filterBytes: number;
  readonly maxCapacity: number;
  readonly falsePositiveRate: number;
  readonly savedTo?: string | undefined;
  readonly memoryBytes: number;
  readonly seconds: number;
}

function linesOf(command: CommandName, counts: Counts): Partial<Figures> {
  const { lines, printed, withoutKey, emptyKeys, added } = counts;
  const all = { lines, withoutKey, emptyKeys };
  if (command === 'build') return { ...all, added, repeated: lines - withoutKey - added };
  if (command === 'query') return { ...all, printed };
  return { ...all, printed, dropped: lines - printed };
}

function textOf(figures: Figures, isCsv: boolean): string {
  const { command, keys, filterBytes, savedTo, memoryBytes, seconds } = figures;
  const read = lineText(figures, isCsv ? 'row' : 'line');
  const place = savedTo === undefined ? '' : `, saved to ${savedTo}`;
  return (
    `cuckoofilter-wasm ${command}: ${read}${counted(keys, 'key')} in a filter of ${sized(filterBytes)}${place}; ` +
    `${sized(memoryBytes)} used by the process, ${seconds.toFixed(1)} s`
  );
}

function lineText(
  { lines, printed, dropped, added, repeated = 0, expectedDroppedByMistake, ...figures }: Figures,
  noun: string,
): string {
  const { withoutKey = 0, emptyKeys = 0 } = figures;
  if (lines === undefined) return '';
  const parts = [
    `${counted(lines, noun)} read`,
    printed !== undefined && `${count(printed)} printed`,
    dropped !== undefined && `${count(dropped)} dropped`,
    added !== undefined && `${counted(added, 'key')} added`,
    withoutKey > 0 && `${count(withoutKey)} without the key`,
    emptyKeys > 0 && `${count(emptyKeys)} with an empty key`,
    repeated > 0 && `${counted(repeated, 'repeat')} not added`,
    expectedDroppedByMistake !== undefined &&
      (added === undefined || repeated > 0) &&
      `${about(expectedDroppedByMistake)} new ones taken for duplicates by mistake`,
  ];
  return `${parts.filter((part) => part !== false).join(', ')}; `;
}
