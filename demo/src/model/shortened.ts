// Text that has to fit a place on the stage.

/** At most `most` letters: the middle of a longer text is left out. */
export function shortened(text: string, most: number): string {
  const letters = [...text];
  if (letters.length <= most) return text;
  const half = Math.max(0, Math.floor((most - 1) / 2));
  return `${letters.slice(0, half).join('')}…${letters.slice(letters.length - half).join('')}`;
}
