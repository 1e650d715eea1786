// For teachers: scenes to embed in slides, sheets of exercises with their answers, and the keyboard card.
import { loadNames, nameOf } from '../../app/name';
import { doubleOf } from '../../core/double';
import { birds, languageNow, titleOf, words } from '../../i18n';
import type { Page } from '../../app/page';
import { Button, Choose, Toggle } from '../../controls/fields';
import { ExerciseSheet } from './exercise-sheet';
import { formatLink, HOME } from '../../model/link';
import { COURSES, isScene, numberOf, type SceneId, SCENES } from '../../model/places';
import { taskOf } from '../../model/scenes';
import { Shortcuts } from '../panels/tools';
import { Asked, endsAt, openSpeaker, Said } from './speaker';
import { Copy } from '../../controls/sample';
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
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

/** The talk that the notes are for. */
const TALK = 20;

/** What the speaker's window has at each stop of the long talk, once the notes are unfolded. */
function Notes({ page }: { page: Page }) {
  const t = words.value.teach;
  const isOpen = useSignal(false);
  return (
    <details class="panel notes" onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
      <summary>{t.notes}</summary>
      <ol class="grid">
        {COURSES[TALK]?.map((place, i) => (
          <li key={place}>
            <Said course={TALK} at={i} />
            <p class="note">{t.until(endsAt(TALK, i), TALK)}</p>
            {isOpen.value && isScene(place) && <Questions page={page} scene={place} />}
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

/** Both questions of a scene, as the talk asks them: the delete about the name at its start and that name's double. */
function Questions({ page, scene }: { page: Page; scene: SceneId }) {
  const name = nameOf(page);
  const language = languageNow();
  const pair = useSignal(page.pair.peek());
  useEffect(() => {
    if (scene === 'delete' && pair.value === null)
      void loadNames().then((batch) => (pair.value = { one: name, other: doubleOf(name, batch).name }));
  }, [name, pair, scene]);
  const tasks = useMemo(
    () => PARTS.map((part) => taskOf(scene, part, birds(HOME.round), pair.value)),
    [scene, language, pair.value],
  );
  return PARTS.map((part) => <Asked key={part} scene={scene} part={part} task={tasks[part] ?? null} />);
}

const PARTS = [0, 1] as const;

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
