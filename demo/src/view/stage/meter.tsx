// How full the table is.
import { words } from '../../i18n';
import { percentOf } from '../../model/statistics';
import type { Store } from '../../app/store';

export function Meter({ store }: { store: Store }) {
  const t = words.value.meter;
  const { size, slots } = store.session.value.place.state;
  const count = slots.length;
  const percent = percentOf(size / count);
  return (
    <div class="meter">
      <b>{t.title}</b>
      <div
        class="meter-bar"
        role="meter"
        aria-label={t.title}
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={size}
        aria-valuetext={t.value(size, count)}
      >
        <div class="meter-fill" style={{ width: `${(100 * size) / count}%` }} />
      </div>
      <span class="meter-value">
        <b>{t.percent(percent)}</b> <span>{t.value(size, count)}</span>
      </span>
    </div>
  );
}
