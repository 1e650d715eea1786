// The clipboard, which a browser may refuse, or lack on a page that came without encryption.

export async function isCopied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
