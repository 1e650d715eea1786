// A task of a scene: a table, operations to run on it, and a question about what they will do.
// Invariant: the answer is read from the trace of the operations (or, for measurements, from their result), never
// written down. A task depends on its round alone, so a link or an exercise sheet brings the same task back.
import { hex } from '../picture/bits';
import type { Cell } from '../picture/layout';
import { first, type Operation, type PageEvent } from '../trace/state';
import type { Trial } from '../../core/filling';
import type { Session } from '../trace/session';
import type { Settings } from '../settings';

export type Value = string | number | readonly number[];

export type Question =
  /** One of these; words for them are in `i18n`, save for keys, which stand for themselves. */
  | { readonly kind: 'choice'; readonly options: readonly string[] }
  /** `near`: what an audience chooses from, one of them about right. */
  | {
      readonly kind: 'number';
      readonly least: number;
      readonly most: number;
      readonly step: number;
      readonly near?: readonly number[];
    }
  | { readonly kind: 'bucket'; readonly count: number }
  | {
      readonly kind: 'numbers';
      readonly labels: readonly string[];
      readonly least: number;
      readonly most: number;
    };

/** A name, and another with its fingerprint and its homes. */
export interface Pair {
  readonly one: string;
  readonly other: string;
}

export type Facts = Readonly<Record<string, string | number>>;

export interface Task {
  readonly settings: Settings;
  readonly run: readonly Operation[];
  /** The index of the operation in question, whose key's homes the table shows. By default none is shown. */
  readonly begun?: number;
  readonly question: Question;
  readonly facts: Facts;
  readonly answer: (session: Session) => Value;
  /** What the comparison is told with, beside the answer. */
  readonly found?: (session: Session) => Facts;
  /** Why a wrong guess is wrong, where that depends on the guess. */
  readonly missed?: (guess: Value) => Facts;
  /** How far a guess may be off; 0 by default. */
  readonly tolerance?: number;
}

/** Makes the task of a round. The trial holds the table of `settings`. */
export interface TaskMaker {
  readonly settings: (round: number) => Settings;
  readonly make: (trial: Trial, round: number) => Omit<Task, 'settings'>;
}

/** Fingerprint and homes of an operation's key, for a question that is worked out from them. */
export function homesOf(events: readonly PageEvent[], bits: number): Facts {
  const { fingerprint, primary, alternate } = first(events, 'locate');
  return { fingerprint: hex(fingerprint, bits), primary, alternate };
}

/** The slot that facts name; null: none. */
export function slotOf({ bucket, slot }: Facts): Cell | null {
  return typeof bucket === 'number' && typeof slot === 'number' ? { bucket, slot } : null;
}

/** True if every number of the guess lies within the tolerance of the answer, or the words are equal. */
export function isRight(guess: Value, answer: Value, tolerance = 0): boolean {
  if (typeof guess === 'string' || typeof answer === 'string') return guess === answer;
  const guesses = typeof guess === 'number' ? [guess] : guess;
  const answers = typeof answer === 'number' ? [answer] : answer;
  return (
    guesses.length === answers.length &&
    guesses.every((value, i) => Math.abs(value - (answers[i] ?? NaN)) <= tolerance)
  );
}
