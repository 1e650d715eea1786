// The words of the scene on what this library adds to the paper's filter, in English.
import type { Facts } from '../model/scenes/task';

const kicks = (n: unknown): string => (n === 1 ? '1 kick' : `${n} kicks`);

export const enBetter = {
  ask: [
    ({ fingerprint, primary, offset, count }: Facts) =>
      `This library reflects by default, because that works for any number of buckets, such as ${count}: home 2 = (hash of the fingerprint − home 1) mod ${count}. The hash of ${fingerprint} is ${offset}, and home 1 is ${primary}. Which bucket?`,
    ({ key, plain }: Facts) =>
      `With random victims, “${key}” takes ${kicks(plain)} to get into this table. How many does it take if the filter looks ahead?`,
  ],
  option: (option: string) => option,
  found: [
    ({ answer }: Facts) => `Home 2 is bucket ${answer}. Reflected again, it leads back.`,
    ({ answer, plain }: Facts) => `It takes ${kicks(answer)} instead of ${plain}.`,
  ],
  why: [
    'A reflection is its own inverse for any number of buckets: with hash c and bucket i, (c − (c − i)) mod m = i. XOR is not: with 12 buckets its result may not exist, and taking it mod 12 loses the way back.',
    'Before each kick the filter reads the other buckets of all that could leave, and kicks one that finds room. It looks one kick ahead, and after 32 kicks two. Where no kick helps, it rolls all of them back: scene 6 shows that.',
  ],
  change:
    'In “Table settings”, fill a table with samples to 80 %, once with a random victim and once with looking ahead. Build it, and press “Show me a kick”.',
};
