// What ends the command with exit code 2 and one line on standard error. Anything else that is thrown is a bug.

/** Something that the user can set right; the message says what. */
export class Failure extends Error {}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
};

/** What went wrong with the file `name`, in a word or two of its own. */
export function fileFailure(name: string, error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new Failure(`${name}: ${REASONS[code] ?? message}`);
}

/** What `action` gives. What it throws is said of the file `name`. */
export function naming<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileFailure(name, error);
  }
}
