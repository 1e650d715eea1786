// A quiz of the questions that the scenes ask, on other tables: before them, or after them.
// Invariant: nobody is asked who did not press the button, and nothing is kept.
import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Button, Stages, submitted } from '../../controls/fields';
import { AnswerField } from '../../controls/answer-field';
import { ASKING, exercises, type Exercise } from '../../core/exercises';
import { sceneWords, textOfValue, words } from '../../i18n';
import { isRight, type Value } from '../../model/scenes/task';
import { addressOf } from '../header';
import { Told } from '../stage/chip';
import { Given, GivenTable } from './exercise-sheet';

/** No scene opens with it. */
const FIRST_ROUND = 70_001;

export function QuizSection() {
  const t = words.value.quiz;
  const round = useSignal(0);
  const done = useSignal<readonly Answered[] | null>(null);
  const begin = (): void => {
    done.value = null;
    round.value += 1;
  };
  return (
    <section class="panel courses grid">
      <h2>{words.value.nav.quiz}</h2>
      <p>{t.lead(ASKING.length)}</p>
      {round.value > 0 && done.value === null && (
        <Questions key={round.value} round={FIRST_ROUND + round.value} onDone={(all) => (done.value = all)} />
      )}
      {done.value !== null && (
        <>
          <p role="status">
            <strong>{t.done(done.value.filter(({ isRight }) => isRight).length, ASKING.length)}</strong>
          </p>
          <ol class="answers">
            {done.value.map((each) => (
              <Outcome key={each.exercise.scene} {...each} />
            ))}
          </ol>
        </>
      )}
      {(round.value === 0 || done.value !== null) && (
        <div class="ask-actions">
          <Button text={done.value === null ? t.begin : t.again} onClick={begin} />
        </div>
      )}
    </section>
  );
}

interface Answered {
  readonly exercise: Exercise;
  /** null: it was passed over. */
  readonly value: Value | null;
  readonly isRight: boolean;
}

/** One question with the answer given, the filter's own, and a link to watch it. */
function Outcome({ exercise: { scene, round, answer }, value, isRight: isGood }: Answered) {
  const { quiz, scenes, teach } = words.value;
  const textOf = (each: Value): string => textOfValue(each, scene);
  return (
    <li>
      <b>{scenes[scene].title}</b>{' '}
      {quiz.outcome(isGood, textOf(answer), value === null ? null : textOf(value))}{' '}
      <a href={addressOf(scene, round)}>{teach.watch}</a>
    </li>
  );
}

/** One question after the other; whether an answer was right is told at the very end. */
function Questions({ round, onDone }: { round: number; onDone: (all: readonly Answered[]) => void }) {
  const t = words.value.quiz;
  const all = useMemo(() => exercises('', round, ASKING.length), [round]);
  const answers = useSignal<readonly Answered[]>([]);
  const guess = useSignal<Value | null>(null);
  const at = answers.value.length;
  const exercise = all[at];
  if (exercise === undefined) return null;
  const { scene, task, answer } = exercise;
  const answered = (value: Value | null): void => {
    const isGood = value !== null && isRight(value, answer, task.tolerance);
    answers.value = [...answers.value, { exercise, value, isRight: isGood }];
    guess.value = null;
    if (answers.value.length === all.length) onDone(answers.value);
  };
  return (
    <section class="card" aria-label={words.value.nav.quiz}>
      <Stages names={all.map((_, i) => i + 1)} at={at} />
      <form key={at} class="ask grid" noValidate onSubmit={submitted(() => answered(guess.value))}>
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
