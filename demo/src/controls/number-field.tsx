// A number with its name.
import type { ComponentChildren, TargetedInputEvent } from 'preact';

interface NumberFieldProps {
  readonly label: ComponentChildren;
  readonly name?: string;
  readonly min: number;
  readonly max: number;
  readonly value: number;
  readonly onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

export function NumberField({ label, ...field }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input type="number" required {...field} />
    </label>
  );
}
