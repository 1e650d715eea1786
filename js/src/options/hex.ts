// Saved bytes that a database gave back as text: a file of its own, so that the reader need not load more.

/** How to get the bytes of hexadecimal `text`, which may begin with `\x` (Postgres) or `0x`; undefined for other values. */
export function hexAdvice(text: unknown): string | undefined {
  const begin = typeof text === 'string' ? text.slice(0, 99) : '';
  const [, prefix] = /^(\\x|0x|)[\da-f]{6,}$/i.exec(begin) ?? [];
  if (prefix === undefined) return undefined;
  return ` (from hexadecimal text: Buffer.from(text${prefix && '.slice(2)'}, 'hex'))`;
}
