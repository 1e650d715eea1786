// Light or dark: the system's choice until the visitor makes another.
// Invariant: the choice is the attribute `data-theme` of the document; the colours themselves are in styles/base.css.
import { effect, signal } from '@preact/signals';
import { recall, remember } from './memory';

export type Theme = 'auto' | 'light' | 'dark';
/** In the order in which they are chosen: after the system's choice, the other one. */
const THEMES: readonly Theme[] = matchMedia('(prefers-color-scheme: dark)').matches
  ? ['auto', 'light', 'dark']
  : ['auto', 'dark', 'light'];

export const theme = signal<Theme>(THEMES.find((each) => each === recall('theme')) ?? 'auto');

export function nextTheme(): void {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'auto';
  remember('theme', theme.value);
}

export function followTheme(): void {
  effect(() => {
    if (theme.value === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme.value;
  });
}
