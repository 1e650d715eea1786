// A quiz of the questions that the scenes ask, on other tables: before them, or after them.
// Invariant: nobody is asked who did not press the button, and nothing is kept.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Stages } from '../scenes/stages';
import { submitted } from '../../controls/submitted';
import { Button } from '../../controls/button';
import { AnswerField } from '../../controls/answer-field';
import { ASKING, exercises } from '../../core/exercises';
import { sceneWords, words } from '../../i18n';
import { isRight, type Value } from '../../model/scenes/task';
import { Told } from '../stage/print';
import { Given, GivenTable } from './given';

/** No scene opens with it. */
const FIRST_ROUND = 70_001;

export function QuizSection() {
  const t = words.value.quiz;
  const round = useSignal(0);
  const right = useSignal<number | null>(null);
  const begin = (): void => {
    right.value = null;
    round.value += 1;
  };
  return (
    <section class="panel courses">
      <h2>{words.value.nav.quiz}</h2>
      <p>{t.lead(ASKING.length)}</p>
      {round.value > 0 && right.value === null && (
        <Questions
          key={round.value}
          round={FIRST_ROUND + round.value}
          onDone={(all) => (right.value = all)}
        />
      )}
      {right.value !== null && (
        <p role="status">
          <strong>{t.done(right.value, ASKING.length)}</strong>
        </p>
      )}
      {(round.value === 0 || right.value !== null) && (
        <div class="ask-actions">
          <Button look="primary" text={right.value === null ? t.begin : t.again} onClick={begin} />
        </div>
      )}
    </section>
  );
}

interface QuestionsProps {
  readonly round: number;
  /** Called with how many answers were right. */
  readonly onDone: (right: number) => void;
}

/** One question after the other; whether an answer was right is told at the very end. */
function Questions({ round, onDone }: QuestionsProps) {
  const t = words.value.quiz;
  const all = useMemo(() => exercises('', round, ASKING.length), [round]);
  const answers = useSignal<readonly boolean[]>([]);
  const guess = useSignal<Value | null>(null);
  const at = answers.value.length;
  const exercise = all[at];
  if (exercise === undefined) return null;
  const { scene, task, answer } = exercise;
  const answered = (value: Value | null): void => {
    answers.value = [...answers.value, value !== null && isRight(value, answer, task.tolerance)];
    guess.value = null;
    if (answers.value.length === all.length) onDone(answers.value.filter(Boolean).length);
  };
  return (
    <section class="card" aria-label={words.value.nav.quiz}>
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
