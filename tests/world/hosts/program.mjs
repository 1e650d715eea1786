// One program for every host: Node, pages and workers of browsers, other runtimes. It runs each class against an exact
// model, with keys of every form, and returns what went wrong by name, and a hash of the bytes that each class saves.
// Invariant: needs nothing but the package and what every host has, and draws the same numbers everywhere, so that all
// hosts return the same hashes.

/* global ReadableStream, WritableStream */
import * as root from 'cuckoofilter-wasm';
import { audited } from 'cuckoofilter-wasm/audit';
import { CuckooCounter } from 'cuckoofilter-wasm/counter';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { FilterReader } from 'cuckoofilter-wasm/reader';
import { RedisCuckooFilter } from 'cuckoofilter-wasm/redis';
import { RedisBloomFilter } from 'cuckoofilter-wasm/redisbloom';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
import { CuckooFilter as TracedCuckooFilter } from 'cuckoofilter-wasm/trace';
import { CuckooValues } from 'cuckoofilter-wasm/values';
import { allKeys, LONG_TEXTS, TEXTS, utf8 } from './keys.mjs';

const { CuckooFilter, Deduper, PackedKeys, dedupe, dedupeStream, hashKey, hashKeys } = root;

/** So low that the fixed seed meets no false positive: every answer must be exact. */
const RATE = 1e-8;
const CAPACITY = 2000;
const STEPS = 500;

const CHECKS = {
  CuckooFilter: () => checkTable(CuckooFilter, { capacity: CAPACITY, falsePositiveRate: RATE }),
  'CuckooFilter, growing': () =>
    checkTable(CuckooFilter, { capacity: 20, maxCapacity: CAPACITY, falsePositiveRate: RATE }),
  'CuckooFilter, secret key': () => {
    const hash = { algorithm: 'siphash-1-3', key: new Uint8Array(16).fill(7) };
    return checkTable(CuckooFilter, { capacity: CAPACITY, falsePositiveRate: RATE, hash });
  },
  ScalableCuckooFilter: () => checkTable(ScalableCuckooFilter, { capacity: 50, falsePositiveRate: RATE }),
  'CuckooFilter of /trace': () =>
    checkTable(TracedCuckooFilter, { capacity: CAPACITY, falsePositiveRate: RATE }),
  audited: checkAudited,
  SharedCuckooFilter: () => {
    const options = { capacity: CAPACITY, falsePositiveRate: RATE };
    // Its buckets have two slots at this rate, so three copies of a key may leave no room for another.
    if (globalThis.crossOriginIsolated !== false) return checkTable(SharedCuckooFilter, options, 2);
    const code = codeOf(() => new SharedCuckooFilter(options));
    equal(code, 'no-shared-memory', 'code where memory cannot be shared');
    return undefined;
  },
  CuckooCounter: checkCounter,
  CuckooValues: checkValues,
  ExpiringFilter: checkExpiring,
  Deduper: checkDeduper,
  RedisBloomFilter: checkRedisBloom,
  RedisCuckooFilter: checkRedis,
};

/** Runs all checks. Returns what failed, and a hash for each class. */
export async function check() {
  const failures = [];
  const hashes = {};
  for (const [name, run] of Object.entries(CHECKS)) {
    try {
      hashes[name] = await run();
    } catch (error) {
      failures.push(`${name}: ${error.name} (code ${error.code}): ${error.message}\n${error.stack}`);
    }
  }
  return { failures, hashes };
}

function equal(got, wanted, what) {
  const [one, other] = [got, wanted].map((it) => (ArrayBuffer.isView(it) ? it.join() : String(it)));
  if (one !== other) throw new Error(`${what}: got ${one.slice(0, 200)}, wanted ${other.slice(0, 200)}`);
}

function codeOf(action) {
  try {
    action();
  } catch (error) {
    return error.code;
  }
  return 'nothing was thrown';
}

/** FNV-1a of 32 bits. */
function hashOf(bytes) {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return (hash >>> 0).toString(16);
}

