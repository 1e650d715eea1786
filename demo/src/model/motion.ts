// What moves while a step is shown, and for how long.
// Invariant: positions are a pure function of the step and of t from 0 to 1; at 0 they are those before the step, at 1
// those after it, so that the same function shows the step forward and back. A new fingerprint comes from the tray; one
// that is kicked slides along its numbered arrow, from one slot to the other.
import { gapBox, slotBox, trayBox, type Box, type Cell, type Layout } from './layout';
import { kickRoute } from './marks';
import { pointAlong, routeFromTray, type Point } from './route';
import type { EventOf, OperationState } from './state';
import type { Step } from './steps';

/** A fingerprint on its way. */
export interface Flight extends Box {
  readonly fingerprint: number;
}

/** Milliseconds that chips move. */
export const MOTION_MS = 700;

/** Milliseconds that a step is shown at speed 1: time to move, then to read. */
const SHOWN_MS: Readonly<Record<Step['kind'], number>> = {
  locate: 2400,
  read: 1100,
  ahead: 2600,
  kick: 3000,
  place: 1700,
  undo: 1000,
  remove: 1500,
  encode: 1300,
  reset: 1000,
  end: 1200,
};
/** Who asked for less motion sees no chip move, and so has to find out what changed: that takes longer. */
const STILL_FACTOR = 1.5;

export function shownFor(step: Step, isStill: boolean): number {
  return SHOWN_MS[step.kind] * (isStill ? STILL_FACTOR : 1);
}

/** From 0 to 1: how far the motion is, `elapsed` ms after it began. */
export function progress(elapsed: number, direction: 1 | -1): number {
  const part = Math.min(1, Math.max(0, elapsed / MOTION_MS));
  const eased = part < 0.5 ? 2 * part * part : 1 - (2 - 2 * part) ** 2 / 2;
  return direction === 1 ? eased : 1 - eased;
}

/** The chips on their way at `t`; none if the step moves nothing. `operation` is the one that the step belongs to. */
export function flights(step: Step, operation: OperationState, layout: Layout, t: number): Flight[] {
  switch (step.kind) {
    case 'place':
      return [flight(step.event.after, wayIn(layout, operation, step.event, step.event.kick), t)];
    case 'kick':
      return exchange(step.event.before, step.event.after, step.event, operation, layout, t);
    case 'undo': {
      const kick = operation.kicks[step.event.kick - 1];
      if (kick === undefined) return [];
      return exchange(step.event.after, step.event.before, kick, operation, layout, 1 - t);
    }
    case 'remove':
      return [
        flight(step.event.before, [slotBox(layout, step.event.bucket, step.event.slot), trayBox(layout)], t),
      ];
    default:
      return [];
  }
}

/** The slot whose chip is in the air. */
export function slotInMotion(step: Step): Cell | null {
  const isMoving = step.kind !== 'read' && step.kind !== 'encode' && step.kind !== 'ahead';
  return isMoving && 'slot' in step.event ? step.event : null;
}

/** The victim makes room, and then the other comes in. */
function exchange(
  victim: number,
  incoming: number,
  kick: EventOf<'kick'>,
  operation: OperationState,
  layout: Layout,
  t: number,
): Flight[] {
  const slot = slotBox(layout, kick.bucket, kick.slot);
  const gap = gapBox(layout, kick, kick.otherBucket);
  const corner = { ...gap, y: slot.y + (slot.height - gap.height) / 2 };
  return [
    flight(victim, [slot, corner, gap], part(t, 0, 0.5)),
    flight(incoming, wayIn(layout, operation, kick, kick.kick - 1), part(t, 0.3, 1)),
  ];
}

/** How far a part of the motion is that lasts from `from` to `to` of it. */
function part(t: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (t - from) / (to - from)));
}

/** The way into a slot: along the arrow of kick `number`, or from the tray if that is 0. */
function wayIn(layout: Layout, { kicks }: OperationState, to: Cell, number: number): (Box | Point)[] {
  const slot = slotBox(layout, to.bucket, to.slot);
  const before = kicks[number - 1];
  if (before === undefined)
    return [trayBox(layout), ...routeFromTray(layout, trayBox(layout), slot).points, slot];
  const gap = gapBox(layout, before, before.otherBucket);
  return [gap, ...kickRoute(layout, before, to).points.slice(2), slot];
}

/** Along a way that begins and ends at boxes; the chip's size changes from that of the first to that of the last. */
function flight(fingerprint: number, way: readonly (Box | Point)[], t: number): Flight {
  const boxes = way.filter((each): each is Box => 'width' in each);
  const [first, last] = [boxes[0], boxes[boxes.length - 1]];
  if (first === undefined || last === undefined) throw new RangeError('a way needs two ends');
  const middle = pointAlong(way.map(middleOf), t);
  const width = first.width + (last.width - first.width) * t;
  const height = first.height + (last.height - first.height) * t;
  return { fingerprint, width, height, x: Math.max(0, middle.x - width / 2), y: middle.y - height / 2 };
}

function middleOf(place: Box | Point): Point {
  if (!('width' in place)) return place;
  return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
}
