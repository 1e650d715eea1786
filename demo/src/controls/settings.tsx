// The choice of another table.
// Invariant: what the fields say is read when the form is sent, not before, so nothing half typed is ever built, and no
// number out of its range.
import { useComputed, useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from '../i18n';
import { Button } from './fields';
import { NumberField } from './number-field';
import { NUMBER_SETTINGS, parsed, RANGES, type Settings } from '../model/settings';
import type { Page } from '../app/page';
import '../styles/lists.css';

export function SettingsForm({ page }: { page: Page }) {
  const t = words.value.settings;
  const settings = useComputed(() => page.store.session.value.settings).value;
  const failure = useSignal('');
  const fields = useRef<HTMLFormElement>(null);
  // The fields show the settings of the current table, whatever was typed and whatever made that table.
  const show = (): void => {
    for (const [name, value] of Object.entries(settings))
      Object.assign(fields.current?.elements.namedItem(name) ?? {}, { value });
  };
  useLayoutEffect(show, [settings]);
  const build = (wanted: Settings): void => {
    try {
      page.rebuild(wanted);
      failure.value = '';
    } catch {
      failure.value = t.failed;
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const wrong = form.querySelector<HTMLInputElement>('input:invalid');
    const name = NUMBER_SETTINGS.find((each) => each === wrong?.name);
    if (name === undefined) return build(parsed(new FormData(form)));
    // In the page's language, and beside the button: the browser has its own.
    failure.value = words.value.plot.named(t[name], t.range(...RANGES[name]));
    wrong?.focus();
  };
  const list = (name: 'addressing' | 'search', options: Readonly<Record<string, string>>) => (
    <label class="field is-wide">
      <span>{t[name]}</span>
      <select name={name}>
        {Object.entries(options).map(([option, text]) => (
          <option value={option}>{text}</option>
        ))}
      </select>
    </label>
  );
  return (
    <form ref={fields} class="settings" noValidate onSubmit={submit}>
      <div class="settings-fields grid">
        {NUMBER_SETTINGS.map((setting) => (
          <NumberField
            key={setting}
            name={setting}
            label={
              <>
                {t[setting]}{' '}
                <small>{t.range(...RANGES[setting]) + (setting === 'bucketCount' ? t.forXor : '')}</small>
              </>
            }
            min={RANGES[setting][0]}
            max={RANGES[setting][1]}
          />
        ))}
        {list('addressing', { reflect: t.reflect, xor: t.xor })}
        {list('search', { 'random-walk': t.randomWalk, 'breadth-first': t.breadthFirst })}
      </div>
      <p class="problem" role="alert">
        {failure.value}
      </p>
      <div class="settings-actions">
        <Button look="primary" text={t.rebuild} type="submit" />
        <Button look="quiet" text={t.reset} onClick={() => (build(page.defaults()), show())} />
      </div>
      <p class="note">{t.note}</p>
    </form>
  );
}
