// The words of this place, in the page's language: loaded with it, and with a change of language.
import { computed, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../i18n';
import type { CompareWords } from '../i18n/en-compare';
import { whenThere } from '../browser/part';

const loaded = signal<CompareWords | null>(null);

/** To be read once `useCompareWords` has said that they are there. */
export const compareWords = computed((): CompareWords => {
  if (loaded.value === null) throw new Error('the words of the comparison are not loaded');
  return loaded.value;
});

/** Whether the words are there; where the language changes, those of the other one until then. */
export function useCompareWords(): boolean {
  const { lang } = words.value;
  useEffect(() => {
    const coming =
      lang === 'en'
        ? whenThere(import('../i18n/en-compare')).then(({ enCompare }) => enCompare)
        : whenThere(import('../i18n/zh-compare')).then(({ zhCompare }) => zhCompare);
    void coming.then((its) => {
      if (words.value.lang === lang) loaded.value = its;
    });
  }, [lang]);
  return loaded.value !== null;
}
