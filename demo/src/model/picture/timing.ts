// For how long a step moves, and for how long it is shown.
import type { Step } from '../trace/steps';

/** From this kick on, kicks are shown faster: they repeat what the first ones have shown. */
const REPEATED_FROM = 3;

/** Milliseconds that the chips of a step move; those of an exchange move one after the other. */
export function motionMs(step: Step): number {
  if (step.kind === 'undo') return 350;
  if (step.kind !== 'kick') return 700;
  return isRepeated(step) ? 900 : 1700;
}

/** Milliseconds that a step is shown: time to move, then to read. Kicks are taken back quickly; the end then says what happened. */
const SHOWN_MS: Readonly<Record<Step['kind'], number>> = {
  locate: 2600,
  alternate: 3200,
  read: 1100,
  look: 2600,
  found: 3200,
  move: 2200,
  kick: 4200,
  place: 1700,
  undo: 400,
  remove: 1500,
  reset: 1000,
  end: 3500,
};
const REPEATED_MS = { kick: 1100, read: 300 } as const;

/** Who asked for less motion sees no chip move, and so has to find out what changed: that takes longer. */
export const STILL_FACTOR = 1.5;

/** Sentences without bits and sums are read sooner; that of a kick is as long. */
const PLAIN_FACTOR = 0.65;

export function shownFor(step: Step, isStill: boolean, isPlain = false): number {
  const shown = isRepeated(step) ? REPEATED_MS[step.kind] : SHOWN_MS[step.kind];
  return shown * (isStill ? STILL_FACTOR : 1) * (isPlain && step.kind !== 'kick' ? PLAIN_FACTOR : 1);
}

function isRepeated(step: Step): step is Step & { readonly kind: keyof typeof REPEATED_MS } {
  const kick = step.kind === 'kick' ? step.event.kick : step.kind === 'read' ? step.kick : 0;
  return kick >= REPEATED_FROM;
}
