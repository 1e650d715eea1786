// A quiz before the scenes and one after them, for those who want to know what they learned.
// Invariant: nobody is asked who did not press the button, and nothing leaves the device.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { DataTable } from '../plots/data-table';
import { Stages } from '../scenes/stages';
import { submitted } from '../../controls/submitted';
import { Button } from '../../controls/button';
import { AnswerField } from '../../controls/answer-field';
import { ASKING, exercises } from '../../core/exercises';
import { sceneWords, words } from '../../i18n';
import { recall, remember } from '../../browser/memory';
import { gainOf, HALVES, parsedQuiz, rightIn, type Half, type Quiz } from '../../model/quiz';
import { isRight, type Value } from '../../model/scenes/task';
import '../../styles/card.css';
import '../../styles/rooms.css';
import { Told } from '../stage/print';
import { Given, GivenTable } from './given';

/** Rounds that no scene opens with, another one for each half: the same kind of question on other tables. */
const ROUNDS: Readonly<Record<Half, number>> = { before: 70_001, after: 70_101 };

export function QuizSection() {
  const t = words.value.quiz;
  const quiz = useSignal<Quiz>(parsedQuiz(recall('quiz'), ASKING.length));
  const asked = useSignal<Half | null>(null);
  const following: Half = quiz.value.before === null ? 'before' : 'after';
  const keep = (now: Quiz): void => {
    quiz.value = now;
    remember('quiz', JSON.stringify(now));
    asked.value = null;
  };
  return (
    <section class="panel courses">
      <h2>{words.value.nav.quiz}</h2>
      <p>{t.lead(ASKING.length)}</p>
      {asked.value === null ? (
        <div class="ask">
          <div class="ask-actions">
            {HALVES.map((half) => (
              <Button
                key={half}
                look={half === following ? 'primary' : undefined}
                text={t.begin[half]}
                onClick={() => (asked.value = half)}
              />
            ))}
          </div>
          <Outcome quiz={quiz.value} onForget={() => keep({ before: null, after: null })} />
        </div>
      ) : (
        <Questions
          key={asked.value}
          half={asked.value}
          onDone={(half, answers) => keep({ ...quiz.value, [half]: answers })}
        />
      )}
    </section>
  );
}

interface QuestionsProps {
  readonly half: Half;
  readonly onDone: (half: Half, answers: readonly boolean[]) => void;
}

/** One question after the other; whether an answer was right is told at the very end. */
function Questions({ half, onDone }: QuestionsProps) {
  const t = words.value.quiz;
  const all = useMemo(() => exercises('', ROUNDS[half], ASKING.length), [half]);
  const answers = useSignal<readonly boolean[]>([]);
  const guess = useSignal<Value | null>(null);
  const at = answers.value.length;
  const exercise = all[at];
  if (exercise === undefined) return null;
  const { scene, task, answer } = exercise;
  const answered = (value: Value | null): void => {
    const next = [...answers.value, value !== null && isRight(value, answer, task.tolerance)];
    guess.value = null;
    if (next.length === all.length) onDone(half, next);
    else answers.value = next;
  };
  return (
    <section class="card" aria-label={t.begin[half]}>
      <Stages names={all.map((_, i) => i + 1)} at={at} />
      <form key={at} class="ask" onSubmit={submitted(() => answered(guess.value))}>
        <h3>{words.value.scenes[scene].title}</h3>
        <p class="ask-question">
          <Told text={sceneWords(scene).ask[0]?.(task.facts) ?? ''} />
        </p>
        <Given exercise={exercise} />
        <GivenTable exercise={exercise} />
        <AnswerField
          question={task.question}
          guess={guess}
          wordFor={(option) => sceneWords(scene).option(option)}
        />
        <div class="ask-actions">
          <Button look="primary" text={t.next} type="submit" disabled={guess.value === null} />
          <Button look="quiet" text={t.unknown} onClick={() => answered(null)} />
        </div>
      </form>
    </section>
  );
}

function Outcome({ quiz, onForget }: { quiz: Quiz; onForget: () => void }) {
  const t = words.value.quiz;
  if (quiz.before === null && quiz.after === null) return <p class="note">{t.none}</p>;
  const sign = (half: Half, i: number): string => {
    const right = quiz[half]?.[i];
    return right === undefined ? '' : right ? t.right : t.wrong;
  };
  const rows = ASKING.map((scene, i) => [
    words.value.scenes[scene].title,
    sign('before', i),
    sign('after', i),
  ]);
  const headings = [words.value.nav.scenes, t.half.before, t.half.after];
  const gain = gainOf(quiz);
  return (
    <>
      <DataTable title={t.outcome} headings={headings} rows={rows} />
      <p role="status">
        {HALVES.filter((half) => quiz[half] !== null).map((half) => (
          <span key={half}>{t.sum(t.half[half], rightIn(quiz[half]), ASKING.length)} </span>
        ))}
        {gain !== null && <strong>{t.gain(Math.round(100 * gain))}</strong>}
      </p>
      <div class="ask-actions">
        <Button look="quiet" text={words.value.lesson.forget} onClick={onForget} />
      </div>
    </>
  );
}
