// How full the table is.
import { words } from '../i18n';
import type { Store } from '../store';

export function Meter({ store }: { store: Store }) {
  const t = words.value.meter;
  const { size, slots } = store.session.value.place.state;
  const percent = Math.round((100 * size) / slots.length);
  return (
    <div class="meter">
      <span class="meter-title">{t.title}</span>
      <div
        class="meter-bar"
        role="meter"
        aria-label={t.title}
        aria-valuemin={0}
        aria-valuemax={slots.length}
        aria-valuenow={size}
        aria-valuetext={t.value(size, slots.length)}
      >
        <div class="meter-fill" style={{ width: `${(100 * size) / slots.length}%` }} />
      </div>
      <span class="meter-value">
        <b>{t.percent(percent)}</b> <span>{t.value(size, slots.length)}</span>
      </span>
    </div>
  );
}
