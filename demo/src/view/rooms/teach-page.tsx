// For teachers: scenes to embed in slides, sheets of exercises with their answers, and the keyboard card.
import { languageNow, titleOf, words } from '../../i18n';
import type { Page } from '../../app/page';
import { Button, Choose, Toggle } from '../../controls/fields';
import { ExerciseSheet } from './exercise-sheet';
import { formatLink, HOME } from '../../model/link';
import { COURSES, numberOf, type SceneId, SCENES } from '../../model/places';
import { Shortcuts } from '../panels/tools';
import { openSpeaker, Said } from './speaker';
import { Copy } from '../../controls/sample';
import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import '../../styles/stage.css';
import '../../styles/deck.css';
import '../../styles/print.css';
import '../../styles/card.css';
import '../../styles/rooms.css';

/** Minutes of each way; the last one goes through all. */
const WAYS = [10, 20, 0] as const;

export default function TeachPage({ page }: { page: Page }) {
  const t = words.value;
  return (
    <main id="main" data-place="teach" class="teach grid">
      <div class="intro">
        <h1>{t.nav.teach}</h1>
        <p>{t.teach.lead}</p>
      </div>
      <section class="panel">
        <h2>{t.teach.courses}</h2>
        <dl class="courses grid">
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
      <Shortcuts isPanel />
    </main>
  );
}

function startOf(course: number): string {
  return `#${formatLink({ ...HOME, place: COURSES[course]?.[0] ?? 'start', course, hasChrome: false })}`;
}

/** What to say at each stop of the long talk, and for how long. */
function Notes({ page }: { page: Page }) {
  const t = words.value.teach;
  return (
    <details class="panel notes">
      <summary>{t.notes}</summary>
      <ol class="grid">
        {COURSES[20]?.map((place, i) => (
          <li key={place}>
            <Said course={20} at={i} />
          </li>
        ))}
      </ol>
      <div class="row">
        <Button text={t.speaker} onClick={() => openSpeaker(page)} />
        <Button text={t.printNotes} onClick={printNotes} />
      </div>
    </details>
  );
}

/** Prints the notes alone. The browser's own command prints the exercise sheet. */
function printNotes(): void {
  const { dataset } = document.documentElement;
  dataset['prints'] = 'notes';
  addEventListener('afterprint', () => delete dataset['prints'], { once: true });
  print();
}

/** Heights of frames for the scenes whose board is not a table of 8 buckets. */
const HEIGHTS: Partial<Record<SceneId, number>> = { homes: 860, hunt: 960, bits: 780 };

function EmbedBuilder() {
  const t = words.value.teach;
  const scene = useSignal<SceneId>('kick');
  const hasChrome = useSignal(true);
  const field = useRef<HTMLTextAreaElement>(null);
  const look = { language: languageNow(), isEmbedded: true, hasChrome: hasChrome.value };
  const link = formatLink({ ...HOME, ...look, place: scene.value });
  // As high as a scene gets at that width, so that nothing scrolls within the frame; alone, the table fits itself to it.
  const [width, height] = hasChrome.value ? [1040, HEIGHTS[scene.value] ?? 940] : [960, 540];
  const code = `<iframe src="${location.href.replace(/[?#].*$/, '')}#${link}" width="${width}" height="${height}" title="${words.value.nav.brand}" style="border:0"></iframe>`;
  return (
    <section class="panel embed grid">
      <h2>{t.embed}</h2>
      <p>{t.embedLead}</p>
      <div class="measure-controls">
        <Choose
          label={words.value.nav.scenes}
          values={SCENES}
          bound={scene}
          textOf={(each) => `${numberOf(each)}. ${words.value.scenes[each].title}`}
        />
        <Toggle label={t.withQuestion} isOn={hasChrome.value} onChange={(isOn) => (hasChrome.value = isOn)} />
      </div>
      <label class="field">
        <span>{t.code}</span>
        <textarea ref={field} readOnly rows={3} value={code} />
      </label>
      <Copy from={field} />
    </section>
  );
}
