// The demo's timeline: the fold of trace events equals the filter's table, forward and back.
// Invariant: the runs are seeded; a failure prints the run that raised it.
import { expect, test } from '@jest/globals';
import { CuckooFilter, type TraceEvent } from 'cuckoofilter-wasm/trace';
import { apply, TraceError } from '../../../../demo/src/model/trace/fold';
import { next, newSession, type Session } from '../../../../demo/src/model/trace/session';
import { DEFAULTS, RANGES } from '../../../../demo/src/model/settings';
import { emptyTable, fingerprintsOf, otherHome } from '../../../../demo/src/model/trace/state';
import { stepsOf } from '../../../../demo/src/model/trace/steps';
import { extended, moveTo, newTimeline } from '../../../../demo/src/model/trace/timeline';
import { runs as howMany } from '../../support/long';

const RUNS = howMany(60, 240);
const MOST_OPERATIONS = 120;

interface Run {
  readonly seed: number;
  readonly bucketCount: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly semiSort: boolean;
  readonly addressing: 'reflect' | 'xor';
  readonly search: 'random-walk' | 'breadth-first';
  /** Of a random walk. */
  readonly maxKicks: number;
}

/** Numbers from 0 to below `count`; xorshift32. */
function numbers(seed: number): (count: number) => number {
  let state = (Math.imul(seed + 1, 0x9e3779b1) | 1) >>> 0;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
}

/** Sizes that meet every bucket size, odd and even tables, both ways of addressing and kick limits from 0. */
function runOf(seed: number): Run {
  const pick = numbers(seed);
  const addressing = seed % 3 === 0 ? 'xor' : 'reflect';
  const bucketCount = addressing === 'xor' ? 2 ** pick(5) : 1 + pick(16);
  const maxKicks = [0, 1, 3, 8, 20][pick(5)] ?? 0;
  return {
    seed,
    bucketCount,
    bucketSize: 1 + (seed % 8),
    fingerprintBits: 4 + pick(13),
    semiSort: false,
    addressing,
    search: pick(2) === 0 ? 'random-walk' : 'breadth-first',
    maxKicks,
  };
}

interface Operation {
  readonly key: string;
  readonly events: readonly TraceEvent[];
  /** What `filter.slots()` gives afterwards. */
  readonly slots: readonly number[];
}

/** Random operations, most of them inserts, so that the table fills up and inserts fail. */
function operationsOf(run: Run): Operation[] {
  const pick = numbers(run.seed + 7919);
  const { search, maxKicks, ...sizes } = run;
  const filter = new CuckooFilter({ ...sizes, seed: 0, capacity: 1 });
  filter.trace(2, undefined, { search, maxKicks });
  const keys = 2 * run.bucketCount * run.bucketSize;
  const length = Math.min(MOST_OPERATIONS, 20 + keys);
  const operations = Array.from({ length }, () => {
    const key = `key ${pick(keys)}`;
    const action = pick(20);
    if (action < 12) filter.tryAdd(key);
    else if (action < 14) filter.contains(key);
    else if (action < 19) filter.delete(key);
    else if (pick(4) === 0) filter.clear();
    const { events, lost } = filter.takeEvents();
    expect(lost).toBe(false);
    return { key, events, slots: [...filter.slots()] };
  });
  filter.dispose();
  return operations.filter(({ events }) => events.length > 0);
}

/** As `expect(...).toEqual`, which is too slow for every event of every run. */
function expectEqual(actual: readonly unknown[], expected: readonly unknown[]): void {
  if (actual.length !== expected.length || actual.some((value, i) => value !== expected[i]))
    expect(actual).toEqual(expected);
}

/** The plainest model of an event: what it writes where. */
function write(slots: number[], run: Run, event: TraceEvent): void {
  if (event.kind === 'reset') slots.fill(0);
  if (event.kind !== 'place' && event.kind !== 'kick' && event.kind !== 'undo' && event.kind !== 'remove')
    return;
  expectEqual([slots[event.bucket * run.bucketSize + event.slot]], [event.before]);
  slots[event.bucket * run.bucketSize + event.slot] = event.after;
}

const runs = Array.from({ length: RUNS }, (_, seed) => runOf(seed)).map((run) => ({
  run,
  operations: operationsOf(run),
}));

function eachRun(check: (run: Run, operations: readonly Operation[]) => void): void {
  for (const { run, operations } of runs) {
    try {
      check(run, operations);
    } catch (error) {
      if (error instanceof Error) error.message = `${JSON.stringify(run)}\n${error.message}`;
      throw error;
    }
  }
}

