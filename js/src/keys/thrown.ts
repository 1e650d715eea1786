// What the user's own code throws while a call runs: what gives the keys (getters, iterators, sources), and callbacks such
// as `onGrow` or the clock of an ExpiringFilter.
// Invariant: it reaches the caller as it was thrown, with nothing written onto it, however the call goes on.

/** What was thrown, in a box, because anything can be thrown. */
export interface Thrown {
  readonly error: unknown;
  /** Whether the call takes no more keys, once those that it was given are in. */
  readonly isLast?: boolean;
}

/** What callbacks have thrown during a longer call; undefined if none is in progress. */
let ongoing: Thrown[] | undefined;

/** Runs `operate`, a part of a longer call. What callbacks throw meanwhile goes into `thrown`, so that the call goes on. */
export function keeping<Result>(thrown: Thrown[], operate: () => Result): Result {
  const outer = ongoing;
  ongoing = thrown;
  try {
    return operate();
  } finally {
    ongoing = outer;
  }
}

/**
 * Runs a callback of the user. What it throws is kept if a longer call is in progress, and is thrown otherwise. `isLast`
 * as in `Thrown`.
 */
export function callBack(callback: () => void, isLast = false): void {
  const outer = ongoing;
  ongoing = undefined; // What the callback calls is no part of the longer call.
  try {
    callback();
  } catch (error) {
    if (outer === undefined) throw error;
    outer.push({ error, isLast });
  } finally {
    ongoing = outer;
  }
}

/** Ends a call: throws the first of what the user's code threw, or else the package's own error, if there is one. */
export function end(thrown: readonly Thrown[], own?: Thrown): void {
  const ended = thrown[0] ?? own;
  if (ended !== undefined) throw ended.error;
}

/** The same for a call that may be a part of a longer one, which then goes on unless the error is the package's own. */
export function endPart(thrown: readonly Thrown[], own: Thrown | undefined): void {
  callBack(() => end(thrown));
  end([], own);
}

/** Of each error of the package that ended a batch: the keys of that batch. */
const batches = new WeakMap<object, object>();

/** Notes that `error` is the package's own, and ended the batch of `keys`. */
export function noteOwn(error: unknown, keys: object): void {
  batches.set(error as object, keys);
}

/** Whether `error` is the package's own and ended the batch of `keys`, in contrast to any that the user's code threw. */
export function isOwn(error: unknown, keys: object): boolean {
  return batches.get(error as object) === keys;
}

/** Whether `error` is of `Class`. It may be the user's own, such as a Proxy that throws whatever is asked of it. */
export function isOf<Made>(error: unknown, Class: abstract new (...given: never) => Made): error is Made {
  try {
    return error instanceof Class;
  } catch {
    return false;
  }
}
