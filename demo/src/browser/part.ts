// Parts of the page that are loaded when they are asked for.

/**
 * The part, once it is there. Where a newer build has replaced it, Vite gives nothing in its place, as main.tsx opens the
 * page anew; until then nothing goes on that waits for the part.
 */
export function whenThere<Part>(part: Promise<Part>): Promise<Part> {
  return part.then((it) => it ?? new Promise<never>(() => {}));
}
