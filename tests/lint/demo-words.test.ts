// The two languages of the demo: the same words in both, and no word outside them; and the styles' own names.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { enStart } from '../../demo/src/i18n/en';
import { enPanels } from '../../demo/src/i18n/en-panels';
import { enRest } from '../../demo/src/i18n/en-rest';
import { enScenes } from '../../demo/src/i18n/en-scenes';
import { zh as zhPage } from '../../demo/src/i18n/zh';
import { zhScenes } from '../../demo/src/i18n/zh-scenes';
import { SCENES } from '../../demo/src/model/places';
import { termsOf } from '../../demo/src/i18n/terms';

const en = { ...enStart, ...enRest, ...enPanels, asking: enScenes };
const zh = { ...zhPage, asking: zhScenes };

/** Every word's place, with how many numbers or names it takes. */
function placesOf(value: unknown, path: string): string[] {
  if (typeof value === 'function') return [`${path}(${value.length})`];
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, each]) => placesOf(each, `${path}.${name}`));
}

/** The texts, functions as their source. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string' || typeof value === 'function') return [String(value)];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsOf);
}

test('both dictionaries have the same places, and none is empty', () => {
  const bare = (place: string): string => place.replace(/\(\d\)$/, '');
  expect(placesOf(zh, '').map(bare).sort()).toEqual(placesOf(en, '').map(bare).sort());
  expect([...textsOf(en), ...textsOf(zh)].filter((text) => text.trim() === '')).toEqual([]);
});

/** The words of a text, without what a sentence is filled with. */
function wordsOf(text: string): string {
  const literals = text.includes('=>')
    ? [...text.matchAll(/`([^`]*)`/g)].map(([, part]) => part ?? '')
    : [text];
  return literals.join(' ').replaceAll(/\$\{[^}]*\}/g, ' ');
}

test('no sentence of the Chinese dictionary was left in English', () => {
  // A command, or the title of the paper.
  const kept = /npm (?:start|pack|run \w+(?: -- \w+)?)|“Cuckoo Filter: [^”]*”/g;
  const sentences = textsOf(zh).map((text) => wordsOf(text).replaceAll(kept, ''));
  expect(sentences.filter((text) => /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text))).toEqual([]);
});

test('a Chinese sentence says 比特 for a bit, and no word that was replaced', () => {
  const sentences = textsOf(zh).map(wordsOf);
  expect(sentences.filter((text) => /(?<![槽空低])位(?!置)/.test(text))).toEqual([]);
  const replaced =
    /哈希键：|笔记|在第 *份|都收下了|另询问|放进 *个|碰到哪里|每条带子|建造依据|这里[（，]Web|规划的|中对 *题|还没有做|失败的时候$|掉了头|路径|装满时 /;
  expect(sentences.filter((text) => replaced.test(text.replaceAll(/ +/g, ' ')))).toEqual([]);
});

test('a Chinese sentence has no punctuation of half width', () => {
  const narrow = /[\u4e00-\u9fff”）] ?[,;:!?]|[,;:!?] ?[\u4e00-\u9fff“（]/;
  expect(
    textsOf(zh)
      .map(wordsOf)
      .filter((text) => narrow.test(text)),
  ).toEqual([]);
});

test('brackets in a Chinese sentence are of full width, unless they hold a formula', () => {
  const groups = textsOf(zh)
    .map(wordsOf)
    .flatMap((text) => text.match(/\([^()]*[\u4e00-\u9fff][^()]*\)|[\u4e00-\u9fff]\(/g) ?? []);
  expect(groups.filter((group) => !/ [-+/] /.test(group))).toEqual([]);
});

test('each scene has its words in both languages, and the Chinese ones are those that the page uses', () => {
  const used = textsOf(zh).join('\n');
  for (const terms of SCENES.map(termsOf)) {
    expect(terms.length).toBeGreaterThan(1);
    for (const [own, english] of terms) {
      expect(used).toContain(own);
      expect(english).toMatch(/^[A-Za-z -]+$/);
    }
  }
});

/** Source files below `folder`. */
function sources(folder: string, ending: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'i18n' ? [] : sources(path, ending);
    return entry.name.endsWith(ending) ? [path] : [];
  });
}

test('no component holds a word of its own', () => {
  const found = sources(join(__dirname, '../../demo/src'), '.tsx').flatMap((path) => {
    const code = readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    const texts = [...code.matchAll(/(?<!=)>\s*([A-Za-z][A-Za-z ,.']{2,})\s*<\//g)].map(
      ([, text]) => text?.trim() ?? '',
    );
    const labels = [...code.matchAll(/(?:aria-label|title|placeholder|alt)="([^"]+)"/g)].map(
      ([, text]) => text ?? '',
    );
    return [...texts, ...labels]
      .filter((text) => !FILE_TYPES.has(text) && !text.startsWith('${'))
      .map((text) => `${path}: ${text}`);
  });
  expect(found).toEqual([]);
});

test('no style asks for a property that none defines', () => {
  const text = sources(join(__dirname, '../../demo/src/styles'), '.css')
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const asked = new Set([...text.matchAll(/var\((--[a-z-]+)/g)].map(([, name]) => name));
  const defined = new Set([...text.matchAll(/^\s*(--[a-z-]+):/gm)].map(([, name]) => name));
  // Set in style attributes: --hue and --tone by each chip, --fit by the table.
  expect([...asked].filter((name) => !defined.has(name)).sort()).toEqual(['--fit', '--hue', '--tone']);
});

const FILE_TYPES = new Set(['SVG', 'PNG', 'CSV', 'JSON']);
