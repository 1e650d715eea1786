// A check box with its name.

interface ToggleProps {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** What a pointer is told that rests on it. */
  readonly title?: string;
}

export function Toggle({ label, isOn, onChange, title }: ToggleProps) {
  return (
    <label class="toggle" title={title}>
      <input
        type="checkbox"
        checked={isOn}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
