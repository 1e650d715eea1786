// Shows the progress of the command on standard error, if that is a terminal.
// Invariant: a pipe or a file gets nothing, and a terminal gets one line, which is overwritten.
import { count, counted } from '../words/figures.js';

const INTERVAL_MS = 200;
const CLEAR_LINE = '\r\x1b[K';

/** Counts bytes and lines, and shows them. */
export class Progress {
  bytes = 0;
  lines = 0;
  readonly #totalBytes: number | undefined;
  readonly #isShown: boolean;
  readonly #start = performance.now();
  #shownAt = -Infinity;

  /** `totalBytes` is undefined if unknown. `isShown` is false if the terminal is needed for something else. */
  constructor(totalBytes: number | undefined, isShown: boolean) {
    this.#totalBytes = totalBytes;
    this.#isShown = isShown && process.stderr.isTTY;
  }

  /** The part of the input that is done, from 0 to 1; undefined if its size is not known. */
  get share(): number | undefined {
    return this.#totalBytes === undefined ? undefined : Math.min(1, this.bytes / this.#totalBytes);
  }

  add(lines: number): void {
    this.lines += lines;
    const now = performance.now();
    if (!this.#isShown || now - this.#shownAt < INTERVAL_MS) return;
    this.#shownAt = now;
    process.stderr.write(CLEAR_LINE + progressText(this.lines, this.share, (now - this.#start) / 1000));
  }

  /** Leaves the terminal's line empty. */
  end(): void {
    if (this.#isShown) process.stderr.write(CLEAR_LINE);
  }
}

/** Such as `6,000,000 lines, 4,000,000 a second, 25 %, 5 s left`. In the first second, speed and time are not known. */
export function progressText(lines: number, share: number | undefined, seconds: number): string {
  const isKnown = seconds >= 1;
  const rate = `${counted(lines, 'line')}${isKnown ? `, ${count(lines / seconds)} a second` : ''}`;
  if (share === undefined || share === 0) return rate;
  const left = isKnown ? `, ${Math.ceil((seconds * (1 - share)) / share)} s left` : '';
  return `${rate}, ${Math.floor(100 * share)} %${left}`;
}
