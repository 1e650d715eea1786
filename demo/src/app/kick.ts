// Which key shows a kick: one whose insert takes few of them, and whose path can be followed.
// Invariant: found by inserting on copies of the filter; the table changes only by what is then shown.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { MOST_SAMPLES } from '../core/filling';
import { sampleKey } from '../model/samples';
import type { Page } from './page';
import type { Store } from './store';

/** Of a kick path that is shown as an example. */
const MOST_KICKS = 3;

/** Whether a key would be stored, be it with kicks. */
export function takes(store: Store, key: string): boolean {
  return endOf(store.attempt(key))?.result === 'added';
}

/**
 * Inserts a sample key that takes one to three kicks. If sample keys have filled the table above 90 %, a fresh one with the
 * other operations comes first. If no key takes so few kicks, sample keys go in until one takes any, or finds no room.
 */
export function kickIn(page: Page): void {
  const { store } = page;
  const { settings, timeline, place, sampleCount } = store.session.value;
  if (place.state.size > 0.9 * place.state.slots.length) {
    const samples = new Set(Array.from({ length: sampleCount }, (_, i) => sampleKey(settings.seed, i)));
    const own = timeline.operations.filter(({ key }) => !samples.has(key));
    if (own.length < timeline.operations.length) page.rebuild(settings, own);
  }
  const passed = shortKick(store);
  store.watch(() => {
    for (let i = 0; i < passed; ++i) store.send({ type: 'sampled' });
    for (let i = 0; i < MOST_SAMPLES; ++i) {
      const end = store.insertSample();
      if (end === undefined || end.kicks > 0 || end.result !== 'added') break;
    }
  });
}

/**
 * The first of the next sample keys whose insert takes one to three kicks, from 0; -1: none. First of those with two homes,
 * none of which a victim goes to: there its sum could be taken for theirs.
 */
function shortKick(store: Store): number {
  const { settings, sampleCount } = store.session.value;
  let short = -1;
  for (let i = 0; i < MOST_SAMPLES; ++i) {
    const key = sampleKey(settings.seed, sampleCount + i);
    const events = store.hasRoom(key) ? [] : store.attempt(key);
    if (!isShort(events)) continue;
    if (isClear(events)) return i;
    if (short === -1) short = i;
  }
  return short;
}

function isShort(events: readonly TraceEvent[]): boolean {
  const end = endOf(events);
  return end?.result === 'added' && end.kicks > 0 && end.kicks <= MOST_KICKS;
}

function isClear(events: readonly TraceEvent[]): boolean {
  const at = events.find((event) => event.kind === 'locate');
  const homes = [at?.primary, at?.alternate];
  const kicks = events.filter((event) => event.kind === 'kick');
  return homes[0] !== homes[1] && kicks.every((kick) => !homes.includes(kick.otherBucket));
}

function endOf(events: readonly TraceEvent[]) {
  const end = events.at(-1);
  return end?.kind === 'end' ? end : undefined;
}
