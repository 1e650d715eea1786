// The keys that the page knows; none where fingers press.
import { words } from '../../i18n';
import '../../styles/lists.css';

export function Shortcuts({ isPanel = false }: { isPanel?: boolean }) {
  const t = words.value.shortcuts;
  return (
    <section id="keyboard" class={isPanel ? 'panel for-keys' : 'for-keys'} tabindex={-1}>
      <h2>{t.title}</h2>
      <dl class="shortcuts">
        {t.rows.map(([keys, meaning]) => (
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
    </section>
  );
}
