// What moves while a step is shown.
// Invariant: positions are a pure function of the step and of t from 0 to 1; at 0 they are those before the step, at 1
// those after it, so that the same function shows the step forward and back. Every fingerprint goes into its slot from the
// tray, and a victim out of its slot to the tray; in a path that was found, from slot to slot. One chip moves at a time, and
// none changes its size.
import { asideBox, slotBox, trayBox, type Box, type Cell, type Layout } from './layout';
import type { Point } from './lanes';
import { pointAlong, routeBetween, routeFromTray } from './route';
import { motionMs } from './timing';
import type { EventOf } from '../trace/state';
import type { Step } from '../trace/steps';
import { hashTokens, placed } from '../trace/sum';

export interface Flight extends Box {
  readonly fingerprint: number;
}

/** From 0 to 1: how far the step's motion is, `elapsed` ms after it began. */
export function progress(step: Step, elapsed: number, direction: 1 | -1): number {
  const part = Math.min(1, Math.max(0, elapsed / motionMs(step)));
  return direction === 1 ? part : 1 - part;
}

/** The chips on their way at `t`; none if the step moves nothing. */
export function flights(step: Step, layout: Layout, t: number): Flight[] {
  const tray = trayBox(layout);
  switch (step.kind) {
    case 'locate': {
      const print = placed(layout, hashTokens(step.event, layout.shape)).tokens.at(-1)?.box ?? tray;
      const start = { ...tray, x: print.x + print.width / 2 - tray.width / 2, y: print.y };
      return [flight(step.event.fingerprint, [start, tray], t)];
    }
    case 'place':
      return [flight(step.event.after, wayIn(layout, step.event), t)];
    case 'move':
      return [flight(step.event.after, wayOf(layout, step.event), t)];
    case 'kick':
      return exchange(step.event.before, step.event.after, step.event, layout, t);
    case 'undo':
      return exchange(step.event.after, step.event.before, step.event, layout, 1 - t);
    case 'remove':
      return [flight(step.event.before, [slotBox(layout, step.event.bucket, step.event.slot), tray], t)];
    default:
      return [];
  }
}

export function isMoving(step: Step): boolean {
  return slotsInMotion(step).length > 0 || step.kind === 'locate';
}

export function movesHand(step: Step): boolean {
  return isMoving(step) && (step.kind !== 'move' || step.event.from === null);
}

export function slotsInMotion(step: Step): readonly Cell[] {
  const isStill = step.kind === 'read' || step.kind === 'look';
  if (isStill || !('slot' in step.event)) return [];
  return step.kind === 'move' && step.event.from !== null ? [step.event, step.event.from] : [step.event];
}

/** The victim leaves, then the newcomer takes its slot, then the victim is what is in hand. */
function exchange(victim: number, incoming: number, cell: Cell, layout: Layout, t: number): Flight[] {
  const [aside, tray] = [asideBox(layout), trayBox(layout)];
  const slot = slotBox(layout, cell.bucket, cell.slot);
  const leaving = t < 0.7 ? [slot, aside] : [aside, tray];
  return [
    flight(incoming, wayIn(layout, cell), part(t, 0.4, 0.75)),
    flight(victim, leaving, t < 0.7 ? part(t, 0, 0.4) : part(t, 0.75, 1)),
  ];
}

/** How far a part of the motion is that lasts from `from` to `to` of it. */
function part(t: number, from: number, to: number): number {
  return Math.min(1, Math.max(0, (t - from) / (to - from)));
}

function wayIn(layout: Layout, to: Cell): (Box | Point)[] {
  const [tray, slot] = [trayBox(layout), slotBox(layout, to.bucket, to.slot)];
  return [tray, ...routeFromTray(layout, tray, slot).points, slot];
}

function wayOf(layout: Layout, { from, bucket, slot }: EventOf<'move'>): (Box | Point)[] {
  if (from === null) return wayIn(layout, { bucket, slot });
  const [start, end] = [slotBox(layout, from.bucket, from.slot), slotBox(layout, bucket, slot)];
  return [start, ...routeBetween(layout, start, end).points, end];
}

/** Along a way that begins and ends at boxes of the chip's size, slowly at both ends. */
function flight(fingerprint: number, way: readonly (Box | Point)[], t: number): Flight {
  const [first] = way;
  if (first === undefined || !('width' in first)) throw new RangeError('a way begins at a box');
  const { width, height } = first;
  const eased = t < 0.5 ? 2 * t * t : 1 - (2 - 2 * t) ** 2 / 2;
  const middle = pointAlong(way.map(middleOf), eased);
  return { fingerprint, width, height, x: Math.max(0, middle.x - width / 2), y: middle.y - height / 2 };
}

function middleOf(place: Box | Point): Point {
  if (!('width' in place)) return place;
  return { x: place.x + place.width / 2, y: place.y + place.height / 2 };
}
