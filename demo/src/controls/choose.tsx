// One of several values, in a list that opens.
// Invariant: what is chosen is one of `values`.
import type { Signal } from '@preact/signals';
import { words } from '../i18n';

interface ChooseProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  /** By default numbers as the language writes them, and texts as they are. */
  readonly textOf?: (value: Value) => string;
}

/** What is chosen is kept in a signal, or told. */
type Chosen<Value> =
  { readonly bound: Signal<Value> } | { readonly value: Value; readonly onChange: (value: Value) => void };

export function Choose<Value extends number | string>({
  label,
  values,
  textOf = (each) => (typeof each === 'number' ? words.value.plot.number(each) : each),
  ...chosen
}: ChooseProps<Value> & Chosen<Value>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={'bound' in chosen ? chosen.bound.value : chosen.value}
        onChange={({ currentTarget }) => {
          const value = values[currentTarget.selectedIndex];
          if (value === undefined) return;
          if ('bound' in chosen) chosen.bound.value = value;
          else chosen.onChange(value);
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
