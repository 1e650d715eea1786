// The false positive rate of a filter, computed and counted, and its bits per key.
// Invariant: the count is of the filter's own answers for keys that it does not hold.
import { Figures } from './fields';
import { words } from '../i18n';
import { strangerKeys } from '../model/samples';
import { intervalOf } from '../model/statistics';

/** Absent keys asked: so many that chance moves a rate of 3 % by a tenth of it. */
const ABSENT = 4000;

export function strangersTo(seed: number): readonly string[] {
  return strangerKeys(seed, ABSENT);
}

/** `found`: how many of the strangers are. */
export function Rates({
  computed,
  found,
  bits,
  size,
}: Record<'computed' | 'found' | 'bits' | 'size', number>) {
  const { handles: t, plot } = words.value;
  const [least = '', most = ''] = intervalOf(found, ABSENT).map((rate) => twoDigits(100 * rate));
  return (
    <Figures
      rows={[
        [t.rate, plot.percent(100 * computed)],
        [t.counted(found, ABSENT), t.between(plot.number((100 * found) / ABSENT), least, most)],
        [t.bits, size === 0 ? '-' : plot.number(bits / size)],
      ]}
    />
  );
}

/** Two digits, also where the second is 0, so that both ends of an interval are equally exact. */
function twoDigits(value: number): string {
  if (value === 0) return '0';
  return value.toLocaleString('en', { minimumSignificantDigits: 2, maximumSignificantDigits: 2 });
}
