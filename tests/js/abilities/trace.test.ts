// cuckoofilter-wasm/trace: the same filter, whose every event is lawful and enough to rebuild the table, both ways.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter as Plain } from 'cuckoofilter-wasm';
import { CuckooFilter, FilterFullError, type TraceEvent } from 'cuckoofilter-wasm/trace';
import { Follower } from './follower';
import { claim, Random, sameBytes, thrownBy, withSeed } from '../support/random';
import { nameOf, shapes } from '../support/shapes';

const OPERATIONS = ['tryAdd', 'tryAdd', 'tryAdd', 'addIfAbsent', 'contains', 'count', 'delete'] as const;

describe('the traced build', () => {
  test(
    'tells lawful events that rebuild the table, and does what the plain build does, for every shape',
    withSeed(50, (random) => {
      for (const shape of shapes([1, 4, 11])) {
        const options = { capacity: 1, seed: random.bits64(), ...shape };
        using traced = new CuckooFilter(options);
        using plain = new Plain(options);
        const follower = new Follower(options);
        traced.trace(2);
        for (let step = 0; step < 20 + shape.bucketCount * shape.bucketSize; ++step) {
          const key = random.below(3 * follower.slots.length);
          const operation = random.below(200) === 0 ? 'clear' : OPERATIONS[random.below(OPERATIONS.length)];
          const run = (filter: Plain): unknown => {
            try {
              return operation === 'clear' || operation === undefined
                ? filter.clear()
                : filter[operation](key);
            } catch (error) {
              return (error as FilterFullError).reason;
            }
          };
          const answer = run(traced);
          claim(
            answer === run(plain),
            () => `${nameOf(shape)}: ${operation} of ${key} differs from the plain build`,
          );
          const { events, lost } = traced.takeEvents();
          claim(
            !lost && events[0]?.kind === 'begin' && events.at(-1)?.kind === 'end',
            () => 'events are missing',
          );
          try {
            for (const event of events) follower.follow(event);
          } catch (error) {
            throw new Error(`${nameOf(shape)}: ${operation} of ${key}`, { cause: error });
          }
        }
        claim(
          sameBytes(traced.serialize(), plain.serialize()),
          () => `${nameOf(shape)}: other bytes than the plain build`,
        );
        const slots = traced.slots();
        claim(
          follower.slots.every((slot, at) => slot === slots[at]),
          () => `${nameOf(shape)}: slots differ from the events`,
        );
      }
    }),
  );

  test.each([
    { bucketSize: 3, fingerprintBits: 9 },
    { bucketSize: 4, fingerprintBits: 9, semiSort: true },
    { bucketSize: 4, fingerprintBits: 7.5, semiSort: true },
  ])('tells events that taken back in reverse give the table before: %p', (sizes) => {
    const random = new Random(51);
    using filter = new CuckooFilter({ capacity: 1, bucketCount: 9, ...sizes });
    filter.trace(2);
    for (let step = 0; step < 300; ++step) {
      const before = filter.slots();
      if (random.below(3) > 0) filter.tryAdd(random.below(100));
      else filter.delete(random.below(100));
      const after = filter.slots();
      for (const event of [...filter.takeEvents().events].reverse()) {
        const first = 'bucket' in event ? event.bucket * sizes.bucketSize : 0;
        if ('after' in event) after[first + event.slot] = event.before;
        if (event.kind === 'encode') {
          const bucket = [...after.subarray(first, first + 4)];
          bucket.splice(event.slot, 0, ...bucket.splice(event.settled, 1));
          after.set(bucket, first);
        }
      }
      expect(after).toEqual(before);
    }
  });
});

