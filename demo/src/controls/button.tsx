// A button with words on it.
import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';

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
