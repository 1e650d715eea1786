// Files that the build puts into the code, because a page opened from a folder can fetch nothing.

/** The bytes of a data address: the page's policy forbids to fetch one. */
export function bytesOf(data: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
}
