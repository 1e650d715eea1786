// How far a visitor has come in a scene: predict, run, compare; first with the scene's question, then with the
// transfer question.
// Invariant: nothing runs before the question is answered or skipped, and the answer shown is the task's.
import type { SceneId } from './places';
import { isRight, type Question, type Task, type Value } from './scenes/task';

export type Phase = 'predict' | 'run' | 'compare' | 'free';

export interface Lesson {
  readonly scene: SceneId;
  /** 0: the scene's question; 1: the transfer question. */
  readonly part: 0 | 1;
  readonly round: number;
  /** `free`: the visitor's own table, without a question. */
  readonly phase: Phase;
  /** null: skipped, or not answered yet. */
  readonly guess: Value | null;
  /** What was measured, in scenes that measure; null before. */
  readonly measured: Value | null;
  /** It was answered by whoever made the link. */
  readonly isReplayed?: boolean;
}

export function newLesson(scene: SceneId, part: 0 | 1, round: number): Lesson {
  return { scene, part, round, phase: 'predict', guess: null, measured: null };
}

/** Whether a guess is one that the question's field can give. */
export function canGuess(question: Question, guess: Value): boolean {
  switch (question.kind) {
    case 'choice':
      return question.options.includes(String(guess)) && typeof guess === 'string';
    case 'numbers':
      return Array.isArray(guess) && question.labels.every((_, i) => typeof guess[i] === 'number');
    case 'number':
    case 'bucket':
      return typeof guess === 'number';
  }
}

export type Verdict = 'right' | 'close' | 'wrong' | 'skipped';

export function verdictOf(guess: Value | null, answer: Value, tolerance: Task['tolerance']): Verdict {
  if (guess === null) return 'skipped';
  if (isRight(guess, answer)) return 'right';
  return isRight(guess, answer, tolerance) ? 'close' : 'wrong';
}

/** How many of several numbers are right or close. */
export function nearOf(guess: Value | null, answer: Value, tolerance: Task['tolerance']): number {
  if (!Array.isArray(guess) || !Array.isArray(answer)) return 0;
  return guess.filter((each: number, i) => isRight(each, Number(answer[i]), tolerance)).length;
}
