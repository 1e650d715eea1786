// The language of the page. Invariant: components read words from here alone, so that a change of language reaches all.
import { signal } from '@preact/signals';
import { recall, remember } from '../memory';
import { en, type Words } from './en';

export type { Words } from './en';
export type Language = 'en' | 'zh';

export const words = signal<Words>(en);

/** Each by its own name, whatever the page's language. */
export const LANGUAGES = {
  en: { id: 'en', lang: 'en', name: 'English' },
  zh: { id: 'zh', lang: 'zh-CN', name: '中文' },
} as const;

/** The language to change to. */
export function languageOther(): (typeof LANGUAGES)[Language] {
  return words.value.lang === 'en' ? LANGUAGES.zh : LANGUAGES.en;
}

export function languageNow(): Language {
  return words.value.lang === 'en' ? 'en' : 'zh';
}

/** The link's language, else the one chosen before, else the browser's. */
export function languageWanted(inLink: Language | null): Language {
  const kept = recall('language');
  if (inLink !== null) return inLink;
  if (kept === 'en' || kept === 'zh') return kept;
  return navigator.languages.some((each) => each.startsWith('zh')) ? 'zh' : 'en';
}

/** Changes all words, and remembers the choice. Chinese is loaded when it is first asked for. */
export async function setLanguage(language: Language, isChoice = true): Promise<void> {
  words.value = language === 'en' ? en : (await import('./zh')).zh;
  document.documentElement.lang = words.value.lang;
  document.title = words.value.title;
  if (isChoice) remember('language', language);
}
