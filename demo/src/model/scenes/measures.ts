// The questions of the scenes that measure; their answers come from the measurement.
import type { SceneId } from '../places';
import { crossing, rounded } from '../statistics';
import type { Question } from './task';

const PERCENT = { kind: 'number', least: 0, most: 100, step: 1 } as const;

const QUESTIONS: Partial<Readonly<Record<SceneId, readonly [Question, Question]>>> = {
  race: [{ kind: 'numbers', labels: ['b = 1', 'b = 2', 'b = 4', 'b = 8'], least: 0, most: 100 }, PERCENT],
  bits: [
    { kind: 'choice', options: around(crossed(0)) },
    { kind: 'choice', options: around(crossed(1)) },
  ],
};

export function measureOf(scene: SceneId, part: 0 | 1): Question | null {
  return QUESTIONS[scene]?.[part] ?? null;
}

/** The rate that a question about bits per key asks for. */
export function crossed(part: 0 | 1): number {
  return crossing(part === 0 ? 'cuckoo' : 'semiSorted');
}

export function percentText(rate: number): string {
  return String(rounded(100 * rate));
}

/** The rate among three others that are clearly larger or smaller. */
function around(rate: number): string[] {
  return [rate * 30, rate * 6, rate, rate / 12].map(percentText);
}
