// Measured values as texts, in the page's language.
import { words } from '../i18n';
import type { Bar, Result } from './results';
import { compareWords } from './words';

export function barText(bar: Bar, value: number): string {
  const { percent, number } = words.value.plot;
  return bar === 'rate' ? percent(100 * value) : number(value);
}

/** Why a filter is not there. */
export function refusalText(result: Result | undefined): string {
  const t = compareWords.value.refusals;
  const { percent, number } = words.value.plot;
  const { expectedRate = 0, bitsPerKey = 0 } = result?.figures ?? {};
  switch (result?.refusal) {
    case 'rateTooLow':
      return t.rateTooLow(percent(100 * expectedRate));
    case 'rateTooHigh':
      return t.rateTooHigh(percent(100 * expectedRate));
    case 'tooFewBits':
      return t.tooFewBits(number(bitsPerKey));
    case 'outOfMemory':
      return t.outOfMemory;
    default:
      return '';
  }
}