test('the runs meet kicks, failed inserts, refused copies, removals, clears and coinciding candidate buckets', () => {
  const share = howMany(0.2, 1);
  const events = runs.flatMap(({ operations }) => operations.flatMap((operation) => operation.events));
  const count = (holds: (event: TraceEvent) => boolean): number => events.filter(holds).length;
  expect(count((event) => event.kind === 'kick')).toBeGreaterThan(1000 * share);
  expect(count((event) => event.kind === 'undo')).toBeGreaterThan(1000 * share);
  expect(count((event) => event.kind === 'kick' && event.hasRoom && event.kick > 1)).toBeGreaterThan(
    50 * share,
  );
  expect(count((event) => event.kind === 'end' && event.result === 'full')).toBeGreaterThan(100 * share);
  expect(count((event) => event.kind === 'end' && event.result === 'too-many-copies')).toBeGreaterThan(
    10 * share,
  );
  expect(count((event) => event.kind === 'remove')).toBeGreaterThan(500 * share);
  expect(count((event) => event.kind === 'reset')).toBeGreaterThan(10 * share);
  expect(count((event) => event.kind === 'locate' && event.homesCoincide)).toBeGreaterThan(100 * share);
});

test('after every event the folded table is what the events wrote, and after every operation it is the filter', () => {
  eachRun((run, operations) => {
    let state = emptyTable(run);
    const written = new Array<number>(run.bucketCount * run.bucketSize).fill(0);
    for (const { events, slots } of operations) {
      for (const event of events) {
        state = apply(state, event);
        write(written, run, event);
        expectEqual(fingerprintsOf(state), written);
      }
      expect(fingerprintsOf(state)).toEqual(slots);
      expect(state.size).toBe(slots.filter((fingerprint) => fingerprint !== 0).length);
    }
  });
});

test('a failed insert leaves every slot with the fingerprint and the owner it had', () => {
  eachRun((run, operations) => {
    let state = emptyTable(run);
    for (const { events } of operations) {
      const before = state.slots;
      state = events.reduce(apply, state);
      const end = events[events.length - 1];
      if (end?.kind === 'end' && end.result !== 'added' && !(end.name === 'erase' || end.name === 'clear')) {
        expect(state.slots).toEqual(before);
      }
    }
  });
});

test('every stored fingerprint lies in one of its two candidate buckets, and an event names the other one', () => {
  eachRun((run, operations) => {
    let state = emptyTable(run);
    for (const event of operations.flatMap((operation) => operation.events)) {
      if (event.kind === 'remove' || event.kind === 'kick') {
        const leaving = state.slots[event.bucket * run.bucketSize + event.slot];
        expectEqual([leaving && otherHome(leaving, event.bucket)], [event.otherBucket]);
      }
      state = apply(state, event);
      const strays = state.slots.filter(
        (stored, i) => stored?.homes.includes(Math.floor(i / run.bucketSize)) === false,
      );
      expectEqual(strays, []);
    }
  });
});

test('steps hold every event once and in order, and one bucket a read', () => {
  eachRun((_, operations) => {
    for (const { events } of operations) {
      const steps = stepsOf(events);
      const told = steps.flatMap((step) => step.events);
      const found = told.flatMap((event) => (event.kind === 'found' ? [...event.kicks, event.place] : []));
      expectEqual(
        told.filter(({ kind }) => kind !== 'found' && kind !== 'move'),
        events.filter((event) => !(found as readonly TraceEvent[]).includes(event)),
      );
      for (const step of steps) {
        const buckets = new Set(step.events.map((event) => (event.kind === 'probe' ? event.bucket : -1)));
        if (step.kind === 'read') expectEqual([buckets.size], [1]);
        const origins = new Set(step.events.map((event) => (event.kind === 'look' ? event.from : -1)));
        if (step.kind === 'look') expectEqual([...origins], [step.event.from]);
      }
    }
  });
});

test('a search looks at the other bucket of each fingerprint in a bucket in one step, and is told whole', () => {
  let looked = 0;
  eachRun((run, operations) => {
    let state = emptyTable(run);
    for (const { events } of operations) {
      for (const step of stepsOf(events)) {
        if (step.kind === 'look') {
          expectEqual(
            step.events.map(({ slot, isCutShort }) => `${slot} ${isCutShort}`),
            step.events.map((_, i) => `${i} false`),
          );
          for (const { from, slot, bucket, hasRoom } of step.events) {
            const lying = state.slots[from * run.bucketSize + slot];
            const first = bucket * run.bucketSize;
            const hasEmpty = state.slots.slice(first, first + run.bucketSize).includes(null);
            expectEqual([lying && otherHome(lying, from), hasRoom], [bucket, hasEmpty]);
          }
          looked += step.events.length === run.bucketSize ? 1 : 0;
        }
        state = step.events.reduce(apply, state);
      }
    }
  });
  expect(looked).toBeGreaterThan(200);
});

