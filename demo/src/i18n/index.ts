// The language of the page. Invariant: components read words from here alone, so that a change of language reaches all.
import { signal } from '@preact/signals';
import { recall, remember } from '../browser/memory';
import { isInTour, type PlaceId, type SceneId } from '../model/places';
import type { Facts, Value } from '../model/scenes/task';
import { whenThere } from '../browser/later';
import { FIRST_CHINESE } from '../model/samples';
import { enStart, type Words } from './en';
import type { enScenes } from './en-scenes';

export type { Words } from './en';
export type Language = 'en' | 'zh';

/** Before `loadWords` those of the start page only. */
export const words = signal(enStart as Words);

type SceneWords = typeof enScenes;
const scenes = signal<SceneWords | null>(null);

/** The questions and explanations of a scene, in the page's language; `loadWords` comes first. */
export function sceneWords(scene: SceneId): SceneWords[SceneId] {
  if (scenes.value === null) throw new Error('the words of the scenes are not loaded');
  return scenes.value[scene];
}

/** The name of a place; of one beside the start, `loadWords` comes first. */
export function titleOf(place: PlaceId): string {
  const { nav, scenes: titles, double } = words.value;
  return isInTour(place) ? titles[place].title : place === 'start' ? double.title : nav[place];
}

/** Why the answer to a question is what it is. */
export function whyOf(scene: SceneId, part: 0 | 1, facts: Facts): string {
  const why = sceneWords(scene).why[part];
  return typeof why === 'function' ? why(facts) : (why ?? '');
}

/** A guess or an answer in a scene's words. */
export function textOfValue(value: Value, scene: SceneId): string {
  const wordFor = (option: string | number): string => sceneWords(scene).option(String(option));
  return typeof value === 'object' ? words.value.plot.list(value.map(wordFor)) : wordFor(value);
}

/** What was asked for last: it may still be on its way. */
let wanted: { readonly language: Language; readonly isWhole: boolean } = { language: 'en', isWhole: false };

/** Loads the words of every place but the start, in the page's language. */
export async function loadWords(): Promise<void> {
  wanted = { ...wanted, isWhole: true };
  await showWanted();
}

/**
 * Chinese is loaded when it is first asked for, and the words that the start page does not need with another place. Words
 * that come after others were asked for are not shown.
 */
async function showWanted(): Promise<void> {
  const asked = wanted;
  const [all, ofScenes] = await (asked.language === 'zh' ? chinese : english)(asked.isWhole);
  if (asked !== wanted) return showWanted();
  scenes.value = ofScenes;
  words.value = all;
}

async function chinese(isWhole: boolean): Promise<[Words, SceneWords | null]> {
  const [{ zh }] = await Promise.all([whenThere(import('./zh')), whenThere(import('../browser/phrases'))]);
  return [zh, isWhole ? (await whenThere(import('./zh-scenes'))).zhScenes : null];
}

async function english(isWhole: boolean): Promise<[Words, SceneWords | null]> {
  if (!isWhole) return [enStart as Words, null];
  const [{ enRest }, { enPanels }, { enScenes: ofScenes }] = await Promise.all([
    whenThere(import('./en-rest')),
    whenThere(import('./en-panels')),
    whenThere(import('./en-scenes')),
    whenThere(import('../browser/phrases')),
  ]);
  return [{ ...enStart, ...enRest, ...enPanels } as Words, ofScenes];
}

/** Each by its own name, whatever the page's language. */
export const LANGUAGES = {
  en: { id: 'en', lang: 'en', name: 'English' },
  zh: { id: 'zh', lang: 'zh-CN', name: '中文' },
} as const;

/** A seed of sample keys in the page's language, for one of English ones. */
export function birds(seed: number): number {
  return languageNow() === 'zh' ? seed + FIRST_CHINESE : seed;
}

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

/** Changes all words, and remembers the choice. */
export async function setLanguage(language: Language, isChoice = true): Promise<void> {
  wanted = { ...wanted, language };
  await showWanted();
  document.documentElement.lang = words.value.lang;
  if (isChoice) remember('language', language);
}
