// Where a key is typed and an operation is chosen.
import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { Button, KeyField, submitted } from './fields';
import { kickIn } from '../app/kick';
import { words } from '../i18n';
import type { Page } from '../app/page';
import type { OperationName } from '../model/trace/state';

/** Keys of a pasted list: more than the largest table holds. */
const MOST_PASTED = 300;

/** `children` stand in place of the button that shows a kick. */
export function Console({ page, children }: { page: Page; children?: ComponentChildren }) {
  const t = words.value.console;
  const { store } = page;
  const { settings, timeline } = store.session.value;
  const inserts = timeline.operations.filter(({ name }) => name === 'insert');
  const stored = inserts.filter(({ end }) => end.result === 'added');
  /** How many lines of the last pasted list were left out. */
  const left = useSignal(0);
  const key = useSignal('');
  const field = useRef<HTMLFormElement>(null);
  /** An empty field is where to type, not the empty key. */
  const operate = (name: OperationName) => () => {
    if (key.value !== '') store.operate(name, key.value);
    else field.current?.querySelector('input')?.focus();
  };
  return (
    <section class="console" aria-label={t.title}>
      {children}
      <form class="key-form" ref={field} onSubmit={submitted(operate('insert'))}>
        <KeyField
          label={t.label}
          value={key}
          placeholder={t.placeholder}
          onLines={(keys) => {
            page.fill(keys.slice(0, MOST_PASTED));
            left.value = Math.max(0, keys.length - MOST_PASTED);
          }}
        />
        <div class="key-actions grid">
          <Button look="primary" text={t.insert} type="submit" />
          <Button text={t.contains} onClick={operate('contains')} />
          <Button text={t.erase} onClick={operate('erase')} />
        </div>
      </form>
      <p class="note" role="status">
        {settings.samplePercent === 0 &&
          inserts.length > 1 &&
          words.value.lab.taken(
            inserts.length,
            stored.length,
            inserts.length === MOST_PASTED ? left.value : 0,
          )}
      </p>
      <div class="tries">
        {children === undefined && <Button look="kick" text={t.showKick} onClick={() => kickIn(page)} />}
        <Button look="quiet" text={t.insertSample} onClick={() => store.watch(() => store.insertSample())} />
        <Button look="quiet" text={t.clear} onClick={() => store.operate('clear', '')} />
      </div>
    </section>
  );
}
