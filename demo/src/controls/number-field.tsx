// A field for a number.
import type { ComponentChildren, TargetedFocusEvent, TargetedInputEvent } from 'preact';

/** Whoever comes to it types over the number that is there. */
export const NUMBER = {
  type: 'number',
  onFocus: ({ currentTarget }: TargetedFocusEvent<HTMLInputElement>) => currentTarget.select(),
} as const;

interface NumberFieldProps {
  readonly label: ComponentChildren;
  readonly name?: string;
  readonly min: number;
  readonly max: number;
  readonly value?: number;
  readonly onInput?: (event: TargetedInputEvent<HTMLInputElement>) => void;
}

export function NumberField({ label, ...field }: NumberFieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <input {...NUMBER} required {...field} />
    </label>
  );
}