describe('a random walk', () => {
  test(
    'kicks random victims, refuses without a change, and finds every key that it took, for every shape',
    withSeed(51, (random) => {
      let paths = 0;
      for (const shape of shapes([1, 4, 11])) {
        const options = { capacity: 1, seed: random.bits64(), ...shape };
        using traced = new CuckooFilter(options);
        const follower = new Follower(options, 8);
        traced.trace(2, undefined, { search: 'random-walk', maxKicks: 8 });
        const stored: number[] = [];
        for (let key = 0; key < 3 + follower.slots.length; ++key) {
          const before = traced.serialize();
          const result = traced.tryAdd(key);
          if (result === 'added') stored.push(key);
          else
            claim(sameBytes(traced.serialize(), before), () => `${nameOf(shape)}: a refusal changed bytes`);
          const { events, lost } = traced.takeEvents();
          claim(!lost, () => 'events are missing');
          for (const event of events) follower.follow(event);
          paths += events.filter((event) => event.kind === 'kick' && event.kick > 1).length;
        }
        claim(
          stored.every((key) => traced.has(key)),
          () => `${nameOf(shape)}: a key is lost`,
        );
      }
      expect(paths).toBeGreaterThan(1000);
    }),
  );

  test('holds until the next recording, and not for a clone', () => {
    const options = { capacity: 1, bucketCount: 64, bucketSize: 2, fingerprintBits: 12, seed: 5 };
    const plain = new CuckooFilter(options);
    const filled = (filter: CuckooFilter): CuckooFilter => {
      for (let key = 0; key < 100; ++key) filter.tryAdd(key);
      return filter;
    };
    filled(plain);
    const random = new CuckooFilter(options).trace(0, undefined, { search: 'random-walk' });
    expect(filled(random.clone() as CuckooFilter).slots()).toEqual(plain.slots());
    expect(filled(random).slots()).not.toEqual(plain.slots());
    random.clear();
    expect(filled(random.trace(0)).slots()).toEqual(plain.slots());
  });

  test('refuses other options', () => {
    const filter = new CuckooFilter({ capacity: 8 });
    expect(thrownBy(RangeError, () => filter.trace(2, 10, { search: 'walk' as never })).message).toBe(
      `search must be 'breadth-first' or 'random-walk', got "walk"`,
    );
    expect(thrownBy(RangeError, () => filter.trace(2, 10, { maxKicks: 1001 })).message).toBe(
      'maxKicks must be an integer from 0 to 1,000, got 1001',
    );
    expect(thrownBy(TypeError, () => filter.trace(2, 10, { ahead: true } as never)).message).toContain(
      'unknown option trace.ahead',
    );
  });
});

