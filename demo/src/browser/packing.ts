// Long addresses made shorter: the operations, which alone grow, deflated and in the letters of base 64 for addresses.
// Invariant: unpacked(packed(text)) equals text; damaged letters, or such that would grow without end, give null.

/** Letters of an address that every browser, chat and mail program takes. */
const LONGEST = 1500;
/** Bytes that operations may become again: far more than the most that a link may hold. */
const MOST_BYTES = 1_000_000;
const PLAIN = '&ops=';
const PACKED = '&z=';

/** The part of an address behind `#`, with its operations packed if it is long. */
export async function packed(link: string): Promise<string> {
  const [, before = '', operations = '', after = ''] = /^(.*)&ops=([^&]*)(.*)$/.exec(link) ?? [];
  if (link.length <= LONGEST || operations === '') return link;
  const bytes = await through(
    new TextEncoder().encode(operations),
    new CompressionStream('deflate-raw'),
    Infinity,
  );
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `${before}${PACKED}${letters.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}${after}`;
}

/** The same as `formatLink` made it; null if the packed part cannot be read. */
export async function unpacked(link: string): Promise<string | null> {
  const [, before = '', letters, after = ''] = /^(.*)&z=([^&]*)(.*)$/.exec(link) ?? [];
  if (letters === undefined) return link;
  try {
    const text = atob(letters.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const operations = await through(bytes, new DecompressionStream('deflate-raw'), MOST_BYTES);
    return `${before}${PLAIN}${new TextDecoder('utf-8', { fatal: true }).decode(operations)}${after}`;
  } catch {
    return null;
  }
}

/** What a stream makes of `bytes`. Throws if it is more than `most` bytes, or if the stream refuses them. */
async function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
  most: number,
): Promise<Uint8Array> {
  const made: number[] = [];
  for (const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(); ;) {
    const { value, done } = await reader.read();
    if (done) return Uint8Array.from(made);
    for (const byte of value as Uint8Array) made.push(byte);
    if (made.length > most) {
      await reader.cancel();
      throw new RangeError(`more than ${most} bytes`);
    }
  }
}
