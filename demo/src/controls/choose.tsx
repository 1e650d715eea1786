// One of several values, in a list that opens.
// Invariant: what is chosen is one of `values`.
import { words } from '../i18n';

interface ChooseProps<Value> {
  readonly label: string;
  readonly values: readonly Value[];
  readonly value: Value;
  /** By default numbers as the language writes them, and texts as they are. */
  readonly textOf?: (value: Value) => string;
  /** The language of an option's text, where it is not the page's. */
  readonly langOf?: (value: Value) => string;
  readonly onChange: (value: Value) => void;
}

export function Choose<Value extends number | string>({
  label,
  values,
  value,
  textOf = (each) => (typeof each === 'number' ? words.value.plot.number(each) : each),
  langOf,
  onChange,
}: ChooseProps<Value>) {
  return (
    <label class="field">
      <span>{label}</span>
      <select
        value={value}
        onChange={({ currentTarget }) => {
          const chosen = values[currentTarget.selectedIndex];
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((each) => (
          <option key={each} value={each} lang={langOf?.(each)}>
            {textOf(each)}
          </option>
        ))}
      </select>
    </label>
  );
}
