// Text that has to fit a place on the stage.

/** Whether a name has Chinese characters, which are wider than letters. */
export function isHan(name: string): boolean {
  return /\p{Script=Han}/u.test(name);
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
