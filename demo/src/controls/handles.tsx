// Slots per bucket, bits per fingerprint and load as handles: the table, its rate and its bits per key move along.
// Invariant: the rates are the library's: one computed by it, one counted on its answers.
import { useMemo } from 'preact/hooks';
import type { Page } from '../app/page';
import { Figures } from './fields';
import { words } from '../i18n';
import { strangerKey } from '../model/samples';
import { RANGES } from '../model/settings';
import '../styles/card.css';

const HANDLES = ['bucketSize', 'fingerprintBits', 'samplePercent'] as const;

/** Absent keys asked: so many that chance moves a rate of 3 % by a tenth of it. */
const ABSENT = 4000;

export function Handles({ page }: { page: Page }) {
  const { handles: t, settings: names, plot } = words.value;
  const { store } = page;
  const { settings, timeline } = store.session.value;
  const size = store.filter.size();
  const measured = useMemo(() => {
    const strangers = Array.from({ length: ABSENT }, (_, i) => strangerKey(settings.seed, i));
    return store.filter.found(strangers).filter(Boolean).length / ABSENT;
  }, [settings, timeline]);
  const percent = (rate: number): string => plot.percent(100 * rate);
  const bits = (timeline.start.slots.length * settings.fingerprintBits) / size;
  const figures = [
    [t.rate, percent(store.filter.rate())],
    [t.measured(ABSENT), percent(measured)],
    [t.bits, size === 0 ? '-' : plot.number(bits)],
  ] as const;
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
      <Figures rows={figures} />
      <p class="note">{t.known}</p>
    </section>
  );
}
