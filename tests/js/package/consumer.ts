// Programs of a project that installed the package: texts, which are run and checked there.

/** Uses a filter. */
export const USE = `
    const filter = new CuckooFilter({ capacity: 1000 });
    filter.add('alice');
    const copy = CuckooFilter.deserialize(filter.serialize());
    console.log([copy.contains('alice'), copy.contains('bob'), copy.delete('alice'), copy.size].join());`;

/** Uses all entries together; `load` gives the text that gets one of them. */
export const TOGETHER = (load: (entry: string) => string): string => `
    const root = ${load('')}, scalable = ${load('/scalable')}, expiring = ${load('/expiring')}, trace = ${load('/trace')}, values = ${load('/values')}, counter = ${load('/counter')}, reader = ${load('/reader')}, redis = ${load('/redis')}, redisbloom = ${load('/redisbloom')}, file = ${load('/file')};
    const entries = { root, scalable, expiring, trace, values, counter, reader, redis, redisbloom, file };
    const differ = [];
    for (const name of ['FilterFullError', 'FormatError', 'DisposedError', 'AuditError', 'PackedKeys', 'Deduper', 'dedupe'])
      for (const [entry, names] of Object.entries(entries))
        if (names[name] !== undefined && names[name] !== root[name]) differ.push(entry + '.' + name);
    const caught = [];
    const filters = [
      new root.CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
      new trace.CuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
      new scalable.ScalableCuckooFilter({ capacity: 4, bucketCount: 1, bucketSize: 4, maxCapacity: 4 }),
      new expiring.ExpiringFilter({ capacity: 4, bucketCount: 1, bucketSize: 4, periods: 2 }),
      new values.CuckooValues({ capacity: 4, bucketCount: 1, bucketSize: 4, valueBits: 2 }),
      new counter.CuckooCounter({ capacity: 4, bucketCount: 1, bucketSize: 4 }),
    ];
    for (const filter of filters) {
      try {
        if (filter.isNew) for (let i = 0; i < 99; ++i) filter.isNew(i);
        else if (filter.set) for (let i = 0; i < 99; ++i) filter.set(i, 1);
        else if (filter.maxCount) for (let i = 0; i < 99; ++i) filter.add(i);
        else for (let i = 0; i < 99; ++i) filter.add('the same');
      } catch (error) { caught.push(error instanceof root.FilterFullError); }
      filter.dispose();
      try { void filter.size; } catch (error) { caught.push(error instanceof scalable.DisposedError); }
    }
    for (const Class of [root.CuckooFilter, trace.CuckooFilter, scalable.ScalableCuckooFilter, values.CuckooValues, counter.CuckooCounter])
      try { Class.deserialize(new Uint8Array(3)); } catch (error) { caught.push(error instanceof trace.FormatError); }
    try { new reader.FilterReader(new Uint8Array(3)); } catch (error) { caught.push(error instanceof root.FormatError); }
    const deduper = new root.Deduper(new scalable.ScalableCuckooFilter({ capacity: 10 }));
    const traced = new trace.CuckooFilter({ capacity: 10 });
    console.log(JSON.stringify([
      differ, caught, deduper instanceof trace.Deduper, traced instanceof root.CuckooFilter,
      root.CuckooFilter.from(['a'], { capacity: 10 }).merge(traced.add('b')).size,
    ]));`;

/** What the program of TOGETHER prints. */
export const AS_ONE = JSON.stringify([[], Array<boolean>(18).fill(true), true, false, 2]);

/** What a program in TypeScript imports. */
export const IMPORT = `import { CuckooFilter, Deduper, dedupe, dedupeStream, DisposedError, FilterFullError, FormatError, init, PackedKeys, preload, type TableFilter, type Bytes, type CuckooFilterOptions, type CuckooFilterPlan, type Key, type Keys } from 'cuckoofilter-wasm';
    import { FilterReader, type RemoteFilter } from 'cuckoofilter-wasm/reader';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { CuckooFilter as Traced, type TraceEvent } from 'cuckoofilter-wasm/trace';`;

