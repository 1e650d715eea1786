// Which key shows a kick: one whose insert takes few of them, and whose path can be followed.
// Invariant: found by inserting on copies of the filter; the table changes only by what is then shown.
import { hasRoom, MOST_SAMPLES } from '../core/filling';
import { sampleKey } from '../model/samples';
import { endOf, first, ofKind } from '../model/trace/state';
import type { Page } from './page';
import type { Store } from './store';

/** The longest path that is shown as an example; and the longest in the scene about paths. */
const [FEW_KICKS, MOST_KICKS] = [1, 3];

/**
 * Inserts a sample key that takes one kick (up to three in the scene about paths), and plays from the first kick. If sample keys
 * have filled the table above 90 %, it is first built anew, with the visitor's operations alone. If no key takes so few kicks,
 * sample keys are inserted until one takes any, or finds no room.
 */
export function kickIn(page: Page): void {
  const { store } = page;
  const { settings, timeline, place, sampleCount } = store.session.value;
  if (place.state.size > 0.9 * place.state.slots.length) {
    const samples = new Set(Array.from({ length: sampleCount }, (_, i) => sampleKey(settings.seed, i)));
    const own = timeline.operations.filter(({ key }) => !samples.has(key));
    if (own.length < timeline.operations.length) page.rebuild(settings, own);
  }
  const passed = shortKick(store, page.link.value.place === 'kick' ? MOST_KICKS : FEW_KICKS);
  store.watch(() => {
    for (let i = 0; i < passed; ++i) store.send({ type: 'sampled' });
    for (let i = 0; i < MOST_SAMPLES; ++i) {
      const end = store.insertSample();
      if (end === undefined || end.kicks > 0 || end.result !== 'added') break;
    }
  }, true);
}

/**
 * The first of the next sample keys whose insert takes one to `most` kicks, from 0; -1: none. First of those with two homes,
 * none of which a victim goes to: there its sum could be taken for theirs.
 */
function shortKick(store: Store, most: number): number {
  const { settings, sampleCount } = store.session.value;
  let short = -1;
  for (let i = 0; i < MOST_SAMPLES; ++i) {
    const key = sampleKey(settings.seed, sampleCount + i);
    if (hasRoom(store.filter, key)) continue;
    const events = store.filter.tryInsert(key);
    const { result, kicks } = endOf(events);
    if (result !== 'added' || kicks === 0 || kicks > most) continue;
    const { primary, alternate } = first(events, 'locate');
    const ends = ofKind(events, 'kick').map(({ otherBucket }) => otherBucket);
    if (primary !== alternate && !ends.includes(primary) && !ends.includes(alternate)) return i;
    if (short === -1) short = i;
  }
  return short;
}
