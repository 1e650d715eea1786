// Objects with sizes and options for users, also as JSON.
// Invariant: JSON has no bigint, so a seed becomes a number if that is exact, otherwise a string; and JSON never
// contains a secret key.

/** `object`, frozen, with a hidden `toJSON`. */
export function withJson<Shown extends object>(object: Shown): Readonly<Shown> {
  const toJSON = (): object =>
    Object.fromEntries(Object.entries(object).map(([name, value]) => [name, forJson(value)]));
  return Object.freeze(Object.defineProperty(object, 'toJSON', { value: toJSON }));
}

function forJson(value: unknown): unknown {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  const secret = (value as { key?: unknown } | null | undefined)?.key;
  return secret === undefined ? value : { ...(value as object), key: undefined };
}
