// What errors say of a wrong option, from the table of options: so that its words are pinned in one test alone
// (messages.options.test.ts), and a better word costs one change.
import { BOOLEAN, checkOption, FILTER_OPTIONS, FUNCTION, type Rule } from '../../../js/src/options/rules';
import { said } from '../support/random';

const RULES: Readonly<Record<string, Rule | undefined>> = FILTER_OPTIONS;

/** The rule of an option that every filter has, in words. */
export const ruleOf = (option: string): string => RULES[option]?.rule ?? '';

/** The message about a wrong `value` of such an option. */
export const ruled = (option: string, value: unknown): string =>
  said(() => checkOption(option, value, RULES[option] as Rule));

/** The same of an option that is a boolean, or a function. */
export const noBoolean = (option: string, value: unknown): string =>
  said(() => checkOption(option, value, BOOLEAN));
export const noFunction = (option: string, value: unknown): string =>
  said(() => checkOption(option, value, FUNCTION));
