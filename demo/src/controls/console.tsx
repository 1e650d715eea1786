// Where a key is typed and an operation is chosen.
import { useSignal } from '@preact/signals';
import type { OperationName } from '../engine';
import { words } from '../i18n';
import type { Store } from '../store';
import { KeyField } from './key-field';

export function Console({ store }: { store: Store }) {
  const t = words.value.console;
  const key = useSignal('');
  const operate = (name: OperationName) => () => store.operate(name, key.value);
  const submit = (event: Event): void => {
    event.preventDefault();
    store.operate('insert', key.value);
  };
  return (
    <section class="console" aria-label={t.title}>
      <form class="key-form" onSubmit={submit}>
        <KeyField label={t.label} value={key} placeholder={t.placeholder} />
        <div class="key-actions">
          <button class="button is-primary" type="submit">
            {t.insert}
          </button>
          <button class="button" type="button" onClick={operate('contains')}>
            {t.contains}
          </button>
          <button class="button" type="button" onClick={operate('erase')}>
            {t.erase}
          </button>
        </div>
      </form>
      <div class="tries">
        <span class="tries-title">{t.samples}</span>
        <button class="button is-kick" type="button" title={t.showKickHint} onClick={() => store.kick()}>
          {t.showKick}
        </button>
        <button class="button is-quiet" type="button" onClick={() => store.sample()}>
          {t.insertSample}
        </button>
        <button class="button is-quiet" type="button" onClick={() => store.operate('clear', '')}>
          {t.clear}
        </button>
      </div>
    </section>
  );
}
