// Texts as they are shown: names and keys of visitors, and numbers in sentences.

/** Invisible characters that change no letter: direction marks, and places where a line may break. */
const INVISIBLE = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;

/** The name in a text, the same however its accents were typed; empty if no character of it is visible. */
export function nameIn(text: string): string {
  const isSeen = /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u.test(text);
  return isSeen ? text.replace(INVISIBLE, '').normalize().trim() : '';
}

/** Whether a name has Chinese characters, which are wider than letters. */
export function isHan(name: string): boolean {
  return /\p{Script=Han}/u.test(name);
}

/** Names that are never broken across lines in Chinese. */
export const unbroken = new Set<string>();

/** A name in a Chinese sentence. */
export function whole(name: string): string {
  unbroken.add(name);
  return name;
}

/** More than two accents on a letter would reach into the lines above and below it. */
const STACKED = /([\u0300-\u036f]{2})[\u0300-\u036f]+/g;

/** At most `most` letters, with their accents: the middle of a longer text is left out. */
export function shortened(whole: string, most: number): string {
  const text = whole.replace(STACKED, '$1');
  const letters = text.match(/.\p{M}*/gsu) ?? [];
  if (letters.length <= most) return text;
  const half = Math.max(0, Math.floor((most - 1) / 2));
  return `${letters.slice(0, half).join('')}…${letters.slice(letters.length - half).join('')}`;
}

/** Attributes of the SVG text of a name on a chip of that width. `letter`: the width of a letter over its height. A wide name is squeezed. */
export function fitted(name: string, chip: number, high: number, letter = 0.58) {
  const wide = isHan(name) ? high : high * letter;
  // Squeezed more, letters cannot be read.
  const text = shortened(name, Math.floor(chip / wide / 0.68));
  const isLong = [...text].length * wide > chip - 8;
  const squeezed = { textLength: chip - 8, lengthAdjust: 'spacingAndGlyphs' } as const;
  return { children: text, ...(isLong && squeezed) };
}

/** Letters of a key that a sentence tells; the panel on the key has it whole. */
const MOST_LETTERS = 60;
/** Letters written from right to left, and the signs that change the direction by themselves. */
const TURNS =
  /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
const SIGNS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The key as it may stand in a sentence: cut short, and between marks of isolation if it could turn what is around it. */
export function isolated(key: string, most = MOST_LETTERS): string {
  const text = shortened(key, most);
  return TURNS.test(text) ? `\u2068${text.replace(SIGNS, '\ufffd')}\u2069` : text;
}

/** With a comma between thousands. By hand: the first use of `toLocaleString` holds a slow phone up for 100 ms and more. */
export function count(value: unknown): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** Up to three digits that mean something, without a tail of zeros. */
export const short = (value: number): string =>
  value === 0 || Math.abs(value) >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));

/** The same; 100 only of all. */
export const percent = (value: number): string =>
  value < 100 && short(value) === '100' ? '99.9' : short(value);
