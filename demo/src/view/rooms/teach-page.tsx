// For teachers: scenes to embed in slides, sheets of exercises with their answers, and the keyboard card.
import { titleOf, words } from '../../i18n';
import type { Page } from '../../app/page';
import { Button } from '../../controls/button';
import { EmbedBuilder } from './embed-builder';
import { ExerciseSheet } from './exercise-sheet';
import { QuizSection } from './quiz';
import '../../styles/stage.css';
import '../../styles/deck.css';
import '../../styles/print.css';
import { formatLink, HOME } from '../../model/link';
import { COURSES, numberOf } from '../../model/places';
import '../../styles/card.css';
import '../../styles/rooms.css';
import { Shortcuts } from '../panels/shortcuts';
import { openSpeaker, Said } from './speaker';

/** Minutes of each way; the last one goes through all. */
const WAYS = [10, 20, 0] as const;

export default function TeachPage({ page }: { page: Page }) {
  const t = words.value;
  return (
    <main id="main" data-place="teach" class="teach">
      <div class="intro">
        <h1>{t.nav.teach}</h1>
        <p>{t.teach.lead}</p>
      </div>
      <section class="panel">
        <h2>{t.teach.courses}</h2>
        <dl class="courses">
          {WAYS.map((course, i) => (
            <div key={course}>
              <dt>{t.teach.courseNames[i]}</dt>
              <dd>
                {COURSES[course]?.map((place) => (
                  <a key={place} href={`#${formatLink({ ...HOME, place, course })}`}>
                    {numberOf(place) || ''} {titleOf(place)}
                  </a>
                ))}
                {course > 0 && (
                  <a class="is-present" href={startOf(course)}>
                    {t.teach.present}
                  </a>
                )}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <Notes page={page} />
      <EmbedBuilder />
      <ExerciseSheet />
      <QuizSection />
      <Shortcuts isPanel />
    </main>
  );
}

/** A link to the first scene of a talk, in the full window. */
function startOf(course: number): string {
  const place = COURSES[course]?.[0] ?? 'start';
  return `#${formatLink({ ...HOME, place, course, hasChrome: false })}`;
}

/** What to say at each stop of the long talk, and for how long; unfolded, they are what is printed. */
function Notes({ page }: { page: Page }) {
  const t = words.value.teach;
  return (
    <details class="panel notes">
      <summary>{t.notes}</summary>
      <ol>
        {COURSES[20]?.map((place, i) => (
          <li key={place}>
            <Said course={20} at={i} />
          </li>
        ))}
      </ol>
      <Button text={t.speaker} onClick={() => openSpeaker(page)} />
    </details>
  );
}
