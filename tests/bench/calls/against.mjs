// `npm run bench -- against DIST`: the package of this checkout beside another build of it, such as the dist folder of an
// older commit: what its calls take, in one process, turn by turn. Invariant: both do the same work on the same keys, and
// each figure is the best of several turns; a ratio above 1 means that this checkout is faster.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const TURNS = 11;
const KEYS = 320_000;

const [other] = process.argv.slice(2);
if (other === undefined) {
  console.error('give the dist folder of the build to compare with');
  process.exit(2);
}
const load = async (dist) => ({
  ...(await import(pathToFileURL(resolve(dist, 'esm/index.js')).href)),
  ...(await import(pathToFileURL(resolve(dist, 'esm/scalable.js')).href)),
  ...(await import(pathToFileURL(resolve(dist, 'esm/expiring.js')).href)),
});
const here = await load('dist');
const there = await load(other);

const texts = Array.from({ length: KEYS }, (_, i) => `user:${(i * 2654435761) % 1e10}`);
const bytes = texts.map((text) => new Uint8Array(Buffer.from(text)));
const integers = Float64Array.from({ length: KEYS }, (_, i) => i * 7919);
const options = { capacity: KEYS, falsePositiveRate: 0.001 };
const each = (keys, call) => {
  for (const key of keys) call(key);
};

/** What is timed of a package: a function that prepares, and returns what is timed. */
const WORK = {
  'add, texts': ({ CuckooFilter }) => {
    const filter = new CuckooFilter(options);
    return () => each(texts, (key) => filter.add(key));
  },
  'contains, texts': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(texts, options);
    return () => each(texts, (key) => filter.contains(key));
  },
  'contains, bytes': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(texts, options);
    return () => each(bytes, (key) => filter.contains(key));
  },
  'contains, integers': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(integers, options);
    return () => each(integers, (key) => filter.contains(key));
  },
  'addIfAbsent, texts': ({ CuckooFilter }) => {
    const filter = new CuckooFilter(options);
    return () => each(texts, (key) => filter.addIfAbsent(key));
  },
  'delete, texts': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(texts, options);
    return () => each(texts, (key) => filter.delete(key));
  },
  'addMany, texts': ({ CuckooFilter }) => {
    const filter = new CuckooFilter(options);
    return () => filter.addMany(texts);
  },
  'addMany, integers, plain': ({ CuckooFilter }) => {
    const filter = new CuckooFilter({ ...options, semiSort: false });
    return () => filter.addMany(integers);
  },
  'containsMany, integers': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(integers, options);
    return () => filter.containsMany(integers);
  },
  'containsMany, texts': ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(texts, options);
    return () => filter.containsMany(texts);
  },
  'add, growing 64 times': ({ CuckooFilter }) => {
    const filter = new CuckooFilter({ ...options, capacity: KEYS / 64, maxCapacity: KEYS });
    return () => each(texts, (key) => filter.add(key));
  },
  'scalable add, texts': ({ ScalableCuckooFilter }) => {
    const filter = new ScalableCuckooFilter({ capacity: 1000, maxCapacity: 20_000 });
    return () => each(texts, (key) => filter.add(key));
  },
  'scalable contains, texts': ({ ScalableCuckooFilter }) => {
    const filter = new ScalableCuckooFilter({ capacity: 1000, maxCapacity: 20_000 });
    filter.addMany(texts);
    return () => each(texts, (key) => filter.contains(key));
  },
  'scalable containsMany, integers': ({ ScalableCuckooFilter }) => {
    const filter = new ScalableCuckooFilter({ capacity: 1000, maxCapacity: 20_000 });
    filter.addMany(integers);
    return () => filter.containsMany(integers);
  },
  'expiring isNew, texts': ({ ExpiringFilter }) => {
    const filter = new ExpiringFilter({ capacity: KEYS, periods: 4 });
    return () => each(texts, (key) => filter.isNew(key));
  },
  'expiring advance': ({ ExpiringFilter }) => {
    const filter = new ExpiringFilter({ capacity: KEYS, periods: 4 });
    filter.areNew(texts);
    return () => filter.advance();
  },
  serialize: ({ CuckooFilter }) => {
    const filter = CuckooFilter.from(texts, options);
    return () => filter.serialize();
  },
  deserialize: ({ CuckooFilter }) => {
    const saved = CuckooFilter.from(texts, options).serialize();
    return () => CuckooFilter.deserialize(saved).dispose();
  },
  'new and dispose, 100 keys, 1000 times': ({ CuckooFilter }) => {
    return () => {
      for (let i = 0; i < 1000; ++i) new CuckooFilter({ capacity: 100 }).dispose();
    };
  },
  'new and dispose, a million keys': ({ CuckooFilter }) => {
    return () => new CuckooFilter({ capacity: 1_000_000 }).dispose();
  },
};

const rows = {};
const only = process.argv[3] ?? '';
for (const [name, prepare] of Object.entries(WORK).filter(([name]) => name.includes(only))) {
  const best = [Infinity, Infinity];
  for (let turn = 0; turn < 2 * TURNS; ++turn) {
    // By turns first and second, so that neither gains by what the other left in the caches.
    const which = (turn + (turn >> 1)) % 2;
    const work = prepare(which === 0 ? here : there);
    const start = performance.now();
    work();
    best[which] = Math.min(best[which], performance.now() - start);
  }
  rows[name] = {
    'here, ms': Number(best[0].toFixed(3)),
    'there, ms': Number(best[1].toFixed(3)),
    'there / here': Number((best[1] / best[0]).toFixed(2)),
  };
}
console.table(rows);
