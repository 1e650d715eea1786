// What a visitor set on a board, a plot or a measurement: small values that a link carries beside the table.
// Invariant: a value that a link brings is taken only if it is one that the control itself could give.
import { signal, type Signal } from '@preact/signals';
import type { Value } from '../model/scenes/task';

export type Values = Readonly<Record<string, Value>>;

export class Kept {
  readonly #fromLink: Values;
  /** How many controls there are: who reads all of their values is told of new ones. */
  readonly #count = signal(0);
  readonly #controls = new Map<string, { readonly signal: Signal<Value>; readonly initial: Value }>();

  constructor(fromLink: Values = {}) {
    this.#fromLink = fromLink;
  }

  /** The number of that name; the same signal at every call. */
  number(name: string, initial: number, accepts: (value: number) => boolean): Signal<number> {
    return this.#control(name, initial, (value) => typeof value === 'number' && accepts(value));
  }

  text(name: string, initial: string): Signal<string> {
    return this.#control(name, initial, (value) => typeof value === 'string');
  }

  numbers(name: string, initial: readonly number[]): Signal<readonly number[]> {
    const fits = (value: Value): boolean => typeof value === 'object' && value.length === initial.length;
    return this.#control(name, initial, fits);
  }

  values(): Values {
    void this.#count.value;
    return Object.fromEntries(
      [...this.#controls]
        .filter(([, control]) => String(control.signal.value) !== String(control.initial))
        .map(([name, control]) => [name, control.signal.value]),
    );
  }

  #control<Kind extends Value>(
    name: string,
    initial: Kind,
    accepts: (value: Value) => boolean,
  ): Signal<Kind> {
    const known = this.#controls.get(name);
    if (known !== undefined) return known.signal as Signal<Value> as Signal<Kind>;
    const given = this.#fromLink[name];
    const made = signal<Value>(given !== undefined && accepts(given) ? given : initial);
    this.#controls.set(name, { signal: made, initial });
    this.#count.value = this.#controls.size;
    return made as Signal<Kind>;
  }
}

export function oneOf(values: readonly number[]): (value: number) => boolean {
  return (value) => values.includes(value);
}

export function within(least: number, most: number): (value: number) => boolean {
  return (value) => Number.isInteger(value) && value >= least && value <= most;
}
