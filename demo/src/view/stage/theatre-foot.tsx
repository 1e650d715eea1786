// Below the table: what its signs mean, and the keys that the filter does not keep.
import { useComputed } from '@preact/signals';
import { Toggle } from '../../controls/fields';
import { words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import type { Store } from '../../app/store';
import { Chip } from './chip';

export default function TheatreFoot({ store }: { store: Store }) {
  return (
    <div class="theatre-foot">
      <Legend store={store} />
      <Toggle
        label={words.value.notebook.toggle}
        isOn={store.showsNames.value}
        onChange={(showsNames) => store.show({ showsNames })}
      />
    </div>
  );
}

const SAMPLE_FINGERPRINT = 0xa3;

function Legend({ store }: { store: Store }) {
  const t = words.value.legend;
  const bits = useComputed(() => store.session.value.settings.fingerprintBits).value;
  const sample = SAMPLE_FINGERPRINT % 2 ** bits;
  const text = hex(sample, bits);
  const width = 12 + 8 * text.length;
  return (
    <ul class="legend" aria-label={t.title}>
      <li class="row">
        <svg width={width} height="24" aria-hidden="true">
          <Chip fingerprint={sample} {...{ text, width }} height={24} />
        </svg>
        {t.chip}
      </li>
      <Sign class="slot-empty">{t.empty}</Sign>
      <Sign class="home-outline is-primary">{t.primary}</Sign>
      <Sign class="home-outline is-alternate">{t.alternate}</Sign>
      {(['read', 'found'] as const).map((mark) => (
        <li key={mark} class="row">
          <svg width="26" height="22" aria-hidden="true" class={`slot-mark is-${mark}`}>
            <rect x="2" y="2" width="22" height="18" rx="6" />
            <circle cx="13" cy="11" r="7" />
            <path d={mark === 'found' ? 'M9 11l3 3 5-6' : 'M10 8l6 6m0-6l-6 6'} />
          </svg>
          {t[mark]}
        </li>
      ))}
      <li class="row">
        <svg width="34" height="22" aria-hidden="true" class="arrow is-latest">
          <path class="arrow-line" d="M12 11H26" />
          <path class="arrow-head" d="M34 11l-10-6v12Z" />
          <circle class="arrow-badge" cx="9" cy="11" r="8.500" />
          <text class="arrow-number" x="9" y="11">
            1
          </text>
        </svg>
        {t.kick}
      </li>
    </ul>
  );
}

function Sign({ class: look, children }: { class: string; children: string }) {
  return (
    <li class="row">
      <svg width="26" height="22" aria-hidden="true">
        <rect class={look} x="2" y="2" width="22" height="18" rx="6" />
      </svg>
      {children}
    </li>
  );
}
