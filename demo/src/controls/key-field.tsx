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
  /** Called with the lines of a list that is pasted or dropped; without, they become one key. */
  readonly onLines?: (lines: readonly string[]) => void;
}

export function KeyField({ label, value, placeholder, onLines }: KeyFieldProps) {
  const take = (event: Event, text: string | undefined): void => {
    const lines = (text ?? '').split(/\r?\n/).filter((line) => line !== '');
    if (onLines === undefined || lines.length < 2) return;
    event.preventDefault();
    onLines(lines);
  };
  const drop = (event: DragEvent): void => {
    const file = event.dataTransfer?.files[0];
    if (file === undefined) return take(event, event.dataTransfer?.getData('text'));
    event.preventDefault();
    void file.text().then((text) => take(event, text));
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
        onPaste={(event) => take(event, event.clipboardData?.getData('text'))}
        onDrop={drop}
      />
    </label>
  );
}
