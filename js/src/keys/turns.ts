// Lets the event loop turn during a long call that returns a promise: timers run, pages stay responsive, and a signal that
// aborts is seen.
// Invariant: a call goes on without a turn for a few milliseconds and a limited number of keys at most.

/** Milliseconds between two turns: little for a page, and much more than a turn takes. */
const MOST_TIME = 2;
/** Keys between two turns, because in some hosts the clock stands still while code runs. */
const MOST_KEYS = 1 << 14;
/** Keys between two looks at the clock, if they are fast. */
const MOST_UNTIMED = 32;

/** Timers as they are when this file is loaded: later, a test may replace them by some that never fire by themselves. */
const { setImmediate, setTimeout, MessageChannel } = globalThis as Partial<typeof globalThis> & {
  setImmediate?: (callback: () => void) => void;
};

export class Turns {
  #began = now();
  #keys = 0;
  #next = 1;

  /** Whether a turn is due. To be asked after each key, or after so many `keys`. */
  isDue(keys = 1): boolean {
    this.#keys += keys;
    if (this.#keys < this.#next) return false;
    const time = now() - this.#began;
    const isFast = time * MOST_UNTIMED < MOST_TIME * this.#keys;
    this.#next = this.#keys + (isFast ? MOST_UNTIMED : 1);
    return time >= MOST_TIME || this.#keys >= MOST_KEYS;
  }

  /** After how many keys it must be asked next, if that is not after each: 1 or more. */
  get rest(): number {
    return Math.max(1, this.#next - this.#keys);
  }

  /** Resolves in the next turn of the event loop. */
  async turn(): Promise<void> {
    await new Promise<void>(later);
    this.#began = now();
    this.#keys = 0;
    this.#next = 1;
  }
}

/** Milliseconds. An AudioWorklet has no `performance`. */
function now(): number {
  return (globalThis.performance ?? Date).now();
}

/**
 * Calls `resolve` in the next turn. Not by a timer if possible: Node and browsers let those wait for 1 to 4 ms. An
 * AudioWorklet has none of these, so nothing else runs there meanwhile.
 */
function later(resolve: () => void): void {
  // A fake that a test installed before this file was loaded has a `clock`, and never fires by itself.
  if (setImmediate && !('clock' in setImmediate)) return void setImmediate(resolve);
  if (!MessageChannel) return setTimeout ? void setTimeout(resolve) : resolve();
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    port1.close(); // An open one keeps some hosts running.
    resolve();
  };
  port2.postMessage(undefined);
}
