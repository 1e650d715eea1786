// The keys that the page knows.
import { Toggle } from '../../controls/toggle';
import { words } from '../../i18n';
import type { Store } from '../../app/store';
import '../../styles/lists.css';

export function Shortcuts({ store }: { store: Store }) {
  const { shortcuts, transport } = words.value;
  return (
    <section id="keyboard" tabindex={-1}>
      <h2>
        <span class="for-keys">{shortcuts.title}</span>
        <span class="for-fingers">{shortcuts.playing}</span>
      </h2>
      <KeyboardCard />
      <Toggle
        label={transport.autoplay}
        isOn={store.autoplays.value}
        onChange={(autoplays) => store.show({ autoplays })}
      />
    </section>
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
