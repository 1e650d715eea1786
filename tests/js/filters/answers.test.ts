// A batch that ends with an error tells what became of the keys before: no key counts as seen without an answer.
import { describe, expect, test } from '@jest/globals';
import { CuckooFilter, Deduper, FilterFullError, PackedKeys, type Key, type Keys } from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';

interface Subject {
  isSeen(key: Key): boolean;
  /** `areNew`, or what is called so in this class. */
  areNew(keys: Keys): Uint8Array;
  isNew(key: Key): boolean;
}

const small = { capacity: 100, falsePositiveRate: 1e-8 };

/** What `filter` offers, under the names of a deduper. */
function subjectOf(filter: CuckooFilter | ScalableCuckooFilter | Traced): Subject {
  return {
    isSeen: (key) => filter.has(key),
    areNew: (keys) => filter.addManyIfAbsent(keys),
    isNew: (key) => filter.addIfAbsent(key),
  };
}

function expiring(options: object = {}): Subject {
  const filter = new ExpiringFilter({ ...small, periods: 2, ...options });
  return {
    isSeen: (key) => filter.hasSeen(key),
    areNew: (keys) => filter.areNew(keys),
    isNew: (key) => filter.isNew(key),
  };
}

function deduper(of: ConstructorParameters<typeof Deduper>[0] = small): Subject {
  const made = new Deduper(of);
  return {
    isSeen: (key) => made.hasSeen(key),
    areNew: (keys) => made.areNew(keys),
    isNew: (key) => made.isNew(key),
  };
}

const SUBJECTS: [name: string, make: () => Subject][] = [
  ['CuckooFilter', () => subjectOf(new CuckooFilter(small))],
  ['CuckooFilter that grew', () => subjectOf(new CuckooFilter({ ...small, capacity: 20, maxCapacity: 100 }))],
  ['audited CuckooFilter', () => subjectOf(audited(new CuckooFilter(small)))],
  ['ScalableCuckooFilter', () => subjectOf(new ScalableCuckooFilter({ capacity: 9, fingerprintBits: 31 }))],
  ['traced CuckooFilter', () => subjectOf(new Traced(small).trace(() => undefined))],
  ['Deduper', deduper],
  ['Deduper of layers', () => deduper(new ScalableCuckooFilter({ capacity: 9, fingerprintBits: 31 }))],
  ['ExpiringFilter', expiring],
  ['ExpiringFilter that forgets', () => expiring({ whenFull: 'forget-oldest' })],
];

/** 1,000 keys, some of them twice. */
const KEYS = Array.from({ length: 1000 }, (_, i) => `key ${i % 7 === 3 ? i - 3 : i}`);

/** What `act` throws, with what it carries. */
function thrown(act: () => unknown): { readonly error: unknown; readonly answers: Uint8Array | undefined } {
  try {
    act();
  } catch (error) {
    return { error, answers: (Object(error) as { answers?: Uint8Array }).answers };
  }
  throw new Error('nothing was thrown');
}

/** The answers that a filter which had no end of room would give. */
function expected(keys: readonly Key[]): number[] {
  return keys.map((key, i) => Number(keys.indexOf(key) === i));
}

/** The answers of an error that ended a batch of `keys`: of those before, which are seen, and the next is not. */
function mustTell(
  subject: Subject,
  keys: readonly Key[],
  { answers = new Uint8Array() }: { answers?: Uint8Array | undefined },
): void {
  const { length } = answers;
  expect([...answers]).toEqual(expected(keys.slice(0, length)));
  expect(keys.slice(0, length).every((key) => subject.isSeen(key))).toBe(true);
}

/** All forms in which keys come. */
const FORMS: [name: string, form: (keys: readonly string[]) => Keys][] = [
  ['an array', (keys) => [...keys]],
  ['a generator', (keys) => keys.values()],
  [
    'packed',
    (keys) => {
      const bytes = Buffer.from(keys.join(''));
      let end = 0;
      return new PackedKeys(
        bytes,
        Uint32Array.from(keys, (key) => (end += key.length)),
      );
    },
  ],
];

describe.each(SUBJECTS)('%s', (_, make) => {
  test.each(FORMS)('that gets full midway tells the answers before: %s', (_, form) => {
    const subject = make();
    const { error, answers } = thrown(() => subject.areNew(form(KEYS)));
    expect(error).toBeInstanceOf(FilterFullError);
    expect(answers?.length).toBeGreaterThanOrEqual(30);
    expect((error as FilterFullError).added).toBe(answers?.reduce((sum, each) => sum + each, 0));
    mustTell(subject, KEYS, { answers });
    // The key after them is the one that does not fit; those that are seen go on being recognized.
    expect(() => subject.isNew(KEYS[answers?.length ?? 0] as Key)).toThrow(FilterFullError);
    expect([...subject.areNew(KEYS.slice(0, answers?.length))]).not.toContain(1);
    expect(thrown(() => subject.areNew(KEYS.slice(answers?.length))).answers).toEqual(new Uint8Array());
  });

  test('that meets a bad key tells them too', () => {
    for (const keys of [[...KEYS.slice(0, 20), 1.5], [...KEYS.slice(0, 20), 1.5].values()]) {
      const subject = make();
      const { error, answers } = thrown(() => subject.areNew(keys));
      expect((error as Error).message).toMatch(/^key 20: .*1\.5/);
      expect(answers).toHaveLength(20);
      mustTell(subject, KEYS, { answers });
      expect(Object.keys(error as object)).not.toContain('answers');
      expect((error as Error).name).toBe('InvalidKeyError');
    }
  });

  test('of integers and of packed keys does so as well', () => {
    const integers = Float64Array.of(5, 6, 5, 1.5, 7);
    const subject = make();
    const { error, answers } = thrown(() => subject.areNew(integers));
    expect((error as Error).message).toMatch(/^key 3: /);
    expect(answers).toEqual(Uint8Array.of(1, 1, 0));
    const packed = new PackedKeys(new Uint8Array(9), Uint32Array.of(2, 3, 9, 8));
    expect(thrown(() => make().areNew(packed)).answers).toEqual(Uint8Array.of(1, 1, 1));
  });
});

describe('areNewAsync', () => {
  const many = Array.from({ length: 5000 }, (_, i) => `key ${i}`);
  const caught = async (made: Deduper, keys: Parameters<Deduper['areNewAsync']>[0]) => {
    try {
      await made.areNewAsync(keys);
    } catch (error) {
      return error as FilterFullError & { answers: Uint8Array };
    }
    throw new Error('nothing was thrown');
  };

  test.each([false, true])(
    'tells the answers of all chunks where it gets full; audited %s',
    async (isAudited) => {
      const filter = new CuckooFilter({ capacity: 3000, falsePositiveRate: 1e-8 });
      const made = new Deduper(isAudited ? audited(filter) : filter);
      const error = await caught(made, many);
      expect(error).toBeInstanceOf(FilterFullError);
      expect(error.answers).toEqual(new Uint8Array(made.size).fill(1));
      expect(error.added).toBe(made.size);
    },
  );

  test('and where a key is bad', async () => {
    const made = new Deduper({ capacity: 5000, falsePositiveRate: 1e-8 });
    const error = await caught(made, [...many.slice(0, 3000), 1.5]);
    expect(error).toMatchObject({ code: 'invalid-key', index: 3000 });
    expect(error.answers).toEqual(new Uint8Array(3000).fill(1));
  });
});
