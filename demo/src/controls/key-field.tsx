// Where a key is typed. Invariant: it is taken as it stands; nothing corrects or completes it.
import type { Signal } from '@preact/signals';

/** For every field with a key. */
export const TYPED = {
  type: 'text',
  dir: 'auto',
  autocomplete: 'off',
  autocapitalize: 'off',
  spellcheck: false,
} as const;

interface KeyFieldProps {
  readonly label: string;
  readonly value: Signal<string>;
  readonly placeholder?: string;
}

export function KeyField({ label, value, placeholder }: KeyFieldProps) {
  return (
    <label class="key-field">
      <span>{label}</span>
      <input
        {...TYPED}
        name="key"
        value={value.value}
        placeholder={placeholder}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  );
}
