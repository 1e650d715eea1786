// The clipboard. A browser may refuse it, and has none on a page that was loaded without HTTPS.
// Invariant: this never throws; it tells whether the text was copied.

export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
