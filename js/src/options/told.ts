// What users are told of sizes and options, for JSON too.
// Invariant: JSON has no bigint, so a seed is a number there if that is exact, and else text.

/** `object`, frozen, with a hidden `toJSON`. */
export function told<Told extends object>(object: Told): Readonly<Told> {
  const toJSON = (): object =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, forJson(value)]));
  return Object.freeze(Object.defineProperty(object, 'toJSON', { value: toJSON }));
}

/** `value` as JSON has it, if it is a bigint. */
export function forJson(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : String(value);
}
