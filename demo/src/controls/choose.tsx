// One of several values, in a list that opens.
// Invariant: what is chosen is one of `values`.
import type { Signal } from '@preact/signals';
import { words } from '../i18n';

interface ChooseProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly bound: Signal<Value>;
  /** By default numbers as the language writes them, and texts as they are. */
  readonly textOf?: (value: Value) => string;
  /** Called once the signal has the value. */
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
