// Numbers as the command prints them.

/** A whole number, with commas. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en');
}

/** Such as `1 line` and `2,000 lines`. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** A number of bytes, such as `7.6 kB`. */
export function sized(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  const value = bytes / 1000 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}

/** An expected number, which may be far below one. */
export function about(expected: number): string {
  if (expected < 0.01) return 'about 0';
  return `about ${expected < 10 ? expected.toPrecision(1) : count(expected)}`;
}