describe('trace', () => {
  const options = { capacity: 100 } as const;

  test('at level 0 tells nothing, at 1 the ends, at 2 everything, and nothing before it is called', () => {
    const filter = new CuckooFilter(options).add('a');
    expect(filter.takeEvents()).toEqual({ events: [], lost: false });
    expect(filter.trace(1)).toBe(filter);
    filter.addMany(['b', 'c']);
    filter.delete('absent');
    expect(filter.takeEvents().events).toMatchObject([
      { kind: 'end', operation: 1, name: 'insert', result: 'added', kicks: 0, size: 2 },
      { kind: 'end', operation: 2, name: 'insert', result: 'added', kicks: 0, size: 3 },
      { kind: 'end', operation: 3, name: 'erase', result: false, size: 3 },
    ]);
    filter.trace(2).add('d');
    expect(filter.takeEvents().events.map(({ kind, operation }) => `${operation} ${kind}`)).toEqual(
      expect.arrayContaining(['1 begin', '1 locate', '1 probe', '1 place', '1 end']),
    );
    filter.trace(0).add('e');
    expect(filter.takeEvents().events).toEqual([]);
  });

  test('drains: events are given once', () => {
    const filter = new CuckooFilter(options).trace(2).add('a');
    expect(filter.takeEvents().events.length).toBeGreaterThan(3);
    expect(filter.takeEvents()).toEqual({ events: [], lost: false });
    filter.contains('a');
    expect(filter.takeEvents().events[0]).toMatchObject({ kind: 'begin', name: 'contains', operation: 2 });
  });

  test('with a full buffer keeps the first events and says that some are lost', () => {
    const filter = new CuckooFilter(options).trace(2, 5);
    filter.addMany(['a', 'b', 'c']);
    const { events, lost } = filter.takeEvents();
    expect([events.length, lost, events[0]?.kind]).toEqual([5, true, 'begin']);
    filter.contains('a');
    expect(filter.takeEvents().events[0]).toMatchObject({ kind: 'begin', operation: 4 });
  });

  test('with a callback calls it after each call with its events, also where the call throws', () => {
    const calls: { events: readonly TraceEvent[]; lost: boolean }[] = [];
    const filter = new CuckooFilter({ capacity: 1, bucketCount: 1, bucketSize: 2, fingerprintBits: 16 });
    filter.trace((events, lost) => void calls.push({ events, lost }));
    filter.add('a').has('a');
    filter.addMany(['b']);
    expect(thrownBy(FilterFullError, () => filter.add('c')).reason).toBe('full');
    filter.clear();
    const ends = calls
      .map(({ events }) => events.at(-1))
      .map((end) => (end?.kind === 'end' ? `${end.name} ${end.result}` : ''));
    expect(ends).toEqual(['insert added', 'contains true', 'insert added', 'insert full', 'clear true']);
    expect(calls.some(({ lost }) => lost)).toBe(false);
    filter.trace(0).add('d');
    expect(calls).toHaveLength(5);
  });

  test('with a callback calls it once for a batch, whose keys are operations of their own', async () => {
    const calls: number[][] = [];
    const filter = new CuckooFilter(options).trace(
      (events) => void calls.push([...new Set(events.map(({ operation }) => operation))]),
    );
    filter.addMany(['a', 'b', 'c']);
    await filter.addManyAsync(['d', 'e']);
    expect(calls.map(({ length }) => length)).toEqual([3, 2]);
  });

  test('says the copies for count, and present for a key that addIfAbsent found', () => {
    const filter = new CuckooFilter(options).add('a').add('a').trace(1);
    filter.count('a');
    filter.addIfAbsent('a');
    expect(filter.takeEvents().events).toMatchObject([
      { name: 'count', copies: 2, result: true },
      { name: 'insertIfAbsent', result: 'present', size: 2 },
    ]);
  });

  test('tells of each key of a batch once', () => {
    const filter = new CuckooFilter(options).add('a').trace(1);
    expect([...filter.countMany(['a', 'b'])]).toEqual([1, 0]);
    expect(filter.takeEvents().events).toMatchObject([
      { name: 'count', copies: 1 },
      { name: 'count', copies: 0 },
    ]);
  });

  test('is off and empty in a clone, and in a loaded filter, which are traced filters as well', () => {
    const filter = new CuckooFilter(options).trace(2).add('a');
    for (const other of [
      filter.clone(),
      CuckooFilter.deserialize(filter.serialize()),
      CuckooFilter.from(['a']),
    ]) {
      expect(other).toBeInstanceOf(CuckooFilter);
      other.contains('a');
      expect((other as CuckooFilter).takeEvents().events).toEqual([]);
    }
  });

  test('of a wrong level is a TypeError, and of a capacity that cannot be had a RangeError', () => {
    const filter = new CuckooFilter(options);
    for (const level of [3, -1, 1.5, '2', null, undefined, {}])
      expect(thrownBy(TypeError, () => filter.trace(level as never)).message).toMatch(
        /^to must be a callback, or a level: 0, 1 or 2, got /,
      );
    for (const capacity of [0, -1, 1.5, NaN, 2 ** 27, 2 ** 32, 2 ** 32 + 1, 2 ** 53])
      expect(thrownBy(RangeError, () => filter.trace(2, capacity)).message).toMatch(
        new RegExp(`^capacity must be an integer from 1 to 2\\^26, .*, got ${capacity}$`),
      );
    expect(filter.trace(2, 1).add('a').takeEvents()).toMatchObject({
      events: [{ kind: 'begin' }],
      lost: true,
    });
    expect(filter.trace(2).add('a').takeEvents().events.length).toBeGreaterThan(3);
  });

  test('slots are a copy, bucket by bucket, also of tables longer than one piece', () => {
    const filter = new CuckooFilter({ capacity: 1, bucketCount: 5003, bucketSize: 7, fingerprintBits: 11 });
    filter.addMany(Uint32Array.from({ length: 20_000 }, (_, key) => key));
    const slots = filter.slots();
    expect(slots).toHaveLength(5003 * 7);
    expect(slots.reduce((used, slot) => used + (slot === 0 ? 0 : 1), 0)).toBe(20_000);
    filter.clear();
    expect(slots.includes(1)).toBe(true);
    expect(filter.slots().every((slot) => slot === 0)).toBe(true);
  });
});
