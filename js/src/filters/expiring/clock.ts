// The clock of an ExpiringFilter: how many periods have begun since it was last asked.
// Invariant: a period that has begun stays begun, so nothing is forgotten early if the clock goes back.
import { check, requiredError } from '../../errors.js';
import { FUNCTION } from '../../options/rules.js';

/** The spellings of each unit, and its length in milliseconds. */
const UNITS: readonly (readonly [name: RegExp, milliseconds: number])[] = [
  [/^ms$|^millis(econds?)?$/, 1],
  [/^s(ec(ond)?s?)?$/, 1000],
  [/^m(in(ute)?s?)?$/, 60_000],
  [/^h((ou)?rs?)?$/, 3_600_000],
  [/^d(ays?)?$/, 86_400_000],
];

const EVERY_RULE = "a time such as '10 min' (in ms, s, min, h or days) or a whole number of milliseconds";

export class Clock {
  /** The length of a period in milliseconds. */
  readonly every: number;
  /** When the current period began. */
  began: number;
  readonly #now: () => number;

  /** Starts in the present period, or in the period of the time `began`. */
  constructor(every: number, now: () => number, began?: number) {
    this.every = every;
    this.#now = now;
    this.began = this.#beginOf(began ?? this.#time());
  }

  /** How many periods have begun since the last call. Throws TypeError if the clock returns no time, RangeError for one out of range. */
  passed(): number {
    const time = this.#time();
    if (time < this.began + this.every) return 0;
    const before = this.began;
    this.began = this.#beginOf(time);
    return (this.began - before) / this.every;
  }

  /** When the present period began. If the clock went back, it may be before the last one. */
  present(): number {
    return this.#beginOf(this.#time());
  }

  /** Another clock, at the time `began`. */
  at(began: number): Clock {
    return new Clock(this.every, this.#now, began);
  }

  #beginOf(time: number): number {
    return Math.floor(time / this.every) * this.every;
  }

  #time(): number {
    const time = this.#now();
    // The saved form has an unsigned number, and beyond 2^53 doubles skip whole numbers, so periods could not begin one
    // by one.
    const isInRange = time >= 0 && time <= Number.MAX_SAFE_INTEGER;
    check(
      'the time that now() returns',
      'a number of milliseconds from 0 to 2^53 - 1',
      time,
      Number.isFinite(time),
      isInRange,
    );
    return time;
  }
}

export const CLOCK_OPTIONS = {
  every: {
    rule: EVERY_RULE,
    types: ['number', 'string'],
    allows: (every: number | string) =>
      Number.isSafeInteger(millisecondsOf(every)) && millisecondsOf(every) > 0,
  },
  now: FUNCTION,
};

/** The clock that the options ask for, if they do. Throws TypeError and RangeError. */
export function clockOf(
  every: number | string | undefined,
  now: (() => number) | undefined,
): Clock | undefined {
  if (every === undefined) {
    if (now === undefined) return undefined;
    throw requiredError('every', `${EVERY_RULE}. The option now needs it`);
  }
  return new Clock(millisecondsOf(every), now ?? (() => Date.now()));
}

function millisecondsOf(every: number | string): number {
  if (typeof every !== 'string') return every;
  const [, whole = '', part = '', unit = ''] = /^(\d+)(?:\.(\d+))? ?([a-z]+)$/.exec(every.trim()) ?? [];
  const [, length = 0] = UNITS.find(([name]) => name.test(unit)) ?? [];
  // Not in doubles, in which 1.1 h is 3,960,000.0000000005 ms.
  const scaled = BigInt(whole + part) * BigInt(length);
  const scale = 10n ** BigInt(part.length);
  return scaled % scale === 0n ? Number(scaled / scale) : NaN;
}
