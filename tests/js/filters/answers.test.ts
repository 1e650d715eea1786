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

  test('that meets a bad key, or an iterator that throws, tells them too', () => {
    const broken = new Error('the source broke');
    function* breaking(what: unknown): Generator<string> {
      yield* KEYS.slice(0, 20);
      throw what;
    }
    const before = KEYS.slice(0, 20);
    const subjects: [(subject: Subject) => unknown, message: RegExp][] = [
      [(subject) => subject.areNew([...before, 1.5]), /^key 20: .*1\.5/],
      [(subject) => subject.areNew([...before, 1.5].values()), /^key 20: .*1\.5/],
      [(subject) => subject.areNew(breaking(broken)), /^the source broke$/],
      [(subject) => subject.areNew(breaking(Object.freeze(broken))), /^Error: the source broke$/],
      [(subject) => subject.areNew(breaking('no error at all')), /^no error at all$/],
      [(subject) => subject.areNew(breaking(undefined)), /^undefined$/],
    ];
    for (const [act, message] of subjects) {
      const subject = make();
      const { error, answers } = thrown(() => act(subject));
      expect((error as Error).message).toMatch(message);
      expect(answers).toHaveLength(20);
      mustTell(subject, KEYS, { answers });
      expect(Object.keys(error as object)).not.toContain('answers');
      expect(['Error', 'InvalidKeyError']).toContain((error as Error).name);
      if (error === broken) expect(Object.hasOwn(broken, 'name')).toBe(false);
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

test('an error that has answers of another call already becomes the cause', () => {
  const inner = new Deduper({ capacity: 10 });
  function* keys(): Generator<Key> {
    yield* ['a', 'b'];
    inner.areNew(['c', 1.5]);
  }
  const { error, answers } = thrown(() => new Deduper({ capacity: 10 }).areNew(keys()));
  expect(answers).toEqual(Uint8Array.of(1, 1));
  expect((error as Error).cause).toMatchObject({
    code: 'invalid-key',
    index: 1,
    answers: Uint8Array.of(1),
  });
});

test('where a callback throws after the batch, its error carries the answers', () => {
  const refuse = (): never => {
    throw new Error('refused by the caller');
  };
  const growing = { capacity: 20, maxCapacity: 2000, falsePositiveRate: 1e-6, onGrow: refuse };
  const keys = KEYS;
  for (const [subject, wanted] of [
    [subjectOf(new CuckooFilter(growing)), keys],
    [subjectOf(new ScalableCuckooFilter({ ...growing, maxCapacity: 80 })), keys],
    [expiring(growing), keys],
    [deduper(growing), keys],
    [subjectOf(new Traced({ capacity: 1000, falsePositiveRate: 1e-6 }).trace(refuse)), keys],
    // Full as well, so that there are two errors.
    [subjectOf(new CuckooFilter({ ...growing, maxCapacity: 200 })), undefined],
  ] as const) {
    const { error, answers } = thrown(() => subject.areNew(keys));
    expect((error as Error).message).toBe('refused by the caller');
    if (wanted !== undefined) expect(answers).toHaveLength(wanted.length);
    else expect(answers?.length).toBeGreaterThanOrEqual(200);
    expect([...(answers ?? [])]).toEqual(expected(keys.slice(0, answers?.length)));
  }
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

  test('and where a key is bad, or the source fails', async () => {
    async function* failing(): AsyncGenerator<string> {
      for (const key of many.slice(0, 2500)) yield await Promise.resolve(key);
      throw new Error('the source broke');
    }
    for (const [keys, message, length] of [
      [[...many.slice(0, 3000), 1.5], /^key 3000: /, 3000],
      [failing(), /^the source broke$/, 2500],
    ] as const) {
      const made = new Deduper({ capacity: 5000, falsePositiveRate: 1e-8 });
      const error = await caught(made, keys);
      expect(error.message).toMatch(message);
      expect(error.answers).toEqual(new Uint8Array(length).fill(1));
    }
  });
});
