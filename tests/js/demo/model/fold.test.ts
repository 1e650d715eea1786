// The fold on seeded runs: after every event the drawn table is what the core wrote. Small tables, so that kicks and refusals come soon; every bucket size and addressing.
import { expect, test } from '@jest/globals';
import { CuckooFilter, type TraceEvent } from 'cuckoofilter-wasm/trace';
import { apply } from '../../../../demo/src/model/trace/fold';
import { emptyTable, fingerprintsOf, type Shape } from '../../../../demo/src/model/trace/state';
import { runs } from '../../support/long';
import { Random, withSeed } from '../../support/random';

const RUNS = runs(250, 5000);
const OPERATIONS = 16;

interface Run {
  readonly shape: Shape;
  readonly operations: readonly { readonly events: readonly TraceEvent[]; readonly slots: Uint32Array }[];
}

function runOf(seed: number): Run {
  const random = new Random(seed);
  const addressing = seed % 3 === 0 ? 'xor' : 'reflect';
  const bucketCount = addressing === 'xor' ? 2 ** random.below(4) : 1 + random.below(8);
  const bucketSize = 1 + random.below(8);
  const fingerprintBits = 6 + random.below(8);
  const shape = { bucketCount, bucketSize, fingerprintBits };
  const filter = new CuckooFilter({ capacity: 1, ...shape, addressing, semiSort: false });
  const search = seed % 2 === 0 ? 'random-walk' : 'breadth-first';
  filter.trace(2, undefined, { search, maxKicks: random.below(40) });
  const keys = 2 * bucketCount * bucketSize;
  const operations = Array.from({ length: OPERATIONS }, () => {
    const key = random.below(keys);
    const action = random.below(16);
    if (action < 11) filter.tryAdd(key);
    else if (action < 13) filter.contains(key);
    else if (action < 15) filter.delete(key);
    else filter.clear();
    const { events, lost } = filter.takeEvents();
    expect(lost).toBe(false);
    return { events, slots: filter.slots() };
  });
  filter.dispose();
  return { shape, operations };
}

/** The plainest model of an event: what it writes where. */
function write(slots: number[], { bucketSize }: Shape, event: TraceEvent): void {
  if (event.kind === 'reset') slots.fill(0);
  if ('after' in event && 'slot' in event) slots[event.bucket * bucketSize + event.slot] = event.after;
}

function same(one: ArrayLike<unknown>, other: ArrayLike<unknown>): boolean {
  return one.length === other.length && Array.prototype.every.call(one, (value, i) => value === other[i]);
}

test(`of ${RUNS} runs, every event leads to the core's table`, () => {
  const met = new Set<TraceEvent['kind']>();
  for (let seed = 0; seed < RUNS; ++seed) {
    withSeed(seed, () => {
      const { shape, operations } = runOf(seed);
      let state = emptyTable(shape);
      const written = new Array<number>(state.slots.length).fill(0);
      for (const { events, slots } of operations) {
        for (const event of events) {
          met.add(event.kind);
          state = apply(state, event);
          write(written, shape, event);
          if (!same(fingerprintsOf(state), written)) expect(fingerprintsOf(state)).toEqual(written);
        }
        if (!same(written, slots)) expect(written).toEqual([...slots]);
      }
    })();
  }
  expect([...met].sort()).toEqual([
    'begin',
    'end',
    'kick',
    'locate',
    'look',
    'place',
    'probe',
    'remove',
    'reset',
    'undo',
  ]);
});
