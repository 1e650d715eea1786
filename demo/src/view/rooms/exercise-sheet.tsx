// A sheet of exercises to print, under a line for name and date, and, where they are open, the answers on a page of their s.
// Invariant: tables and answers come from the core, for the seed on the sheet; the same seed gives the same sheet.
import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { TargetedInputEvent } from 'preact';
import { Button, Choose } from '../../controls/fields';
import { NumberField } from '../../controls/number-field';
import { sceneWords, textOfValue, words } from '../../i18n';
import { ASKING, type Exercise, exercises } from '../../core/exercises';
import { isScene, numberOf } from '../../model/places';
import { addressOf } from '../header';
import { Print, marked } from '../stage/chip';
import { hex } from '../../model/picture/bits';
import { storedAt } from '../../model/trace/state';
import '../../styles/lists.css';

const MOST = 12;

export function ExerciseSheet() {
  const { teach: t, sheet: given } = words.value;
  const scene = useSignal('');
  const seed = useSignal(1);
  const count = useSignal(4);
  const sheet = useComputed(() => exercises(scene.value, seed.value, count.value)).value;
  return (
    <section class="panel sheet grid">
      <h2>{t.sheet}</h2>
      <p class="no-print">{t.sheetLead}</p>
      <div class="measure-controls no-print">
        <Choose label={words.value.nav.scenes} values={['', ...ASKING]} bound={scene} textOf={titleOf} />
        <NumberField label={t.seed} min={1} max={99_999} {...boundTo(seed)} />
        <NumberField label={t.count} min={1} max={MOST} {...boundTo(count)} />
        <Button text={t.print} onClick={() => print()} />
      </div>
      <p class="sheet-lines" aria-hidden="true">
        <span>{t.name}</span>
        <span>{t.date}</span>
      </p>
      <p class="note">{t.sheetHead(seed.value)}</p>
      <ol class="exercises grid">
        {sheet.map((exercise, i) => (
          <li key={i}>
            <div>
              <h3>
                {i + 1}. {words.value.scenes[exercise.scene].title}
              </h3>
              <p>{marked(askOf(exercise))}</p>
              {exercise.kicks.length > 0 && <p class="given">{marked(given.kicks(exercise.kicks))}</p>}
              {exercise.owners !== null && <p class="given">{marked(given.owners)}</p>}
              <Choices exercise={exercise} />
            </div>
            <GivenTable exercise={exercise} />
          </li>
        ))}
      </ol>
      <details class="answers">
        <summary>{t.answers}</summary>
        <p class="answers-head">{t.answersOf(seed.value)}</p>
        <ol>
          {sheet.map(({ scene: each, part, answer, round }, i) => (
            <li key={i}>
              <b>
                {i + 1}. {textOfValue(answer, each)}
              </b>{' '}
              <a href={addressOf(each, round, part)}>{t.watch}</a>
            </li>
          ))}
        </ol>
      </details>
    </section>
  );
}

function titleOf(place: string): string {
  return isScene(place) ? `${numberOf(place)}. ${words.value.scenes[place].title}` : words.value.teach.mixed;
}

/** A harmful delete is asked in the words of a harmless one, which do not tell them apart. */
function askOf({ scene, part, task }: Exercise): string {
  return sceneWords(scene).ask[scene === 'delete' ? 1 : part]?.(task.facts) ?? '';
}

function Choices({ exercise: { task, scene } }: { exercise: Exercise }) {
  if (task.question.kind !== 'choice' || scene === 'fail') return <p class="blank" />;
  return (
    <ul class="choices">
      {task.question.options.map((option) => (
        <li key={option}>{sceneWords(scene).option(option)}</li>
      ))}
    </ul>
  );
}

/** A whole number of the field is taken where it keeps to the field's range. */
function boundTo(bound: Signal<number>) {
  return {
    value: bound.value,
    onInput: ({ currentTarget: { validity, valueAsNumber } }: TargetedInputEvent<HTMLInputElement>) => {
      if (validity.valid) bound.value = valueAsNumber;
    },
  };
}

/** A row a bucket, fingerprints in hexadecimal, and below each whose it is, where that is given. */
function GivenTable({ exercise: { state, owners } }: { exercise: Exercise }) {
  const { bucketCount, bucketSize, fingerprintBits } = state.shape;
  if (state.size === 0) return null;
  return (
    <table class="mini-table">
      <tbody>
        {Array.from({ length: bucketCount }, (_, bucket) => (
          <tr key={bucket}>
            <th scope="row">{bucket}</th>
            {Array.from({ length: bucketSize }, (__, slot) => {
              const stored = storedAt(state, bucket, slot);
              if (stored === null) return <td key={slot} />;
              return (
                <td key={slot}>
                  <Print fingerprint={stored.fingerprint} text={hex(stored.fingerprint, fingerprintBits)} />
                  {owners !== null && <small>{owners.get(stored.owner)}</small>}
                </td>
              );
            })}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
