// Waits for signals. Invariant: a signal has one listener, however many calls wait for it, because Node takes more than ten for a
// leak and warns; and none once those calls have ended.

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `act` once `signal` aborts, or at once if it has. Returns what ends that. */
export function onAbort(signal: AbortSignal | undefined, act: () => void): () => void {
  if (signal?.aborted) act();
  if (signal === undefined || signal.aborted) return () => undefined;
  const acts = waiting.get(signal) ?? new Set();
  if (acts.size === 0) {
    waiting.set(signal, acts);
    signal.addEventListener('abort', tell);
  }
  acts.add(act);
  return () => {
    if (acts.delete(act) && acts.size === 0) signal.removeEventListener('abort', tell);
  };
}

function tell(this: AbortSignal): void {
  waiting.get(this)?.forEach((act) => act());
}
