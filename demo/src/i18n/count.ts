// Whole numbers in sentences.

/** With a comma between thousands. By hand: the first use of `toLocaleString` holds a slow phone up for 100 ms and more. */
export function count(value: unknown): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}
