// Signals that end a call that returns a promise.
// Invariant: a call that has ended leaves no listener on its signal.
import { check } from '../errors.js';
import { readOptions } from '../options/read.js';

declare global {
  /** Lets programs without a library that declares AbortSignal read these types. With one, it adds nothing. */
  // eslint-disable-next-line -- its members are those of the library's own declaration
  interface AbortSignal {}
}

/** The options of every call that returns a promise. */
export interface AsyncOptions {
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

/** The option alone: `checkedSignal` checks it. */
export const SIGNAL = { signal: undefined };

/** The signal in `options`, which may have no other option. Throws TypeError. */
export function signalOf(options: AsyncOptions): AbortSignal | undefined {
  return checkedSignal(readOptions<AsyncOptions>(options, SIGNAL).signal);
}

export function checkedSignal(signal: unknown): AbortSignal | undefined {
  const given = Object(signal) as Partial<AbortSignal & AbortController>;
  const isSignal = typeof given.aborted === 'boolean' && typeof given.addEventListener === 'function';
  const rule = `an AbortSignal${given.signal ? ' (controller.signal)' : ''}`;
  check('signal', rule, signal, signal === undefined || isSignal);
  return signal as AbortSignal | undefined;
}

export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw reasonOf(signal);
}

/** Why `signal` has aborted. Chrome before 98 and Firefox before 97 do not tell, and have no `throwIfAborted`. */
export function reasonOf(signal: AbortSignal): unknown {
  return 'reason' in signal ? signal.reason : new DOMException('The operation was aborted', 'AbortError');
}

/** What `call` gives, or a rejection with the reason of the signal in `options`, which ends no command already sent. */
export async function until<Result>(
  options: AsyncOptions = {},
  call: () => Promise<Result>,
): Promise<Result> {
  const signal = signalOf(options);
  stopIfAborted(signal);
  return stoppable(call(), signal);
}

/** `promise`, or a rejection with the reason of `signal` if that aborts first. */
export async function stoppable<Result>(
  promise: Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const { orStop, forget } = stopOf(signal);
  return orStop(promise).finally(forget);
}

/**
 * `orStop(promise)` is `promise`, or a rejection with the reason of `signal` if that aborts first; `forget` stops
 * listening. Not `Promise.race`, which would keep something for each promise as long as the signal lives.
 */
export function stopOf(signal: AbortSignal | undefined): {
  orStop: <Result>(promise: Result | PromiseLike<Result>) => Promise<Result>;
  forget: () => void;
} {
  let reject: ((reason: Error) => void) | undefined;
  const stop = (): void => {
    if (signal !== undefined) reject?.(reasonOf(signal) as Error);
  };
  signal?.addEventListener('abort', stop);
  return {
    orStop: async (promise) =>
      signal === undefined
        ? promise
        : new Promise((resolve, fail) => {
            reject = fail;
            Promise.resolve(promise).then(resolve, fail);
            if (signal.aborted) stop();
          }),
    forget: () => signal?.removeEventListener('abort', stop),
  };
}
