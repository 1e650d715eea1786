// Work in pieces, so that a slow device answers in between.

/** Runs `work` in a task of its own, after what is urgent; gives what calls it off. */
export function later(work: () => void): () => void {
  const timer = setTimeout(work);
  return () => clearTimeout(timer);
}
