// Keys that work anywhere on the page.
// Invariant: a key means what the focused control makes of it first: text fields, sliders and lists keep their keys, and
// Space still presses a focused button.
import type { Input } from '../model/session';
import type { Store } from '../store';

const INPUTS: Readonly<Record<string, Input>> = {
  ' ': { type: 'playOrPause' },
  ',': { type: 'back' },
  '.': { type: 'forward' },
  Home: { type: 'toStart' },
  End: { type: 'toEnd' },
};

export function listenToKeys(store: Store): void {
  document.addEventListener('keydown', (event) => {
    const input = INPUTS[event.key];
    if (input === undefined || event.ctrlKey || event.metaKey || event.altKey || isTaken(event)) return;
    event.preventDefault();
    store.send(input);
  });
}

function isTaken({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (target.closest('input[type="range"]') !== null) return key === 'Home' || key === 'End';
  if (target.closest('input[type="checkbox"]') !== null) return key === ' ';
  if (target.closest('input, select, textarea') !== null) return true;
  return key === ' ' && target.closest('button, summary, a') !== null;
}
