// Where a prediction is made: options, a number, a bucket, or several numbers.
// Invariant: the guess is null until the visitor chose something.
import { useSignalEffect, type Signal } from '@preact/signals';
import type { TargetedEvent } from 'preact';
import { words } from '../i18n';
import type { Question, Value } from '../model/scenes/task';
import type { Store } from '../app/store';
import { NUMBER } from './number-field';

interface AnswerFieldProps {
  /** Of the table where a bucket may be pressed too, if there is one. */
  readonly store?: Store;
  readonly question: Question;
  readonly guess: Signal<Value | null>;
  readonly wordFor: (option: string) => string;
}

export function AnswerField({ store, question, guess, wordFor }: AnswerFieldProps) {
  switch (question.kind) {
    case 'choice':
      return <Options options={question.options} guess={guess} textOf={wordFor} />;
    case 'bucket':
      return <Buckets {...(store && { store })} count={question.count} guess={guess} />;
    case 'number':
      return (
        <Slider
          {...question}
          label={words.value.lesson.guess}
          value={guess.value as number | null}
          onChange={(value) => (guess.value = value)}
        />
      );
    case 'numbers':
      return (
        <div class="sliders grid">
          {question.labels.map((label, i) => (
            <Slider
              key={label}
              {...question}
              step={1}
              label={label}
              value={(guess.value as readonly number[] | null)?.[i] ?? null}
              onChange={(value) => {
                const before = (guess.value ?? []) as readonly number[];
                // Handles that were not moved stay unset.
                guess.value = question.labels.map((_, at) => (at === i ? value : before[at]) as number);
              }}
            />
          ))}
        </div>
      );
  }
}

interface OptionsProps<Option> extends Pick<AnswerFieldProps, 'guess'> {
  readonly options: readonly Option[];
  readonly textOf: (option: Option) => string;
  /** Where the text alone does not tell it. */
  readonly nameOf?: (option: Option) => string;
}

function Options<Option extends string | number>({ options, guess, textOf, nameOf }: OptionsProps<Option>) {
  return (
    <div
      class={`options grid${nameOf === undefined ? '' : ' is-tight'}`}
      role="radiogroup"
      aria-label={words.value.lesson.guess}
    >
      {options.map((option) => (
        <label key={option} class="option row">
          <input
            class="visually-hidden"
            type="radio"
            name="guess"
            value={option}
            checked={guess.value === option}
            aria-label={nameOf?.(option)}
            onChange={() => (guess.value = option)}
          />
          {textOf(option)}
        </label>
      ))}
    </div>
  );
}

/** A number for each bucket; a press on the table chooses too. */
function Buckets({ store, count, guess }: Pick<AnswerFieldProps, 'store' | 'guess'> & { count: number }) {
  const t = words.value.lesson;
  useSignalEffect(() => {
    const pressed = store?.pressed.value ?? null;
    if (pressed !== null) guess.value = pressed.bucket;
  });
  return (
    <>
      <Options
        options={[...Array(count).keys()]}
        guess={guess}
        textOf={String}
        nameOf={words.value.stage.bucket}
      />
      {store !== undefined && <p class="note">{t.bucketHint}</p>}
    </>
  );
}

/** Shown by a handle and its number until one of them is set. */
const UNSET = '?';

interface SliderProps {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  readonly step: number;
  readonly value: number | null;
  readonly onChange: (value: number) => void;
}

function Slider({ label, least, most, step, value, onChange }: SliderProps) {
  const take = ({ currentTarget: { value: text } }: TargetedEvent<HTMLInputElement>): void => {
    const number = Number(text);
    if (text !== '' && Number.isFinite(number)) onChange(Math.min(most, Math.max(least, number)));
  };
  const field = { min: least, max: most, step, 'aria-label': label, onInput: take };
  return (
    <div class="slider grid">
      <span>{label}</span>
      <input
        type="range"
        class={value === null ? 'is-unset' : ''}
        aria-valuetext={value === null ? UNSET : undefined}
        value={value ?? (least + most) / 2}
        {...field}
        // A press on the unset handle takes the middle. A touch there makes no click event.
        onPointerUp={take}
      />
      <input
        {...NUMBER}
        value={value ?? ''}
        placeholder={UNSET}
        {...field}
        // What was typed beyond the ends gives way to the number taken.
        onBlur={({ currentTarget }) => (currentTarget.value = String(value ?? ''))}
      />
    </div>
  );
}
