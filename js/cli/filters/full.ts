// The error for a full filter. Invariant: a run that follows the advice does not end the same way again.
import type { CuckooFilter } from 'cuckoofilter-wasm';
import { Failure } from '../words/failure.js';
import { count, counted, sized } from '../words/figures.js';
import type { Settings } from '../words/options.js';

/** How far a run came. */
export interface Reached {
  /** Lines whose output is complete, if lines are printed. */
  readonly done: number;
  /** Lines of the whole input; undefined if it could not be read to its end. */
  readonly total: number | undefined;
  readonly isPrinting: boolean;
}

/** The figures of a filter, or of several together. */
type Figures = Pick<CuckooFilter, 'size' | 'currentCapacity' | 'maxCapacity' | 'byteLength'>;

/** The error for a filter that became full. */
export function fullFailure(filter: Figures, settings: Settings, reached: Reached): Failure {
  const { load, save } = settings;
  const name = load === undefined ? 'the filter' : `the filter in ${load}`;
  const untouched =
    load !== undefined && load === save ? `Nothing was saved: ${load} is as it was` : 'Nothing was saved';
  const { done, isPrinting } = reached;
  const printed =
    done === 0 ? 'No line was printed. ' : `The output is complete up to line ${count(done)} of the input. `;
  return new Failure(
    `${name} is full, with ${counted(filter.size, 'key')}. ${isPrinting ? printed : ''}${untouched}. ${advice(filter, settings, reached)}`,
  );
}

function advice(
  { currentCapacity, maxCapacity, byteLength }: Figures,
  { load, save = 'FILE', maxCapacity: given }: Settings,
  { total }: Reached,
): string {
  if (currentCapacity < maxCapacity)
    return `There is not enough memory for it to grow beyond ${sized(byteLength)}. Split the input, or make a new filter with a higher --rate`;
  if (load !== undefined)
    return `It was made for at most ${counted(maxCapacity, 'key')}. Build a new one from all lines so far, which grows: cuckoofilter-wasm build --save ${save} ...`;
  if (total !== undefined) return `Run again with --max-capacity ${total}, the number of lines of the input`;
  return given === undefined
    ? 'Run again with --max-capacity N, where N is the largest number of different lines to expect'
    : 'Run again without --max-capacity, or with the largest number of different lines to expect';
}
