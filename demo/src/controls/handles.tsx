// Slots per bucket, bits per fingerprint and load as handles: the table, its rate and its bits per key move along.
// Invariant: the rates are the library's: one computed by it, one counted on its answers.
import { useMemo } from 'preact/hooks';
import type { Page } from '../app/page';
import { words } from '../i18n';
import { RANGES } from '../model/settings';
import { Rates, strangersTo } from './rates';
import '../styles/card.css';

const HANDLES = ['bucketSize', 'fingerprintBits', 'samplePercent'] as const;

export function Handles({ page }: { page: Page }) {
  const { handles: t, settings: names } = words.value;
  const { store } = page;
  const { settings, timeline } = store.session.value;
  const slots = timeline.start.slots.length;
  const found = useMemo(() => store.filter.found(strangersTo(settings.seed)), [settings, timeline]);
  return (
    <section class="panel handles grid" aria-labelledby="handles-title">
      <h2 id="handles-title">{t.title}</h2>
      {HANDLES.map((name) => (
        <label key={name} class="slider grid">
          <span>{names[name]}</span>
          <input
            type="range"
            min={RANGES[name][0]}
            max={RANGES[name][1]}
            value={settings[name]}
            onInput={({ currentTarget: { value } }) => page.rebuild({ ...settings, [name]: Number(value) })}
          />
          <output>{settings[name]}</output>
        </label>
      ))}
      <Rates
        computed={store.filter.rate()}
        found={found.filter(Boolean).length}
        bits={slots * settings.fingerprintBits}
        size={store.filter.size()}
      />
      <p class="note">{t.known(settings.bucketCount)}</p>
    </section>
  );
}
