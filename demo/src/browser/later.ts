// Work and parts of the page that come later, so that a slow device answers in between.

/** Runs `work` in a task of its own, after what is urgent; gives what calls it off. */
export function later(work: () => void): () => void {
  const timer = setTimeout(work);
  return () => clearTimeout(timer);
}

/**
 * The part, once it is there. Where a newer build has replaced it, Vite gives nothing in its place, as main.tsx opens the
 * page anew; until then nothing goes on that waits for the part.
 */
export function whenThere<Part>(part: Promise<Part>): Promise<Part> {
  return part.then((it) => it ?? new Promise<never>(() => {}));
}

/** A moment in which the browser has nothing more urgent to do, or half a second later. */
export function idle(): Promise<void> {
  return new Promise((go) => {
    // Not in every Safari.
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => go(), { timeout: 500 });
    else setTimeout(go);
  });
}