/** The program, which checks the types of all that it imports. */
export const CONSUMER = `
    const options: CuckooFilterOptions = { capacity: 100, falsePositiveRate: 0.01, bucketSize: 4, addressing: 'reflect', seed: 5n };
    const filter = new CuckooFilter(options);
    const keys: Keys = ['a', 5, 5n, Uint8Array.of(1)];
    const key: Key = 'a';
    const chained: CuckooFilter = filter.add(key).add(7);
    const outcome: 'added' | 'full' | 'too-many-copies' = filter.tryAdd('b');
    const mask: Uint8Array = filter.containsMany(keys);
    const counts: number[] = [filter.addMany(keys), filter.addMany(new BigUint64Array(3)), filter.deleteMany(new Set(['a'])), filter.count('a')];
    const answers: boolean[] = [filter.contains('a'), filter.has(1), filter.delete(1n), filter.addIfAbsent('c'), filter.equals(chained)];
    const fresh: Uint8Array = filter.addManyIfAbsent(keys);
    const bytes: Uint8Array = filter.serialize();
    const loaded: CuckooFilter = CuckooFilter.deserialize(bytes, { maxBytes: 1e6 });
    const plan: CuckooFilterPlan = CuckooFilter.plan(options);
    const numbers: number[] = [filter.size, filter.capacity, filter.bucketCount, filter.bucketSize, filter.fingerprintBits, filter.loadFactor, filter.byteLength, filter.bitsPerKey, filter.expectedFalsePositiveRate, plan.bitsPerKey];
    const seed: bigint = filter.seed;
    const addressing: 'reflect' | 'xor' = filter.addressing;
    const sorted: boolean = filter.semiSorted;
    const waiting: Promise<void> = preload();
    const start = (module: WebAssembly.Module): [void, Promise<void>, Promise<void>] => [init(module), init(bytes), init({ arrayBuffer: async () => new ArrayBuffer(8) })];
    // @ts-expect-error: an object is no module
    void (() => [start, init({})]);
    // @ts-expect-error: nor is the promise of a Response
    void (() => init(Promise.resolve({ arrayBuffer: async () => new ArrayBuffer(8) })));
    class Own extends CuckooFilter { [Symbol.dispose](): void { this.dispose(); } }
    class OwnDeduper extends Deduper { [Symbol.dispose](): void { this.dispose(); } }
    void [Own, OwnDeduper];
    const packed: Uint8Array = filter.addManyIfAbsent(new PackedKeys(Uint8Array.of(1, 2), Uint32Array.of(1, 2)));
    const plannedShare: number = Deduper.plan(options).droppedShare;
    const deduper = new Deduper(options);
    const news: [boolean, Uint8Array] = [deduper.isNew(key), deduper.areNew(keys)];
    try { CuckooFilter.from(keys, { falsePositiveRate: 0.1 }); } catch (error) {
      if (error instanceof FilterFullError) { const reason: 'full' | 'too-many-copies' = error.reason; const added: number = error.added; void [reason, added]; }
      if (error instanceof FormatError) { const code: string = error.code; void code; }
      if (error instanceof DisposedError) void error.message;
    }
    const either: TableFilter<unknown>[] = [filter, new ScalableCuckooFilter({ capacity: 10 }), new Traced({ capacity: 10 })];
    // @ts-expect-error: a scalable filter cannot be merged, so it is no CuckooFilter
    const notOne: CuckooFilter = new ScalableCuckooFilter({ capacity: 10 });
    // @ts-expect-error: nor can others be merged into it
    void (() => new ScalableCuckooFilter({ capacity: 10 }).merge(filter));
    const around = [new Deduper(filter), new Deduper(new ScalableCuckooFilter({ capacity: 10 }))];
    void [either, notOne, around];
    const traced = new Traced({ capacity: 10 }).trace((events: readonly TraceEvent[]) => { for (const event of events) if (event.kind === 'kick') void event.otherBucket; });
    // @ts-expect-error: an object is no key
    filter.add({});
    // @ts-expect-error: a text is one key, not many
    void (() => filter.addMany('abc'));
    // @ts-expect-error: capacity must be given
    void (() => new CuckooFilter({}));
    // @ts-expect-error: sizes are read-only
    void (() => { filter.size = 3; });
    const reader = new FilterReader(filter.serialize(), { maxBytes: 1e6 });
    const asked: [boolean, number, bigint, Uint8Array] = [reader.has('a'), reader.size, reader.seed, reader.containsMany(keys)];
    const remote: RemoteFilter = FilterReader.remote(new Uint8Array(96));
    const isThere: boolean = remote.answer('a', remote.locate('a').map(({ length }) => new Uint8Array(length)));
    // @ts-expect-error: a reader adds nothing
    reader.add('a');
    void [asked, isThere];
    filter.clear();
    filter.clone().dispose();
    filter[Symbol.dispose]();
    const users: Generator<{ id: number }> = dedupe([{ id: 1 }], { key: (user) => user.id, capacity: 10 });
    const later = (async function* () { yield 'a'; })();
    const arriving: AsyncGenerator<string> = dedupe(later, { capacity: 10 });
    const read = async (lines: Iterable<string> | AsyncIterable<string>) => {
      for await (const line of dedupe(lines, { capacity: 10 })) line.length;
    };
    const stream = dedupeStream<string>({ deduper });
    void [users, stream, arriving, read];
    void [outcome, mask, counts, answers, fresh, loaded, numbers, seed, addressing, sorted, waiting, traced, packed, plannedShare, news];`;

/** What the program adds where the types of the web exist. */
export const STREAMS = `
    declare const numbered: ReadableStream<{ id: number }>;
    const piped: ReadableStream<{ id: number }> = numbered.pipeThrough(dedupeStream({ key: (one) => one.id, deduper }));
    // @ts-expect-error: items keep their type
    const texts: ReadableStream<string> = piped;
    void texts;
    const saved: Bytes = filter.serialize();
    void [new Blob([saved]), new Response(deduper.serialize()), fetch('', { method: 'PUT', body: saved }), crypto.subtle.digest('SHA-256', saved)];`;
