// The speaker's own window: the time, what to say at the stop that the audience sees, the answer to what it asks, and what
// comes next.
// Invariant: the page that opened it draws it, so that it follows without a message, from a folder too.
import { signal, useSignal } from '@preact/signals';
import { render } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { factsOf, type Page } from '../../app/page';
import { Button } from '../../controls/fields';
import { openingMoves } from '../../controls/turns';
import { played } from '../../core/exercises';
import { sceneWords, titleOf, whyOf, words } from '../../i18n';
import { COURSES, MINUTES, stopOn, type PlaceId, type SceneId } from '../../model/places';
import { canStepForward } from '../../model/trace/session';
import { crossed, percentText } from '../../model/scenes/measures';
import type { Facts, Task } from '../../model/scenes/task';
import { marked } from '../stage/chip';

/** When the window was first opened, or the clock was started again. */
const begun = signal(0);

/** Opens it, or brings it to the front. A browser may forbid it. */
export function openSpeaker(page: Page): void {
  const view = open('', 'speaker', 'popup,width=640,height=520');
  if (view === null) return;
  begun.value ||= Date.now();
  const { head, body, documentElement } = view.document;
  view.document.title = words.value.teach.speaker;
  documentElement.lang = document.documentElement.lang;
  Object.assign(documentElement.dataset, document.documentElement.dataset);
  const styles = document.querySelectorAll('style, link[rel="stylesheet"]');
  head.replaceChildren(...[...styles].map((each) => view.document.importNode(each, true)));
  render(<Speaker page={page} />, body);
  view.onpagehide = () => render(null, body);
  // Keys pressed in this window control the talk, as they do in the main window.
  view.document.onkeydown = (event) => {
    if (!document.dispatchEvent(new KeyboardEvent('keydown', event))) event.preventDefault();
  };
  addEventListener('pagehide', () => view.close());
}

/** Outside a talk, the beginning of the long one. */
function Speaker({ page }: { page: Page }) {
  const t = words.value;
  const course = page.link.value.course || 20;
  const at = Math.max(0, COURSES[course]?.indexOf(page.link.value.place) ?? 0);
  const place = COURSES[course]?.[at] ?? 'start';
  const until = endsAt(course, at);
  const following = stopOn(course, place, 1);
  return (
    <main class="teach speaker grid">
      <Clock page={page} until={until} following={following} />
      <Said course={course} at={at} />
      <Answer page={page} />
      <p class="note">
        {t.teach.until(until, course)}
        {following !== undefined && ` · ${t.lesson.next(titleOf(following))}`}
      </p>
    </main>
  );
}

interface ClockProps extends Omit<SeenProps, 'now'> {
  readonly until: number;
}

/** Minutes and seconds of the talk, marked once the stop should have ended; and what the room sees now. */
function Clock({ until, ...seen }: ClockProps) {
  const t = words.value.teach;
  const now = useSignal(begun.peek());
  useEffect(() => {
    const timer = setInterval(() => (now.value = Date.now()), 500);
    return () => clearInterval(timer);
  }, [now]);
  const seconds = Math.max(0, Math.floor((now.value - begun.value) / 1000));
  const isLate = seconds > 60 * until;
  return (
    <div class={isLate ? 'row is-late' : 'row'}>
      <b role="timer">
        {Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, '0')}
      </b>
      {isLate && <span>{t.late}</span>}
      <Button look="quiet" text={t.restart} onClick={() => (begun.value = now.value = Date.now())} />
      <Seen {...seen} now={now.value} />
    </div>
  );
}

interface SeenProps {
  readonly page: Page;
  readonly following: PlaceId | undefined;
  /** Changes at each tick, so that it is drawn anew: no signal tells what moves in the first pictures. */
  readonly now: number;
}

/** What the room sees, and what the next press of a clicker does. */
function Seen({ page, following }: SeenProps) {
  const { lesson: t, stage, teach, transport } = words.value;
  const lesson = page.lesson.value;
  const session = page.store.session.value;
  const next = following === undefined ? t.wayEnds : t.next(titleOf(following));
  if (page.store.isDark.value) return <span>{teach.seen.dark}</span>;
  if (lesson === null) {
    if (following === undefined) return <span>{teach.seen.last}</span>;
    const waits = document.querySelector('.film.is-waiting') !== null;
    const press = waits ? transport.play : openingMoves().length > 0 ? transport.toEnd : next;
    return <span>{teach.seen.slide(press)}</span>;
  }
  const { part, phase } = lesson;
  if (phase === 'free') return null;
  if (phase === 'predict')
    return <span>{teach.seen.question(page.task.value === null ? stage.reveal : transport.forward)}</span>;
  if (canStepForward(session) || page.result.value === null)
    return <span>{teach.seen.steps(session.isPlaying ? transport.toEnd : transport.forward)}</span>;
  return <span>{teach.seen.answer(part === 0 ? t.goTransfer : next)}</span>;
}

/** What the audience is asked. A measured answer appears once the measurement is done. */
function Answer({ page }: { page: Page }) {
  const lesson = page.lesson.value;
  if (lesson === null || lesson.phase === 'free') return null;
  const { scene, part } = lesson;
  return (
    <section class="panel">
      <Asked scene={scene} part={part} task={page.task.value} measured={page.result.value?.facts} />
    </section>
  );
}

interface AskedProps {
  readonly scene: SceneId;
  readonly part: 0 | 1;
  /** null: the scene measures instead. */
  readonly task: Task | null;
  readonly measured?: Facts | undefined;
}

/** A question, its answer, and why. */
export function Asked({ scene, part, task, measured }: AskedProps) {
  const { lesson: t, teach } = words.value;
  const facts = useMemo(() => {
    if (task === null) return null;
    const { done } = played(task);
    return factsOf(scene, task, done, task.answer(done));
  }, [scene, task]);
  const own = sceneWords(scene);
  const told = facts ?? (scene === 'bits' ? { answer: percentText(crossed(part)) } : measured);
  return (
    <>
      <h2>{teach.question(part + 1)}</h2>
      <p class="note">{marked(own.ask[part]?.(task?.facts ?? {}) ?? '')}</p>
      <h2>{t.skipped}</h2>
      <p>{marked(told === undefined ? t.measuring : (own.found[part]?.(told) ?? ''))}</p>
      <p class="note">{whyOf(scene, part, task?.facts ?? {})}</p>
    </>
  );
}

/** The minute of the talk at which a stop should have ended. */
export function endsAt(course: number, at: number): number {
  return MINUTES[course]?.slice(0, at + 1).reduce((sum, minutes) => sum + minutes, 0) ?? 0;
}

export function Said({ course, at }: { course: number; at: number }) {
  const t = words.value.teach;
  const place = COURSES[course]?.[at] ?? 'start';
  return (
    <p>
      <b>{t.minutes(MINUTES[course]?.[at] ?? 0)}</b> <b>{titleOf(place)}</b> ·{' '}
      {t.say[place as keyof typeof t.say]}
    </p>
  );
}
