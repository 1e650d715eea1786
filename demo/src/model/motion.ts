// What moves while a step is shown, and for how long.
// Invariant: positions are a pure function of the step and of t from 0 to 1; at 0 they are those before the step, at 1
// those after it, so that the same function shows the step forward and back.
import { slotBox, trayBox, type Box, type Layout } from './layout';
import type { Step } from './steps';

/** A fingerprint on its way. */
export interface Flight {
  readonly fingerprint: number;
  readonly x: number;
  readonly y: number;
}

/** Milliseconds that chips move. */
export const MOTION_MS = 420;

/** Milliseconds that a step is shown at speed 1: time to move, then to read. */
const SHOWN_MS: Readonly<Record<Step['kind'], number>> = {
  locate: 1900,
  read: 750,
  kick: 1500,
  place: 1300,
  undo: 620,
  remove: 1300,
  encode: 1100,
  reset: 900,
  end: 900,
};
const AHEAD_MS = 420;

export function shownFor(step: Step): number {
  return step.kind === 'read' && step.reason === 'ahead' ? AHEAD_MS : SHOWN_MS[step.kind];
}

/** From 0 to 1: how far the motion is, `elapsed` ms after it began. */
export function progress(elapsed: number, direction: 1 | -1): number {
  const part = Math.min(1, Math.max(0, elapsed / MOTION_MS));
  const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
  return direction === 1 ? eased : 1 - eased;
}

/** The chips between slot and tray at `t`; none if the step moves nothing. */
export function flights(step: Step, layout: Layout, t: number): Flight[] {
  if (step.kind !== 'kick' && step.kind !== 'undo' && step.kind !== 'place' && step.kind !== 'remove')
    return [];
  const { bucket, slot, before, after } = step.event;
  const lying = slotBox(layout, bucket, slot);
  const hand = trayBox(layout);
  return [
    ...(after === 0 ? [] : [flight(after, hand, lying, t, -1)]),
    ...(before === 0 ? [] : [flight(before, lying, hand, t, 1)]),
  ];
}

/** The slot whose chip is in the air. */
export function slotInMotion(step: Step): { readonly bucket: number; readonly slot: number } | null {
  const isMoving = step.kind !== 'read' && step.kind !== 'encode';
  return isMoving && 'slot' in step.event ? step.event : null;
}

/** A flat arc that bends to `side`, so that two chips that change places pass each other. */
function flight(fingerprint: number, from: Box, to: Box, t: number, side: 1 | -1): Flight {
  const bend = Math.sin(Math.PI * t) * 36 * side;
  return { fingerprint, x: from.x + (to.x - from.x) * t + bend, y: from.y + (to.y - from.y) * t };
}
