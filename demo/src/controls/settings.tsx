// The choice of another table.
// Invariant: what the fields say is read when the form is sent, not before, so nothing half typed is ever built; the browser
// sends no number that is out of its range.
import { useSignal } from '@preact/signals';
import { words } from '../i18n';
import { Button } from './button';
import { NumberField } from './number-field';
import { NUMBER_SETTINGS, parsed, RANGES, type Settings } from '../model/settings';
import type { Page } from '../app/page';
import '../styles/lists.css';

export function SettingsForm({ page }: { page: Page }) {
  const t = words.value.settings;
  const shown = useSignal<Settings>(page.store.session.peek().settings);
  const failure = useSignal('');
  const build = (settings: Settings): void => {
    shown.value = settings;
    try {
      page.rebuild(settings);
      failure.value = '';
    } catch (error) {
      failure.value = t.failed(error instanceof Error ? error.message : String(error));
    }
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    build(parsed(new FormData(event.currentTarget as HTMLFormElement)));
  };
  const list = (name: 'addressing' | 'walk', value: string, options: Readonly<Record<string, string>>) => (
    <label class="field is-wide">
      <span>{t[name]}</span>
      <select name={name} value={value}>
        {Object.entries(options).map(([option, text]) => (
          <option value={option}>{text}</option>
        ))}
      </select>
    </label>
  );
  return (
    <form class="settings" onSubmit={submit}>
      <div class="settings-fields">
        {NUMBER_SETTINGS.map((setting) => (
          <NumberField
            key={setting}
            name={setting}
            label={
              <>
                {t[setting]} <small>{t.range(...RANGES[setting])}</small>
              </>
            }
            min={RANGES[setting][0]}
            max={RANGES[setting][1]}
            value={shown.value[setting]}
          />
        ))}
        {list('addressing', shown.value.addressing, { reflect: t.reflect, xor: t.xor })}
        {list('walk', shown.value.lookAhead ? 'ahead' : 'plain', { plain: t.walkPlain, ahead: t.walkAhead })}
      </div>
      <p class="problem" role="alert">
        {failure.value}
      </p>
      <div class="settings-actions">
        <Button look="primary" text={t.rebuild} type="submit" />
        <Button look="quiet" text={t.reset} onClick={() => build(page.defaults())} />
      </div>
      <p class="note">{t.note}</p>
    </form>
  );
}
