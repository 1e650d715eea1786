// Who is told when a filter grows: the option `onGrow`.
// Invariant: a filter without it costs nothing more, as its methods are left alone.
import type { SavedCalls } from '../wasm/bindings.js';
import { carrying } from '../wasm/mask.js';
import type { Handle } from '../wasm/owned.js';
import type { CuckooFilterStats, GrowEvent } from './stats.js';
import { methodsWith } from './methods.js';

/** Lays over `filter`, of `handle`, that `onGrow` is called after each call of these methods that doubled the table. */
export function tellGrowth(
  filter: { stats(): CuckooFilterStats },
  handle: Handle<SavedCalls>,
  onGrow: (event: GrowEvent) => void,
  methods: readonly string[] = methodsWith('double'),
): void {
  let told = 0;
  runAfter(filter, methods, () => {
    while (handle.address !== 0 && told < handle.calls.doublings(handle.address)) {
      const { growths, growthCount } = filter.stats();
      const event = growths[growths.length - growthCount + told++];
      if (event !== undefined) onGrow(event);
    }
  });
}

/** Lays over `filter` that `act` runs after each call of these methods, also where one throws. */
export function runAfter(filter: object, methods: readonly string[], act: () => void): void {
  for (const name of methods) {
    const operate = (filter as Record<string, (...given: unknown[]) => unknown>)[name];
    if (operate === undefined) continue;
    const value = (...given: unknown[]): unknown => both(() => operate.apply(filter, given), act);
    Object.defineProperty(filter, name, { value, configurable: true, writable: true });
  }
}

/** What `operate` gives, after `act`, which runs also if it throws. If `act` throws, its error carries any answers. */
export function both<Result>(operate: () => Result, act: () => void): Result {
  const actAfter = (answers: unknown): void => {
    try {
      act();
    } catch (error) {
      throw answers instanceof Uint8Array ? carrying(error, 'answers', answers) : error;
    }
  };
  let result: Result;
  try {
    result = operate();
  } catch (error) {
    actAfter((Object(error) as { answers?: unknown }).answers);
    throw error;
  }
  actAfter(result);
  return result;
}
