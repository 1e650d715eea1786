// The keys that the page knows.
import { words } from '../i18n';
import type { Store } from '../store';
import '../styles/lists.css';

export function Shortcuts({ store }: { store: Store }) {
  const { shortcuts, transport } = words.value;
  return (
    <details class="panel" id="keyboard">
      <summary>
        <span class="for-keys">{shortcuts.title}</span>
        <span class="for-fingers">{shortcuts.playing}</span>
      </summary>
      <KeyboardCard />
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

export function KeyboardCard() {
  return (
    <dl class="shortcuts for-keys">
      {words.value.shortcuts.rows.map(([keys, meaning]) => (
        <div key={meaning}>
          <dt>
            {keys.map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </dt>
          <dd>{meaning}</dd>
        </div>
      ))}
    </dl>
  );
}