test('the largest table of the page has no more looks than a trace tells', () => {
  expect(RANGES.bucketCount[1] * RANGES.bucketSize[1]).toBeLessThanOrEqual(256);
});

test('a path that was found is made from its far end, into empty slots, and leads to the table of the trace', () => {
  let [paths, longest] = [0, 0];
  eachRun((run, operations) => {
    let state = emptyTable(run);
    for (const { events, slots } of operations) {
      const steps = stepsOf(events);
      state = steps.flatMap((step) => step.events).reduce(apply, state);
      expect(fingerprintsOf(state)).toEqual(slots);
      const found = steps.find(({ kind }) => kind === 'found');
      const moves = steps.flatMap((step) => (step.kind === 'move' ? [step.event] : []));
      expectEqual([moves.length > 0], [found !== undefined]);
      if (found?.kind !== 'found') continue;
      expectEqual(
        moves.map(({ kick }) => kick),
        [...found.event.kicks.map(({ kick }) => kick).reverse(), 0],
      );
      paths += 1;
      longest = Math.max(longest, found.event.kicks.length);
    }
  });
  expect(paths).toBeGreaterThan(20);
  expect(longest).toBeGreaterThan(1);
});

test('in a walk, each bucket that a victim comes to is read in a step of its own', () => {
  const filter = new CuckooFilter({ capacity: 1, bucketCount: 8, bucketSize: 2, fingerprintBits: 8 });
  filter.trace(2, undefined, { search: 'random-walk', maxKicks: 12 });
  let kicks = 0;
  for (let key = 0; key < 40; ++key) {
    filter.tryAdd(key);
    const steps = stepsOf(filter.takeEvents().events);
    for (const [i, step] of steps.entries()) {
      if (step.kind !== 'kick') continue;
      const after = steps[i + 1];
      expect(after).toMatchObject({ kind: 'read', reason: 'landing' });
      if (after?.kind === 'read')
        expect([after.event.bucket, after.event.isEmpty]).toEqual([
          step.event.otherBucket,
          step.event.hasRoom,
        ]);
      ++kicks;
    }
  }
  expect(kicks).toBeGreaterThan(20);
  filter.dispose();
});

test('forward n and back n is the identity, and any way to a cursor gives the same state', () => {
  eachRun((run, operations) => {
    let timeline = newTimeline(emptyTable(run));
    for (const { key, events } of operations) timeline = extended(timeline, key, events);
    const pick = numbers(run.seed + 104729);
    const start = { cursor: 0, state: timeline.start };
    let wandering = start;
    for (let i = 0; i < 8; ++i) {
      const cursor = pick(timeline.steps.length + 1);
      const n = pick(40);
      wandering = moveTo(timeline, wandering, cursor);
      const events = timeline.steps.slice(0, cursor).flatMap((step) => step.events);
      expect(wandering).toEqual({ cursor, state: events.reduce(apply, timeline.start) });
      const there = moveTo(timeline, wandering, Math.min(timeline.steps.length, cursor + n));
      expect(moveTo(timeline, there, cursor)).toEqual(wandering);
    }
    expect(moveTo(timeline, wandering, 0)).toEqual(start);
  });
});

test('a session steps forward to the end of all operations and back to the start', () => {
  eachRun((run, operations) => {
    const settings = { ...DEFAULTS, ...run };
    let session: Session = newSession(settings, emptyTable(run), new Map(), 0);
    for (const { key, events } of operations) session = next(session, { type: 'ran', key, events });
    const { length } = session.timeline.steps;
    for (let i = 0; i < length; ++i) session = next(session, { type: 'back' });
    expect(session.place).toEqual({ cursor: 0, state: emptyTable(run) });
    for (let i = 0; i < length; ++i) session = next(session, { type: 'forward' });
    expect(session.place.cursor).toBe(length);
    expect(session.focus).toBe(operations.length - 1);
    expect(fingerprintsOf(session.place.state)).toEqual(operations[operations.length - 1]?.slots);
  });
});

test('an event that does not fit the table raises TraceError', () => {
  const filter = new CuckooFilter({ capacity: 1, bucketCount: 3, bucketSize: 2, fingerprintBits: 8 }).trace(
    2,
  );
  const { events } = filter.tryAdd('a') === 'added' ? filter.takeEvents() : { events: [] };
  const state = events.reduce(apply, emptyTable({ bucketCount: 3, bucketSize: 2, fingerprintBits: 8 }));
  for (const event of events.slice(1)) {
    if (event.kind === 'place' || event.kind === 'end')
      expect(() => apply(emptyTable(state.shape), event)).toThrow(TraceError);
  }
  expect(() => events.reduce(apply, state)).toThrow(TraceError);
  filter.dispose();
});
