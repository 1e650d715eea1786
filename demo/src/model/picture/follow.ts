// What a step is about, and how far a window has to be scrolled to show it.
import type { Cell } from './layout';
import type { Step } from '../trace/steps';

export interface Span {
  readonly top: number;
  readonly bottom: number;
}

/** The slots that a step touches, the most important one first; of a bucket, its first slot. */
export function cellsOf(step: Step): readonly Cell[] {
  const { event } = step;
  if (event.kind === 'locate') {
    const homes = step.kind === 'locate' ? [event.primary] : [event.alternate, event.primary];
    return homes.map((bucket) => ({ bucket, slot: 0 }));
  }
  if (!('slot' in event)) return [];
  const { bucket, slot } = event;
  if (event.kind === 'look') return [{ bucket: event.from, slot }];
  if (event.kind === 'move' && event.from !== null) return [event, event.from];
  return event.kind === 'kick'
    ? [
        { bucket: event.otherBucket, slot: 0 },
        { bucket, slot },
      ]
    : [{ bucket, slot }];
}

/** Pixels to scroll down, or up if below 0, so that all spans lie in the view; where they do not fit, the first one does. */
export function scrollFor(spans: readonly Span[], view: Span): number {
  const [first] = spans;
  if (first === undefined) return 0;
  const all = {
    top: Math.min(...spans.map(({ top }) => top)),
    bottom: Math.max(...spans.map(({ bottom }) => bottom)),
  };
  const { top, bottom } = all.bottom - all.top <= view.bottom - view.top ? all : first;
  if (top < view.top) return top - view.top;
  return Math.max(0, Math.min(bottom - view.bottom, top - view.top));
}
