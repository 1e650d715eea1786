// Events in groups that are worth a look each: one step of the transport is one group.
// Invariant: the steps of an operation, taken in order, hold its events in order, each event once.
// The slots read in one bucket in a row are one step; the begin of an operation goes with what follows it.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import type { EventOf } from './state';

/**
 * Why a bucket is read: `home`, an empty slot for the new key; `match`, the key's fingerprint; `ahead`, an empty slot
 * in the other home of a fingerprint that may be kicked; `landing`, an empty slot for the fingerprint kicked last.
 */
export type ReadReason = 'home' | 'match' | 'ahead' | 'landing';

interface Group {
  readonly operation: number;
  readonly events: readonly TraceEvent[];
}

/** The slots of one bucket, read from the first up to the one sought. */
export interface ReadStep extends Group {
  readonly kind: 'read';
  readonly event: EventOf<'probe'>;
  readonly reason: ReadReason;
  /** For `ahead`: the slot of the full bucket whose fingerprint has its other home here. */
  readonly ahead: { readonly bucket: number; readonly slot: number } | null;
}

/** Any other step: its name, and the event that gives it. */
export type PlainStep = {
  [Kind in 'locate' | 'place' | 'kick' | 'undo' | 'remove' | 'encode' | 'reset' | 'end']: Group & {
    readonly kind: Kind;
    readonly event: EventOf<Kind>;
  };
}['locate' | 'place' | 'kick' | 'undo' | 'remove' | 'encode' | 'reset' | 'end'];

export type Step = ReadStep | PlainStep;

/** The steps of one operation's events. */
export function stepsOf(events: readonly TraceEvent[]): Step[] {
  const steps: Step[] = [];
  let ahead: ReadStep[] = [];
  let homeReads = 0;
  let bucketSize = 0;
  for (const group of groupsOf(events)) {
    const event = group[group.length - 1];
    if (event === undefined || event.kind === 'begin') continue;
    const base = { operation: event.operation, events: group };
    if (event.kind !== 'probe') {
      // Only now is it known which full bucket was looked ahead from.
      if (event.kind === 'kick') steps.push(...withSources(ahead, event.bucket, bucketSize));
      ahead = [];
      steps.push({ ...base, kind: event.kind, event } as PlainStep);
      continue;
    }
    const before = steps.findLast((step) => step.kind !== 'encode');
    const reason = reasonOf(event, before, homeReads);
    if (reason === 'home') {
      ++homeReads;
      // A home without room is read to its last slot.
      bucketSize = event.slot + 1;
    }
    (reason === 'ahead' ? ahead : steps).push({ ...base, kind: 'read', event, reason, ahead: null });
  }
  return steps;
}

/** Events cut where a new step begins. */
function groupsOf(events: readonly TraceEvent[]): TraceEvent[][] {
  const groups: TraceEvent[][] = [];
  let last: TraceEvent | undefined;
  for (const event of events) {
    const isReadOn = event.kind === 'probe' && last?.kind === 'probe' && event.slot > 0;
    if (isReadOn || last?.kind === 'begin') groups[groups.length - 1]?.push(event);
    else groups.push([event]);
    last = event;
  }
  return groups;
}

/** Why a bucket is read. An insert reads its key's two homes first. */
function reasonOf(event: EventOf<'probe'>, last: Step | undefined, homeReads: number): ReadReason {
  if (event.sought !== 0) return 'match';
  if (last?.kind === 'kick' && last.event.hasRoom) return 'landing';
  return homeReads < 2 ? 'home' : 'ahead';
}

/**
 * Looking ahead reads the other homes of slots 0, 1, 2, ... of one full bucket. If none has room and the path is long, it
 * looks a step further: from each of those homes at the other homes of its slots, up to the first with room.
 */
function withSources(reads: readonly ReadStep[], bucket: number, bucketSize: number): ReadStep[] {
  const near = reads.slice(0, bucketSize).map((read, slot) => ({ ...read, ahead: { bucket, slot } }));
  const far: ReadStep[] = [];
  for (const { event } of near) {
    for (let slot = 0; slot < bucketSize; ++slot) {
      const read = reads[near.length + far.length];
      if (read === undefined) break;
      far.push({ ...read, ahead: { bucket: event.bucket, slot } });
      if (read.event.isEmpty) break;
    }
  }
  return [...near, ...far];
}
