// WebAssembly modules that the build puts into the code, because a page opened from a folder can fetch nothing.

/** What the module in a data address exports: the page's policy forbids to fetch one. */
export async function loadModule<Exports>(data: string): Promise<Exports> {
  const bytes = Uint8Array.from(atob(data.slice(data.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
  const { instance } = await WebAssembly.instantiate(bytes);
  return instance.exports as unknown as Exports;
}

/** Writes a text as UTF-8 to a place in a module's memory, at most so many bytes of it; gives their number. */
export function putText({ buffer }: WebAssembly.Memory, place: number, most: number, text: string): number {
  const bytes = new TextEncoder().encode(text).subarray(0, most);
  new Uint8Array(buffer, place, bytes.length).set(bytes);
  return bytes.length;
}
