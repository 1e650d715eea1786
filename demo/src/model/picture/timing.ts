// For how long a step moves, and for how long it is shown.
import type { Step } from '../trace/steps';

/** Milliseconds that the chips of a step move; those of an exchange move one after the other. */
export function motionMs({ kind }: Step): number {
  return kind === 'kick' || kind === 'undo' ? 1700 : 700;
}

/** Milliseconds that a step is shown: time to move, then to read. */
const SHOWN_MS: Readonly<Record<Step['kind'], number>> = {
  locate: 2600,
  alternate: 3200,
  read: 1100,
  look: 2600,
  found: 3200,
  move: 2200,
  kick: 4200,
  place: 1700,
  undo: 2000,
  remove: 1500,
  reset: 1000,
  end: 3500,
};
/** Who asked for less motion sees no chip move, and so has to find out what changed: that takes longer. */
export const STILL_FACTOR = 1.5;

export function shownFor(step: Step, isStill: boolean): number {
  return SHOWN_MS[step.kind] * (isStill ? STILL_FACTOR : 1);
}
