// The false positive rate of a filter, computed and counted, and its bits per key.
// Invariant: the count is of the filter's own answers for keys that it does not hold.
import { Figures } from './fields';
import { words } from '../i18n';
import { strangerKey } from '../model/samples';

/** Absent keys asked: so many that chance moves a rate of 3 % by a tenth of it. */
const ABSENT = 4000;

export function strangersTo(seed: number): readonly string[] {
  return Array.from({ length: ABSENT }, (_, i) => strangerKey(seed, i));
}

/** A measured rate, ± how far chance moves it in 19 runs of 20. */
function measured(found: number): string {
  const rate = found / ABSENT;
  const { plot, handles } = words.value;
  const { percent } = plot;
  // The rule of three: with a rate above 3 in ABSENT, 19 runs of 20 would find at least one.
  if (found === 0) return handles.none(ABSENT, percent(300 / ABSENT));
  const reach = 196 * Math.sqrt((rate * (1 - rate)) / ABSENT);
  return `${percent(100 * rate)} ± ${percent(Number(reach.toPrecision(2)))}`;
}

/** `found`: how many of the strangers are. */
export function Rates({
  computed,
  found,
  bits,
  size,
}: Record<'computed' | 'found' | 'bits' | 'size', number>) {
  const { handles: t, plot } = words.value;
  return (
    <Figures
      rows={[
        [t.rate, plot.percent(100 * computed)],
        [t.measured(ABSENT), measured(found)],
        [t.bits, size === 0 ? '-' : plot.number(bits / size)],
      ]}
    />
  );
}
