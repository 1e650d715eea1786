// The speaker's own window: what to say at the stop that the audience sees, for how long, and what comes next.
// Invariant: the page that opened it draws it, so that it follows without a message, from a folder too.
import { render } from 'preact';
import type { Page } from '../../app/page';
import { titleOf, words } from '../../i18n';
import { COURSES, MINUTES, stopOn } from '../../model/places';

/** Opens it, or brings it to the front. A browser may forbid it. */
export function openSpeaker(page: Page): void {
  const view = open('', 'speaker', 'popup,width=560,height=460');
  if (view === null) return;
  const { head, body, documentElement } = view.document;
  view.document.title = words.value.teach.speaker;
  documentElement.lang = document.documentElement.lang;
  Object.assign(documentElement.dataset, document.documentElement.dataset);
  const styles = document.querySelectorAll('style, link[rel="stylesheet"]');
  head.replaceChildren(...[...styles].map((each) => view.document.importNode(each, true)));
  render(<Speaker page={page} />, body);
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
  const until = MINUTES[course]?.slice(0, at + 1).reduce((sum, minutes) => sum + minutes, 0) ?? 0;
  const following = stopOn(course, place, 1);
  return (
    <main class="teach speaker grid">
      <Said course={course} at={at} />
      <p class="note">
        {t.teach.until(until, course)}
        {following !== undefined && ` · ${t.lesson.next(titleOf(following))}`}
      </p>
    </main>
  );
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
