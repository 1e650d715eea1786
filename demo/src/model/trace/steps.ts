// Events in groups that are worth a look each: one step of the transport is one group.
// Invariant: the steps of an operation, taken in order, hold its events in order, each event once. The event that locates a
// key is told in two steps, first home 1 and then home 2: the second one holds no event.
// The slots read in one bucket in a row are one step, and so is all that is read to look ahead before one kick; the begin
// of an operation goes with what follows it.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import type { EventOf } from './state';

/**
 * Why a bucket is read: `home`, an empty slot for the new key; `match`, the key's fingerprint; `landing`, an empty slot
 * for the fingerprint kicked last.
 */
export type ReadReason = 'home' | 'match' | 'landing';

interface Group {
  readonly operation: number;
  readonly events: readonly TraceEvent[];
}

/** The slots of one bucket, read from the first up to the one sought. */
export interface ReadStep extends Group {
  readonly kind: 'read';
  readonly event: EventOf<'probe'>;
  readonly reason: ReadReason;
}

/** What was seen of one fingerprint that may be kicked: the bucket of its other home, and a slot that is empty there. */
export interface Look {
  readonly slot: number;
  readonly to: number;
  /** null: that bucket is full. */
  readonly room: number | null;
}

/** Looking ahead: the other homes of all fingerprints in a full bucket are read before one of them is kicked. */
export interface AheadStep extends Group {
  readonly kind: 'ahead';
  readonly event: EventOf<'probe'>;
  /** For each slot of the bucket; none where the reads cannot be told apart. */
  readonly looks: readonly Look[];
  /** The kick that followed; null: no kick can end, and so none is tried. */
  readonly chosen: EventOf<'kick'> | null;
}

/** Home 2 of the key, which home 1 and the fingerprint give. */
export interface AlternateStep extends Group {
  readonly kind: 'alternate';
  readonly event: EventOf<'locate'>;
}

/** Any other step: its name, and the event that gives it. */
export type PlainStep = {
  [Kind in 'locate' | 'place' | 'kick' | 'undo' | 'remove' | 'reset' | 'end']: Group & {
    readonly kind: Kind;
    readonly event: EventOf<Kind>;
  };
}['locate' | 'place' | 'kick' | 'undo' | 'remove' | 'reset' | 'end'];

export type Step = ReadStep | AheadStep | AlternateStep | PlainStep;

/** The steps of one operation's events. */
export function stepsOf(events: readonly TraceEvent[]): Step[] {
  const steps: Step[] = [];
  let ahead: TraceEvent[][] = [];
  let homeReads = 0;
  let bucketSize = 0;
  const groups = groupsOf(events);
  groups.forEach((group, i) => {
    const event = group[group.length - 1];
    if (event === undefined || event.kind === 'begin') return;
    const base = { operation: event.operation, events: group };
    if (event.kind !== 'probe') {
      // Only now is it known which fingerprint was chosen.
      if (ahead.length > 0) steps.push(aheadStep(ahead, event.kind === 'kick' ? event : null, bucketSize));
      ahead = [];
      steps.push({ ...base, kind: event.kind, event } as PlainStep);
      if (event.kind === 'locate') steps.push({ ...base, events: [], kind: 'alternate', event });
      return;
    }
    const before = steps.at(-1);
    const isLast = groups[i + 1]?.[0]?.kind !== 'probe';
    const reason = ahead.length > 0 ? null : reasonOf(event, before, homeReads, isLast);
    if (reason === null) return void ahead.push(group);
    if (reason === 'home') {
      ++homeReads;
      // A home without room is read to its last slot.
      bucketSize = event.slot + 1;
    }
    steps.push({ ...base, kind: 'read', event, reason });
  });
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

/**
 * Why a bucket is read; null: to look ahead. An insert reads its key's two homes first. `isLast`: no bucket is read after
 * it before something changes.
 */
function reasonOf(
  event: EventOf<'probe'>,
  last: Step | undefined,
  homeReads: number,
  isLast: boolean,
): ReadReason | null {
  if (event.sought !== 0) return 'match';
  if (last?.kind === 'kick') return isLast && last.event.otherBucket === event.bucket ? 'landing' : null;
  return homeReads < 2 ? 'home' : null;
}

/** Kicks after which the core looks two steps ahead if one does not help. */
const LOOKS_FURTHER_AFTER = 32;

/**
 * The other homes of slots 0, 1, 2, ... of one full bucket are read in this order. After 32 kicks more may be read: before
 * them, once, what can be reached at all; after them, the other homes of what lies there.
 */
function aheadStep(
  groups: readonly TraceEvent[][],
  chosen: EventOf<'kick'> | null,
  bucketSize: number,
): AheadStep {
  const probes = groups.map((group) => group[group.length - 1] as EventOf<'probe'>);
  const isNear = chosen !== null && (chosen.hasRoom || chosen.kick <= LOOKS_FURTHER_AFTER);
  const near = isNear ? probes.slice(-bucketSize) : [];
  const event = probes[probes.length - 1] as EventOf<'probe'>;
  return {
    kind: 'ahead',
    operation: event.operation,
    events: groups.flat(),
    event,
    looks: near.map(({ bucket, slot, isEmpty }, i) => ({ slot: i, to: bucket, room: isEmpty ? slot : null })),
    chosen,
  };
}
