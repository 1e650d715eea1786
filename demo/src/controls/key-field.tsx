// Where a key is typed. Invariant: it is taken as it stands; nothing corrects or completes it.
import type { Signal } from '@preact/signals';

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
        type="text"
        name="key"
        dir="auto"
        value={value.value}
        placeholder={placeholder}
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        onInput={(event) => (value.value = event.currentTarget.value)}
      />
    </label>
  );
}
