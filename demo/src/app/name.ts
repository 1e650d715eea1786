// The name that the first page is about.
// Invariant: what the visitor types goes before what a friend sent, and that before the example.
import type { Signal } from '@preact/signals';
import { nameIn } from '../core/double';
import { words } from '../i18n';
import type { Page } from './page';

/** Letters of a name: more than any has. Pictures and sentences have room for fewer (double.tsx). */
export const MOST_LETTERS = 80;

/** As it stands in the field. */
export function typedName(page: Page): Signal<string> {
  return page.kept.value.text('name', '');
}

/** The name that came with the link; empty: none. */
export function friendOf(page: Page): string {
  return nameIn(page.kept.value.text('from', '').value.slice(0, MOST_LETTERS));
}

export function nameOf(page: Page): string {
  return nameIn(typedName(page).value) || friendOf(page) || words.value.double.example;
}