/** Arrays for users must not be in shared memory, where Blob, fetch and crypto refuse them. */
function plain(array) {
  equal(Object.prototype.toString.call(array.buffer), '[object ArrayBuffer]', 'buffer of a result');
  return array;
}

/** Numbers below `count` by xorshift32. */
function randomOf(seed) {
  let state = seed;
  return (count) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % count;
  };
}

/**
 * Makes random calls on a filter, compared with a count of each key's copies, at most `most`. Then saves, loads, copies
 * and compares the filter.
 */
function checkTable(Class, options, most = 3) {
  const keys = allKeys();
  const random = randomOf(0x5eed);
  const filter = new Class(options);
  const copies = keys.map(() => 0);
  const total = () => copies.reduce((sum, count) => sum + count, 0);
  const some = (fits) => {
    const chosen = new Set(Array.from({ length: 1 + random(9) }, () => random(keys.length)));
    return [...chosen].filter((at) => fits(copies[at]));
  };
  const change = (at, by) => (copies[at] += by);
  for (let step = 0; step < STEPS; ++step) {
    const adds = some((count) => count < most);
    const goes = some((count) => count > 0);
    const [add = 0] = adds;
    const [go = 0] = goes;
    const what = random(6);
    if (what === 0 && adds.length > 0) (filter.add(keys[add]), change(add, 1));
    if (what === 1) {
      equal(filter.addMany(adds.map((at) => keys[at])), adds.length, 'addMany');
      for (const at of adds) change(at, 1);
    }
    if (what === 2 && goes.length > 0) (equal(filter.delete(keys[go]), true, 'delete'), change(go, -1));
    if (what === 3) {
      equal(filter.deleteMany(goes.map((at) => keys[at])), goes.length, 'deleteMany');
      for (const at of goes) change(at, -1);
    }
    if (what === 4) {
      const answers = plain(filter.addManyIfAbsent(adds.map((at) => keys[at])));
      equal(
        answers,
        adds.map((at) => (copies[at] === 0 ? 1 : 0)),
        'addManyIfAbsent',
      );
      for (const at of adds) copies[at] ||= 1;
    }
    if (what === 5 && adds.length > 0) {
      equal(filter.addIfAbsent(keys[add]), copies[add] === 0, 'addIfAbsent');
      copies[add] ||= 1;
    }
    const asked = random(keys.length);
    equal(filter.has(keys[asked]), copies[asked] > 0, `has of key ${asked} at step ${step}`);
    equal(filter.count(keys[asked]), copies[asked], `count of key ${asked} at step ${step}`);
    equal(filter.size, total(), `size at step ${step}`);
  }
  const found = copies.map((count) => (count > 0 ? 1 : 0));
  const bytes = plain(filter.serialize());
  const given = options.hash === undefined ? {} : { hash: options.hash };
  const loaded = Class.deserialize(bytes, given);
  const copy = filter.clone();
  equal(loaded.equals(filter) && copy.equals(filter), true, 'equals');
  equal(loaded.serialize(), bytes, 'bytes of a loaded filter');
  for (const each of [filter, loaded, copy]) {
    equal(plain(each.containsMany(keys)), found, 'containsMany');
    equal(plain(each.countMany(keys)), copies, 'countMany');
    equal(
      keys.map((key) => each.count(key)),
      copies,
      'count',
    );
  }
  const reader = new FilterReader(bytes, given);
  equal(plain(reader.containsMany(keys)), found, 'containsMany of a FilterReader');
  checkForms(Class, options);
  return hashOf(bytes);
}

