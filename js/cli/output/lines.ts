// Where lines go: to standard output, or to a file.
// Invariant: an existing file is replaced by all lines or not at all.
import { Replacement } from '../../file/replacement.js';
import { checkFolder } from '../filters/filter-file.js';
import { fileFailure, naming } from '../words/failure.js';
import { flushOutput, print } from './print.js';

/** All calls reject with Failure. */
export interface Lines {
  print(bytes: Uint8Array): Promise<void>;
  /** Waits until all lines are on the disk, if they go to a file. */
  flush(): Promise<void>;
  /** Gives a file its name, once it is flushed. */
  end(): Promise<void>;
  /** Leaves a file that has not ended as it was. */
  discard(): Promise<void>;
}

/** Lines for `file`; for standard output if it is undefined. */
export async function linesTo(file: string | undefined): Promise<Lines> {
  if (file === undefined) {
    const nothing = (): Promise<void> => Promise.resolve();
    return { print, flush: () => nothing().then(flushOutput), end: nothing, discard: nothing };
  }
  naming(file, () => checkFolder(file));
  const named = <Result>(action: Promise<Result>): Promise<Result> =>
    action.catch((error: unknown) => {
      throw fileFailure(file, error);
    });
  const replacement = await named(Replacement.begin(file));
  return {
    print: (bytes) => named(replacement.write(bytes)),
    flush: () => named(replacement.finish()),
    end: () => named(replacement.replace()),
    discard: () => replacement.discard(),
  };
}
