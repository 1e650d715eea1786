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
  /** Called with the lines of a pasted list; without, they become one key. */
  readonly onLines?: (lines: readonly string[]) => void;
}

export function KeyField({ label, value, placeholder, onLines }: KeyFieldProps) {
  const paste = (event: ClipboardEvent): void => {
    const lines = (event.clipboardData?.getData('text') ?? '').split(/\r?\n/).filter((line) => line !== '');
    if (onLines === undefined || lines.length < 2) return;
    event.preventDefault();
    onLines(lines);
  };
  return (
    <label class="key-field">
      <span>{label}</span>
      <input
        {...TYPED}
        name="key"
        value={value.value}
        placeholder={placeholder}
        onInput={(event) => (value.value = event.currentTarget.value)}
        onPaste={paste}
      />
    </label>
  );
}