/** Strings in all forms: alone, together, hashed, packed, and as bytes, are the same keys in the same order. */
function checkForms(Class, options) {
  const { capacity, ...rest } = options;
  const texts = [...TEXTS, ...LONG_TEXTS];
  const bytes = texts.map(utf8);
  const wanted = Class.from(texts, { ...rest, capacity }).serialize();
  const one = new Class(options);
  for (const text of texts) one.add(text);
  const given = rest.hash === undefined ? {} : { hash: rest.hash };
  const ends = Uint32Array.from(
    bytes,
    (
      (end) => (each) =>
        (end += each.length)
    )(0),
  );
  const packed = new Uint8Array(ends.at(-1));
  bytes.forEach((each, i) => packed.set(each, ends[i] - each.length));
  const forms = {
    'one by one': one,
    bytes: Class.from(bytes, options),
    'by an iterator': Class.from(new Set(texts).values(), options),
    hashKeys: Class.from(hashKeys(texts, given), options),
    hashKey: Class.from(
      texts.map((text) => hashKey(text, given)),
      options,
    ),
    PackedKeys: Class.from(new PackedKeys(packed, ends), options),
  };
  for (const [name, filter] of Object.entries(forms)) equal(filter.serialize(), wanted, `from ${name}`);
  // A batch joins strings: a pair of halves that two strings bring must not become one character.
  const halves = Class.from(['a\ud83d', '\ude00b', '\ud83d', '\ude00'], options);
  equal(halves.containsMany(['a\ufffd', '\ufffdb', '\ufffd', '😀', 'a😀b']), [1, 1, 1, 0, 0], 'halves');
  const integers = Float64Array.from([1, -1, 2 ** 40, 0]);
  const numbers = Class.from(integers, options);
  equal(numbers.containsMany([1n, -1n, 2 ** 40, 0, 7]), [1, 1, 1, 1, 0], 'a typed array of numbers');
  const wide = Class.from(BigUint64Array.of(2n ** 64n - 1n, 5n), options);
  equal(wide.containsMany([-1, 5, 6]), [1, 1, 0], 'a typed array of bigints');
  equal(
    codeOf(() => one.add({})),
    'invalid-key',
    'code for an object as a key',
  );
}

/** Keys of every form pass through the audit, which knows each one. */
function checkAudited() {
  const keys = allKeys();
  const filter = audited(new CuckooFilter({ capacity: CAPACITY, falsePositiveRate: RATE }));
  filter.addMany(keys);
  for (const key of keys) filter.add(key);
  equal(filter.deleteMany(keys), keys.length, 'deleteMany');
  equal(
    filter.containsMany(keys),
    keys.map(() => 1),
    'containsMany',
  );
  equal(
    codeOf(() => filter.delete('never added')),
    'false-delete',
    'code for a key that was never added',
  );
  return hashOf(filter.serialize());
}

function checkCounter() {
  const keys = allKeys();
  const random = randomOf(0xc0de);
  const counts = keys.map(() => 0);
  const filter = new CuckooCounter({ capacity: CAPACITY, falsePositiveRate: 1e-5 });
  for (let step = 0; step < STEPS; ++step) {
    const at = random(keys.length);
    const by = 1 + random(5);
    if (random(3) > 0) (filter.add(keys[at], by), (counts[at] += by));
    else if (counts[at] >= by) (equal(filter.delete(keys[at], by), true, 'delete'), (counts[at] -= by));
    equal(filter.count(keys[at]), counts[at], `count of key ${at}`);
  }
  const bytes = plain(filter.serialize());
  for (const each of [filter, filter.clone(), CuckooCounter.deserialize(bytes)])
    equal(plain(each.countMany(keys)), counts, 'countMany');
  equal(CuckooCounter.from(keys, { capacity: CAPACITY }).size, keys.length, 'from');
  return hashOf(bytes);
}

function checkValues() {
  const keys = allKeys();
  const random = randomOf(0xbee);
  const held = keys.map(() => []);
  const filter = new CuckooValues({ capacity: CAPACITY, valueBits: 6, falsePositiveRate: 1e-6 });
  const ascending = (values) => [...values].sort((a, b) => a - b);
  for (let step = 0; step < STEPS; ++step) {
    const at = random(keys.length);
    const value = random(64);
    if (held[at].length < 3) (filter.set(keys[at], value), held[at].push(value));
    else equal(filter.delete(keys[at], held[at].pop()), true, 'delete');
    equal(filter.get(keys[at]), ascending(held[at]), `get of key ${at}`);
  }
  const bytes = plain(filter.serialize());
  for (const each of [filter, filter.clone(), CuckooValues.deserialize(bytes)]) {
    const found = each.getMany(keys);
    equal(plain(found.values), held.flatMap(ascending), 'values of getMany');
    equal(found.length, keys.length, 'length of getMany');
  }
  const pairs = CuckooValues.from(
    keys.map((key, i) => [key, i % 64]),
    { valueBits: 6 },
  );
  equal(
    keys.every((key, i) => pairs.get(key).includes(i % 64)),
    true,
    'from',
  );
  return hashOf(bytes);
}

