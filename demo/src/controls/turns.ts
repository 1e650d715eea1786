// The keys that lead through a talk, those of a clicker among them.
// Invariant: a press leads to what is seen next, or to what was seen before it, at the speaker's pace.
import type { Page } from '../app/page';
import { stopOn } from '../model/places';
import { canStepForward } from '../model/trace/session';
import type { Step } from '../model/trace/steps';
import { isFree } from './shortcuts';

const TURNS: Readonly<Record<string, (page: Page) => void>> = {
  PageDown: goOn,
  ArrowRight: goOn,
  n: goOn,
  PageUp: goBack,
  ArrowLeft: goBack,
};

/** Returns a function that stops listening. */
export function listenToTurns(page: Page): () => void {
  const turn = (event: KeyboardEvent): void => {
    const go = TURNS[event.key];
    if (go === undefined || !isFree(event)) return;
    event.preventDefault();
    go(page);
  };
  document.addEventListener('keydown', turn);
  return () => document.removeEventListener('keydown', turn);
}

/**
 * Moves on by what is seen next. A question is let go. What is playing jumps to its end, as on a slide. Otherwise the button
 * that leads on is pressed, unless it would end the talk; where there is none, a step is taken.
 */
function goOn(page: Page): void {
  const { store } = page;
  page.release();
  const moving = openingMoves();
  const next = document.querySelector<HTMLElement>('.present [data-next=true]');
  const session = store.session.value;
  if (moving.length > 0) moving.forEach((each) => each.finish());
  else if (next !== null) next.click();
  else if (session.isPlaying) store.send({ type: 'stand', cursor: Infinity });
  else stepOn(page);
}

/** After so many kicks one by one, the others play in one go. */
const SHOWN_KICKS = 3;

/** Takes one step, with those that follow it where they tell nothing new. What repeats itself plays in one go. */
function stepOn({ store, link, lesson }: Page): void {
  const { timeline, place } = store.session.value;
  const steps = timeline.steps.slice(place.cursor);
  // These stops explain it for the first time; later stops and second questions repeat it.
  const { place: stop } = link.value;
  const isNew = stop === 'homes' || (lesson.value?.part === 0 && (stop === 'lookup' || stop === 'kick'));
  const last = Math.max(
    0,
    steps.findIndex((step, i) => !goesWith(step, steps[i + 1], isNew)),
  );
  const { [last]: step } = steps;
  if (step?.kind === 'undo' || (step?.kind === 'kick' && step.event.kick > SHOWN_KICKS))
    return store.send({ type: 'playOrPause' });
  for (let i = 0; i <= last; ++i) store.send({ type: 'forward' });
}

/** Whether both steps are taken at once: the read of a full bucket and its kick; where they are not new, both homes or both reads. */
function goesWith(step: Step, after: Step | undefined, isNew: boolean): boolean {
  if (step.kind === 'read' && step.kick > 0) return after?.kind === 'kick';
  if (isNew) return false;
  if (step.kind === 'locate') return after?.kind === 'alternate';
  return step.kind === 'read' && step.reason === 'match' && !step.event.isMatch && after?.kind === 'read';
}

/** What moves in the first pictures of a talk. */
export function openingMoves(): Animation[] {
  const pictures = document.querySelector('.present .opening');
  const isRunning = ({ playState }: Animation): boolean => playState === 'running';
  return pictures?.getAnimations({ subtree: true }).filter(isRunning) ?? [];
}

/**
 * Goes back one step. The first step, and an answer, lead back to their question; a question leads to the answer before it, here
 * or at the stop before. At the first stop, the picture stands again as it did before it played.
 */
function goBack(page: Page): void {
  const { course, place: here } = page.link.value;
  const lesson = page.lesson.value;
  const place = stopOn(course, here, -1);
  const { store } = page;
  const session = store.session.value;
  if (canStepForward(session) && session.place.cursor > page.start + 1) store.send({ type: 'back' });
  else if (lesson !== null && lesson.phase !== 'predict') {
    page.begin(lesson.scene, lesson.part, lesson.round);
  } else if (lesson?.part === 1) {
    page.begin(lesson.scene, 0, lesson.round);
    page.finish();
  } else if (here === 'start') {
    // Draws its picture anew, as it is before it plays.
    page.open(page.here());
  } else if (place !== undefined) location.hash = page.stopAt(place, true, true);
}
