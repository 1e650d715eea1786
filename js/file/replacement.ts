// A new file that is written beside the one it replaces.
// Invariant: under the target's name there is always a whole file, even after a crash: the new one is on the disk before it
// gets that name.
import { lstatSync, readlinkSync, realpathSync, statSync, type Stats } from 'node:fs';
import { open, rename, rm, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { whenFree } from './held.js';

/** How much is read or written at once: few enough bytes that a signal is seen soon. */
export const PIECE_BYTES = 2 ** 22;

/** The file itself if `path` is a link, even if it does not exist yet. Throws the system's error if its folder does not. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const place = join(realpathSync(dirname(path)), basename(path));
  const isLink = lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink ? targetOf(resolve(dirname(place), readlinkSync(place))) : place;
}

/** The name of the new file until it replaces `target`. */
export function nameBeside(target: string, mark: string | number): string {
  return `${target}.${mark}.tmp`;
}

/** Flushes a folder, so that what was renamed or removed in it stays so after a crash. Windows cannot do that. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => undefined);
  await handle?.sync().catch(() => undefined);
  await handle?.close().catch(() => undefined);
}

/** Opened by `begin`; then `write`, as often as needed, `finish` and `replace`. `discard` ends it at any time. */
export class Replacement {
  /** The name of the new file; undefined for a pipe or a device, which is written to, because it cannot be replaced. */
  readonly written: string | undefined;
  readonly #target: string;
  readonly #handle: FileHandle;

  private constructor(target: string, written: string | undefined, handle: FileHandle) {
    this.#target = target;
    this.written = written;
    this.#handle = handle;
  }

  /**
   * Begins to replace the file at `path`, or the one that this link leads to. The new file has a name with `mark`, by
   * default a random one, and the permissions of the old file. Rejects with the system's error.
   */
  static async begin(
    path: string,
    mark: string | number = crypto.randomUUID().slice(0, 8),
  ): Promise<Replacement> {
    const found = statSync(path, { throwIfNoEntry: false });
    // A pipe has no other name: /dev/stdout is a link to one.
    if (found?.isFile() === false) return new Replacement(path, undefined, await open(path, 'w'));
    const target = targetOf(path);
    const written = nameBeside(target, mark);
    // Made anew, so that no link can lead elsewhere, and private until it has the permissions of the old file.
    const handle = await open(written, 'wx', found && 0o600);
    const replacement = new Replacement(target, written, handle);
    try {
      if (found !== undefined) await becomeAs(handle, found);
    } catch (error) {
      await replacement.discard();
      throw error;
    }
    return replacement;
  }

  /** Writes all bytes, however few the system takes at once. Rejects with the reason of `signal` if that has aborted. */
  async write(bytes: Uint8Array, signal?: AbortSignal): Promise<void> {
    for (let at = 0; at < bytes.length;) {
      signal?.throwIfAborted();
      const length = Math.min(PIECE_BYTES, bytes.length - at);
      at += (await this.#handle.write(bytes, at, length)).bytesWritten;
    }
  }

  /** Waits until all bytes are on the disk: only then do some file systems tell that it is full. */
  async finish(): Promise<void> {
    if (this.written !== undefined) await this.#handle.sync();
    await this.#handle.close();
  }

  /** Gives the finished file its name. `check` runs just before; what it throws ends this, with nothing replaced. */
  async replace(check?: () => void): Promise<void> {
    const { written } = this;
    if (written === undefined) return;
    await whenFree(async () => {
      check?.();
      await rename(written, this.#target);
    });
    await flushFolder(dirname(this.#target));
  }

  /** Removes the new file, if that is possible. */
  async discard(): Promise<void> {
    const { written } = this;
    await this.#handle.close().catch(() => undefined);
    if (written !== undefined) await whenFree(() => rm(written, { force: true })).catch(() => undefined);
  }
}

/** Gives an open file the owner and permissions of another, as far as the system lets this user. */
async function becomeAs(handle: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  for (const [owner, group] of [
    [-1, gid],
    [uid, -1],
  ] as const)
    await handle.chown(owner, group).catch(() => undefined); // Then it belongs to whoever runs the program.
  await handle.chmod(mode & 0o7777); // Last, because a new owner loses some of them.
}
