// The option `onGrow`: reports to the user when a filter grows.
import type { SavedCalls } from '../engine/bindings.js';
import type { Growth, Handle } from '../engine/handle.js';
import type { GrowEvent } from '../options/options.js';
import { callBack, end, type Thrown } from '../keys/thrown.js';
import { growthsOf } from './stats.js';

/**
 * Calls `onGrow` with each event from `next`. Then throws the first error that `onGrow` threw, so that it is not left to
 * a later call.
 */
export function reportEach<Event>(next: () => Event | undefined, onGrow: (event: Event) => void): void {
  let event = next();
  if (event === undefined) return;
  callBack(() => {
    const thrown: Thrown[] = [];
    for (; event !== undefined; event = next())
      try {
        onGrow(event);
      } catch (error) {
        thrown.push({ error });
      }
    end(thrown);
  });
}

export class Doublings implements Growth {
  #reported = 0;

  constructor(
    readonly handle: Handle<SavedCalls>,
    readonly onGrow: (event: GrowEvent) => void,
  ) {}

  report(): void {
    reportEach(() => this.#next(), this.onGrow);
  }

  #next(): GrowEvent | undefined {
    const { handle } = this;
    // `onGrow` may use the filter, or dispose of it.
    while (!handle.isDisposed && this.#reported < handle.call('doublings')) {
      handle.call('readCounts');
      const { growths, growthCount } = growthsOf(handle.instance);
      const event = growths[growths.length - growthCount + this.#reported++];
      if (event !== undefined) return event;
    }
    return undefined;
  }
}
