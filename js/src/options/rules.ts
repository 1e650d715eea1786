// What each option may be: one table, from which names, checks and errors follow. Options that only one class has are in
// tables of that class, of the same type.
// These rules are about one value; the core checks what depends on several options.
import { argumentError, shown, shownKind } from '../errors.js';

export interface Rule {
  /** What its value must be, as errors say it. */
  readonly rule: string;
  /** The types that it may have, as `typeof` gives them. */
  readonly types: readonly string[];
  /** Whether a value of such a type is in range. Default: all are. */
  readonly allows?: (value: never) => boolean;
  /** Advice about a wrong value, after the rule. */
  readonly advice?: (value: unknown) => string;
}

/** The rules of a class by the names of its options; undefined for an option that is checked where it is used. */
export type Rules = Readonly<Record<string, Rule | undefined>>;

/** An integer; `shown` is how errors write the largest. */
export function integer(least: number, most: number, shown = String(most)): Rule {
  return {
    rule: `an integer from ${least} to ${shown}`,
    types: ['number'],
    allows: (value) => Number.isInteger(value) && value >= least && value <= most,
  };
}

export function oneOf(...choices: readonly string[]): Rule {
  return {
    rule: choices.map((each) => `'${each}'`).join(' or '),
    types: ['string'],
    allows: (value) => choices.includes(value),
  };
}

export const BOOLEAN: Rule = { rule: 'a boolean', types: ['boolean'] };
export const FUNCTION: Rule = { rule: 'a function', types: ['function'] };

/** The options that every class has, even one whose filter does not grow. */
export const FIXED_OPTIONS = {
  capacity: /* @__PURE__ */ integer(1, 2 ** 34, '2^34'),
  falsePositiveRate: {
    rule: '> 0 and < 1',
    types: ['number'],
    allows: (value: number) => value > 0 && value < 1,
    advice: (value: unknown) =>
      (typeof value === 'string' && value.includes('%')) || (typeof value === 'number' && value >= 1)
        ? ' (1 % is 0.01)'
        : '',
  },
  bucketSize: /* @__PURE__ */ integer(1, 8),
  fingerprintBits: {
    rule: 'an integer from 2 to 32',
    types: ['number'],
    // The core knows which parts of a bit a semi-sorted table takes.
    allows: (value: number) => value >= 0 && (value % 1 !== 0 || (value >= 2 && value <= 32)),
  },
  bucketCount: /* @__PURE__ */ integer(1, 2 ** 32, '2^32'),
  addressing: /* @__PURE__ */ oneOf('reflect', 'xor'),
  semiSort: BOOLEAN,
  prefer: /* @__PURE__ */ oneOf('space', 'speed'),
  seed: undefined,
  hash: undefined,
} satisfies Rules;

/** The options of classes whose filters grow at once. */
export const GROWING_OPTIONS = {
  ...FIXED_OPTIONS,
  maxCapacity: {
    rule: 'an integer from capacity to 2^34',
    types: ['number'],
    allows: (value: number) => Number.isInteger(value) && value >= 0 && value <= 2 ** 34,
    advice: (value: unknown) =>
      value === Infinity ? ' (no limit: ScalableCuckooFilter without maxCapacity)' : '',
  },
  onGrow: FUNCTION,
} satisfies Rules;

export const FILTER_OPTIONS = {
  ...GROWING_OPTIONS,
  maxPause: {
    rule: 'a number of milliseconds, 0 or more',
    types: ['number'],
    allows: (value: number) => value >= 0,
  },
} satisfies Rules;

export const LOAD_OPTIONS = {
  maxBytes: { rule: 'a number, 0 or more', types: ['number'], allows: (value: number) => value >= 0 },
  hash: undefined,
} satisfies Rules;

/** Throws TypeError or RangeError unless `value` of the option `name` is what `rule` says. */
export function checkOption(name: string, value: unknown, { rule, types, allows, advice }: Rule): void {
  const isType = types.includes(typeof value);
  if (isType && (allows?.(value as never) ?? true)) return;
  // In place of a function, such as one that reaches a server, people give an address with a password.
  const got = types.includes('function') ? shownKind(value) : shown(value);
  const isText = !isType && types.includes('number') && !types.includes('string') && isNumeric(value);
  throw argumentError(
    `${name} must be ${rule}${advice?.(value) ?? ''}, got ${got}${isText ? `: pass Number(${name})` : ''}`,
    isType ? RangeError : TypeError,
  );
}

/** Whether `value` is the text of a number, or a bigint. */
function isNumeric(value: unknown): boolean {
  return (
    typeof value === 'bigint' ||
    (typeof value === 'string' && /^\s*[\d.]/.test(value) && !isNaN(Number(value)))
  );
}
