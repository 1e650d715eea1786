// Events in groups that are worth a look each: one step of the transport is one group.
// Invariant: the steps of an operation, taken in order, hold its events in order, each event once; the path of a search is
// told as it is made, from its far end. The event that locates a key is told in two steps, first home 1 and then home 2:
// the second one holds no event.
// The slots read in one bucket in a row are one step, and so are the looks from one bucket; the begin of an operation goes
// with what follows it.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import type { EventOf, MoveEvent, PageEvent } from './state';

interface Group {
  readonly operation: number;
  readonly events: readonly PageEvent[];
}

/** The slots of one bucket, read from the first up to the one sought. */
export interface ReadStep extends Group {
  readonly kind: 'read';
  readonly event: EventOf<'probe'>;
  /** Sought is an empty slot for the new key, the key's fingerprint, or an empty slot for the fingerprint kicked last. */
  readonly reason: 'home' | 'match' | 'landing';
  /** Number of the kick whose victim needs a slot here; 0 if none does. */
  readonly kick: number;
}

/** The search looks at the other bucket of each fingerprint in one bucket; the event is its last look from there. */
export interface LookStep extends Group {
  readonly kind: 'look';
  readonly event: EventOf<'look'>;
  readonly events: readonly EventOf<'look'>[];
}

/** Home 2 of the key, which home 1 and the fingerprint give. */
export interface AlternateStep extends Group {
  readonly kind: 'alternate';
  readonly event: EventOf<'locate'>;
}

type PlainKind = 'locate' | 'found' | 'move' | 'place' | 'kick' | 'undo' | 'remove' | 'reset' | 'end';

export type PlainStep = {
  [Kind in PlainKind]: Group & { readonly kind: Kind; readonly event: EventOf<Kind> };
}[PlainKind];

export type Step = ReadStep | LookStep | AlternateStep | PlainStep;

export function stepsOf(events: readonly TraceEvent[]): Step[] {
  const steps: Step[] = [];
  for (const group of groupsOf(events)) {
    const event = group[group.length - 1];
    if (event === undefined || event.kind === 'begin') continue;
    if (isPath(group)) {
      steps.push(...stepsOfPath(group));
      continue;
    }
    const base = { operation: event.operation, events: group };
    if (event.kind === 'probe') {
      const last = steps.at(-1);
      const kick = last?.kind === 'kick' ? last.event.kick : 0;
      const reason = event.sought !== 0 ? 'match' : kick > 0 ? 'landing' : 'home';
      steps.push({ ...base, kind: 'read', event, reason, kick });
      continue;
    }
    steps.push({ ...base, kind: event.kind, event } as Step);
    if (event.kind === 'locate') steps.push({ ...base, events: [], kind: 'alternate', event });
  }
  return steps;
}

function groupsOf(events: readonly TraceEvent[]): TraceEvent[][] {
  const groups: TraceEvent[][] = [];
  for (const event of events) {
    const group = groups.at(-1);
    if (group !== undefined && isOf(group, event)) group.push(event);
    else groups.push([event]);
  }
  return groups;
}

function isOf(group: readonly TraceEvent[], event: TraceEvent): boolean {
  const last = group.at(-1);
  if (last?.kind === 'begin') return true;
  if (isPath(group)) return last?.kind !== 'place';
  if (event.kind === 'probe') return last?.kind === 'probe' && event.slot > 0;
  return event.kind === 'look' && last?.kind === 'look' && event.from === last.from;
}

/** Whether these are the kicks of a path that the search found, in which nothing is drawn by lot. */
function isPath([first]: readonly TraceEvent[]): boolean {
  return first?.kind === 'kick' && first.draw === 0;
}

/** What was found, then its moves. */
function stepsOfPath(events: readonly TraceEvent[]): Step[] {
  const kicks = events.filter((event) => event.kind === 'kick');
  const place = events.find((event) => event.kind === 'place');
  if (place === undefined) throw new TypeError('a path ends nowhere');
  const { operation } = place;
  const found = { kind: 'found', operation, kicks, place } as const;
  const reads = events.filter((event) => event.kind === 'probe');
  const moves = [...kicks, place].map(({ bucket, slot, after }, i): MoveEvent => {
    const { [i - 1]: from = null } = kicks;
    return { kind: 'move', operation, bucket, slot, after, from, kick: i };
  });
  return [
    { kind: 'found', operation, event: found, events: [...reads, found] },
    ...moves.reverse().map((event): Step => ({ kind: 'move', operation, event, events: [event] })),
  ];
}
