// Keys that work anywhere on the page.
// Invariant: a key means what the focused control makes of it first: text fields, sliders and lists keep their keys, and
// Space still presses a focused button.
import type { Input } from '../model/trace/session';
import { isPresented, stopOn } from '../model/places';
import type { Page } from '../app/page';
import { whenThere } from '../browser/later';

const INPUTS: Readonly<Record<string, Input>> = {
  ' ': { type: 'playOrPause' },
  ',': { type: 'back' },
  '.': { type: 'forward' },
  Home: { type: 'toStart' },
  End: { type: 'toEnd' },
};

export function listenToKeys(page: Page): void {
  const { store } = page;
  document.addEventListener('keydown', (event) => {
    if (!isFree(event)) return;
    const { presents, isDark } = store;
    if (isDark.value || (presents.value && darkens(event.key, page))) {
      event.preventDefault();
      return store.show({ isDark: !isDark.value });
    }
    if (event.key === 'Escape') store.show({ presents: false });
    if (event.key === 'f' || event.key === 'F')
      store.show({ presents: !presents.value && isPresented(page.link.value.place) });
    // Before an audience the question is let go by the key that plays.
    if (presents.value && store.isLocked.value && (event.key === ' ' || event.key === '.')) page.release();
    if (presents.value && event.key === 'End' && !event.repeat) toAnswer(page);
    // The first picture of a talk plays again.
    if (presents.value && event.key === ' ') document.querySelector<HTMLElement>('.film button')?.click();
    const input = INPUTS[event.key];
    if (event.key === '?') showKeys();
    if (presents.value && event.key.toLowerCase() === 's') void openSpeaker(page);
    if (input === undefined) return;
    event.preventDefault();
    store.send(input);
  });
}

/** As in programs for slides. Outside a talk, the stop is the key for the next step. */
function darkens(key: string, page: Page): boolean {
  return key.toLowerCase() === 'b' || (key === '.' && page.link.value.course > 0);
}

/** Goes to the answer of a question; from an answer, to the next stop, past a second question. */
function toAnswer(page: Page): void {
  const { course, place } = page.link.value;
  const next = page.result.value && stopOn(course, place, 1);
  if (next) location.hash = page.stopAt(next, true);
  else page.finish();
}

async function openSpeaker(page: Page): Promise<void> {
  const part = await whenThere(import('../view/rooms/speaker'));
  part.openSpeaker(page);
}

function showKeys(): void {
  const list = document.getElementById('keyboard');
  const drawer = list?.closest('details');
  if (drawer) drawer.open = true;
  list?.focus();
  list?.scrollIntoView({ block: 'nearest' });
}

/** Whether nothing else makes something of the key. */
export function isFree(event: KeyboardEvent): boolean {
  return !(event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event));
}

function isTaken({ target, key, isComposing }: KeyboardEvent): boolean {
  if (!(target instanceof Element)) return false;
  if (isComposing) return true;
  if (target.closest('input[type="range"]') !== null)
    return key === 'Home' || key === 'End' || key.startsWith('Arrow');
  if (target.closest('input[type="checkbox"]') !== null) return key === ' ';
  // They do nothing in a field of one line: page keys lead through a talk, and Escape leaves it.
  if (target.closest('input') !== null && (key.startsWith('Page') || key === 'Escape')) return false;
  if (target.closest('input, select, textarea') !== null) return true;
  return key === ' ' && target.closest('button, summary, a') !== null;
}
