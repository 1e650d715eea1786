// `npm run bench -- against DIST [WORD]`: the package of this checkout beside another build of it, such as the dist folder of
// an older commit: what its calls take, turn by turn, those whose name contains WORD. Invariant: each build has a process of
// its own, because the engine compiles the second of two copies worse; both do the same work on the same keys, and each
// figure is the best of several turns. A ratio above 1 means that this checkout is faster.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import { fail } from '../timing.mjs';

const TURNS = 11;
const KEYS = 320_000;

const [other, only = ''] = process.argv.slice(2);

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
  ...Object.fromEntries(
    [0.01, 0.0001, 0.00001].map((falsePositiveRate) => [
      `contains, integers, rate ${falsePositiveRate}`,
      ({ CuckooFilter }) => {
        const filter = CuckooFilter.from(integers, { ...options, falsePositiveRate });
        return () => each(integers, (key) => filter.contains(key));
      },
    ]),
  ),
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

if (process.send) await work(other);
else await main();

/** A process of one build: does each work that it is sent the name of, and answers with its milliseconds. */
async function work(dist) {
  const entry = (name) => import(pathToFileURL(resolve(dist, `esm/${name}.js`)).href);
  const build = { ...(await entry('index')), ...(await entry('scalable')), ...(await entry('expiring')) };
  process.on('message', (name) => {
    const act = WORK[name](build);
    const start = performance.now();
    act();
    process.send(performance.now() - start);
  });
}

async function main() {
  if (other === undefined || !existsSync(resolve(other, 'esm/index.js')))
    fail(`give the dist folder of the build to compare with, which has esm/index.js; got ${other}`);
  const builds = ['dist', other].map((dist) => fork(fileURLToPath(import.meta.url), [dist]));
  for (const build of builds)
    build.on('exit', (code) => code && fail(`a build could not do its work: exit code ${code}`));
  const rows = {};
  for (const name of Object.keys(WORK).filter((each) => each.includes(only))) {
    const best = [Infinity, Infinity];
    for (let turn = 0; turn < 2 * TURNS; ++turn) {
      // By turns first and second, so that neither gains by what the other left in the caches.
      const which = (turn + (turn >> 1)) % 2;
      builds[which].send(name);
      const [milliseconds] = await once(builds[which], 'message');
      best[which] = Math.min(best[which], milliseconds);
    }
    rows[name] = {
      'here, ms': Number(best[0].toFixed(3)),
      'there, ms': Number(best[1].toFixed(3)),
      'there / here': Number((best[1] / best[0]).toFixed(2)),
    };
  }
  for (const build of builds) build.disconnect();
  console.table(rows);
}
