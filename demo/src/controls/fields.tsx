// Buttons and fields, and what a form does in place of sending itself.
import type { Signal } from '@preact/signals';
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { words } from '../i18n';

export function submitted(act: () => void): (event: Event) => void {
  return (event) => {
    event.preventDefault();
    act();
  };
}

interface ButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'class'> {
  readonly look?: 'primary' | 'kick' | 'quiet' | 'number' | undefined;
  readonly text: ComponentChildren;
}

export function Button({ look, text, ...others }: ButtonProps) {
  return (
    <button class={look === undefined ? 'button' : `button is-${look}`} type="button" {...others}>
      {text}
    </button>
  );
}

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

export function Toggle({ label, isOn, onChange }: ToggleProps) {
  return (
    <label class="toggle">
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}

interface ChooseProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly bound: Signal<Value>;
  /** By default numbers as the language writes them, and texts as they are. */
  readonly textOf?: (value: Value) => string;
  readonly onChange?: () => void;
}

export function Choose<Value extends number | string>({
  label,
  values,
  bound,
  textOf = (each) => (typeof each === 'number' ? words.value.plot.number(each) : each),
  onChange,
}: ChooseProps<Value>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={bound.value}
        onChange={({ currentTarget }) => {
          bound.value = values[currentTarget.selectedIndex] ?? bound.value;
          onChange?.();
        }}
      >
        {values.map((each) => (
          <option key={each} value={each}>
            {textOf(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** For every field with a key: it is taken as it stands; nothing corrects or completes it. */
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

export function Figures({ rows }: { rows: readonly (readonly [name: string, value: string])[] }) {
  return (
    <dl class="figures grid">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt class="note">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

interface TableProps {
  readonly label: string;
  readonly columns: readonly string[];
  /** The first cell of each names it. */
  readonly rows: readonly (readonly string[])[];
}

export function Table({ label, columns, rows }: TableProps) {
  return (
    <div class="table-frame" tabindex={0} role="region" aria-label={label}>
      <table>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells], i) => (
            <tr key={i}>
              <th scope="row">{name}</th>
              {cells.map((cell, column) => (
                <td key={column}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The stages of a question, with the one that is open. */
export function Stages({ names, at }: { names: readonly (string | number)[]; at: number }) {
  return (
    <ol class="stages">
      {names.map((name, i) => (
        <li key={name} class={i < at ? 'is-done' : ''} aria-current={i === at ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  );
}