function checkExpiring() {
  const keys = allKeys();
  const random = randomOf(0xa9e);
  const seen = keys.map(() => -Infinity);
  const periods = 3;
  let now = 0;
  const filter = new ExpiringFilter({ capacity: CAPACITY, periods, falsePositiveRate: 1e-6 });
  const isKnown = (at) => seen[at] > now - periods;
  for (let step = 0; step < STEPS; ++step) {
    const at = random(keys.length);
    if (random(50) === 0) (filter.advance(), ++now);
    equal(filter.hasSeen(keys[at]), isKnown(at), `hasSeen of key ${at}`);
    if (random(2) === 0) continue;
    equal(filter.isNew(keys[at]), !isKnown(at), `isNew of key ${at}`);
    seen[at] = now;
  }
  const bytes = plain(filter.serialize());
  const known = keys.map((_, at) => (isKnown(at) ? 1 : 0));
  for (const each of [filter, filter.clone(), ExpiringFilter.deserialize(bytes)])
    equal(plain(each.haveSeen(keys)), known, 'haveSeen');
  equal(
    plain(filter.areNew(keys)),
    known.map((it) => 1 - it),
    'areNew',
  );
  return hashOf(bytes);
}

async function checkDeduper() {
  const options = { capacity: CAPACITY, falsePositiveRate: RATE };
  const keys = allKeys();
  const twice = [...keys, ...keys];
  const deduper = new Deduper(options);
  equal(
    plain(deduper.areNew(twice)),
    twice.map((_, i) => (i < keys.length ? 1 : 0)),
    'areNew',
  );
  equal([...dedupe([...TEXTS, ...TEXTS], options)], TEXTS, 'dedupe');
  const source = new ReadableStream({
    start(controller) {
      for (const text of [...TEXTS, ...TEXTS]) controller.enqueue(text);
      controller.close();
    },
  });
  const kept = [];
  await source
    .pipeThrough(dedupeStream(options))
    .pipeTo(new WritableStream({ write: (it) => void kept.push(it) }));
  equal(kept, TEXTS, 'dedupeStream');
  return hashOf(plain(deduper.serialize()));
}

/** Its rate is that of the server, so only keys that were added are asked for. */
function checkRedisBloom() {
  const texts = [...TEXTS, ...LONG_TEXTS];
  const filter = RedisBloomFilter.reserve({ capacity: 200 });
  for (const text of texts) filter.add(text);
  equal(
    texts.every((text) => filter.exists(text) && filter.exists(utf8(text))),
    true,
    'exists',
  );
  const chunks = filter.dump();
  const loaded = RedisBloomFilter.load(chunks);
  equal(
    texts.every((text) => loaded.delete(text)),
    true,
    'delete',
  );
  return chunks.map(([, bytes]) => hashOf(plain(bytes))).join();
}

/** What needs no server: the hash of the program for the server, and the errors of opening. */
async function checkRedis() {
  const options = { name: 'seen', capacity: 100 };
  const refused = new Error('no connection');
  let program;
  const send = ([, hash]) => {
    program = hash;
    return Promise.reject(refused);
  };
  const failed = await RedisCuckooFilter.open({ ...options, send }).catch((it) => it);
  equal(failed === refused || failed.cause === refused, true, 'the error of a send that fails');
  const strange = await RedisCuckooFilter.open({ ...options, send: async () => ({}) }).catch((it) => it);
  equal(strange instanceof Error, true, 'an error for answers that are none');
  return program;
}
