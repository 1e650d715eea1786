// Where a key is typed and an operation is chosen.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { OperationName } from '../engine';
import { words } from '../i18n';
import type { Page } from '../page';
import { KeyField } from './key-field';

/** `children` stand in place of the button that shows a kick. */
export function Console({ page, children }: { page: Page; children?: ComponentChildren }) {
  const t = words.value.console;
  const { store } = page;
  const key = useSignal('');
  const operate = (name: OperationName) => () => store.operate(name, key.value);
  const submit = (event: Event): void => {
    event.preventDefault();
    store.operate('insert', key.value);
  };
  return (
    <section class="console" aria-label={t.title}>
      {children}
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
        {children === undefined && (
          <button
            class="button is-kick"
            type="button"
            onClick={() => store.kick((fresh) => page.rebuild(fresh))}
          >
            {t.showKick}
          </button>
        )}
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
