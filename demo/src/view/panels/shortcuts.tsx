// The keys that the page knows.
import { Toggle } from '../../controls/toggle';
import { words } from '../../i18n';
import type { Store } from '../../app/store';
import '../../styles/lists.css';

export function Shortcuts({ store }: { store: Store }) {
  const { shortcuts, transport } = words.value;
  return (
    <details class="panel" id="keyboard">
      <summary>
        <span class="for-keys">{shortcuts.title}</span>
        <span class="for-fingers">{shortcuts.playing}</span>
      </summary>
      <KeyboardCard />
      <Toggle
        label={transport.autoplay}
        isOn={store.autoplays.value}
        onChange={(autoplays) => store.show({ autoplays })}
      />
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
