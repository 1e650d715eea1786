// The name that the first page is about.
// Invariant: what the visitor types goes before what a friend sent, and that before the example.
import type { Signal } from '@preact/signals';
import { whenThere } from '../browser/later';
import type { Batches } from '../core/double';
import { languageNow, words } from '../i18n';
import { nameIn } from '../model/text';
import type { Page } from './page';

/** Letters of a name: more than any has. Pictures and sentences have room for fewer (double.tsx). */
export const MOST_LETTERS = 80;

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

/** Each language has its own, among which a double is looked for. */
const NAMES = {
  en: () => import('../i18n/en-first-names'),
  zh: () => import('../i18n/zh-first-names'),
};

export async function loadNames(): Promise<Batches> {
  return (await whenThere(NAMES[languageNow()]())).namesOf;
}
