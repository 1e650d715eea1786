// The question card of a scene: predict, run, compare, why, change it, transfer.
// Invariant: it shows what the lesson says and decides nothing; the answer comes from the page's result.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { canGuess, type Lesson } from '../../model/lesson';
import { Button, Stages, submitted } from '../../controls/fields';
import { AnswerField } from '../../controls/answer-field';
import { sceneWords, whyOf, words } from '../../i18n';
import type { Facts, Question } from '../../model/scenes/task';
import type { Page, Result } from '../../app/page';
import { Lazy } from '../lazy';
import { isSum } from './boards';
import { Outcome } from './outcome';
import { Onward } from './tour';
import { marked } from '../stage/chip';
import { isPhone } from '../width';
import '../../styles/card.css';

export function Card({ page, question }: { page: Page; question: Question | null }) {
  const lesson = page.lesson.value;
  const runner = page.task.value === null ? '.run-bar button' : '[data-action=playOrPause]';
  useKeptFocus(`${lesson?.phase} ${lesson?.part} ${lesson?.round}`, runner);
  if (lesson === null) return null;
  const result = page.result.value;
  const { scene } = lesson;
  const key = `${scene}.${lesson.part}.${lesson.round}`;
  return (
    <section class="card" aria-label={words.value.lesson.predict}>
      {lesson.phase !== 'free' && <Stages names={words.value.lesson.stages} at={stageOf(lesson)} />}
      {lesson.phase === 'predict' && question !== null && <Ask key={key} page={page} question={question} />}
      {lesson.phase === 'run' && <Running page={page} />}
      {result !== null && <Compare page={page} result={result} />}
      {lesson.phase === 'free' && (
        <div class="ask grid">
          <Change scene={scene} />
          {scene === 'hunt' && (
            <Lazy key={page.store.session.value.timeline.start} load={loadHunt} props={{ page }} />
          )}
          <Button text={words.value.lesson.toQuestion} onClick={() => page.begin(scene, 0, lesson.round)} />
        </div>
      )}
    </section>
  );
}

/** A press that takes its own button away leaves the keyboard nowhere: it goes on with what has come in its place. */
function useKeptFocus(stage: string, runner: string): void {
  const before = useRef(stage);
  useEffect(() => {
    if (before.current === stage) return;
    before.current = stage;
    if (document.activeElement !== null && document.activeElement !== document.body) return;
    const own = document.querySelector<HTMLElement>('.verdict, .ask-question');
    const next = own ?? document.querySelector<HTMLElement>(runner);
    next?.focus({ preventScroll: true });
  }, [stage]);
}

function stageOf({ part, phase }: Lesson): number {
  return part === 1 ? 3 : ['predict', 'run', 'compare'].indexOf(phase);
}

const NONE: Facts = {};

function Ask({ page, question }: { page: Page; question: Question }) {
  const t = words.value;
  const lesson = page.lesson.value;
  const { guess } = page;
  const facts = page.task.value?.facts ?? NONE;
  // On a phone, the question comes last: first what the scene is about, and the table.
  useOnPhone(() => scrollTo({ top: 0, behavior: 'instant' }));
  if (lesson === null) return null;
  const { scene, part } = lesson;
  const chosen = guess.value !== null && canGuess(question, guess.value) ? guess.value : null;
  const submit = submitted(() => {
    if (chosen !== null) page.predict(chosen);
  });
  return (
    <form class="ask grid" noValidate onSubmit={submit}>
      <h2>{part === 0 ? t.lesson.predict : t.lesson.transfer}</h2>
      <p class="ask-question" tabindex={-1}>
        {marked(sceneWords(scene).ask[part]?.(facts) ?? '')}
      </p>
      <AnswerField
        {...(!isSum(scene) && { store: page.store })}
        question={question}
        guess={guess}
        wordFor={(option) => sceneWords(scene).option(option)}
      />
      <div class="ask-actions">
        <Button look="primary" text={t.lesson.lock} type="submit" disabled={chosen === null} />
        <Button look="quiet" text={t.lesson.skip} onClick={() => page.predict(null)} />
      </div>
    </form>
  );
}

/** Scrolls once a part of the card is drawn, on a phone. */
function useOnPhone(scroll: () => void): void {
  useLayoutEffect(() => {
    if (isPhone.value) scroll();
  }, []);
}

/** Whoever answered the question, or asked for its result, was below the table. */
function toTable({ task }: Page, behavior: ScrollBehavior): void {
  if (task.value !== null) document.querySelector('.theatre')?.scrollIntoView({ behavior });
}

function Running({ page }: { page: Page }) {
  const t = words.value.lesson;
  const isMeasured = page.task.value === null;
  useOnPhone(() => toTable(page, 'instant'));
  return (
    <div class="ask grid">
      <p>{isMeasured ? t.measuring : t.running}</p>
      {!isMeasured && <Button text={t.toResult} onClick={() => page.finish()} />}
    </div>
  );
}

function Compare({ page, result }: { page: Page; result: Result }) {
  const t = words.value;
  const lesson = page.lesson.value;
  useOnPhone(() => {
    if (lesson?.isReplayed !== true) toTable(page, page.store.isStill.value ? 'instant' : 'smooth');
  });
  if (lesson === null) return null;
  const { scene, part, round } = lesson;
  return (
    <div class="ask grid" role="group" aria-label={t.lesson.stages[2]}>
      {/* On a phone it stands below the table. */}
      {!(isPhone.value && page.task.value !== null) && <Outcome lesson={lesson} result={result} />}
      <h2 class="ask-why" tabindex={-1}>
        {t.lesson.why}
      </h2>
      <p>{whyOf(scene, part, result.facts)}</p>
      <div class="ask-actions">
        {part === 0 ? (
          <Button look="primary" text={t.lesson.goTransfer} onClick={() => page.begin(scene, 1, round)} />
        ) : (
          <>
            <Onward page={page} scene={scene} />
            {/* In “bits”, the questions are the same in every round. */}
            {scene !== 'bits' && (
              <Button look="quiet" text={t.lesson.again} onClick={() => page.begin(scene, 0, round + 1)} />
            )}
          </>
        )}
      </div>
      {scene === 'hunt' && <Lazy load={loadHunt} props={{ page }} />}
      {part === 1 && <Change scene={scene} />}
    </div>
  );
}

const loadHunt = (): Promise<typeof import('../measures/hunt')> => import('../measures/hunt');

/** What to try on a table of the visitor's own. */
function Change({ scene }: Pick<Lesson, 'scene'>) {
  return (
    <>
      <h2>{words.value.lesson.change}</h2>
      <p>{sceneWords(scene).change}</p>
    </>
  );
}
