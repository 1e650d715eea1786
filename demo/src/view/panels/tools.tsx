// Below a table, in one drawer: its settings, the link, and the keyboard.
import { useSignal } from '@preact/signals';
import { Button } from '../../controls/fields';
import { SettingsForm } from '../../controls/settings';
import { copied, linkTo, writeAddress } from '../../app/address';
import { words } from '../../i18n';
import type { Page } from '../../app/page';
import '../../styles/lists.css';

/** `hasSettings`: whether the table is the visitor's to choose. */
export function Tools({ page, hasSettings = true }: { page: Page; hasSettings?: boolean }) {
  const { tools, settings } = words.value;
  return (
    <details class="panel tools">
      <summary>{tools(hasSettings)}</summary>
      <div class="tools-parts">
        {hasSettings && (
          <section>
            <h2>{settings.title}</h2>
            <SettingsForm key={page.link.value.place} page={page} />
          </section>
        )}
        <Share page={page} />
        <Shortcuts />
      </div>
    </details>
  );
}

function Share({ page }: { page: Page }) {
  const { share: t, double } = words.value;
  const note = useSignal('');
  const copy = async (): Promise<void> => {
    writeAddress(linkTo(page));
    note.value = await copied(location.href, { ...double, ...t });
  };
  return (
    <section class="share">
      <h2>{t.title}</h2>
      <Button look="primary" text={t.copyLink} onClick={() => void copy()} />
      <p class="note" role="status">
        {note.value}
      </p>
    </section>
  );
}

export function Shortcuts({ isPanel = false }: { isPanel?: boolean }) {
  const t = words.value.shortcuts;
  return (
    <section id="keyboard" class={isPanel ? 'panel for-keys' : 'for-keys'} tabindex={-1}>
      <h2>{t.title}</h2>
      <dl class="shortcuts grid">
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
