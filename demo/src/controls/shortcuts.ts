// Keys that work anywhere on the page.
// Invariant: a key means what the focused control makes of it first: text fields, sliders and lists keep their keys, and
// Space still presses a focused button.
import { canStepForward, type Input } from '../model/trace/session';
import { isPresented, stopOn } from '../model/places';
import type { Page } from '../app/page';
import { whenThere } from '../browser/later';
import type { Store } from '../app/store';

const INPUTS: Readonly<Record<string, Input>> = {
  ' ': { type: 'playOrPause' },
  ',': { type: 'back' },
  '.': { type: 'forward' },
  Home: { type: 'toStart' },
  End: { type: 'toEnd' },
};

/** Keys that lead through a talk, those of a clicker among them. */
const ONWARD = ['PageDown', 'ArrowRight', 'n'];
const BACK = ['PageUp', 'ArrowLeft'];

export function listenToKeys(page: Page): void {
  const { store } = page;
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || isTaken(event)) return;
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
    if (presents.value && ONWARD.includes(event.key)) return goOn(event, store);
    if (presents.value && BACK.includes(event.key)) return goBack(event, page);
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

async function openSpeaker(page: Page): Promise<void> {
  const part = await whenThere(import('../view/rooms/speaker'));
  part.openSpeaker(page);
}

/**
 * In a talk, moves on. What is playing jumps to its end, as on a slide; what was paused plays on. Otherwise the button that leads
 * on is pressed, unless it would end the talk.
 */
function goOn(event: KeyboardEvent, store: Store): void {
  event.preventDefault();
  const moving = openingMoves();
  const next = document.querySelector<HTMLElement>('.present [data-next=true]');
  const session = store.session.value;
  if (moving.length > 0) moving.forEach((each) => each.finish());
  else if (next !== null) next.click();
  else if (session.isPlaying) store.send({ type: 'stand', cursor: Infinity });
  else if (canStepForward(session)) store.send({ type: 'playOrPause' });
}

/** What moves in the first pictures of a talk. */
export function openingMoves(): Animation[] {
  const pictures = document.querySelector('.present .opening');
  const isRunning = ({ playState }: Animation): boolean => playState === 'running';
  return pictures?.getAnimations({ subtree: true }).filter(isRunning) ?? [];
}

/**
 * In a talk, goes back: from an answer to its question, from a question to the answer before it (here or at the stop before), and
 * at the first stop to its picture before it plays.
 */
function goBack(event: KeyboardEvent, page: Page): void {
  event.preventDefault();
  const { course, place: here } = page.link.value;
  const lesson = page.lesson.value;
  const place = stopOn(course, here, -1);
  if (lesson !== null && lesson.phase !== 'predict') {
    page.begin(lesson.scene, lesson.part, lesson.round);
  } else if (lesson?.part === 1) {
    page.begin(lesson.scene, 0, lesson.round);
    page.finish();
  } else if (here === 'start') {
    // Draws its picture anew, as it is before it plays.
    page.open(page.here());
  } else if (place !== undefined) location.hash = page.stopAt(place, true, true);
}

function showKeys(): void {
  const list = document.getElementById('keyboard');
  const drawer = list?.closest('details');
  if (drawer) drawer.open = true;
  list?.focus();
  list?.scrollIntoView({ block: 'nearest' });
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
