// Errors that end the command with exit code 2 and one line on standard error. Any other error is a bug.

/** An error that the user can fix. The message says how. */
export class Failure extends Error {}

const REASONS: Record<string, string> = {
  ENOENT: 'no such file or directory',
  EISDIR: 'this is a directory: name the files in it',
  EACCES: 'permission denied',
  ENAMETOOLONG: 'the name is too long',
  ERR_ACCESS_DENIED:
    "Node's permission model refuses this. Allow it with --allow-fs-read or --allow-fs-write, or run without --permission",
  ENXIO: 'this is a socket, which has no name to open. For lines from standard input, write -',
  Z_BUF_ERROR: 'the compressed data is cut off. Get the file again',
};

/** Of zlib and zstd, for data that does not decompress, or not to what its checksum tells. */
const DAMAGED = /^(Z_DATA_ERROR|ZSTD_error_)/;

/** What went wrong with the file `name`, in a few words. A Failure says so itself. */
export function fileFailure(name: string, error: unknown): Failure {
  if (error instanceof Failure) return error;
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = DAMAGED.test(code)
    ? `the compressed data is damaged (${message}). Get the file again`
    : (REASONS[code] ?? message);
  return new Failure(`${placeOf(name)}: ${reason}`);
}

/** The file `name` as messages call it. */
export function placeOf(name: string): string {
  return name === '-' ? 'standard input' : name;
}

/** Returns what `action` returns. If it throws, the error names the file `name`. */
export function naming<T>(name: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw fileFailure(name, error);
  }
}
