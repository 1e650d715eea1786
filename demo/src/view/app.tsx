// The page: what stands where.
// Invariant: the order of the elements is the order of reading, on a phone as with a screen reader.
import { useEffect, useRef } from 'preact/hooks';
import { Console } from '../controls/console';
import { SettingsForm } from '../controls/settings';
import { Transport } from '../controls/transport';
import { words } from '../i18n';
import { focused } from '../model/session';
import type { Store } from '../store';
import { Caption } from './caption';
import { History } from './history';
import { KeyPanel } from './key-panel';
import { Legend } from './legend';
import { Meter } from './meter';
import { PathPanel } from './path-panel';
import { Stage } from './stage';

export function App({ store }: { store: Store }) {
  const t = words.value;
  return (
    <div class="page">
      <header class="intro">
        <h1>{t.title}</h1>
        <p>{t.lead}</p>
      </header>
      <Console store={store} />
      <Theatre store={store} />
      <aside class="panels">
        <KeyPanel store={store} />
        <PathPanel store={store} />
        <History store={store} />
        <details class="panel">
          <summary>{t.settings.title}</summary>
          <SettingsForm store={store} />
        </details>
        <Shortcuts store={store} />
      </aside>
    </div>
  );
}

/** The stage with what belongs to it. It comes into view when an operation begins below the fold. */
function Theatre({ store }: { store: Store }) {
  const t = words.value;
  const place = useRef<HTMLElement>(null);
  const { length } = store.session.value.timeline.operations;
  useEffect(() => {
    const top = place.current?.getBoundingClientRect().top ?? 0;
    if (length === 0 || top < innerHeight / 3) return;
    place.current?.scrollIntoView({ behavior: store.isStill.value ? 'instant' : 'smooth' });
  }, [length, store]);
  return (
    <main class="theatre" ref={place}>
      <div class="theatre-head">
        <Meter store={store} />
      </div>
      <Stage store={store} />
      <div class="theatre-foot">
        <Legend store={store} />
        <label class="toggle">
          <input
            type="checkbox"
            checked={store.showsNames.value}
            onChange={(event) => (store.showsNames.value = event.currentTarget.checked)}
          />
          <span>{t.notebook.toggle}</span>
        </label>
        <p class="notebook-note" hidden={!store.showsNames.value}>
          {t.notebook.note}
        </p>
      </div>
      <div class={focused(store.session.value) === null ? 'deck is-idle' : 'deck'}>
        <Caption store={store} />
        <Transport store={store} />
      </div>
    </main>
  );
}

function Shortcuts({ store }: { store: Store }) {
  const { shortcuts, transport } = words.value;
  return (
    <details class="panel">
      <summary>{shortcuts.title}</summary>
      <dl class="shortcuts">
        {shortcuts.rows.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label class="toggle">
        <input
          type="checkbox"
          checked={store.autoplays.value}
          onChange={(event) => (store.autoplays.value = event.currentTarget.checked)}
        />
        <span>{transport.autoplay}</span>
      </label>
    </details>
  );
}
