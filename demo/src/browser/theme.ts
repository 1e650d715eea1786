// Light or dark: the system's choice until the visitor makes another.
// Invariant: the choice is the attribute `data-theme` of the document; the colours themselves are in styles/base.css.
import { effect, signal } from '@preact/signals';
import { recall, remember } from './memory';

export type Theme = 'auto' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

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
