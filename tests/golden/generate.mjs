// Writes the golden files: saved filters, and in manifest.txt the operations that made them and what they answer.
// Invariant: every operation goes through the public API and has the outcome that the manifest says, or nothing is
// written. Run with `node tests/golden/generate.mjs` after a decision to change the format, the hash or the kicks.
import { writeFileSync } from 'node:fs';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';

const lines = [];
const hex = (key) => Buffer.from(key).toString('hex');
const integer = (key) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64LE(BigInt(key));
  return bytes;
};
const row = (count, name = 'k') => Array.from({ length: count }, (_, i) => `${name}${i}`);

/** One golden file: `sizes` of the filter, then what `operate` does with it. */
function golden(name, sizes, operate) {
  const options = {
    capacity: 1,
    semiSort: sizes.bucketSize === undefined ? undefined : false,
    ...sizes,
  };
  const filter = new CuckooFilter(options);
  const { doublings } = CuckooFilter.plan(options);
  const { bucketCount, bucketSize, fingerprintBits, semiSorted, addressing, maxCapacity } = filter;
  const seed = sizes.hash === undefined ? filter.seed : `key:${hex(sizes.hash.key)}`;
  const storage = semiSorted ? 'semi-sorted' : 'plain';
  const words = [
    name,
    bucketCount,
    bucketSize,
    fingerprintBits,
    storage,
    addressing,
    doublings === 0 ? maxCapacity : `${maxCapacity}*${doublings}`,
    seed,
  ];
  const does = (sign, key, action, expected) => {
    const given = action(key);
    if (given !== expected) throw new Error(`${name}: ${sign}${hex(key)} gave ${given}, not ${expected}`);
    words.push(sign + hex(key));
  };
  operate({
    filter,
    add: (...keys) => keys.forEach((key) => does('+', key, (each) => filter.tryAdd(each), 'added')),
    refuse: (...keys) => keys.forEach((key) => does('!', key, (each) => filter.tryAdd(each), 'full')),
    crowd: (...keys) =>
      keys.forEach((key) => does('#', key, (each) => filter.tryAdd(each), 'too-many-copies')),
    remove: (...keys) => keys.forEach((key) => does('-', key, (each) => filter.delete(each), true)),
    miss: (...keys) => keys.forEach((key) => does('=', key, (each) => filter.delete(each), false)),
    has: (...keys) => keys.forEach((key) => does('?', key, (each) => filter.contains(each), true)),
    lacks: (...keys) => keys.forEach((key) => does('~', key, (each) => filter.contains(each), false)),
    clear() {
      filter.clear();
      words.push('*');
    },
  });
  writeFileSync(new URL(`${name}.bin`, import.meta.url), filter.serialize());
  lines.push(words.join(' '));
}

/** The golden files whose changes are told in trace.txt. */
const TRACED = ['widths-of-five', 'semi-sorted-quarters'];

/** Adds keys of a row until three were refused, and returns those that went in. */
function fill({ add, refuse, crowd, filter }, name = 'k') {
  const inside = [];
  for (let i = 0, refused = 0; refused < 3; ++i) {
    const key = `${name}${i}`;
    const outcome = filter.clone().tryAdd(key);
    if (outcome === 'added') inside.push(key);
    else ++refused;
    ({ added: add, full: refuse, 'too-many-copies': crowd })[outcome](key);
  }
  return inside;
}

golden('empty', { bucketCount: 1, bucketSize: 1, fingerprintBits: 2 }, ({ lacks }) => lacks('', 'a'));
golden('one-bucket-full', { bucketCount: 1, bucketSize: 4, fingerprintBits: 12 }, (at) =>
  at.has(...fill(at)),
);
golden('copies', { bucketCount: 37, bucketSize: 3, fingerprintBits: 16 }, ({ add, crowd, has }) => {
  add(...Array(6).fill('same'), 'other');
  crowd('same', 'same');
  has('same', 'other');
});
golden('two-buckets-full', { bucketCount: 2, bucketSize: 4, fingerprintBits: 8 }, (at) =>
  at.has(...fill(at)),
);
golden('odd-full', { bucketCount: 15, bucketSize: 3, fingerprintBits: 7, seed: 1 }, (at) =>
  at.has(...fill(at)),
);
golden('prime-full', { bucketCount: 101, bucketSize: 2, fingerprintBits: 17, seed: 2 }, (at) =>
  at.has(...fill(at).slice(0, 20)),
);
golden(
  'power-of-two-xor-full',
  { bucketCount: 64, bucketSize: 4, fingerprintBits: 12, addressing: 'xor' },
  (at) => {
    at.has(...fill(at).slice(0, 20));
    at.lacks(...row(20, 'absent'));
  },
);
golden(
  'power-of-two-reflect',
  { bucketCount: 32, bucketSize: 8, fingerprintBits: 32 },
  ({ add, has, lacks }) => {
    add(...row(200));
    has(...row(20));
    lacks(...row(20, 'absent'));
  },
);
golden('one-slot', { bucketCount: 61, bucketSize: 1, fingerprintBits: 31 }, (at) => at.has(...fill(at)));
golden('widths-of-two', { bucketCount: 9, bucketSize: 7, fingerprintBits: 2, seed: 3 }, (at) =>
  at.has(...fill(at)),
);
golden('widths-of-five', { bucketCount: 13, bucketSize: 5, fingerprintBits: 5 }, (at) => at.has(...fill(at)));
golden('deleted-from', { bucketCount: 29, bucketSize: 6, fingerprintBits: 11, seed: 4 }, (at) => {
  const inside = fill(at);
  const gone = inside.filter((_, i) => i % 3 !== 0);
  at.remove(...gone);
  at.has(...inside.filter((_, i) => i % 3 === 0));
  at.miss('never');
  at.add(...row(30, 'later'));
  at.has(...row(30, 'later'));
});
golden('emptied', { bucketCount: 17, bucketSize: 4, fingerprintBits: 9 }, (at) =>
  at.remove(...fill(at).reverse()),
);
golden('cleared', { bucketCount: 19, bucketSize: 4, fingerprintBits: 10 }, (at) => {
  fill(at);
  at.clear();
  at.lacks('k0');
  at.add('after');
  at.has('after');
});
golden(
  'keys-of-all-kinds',
  { bucketCount: 41, bucketSize: 4, fingerprintBits: 24, seed: 2n ** 64n - 1n },
  ({ add, has, lacks }) => {
    const text = [
      '',
      'a',
      'naïve',
      '日本語',
      'Ελληνικά',
      '😀',
      '\u0000',
      '\uFEFF',
      'x'.repeat(300),
      'é'.repeat(40),
    ];
    const integers = [0, 5, -1, 2 ** 53 - 1, 1 - 2 ** 53, -(2n ** 63n), 2n ** 62n].map(integer);
    const bytes = Array.from({ length: 40 }, (_, length) =>
      Uint8Array.from({ length }, (_each, i) => 255 - i * 7),
    );
    add(...text, ...integers, ...bytes.slice(1));
    has(...text, ...integers, ...bytes);
    lacks('A', 'nai\u0308ve', integer(6), Uint8Array.of(0, 0));
  },
);
golden('planned', { capacity: 500, falsePositiveRate: 0.01, seed: 12345 }, ({ add, has, lacks }) => {
  add(...row(500, 'user-'));
  has('user-0', 'user-499');
  lacks('user-500', 'user-501', 'user-502');
});
golden('semi-sorted-empty', { bucketCount: 1, bucketSize: 4, fingerprintBits: 5, semiSort: true }, (at) =>
  at.lacks('a'),
);
golden(
  'semi-sorted-full',
  { bucketCount: 37, bucketSize: 4, fingerprintBits: 12, semiSort: true, seed: 6 },
  (at) => at.has(...fill(at)),
);
golden(
  'semi-sorted-xor',
  { bucketCount: 32, bucketSize: 4, fingerprintBits: 8, addressing: 'xor', semiSort: true },
  (at) => at.has(...fill(at)),
);
golden('semi-sorted-widest', { bucketCount: 7, bucketSize: 4, fingerprintBits: 32, semiSort: true }, (at) => {
  at.has(...fill(at));
});
golden(
  'semi-sorted-copies',
  { bucketCount: 9, bucketSize: 4, fingerprintBits: 16.25, semiSort: true },
  (at) => {
    at.add(...Array(8).fill('same'), 'other');
    at.crowd('same');
    at.has('same', 'other');
  },
);
golden(
  'semi-sorted-quarters',
  { bucketCount: 11, bucketSize: 4, fingerprintBits: 7.5, semiSort: true },
  (at) => {
    const inside = fill(at);
    at.remove(...inside.slice(0, 9));
    at.add('after');
    at.has('after', ...inside.slice(9));
  },
);
golden(
  'semi-sorted-deleted-from',
  { bucketCount: 50, bucketSize: 4, fingerprintBits: 10.75, semiSort: true },
  (at) => {
    at.add(...row(150));
    at.remove(...row(150).slice(20, 120));
    at.has('k0', 'k149');
  },
);

const secret = (first) => Uint8Array.from({ length: 16 }, (_, i) => first + i);
const keyed = (first) => ({ algorithm: 'siphash-1-3', key: secret(first) });
/** Adds, removes and adds again, so that what was removed has left its places. */
function change(at) {
  at.add(...row(24));
  at.remove(...row(24).slice(4, 20));
  at.add('later', 'später');
  at.has('k0', 'k23', 'later', 'später');
}
/** Fills what is then cleared. */
function fillAndClear(at) {
  at.add(...row(20));
  at.clear();
  at.lacks('k0', 'k19');
  at.add('später');
  at.has('später');
}
const xor = { bucketCount: 16, addressing: 'xor' };
const semiSorted = { bucketSize: 4, semiSort: true };
golden('xor-deleted-from', { ...xor, bucketSize: 2, fingerprintBits: 9, seed: 7 }, change);
golden('xor-cleared', { ...xor, bucketSize: 3, fingerprintBits: 15 }, fillAndClear);
golden('semi-sorted-cleared', { ...semiSorted, bucketCount: 7, fingerprintBits: 13.25 }, fillAndClear);
golden('semi-sorted-xor-deleted-from', { ...xor, ...semiSorted, fingerprintBits: 9.5 }, change);
golden('semi-sorted-xor-cleared', { ...xor, ...semiSorted, fingerprintBits: 18 }, fillAndClear);
golden('keyed', { bucketCount: 11, bucketSize: 4, fingerprintBits: 14, hash: keyed(0) }, (at) => {
  const text = ['', 'a', 'naïve', '日本語', 'Ελληνικά', '😀', '\uFEFF', 'é'.repeat(40)];
  const others = [integer(5), integer(-1), Uint8Array.from({ length: 15 }, (_, i) => i), Uint8Array.of(0)];
  at.add(...text, ...others, ...row(20));
  at.remove(...row(20).slice(5));
  at.has(...text, ...others, 'k0');
  at.lacks('A', 'k19', integer(6));
});
golden('keyed-full', { bucketCount: 5, bucketSize: 3, fingerprintBits: 10, hash: keyed(0xf0) }, (at) =>
  at.has(...fill(at)),
);
golden('keyed-xor', { ...xor, ...semiSorted, fingerprintBits: 11.25, hash: keyed(0x80) }, (at) =>
  at.has(...fill(at)),
);
/** Fills a table that is to grow, takes half of it out again, and goes on. */
function growAndChange(count, more) {
  return (at) => {
    at.add(...row(count));
    at.remove(...row(count).filter((_, i) => i % 2 === 1));
    at.add(...row(more, 'later'));
    at.has(...row(count).filter((_, i) => i % 2 === 0), ...row(more, 'later'));
    at.lacks('never', 'absent');
  };
}
const growing = { maxCapacity: 160, seed: 8 };
golden('growing-empty', { ...growing, bucketCount: 3, bucketSize: 4, fingerprintBits: 12 }, (at) =>
  at.lacks('a'),
);
golden('growing', { ...growing, bucketCount: 3, bucketSize: 3, fingerprintBits: 14 }, growAndChange(36, 6));
golden(
  'growing-semi-sorted',
  { ...growing, ...semiSorted, bucketCount: 7, fingerprintBits: 11 },
  growAndChange(30, 5),
);
golden(
  'growing-quarters-xor',
  { ...growing, ...xor, ...semiSorted, bucketCount: 4, fingerprintBits: 9.25 },
  growAndChange(30, 5),
);
golden(
  'growing-keyed',
  { maxCapacity: 300, bucketCount: 2, bucketSize: 2, fingerprintBits: 18, hash: keyed(0x40) },
  growAndChange(24, 3),
);
golden('grown', { ...growing, ...semiSorted, maxCapacity: 50, bucketCount: 3, fingerprintBits: 12.5 }, (at) =>
  at.has(...fill(at).slice(0, 10)),
);
golden('growing-copies', { ...growing, bucketCount: 4, bucketSize: 2, fingerprintBits: 10 }, (at) => {
  at.add(...Array(4).fill('b'));
  at.crowd('b');
  at.add(...row(15));
  at.crowd('b');
  at.has('b');
});
writeFileSync(new URL('manifest.txt', import.meta.url), `${lines.join('\n')}\n`);
writeFileSync(new URL('trace.txt', import.meta.url), TRACED.map(traceOf).join(''));

/** The changes that the traced build reports for the operations of a golden file, a line each. */
function traceOf(name) {
  const [, m, b, f, storage, addressing, capacity, seed, ...operations] = lines
    .find((line) => line.startsWith(`${name} `))
    .split(' ');
  const sizes = {
    bucketCount: Number(m),
    bucketSize: Number(b),
    fingerprintBits: Number(f),
    semiSort: storage === 'semi-sorted',
  };
  const filter = new Traced({ ...sizes, capacity: Number(capacity), addressing, seed: BigInt(seed) }).trace(
    2,
  );
  for (const operation of operations) {
    const key = Buffer.from(operation.slice(1), 'hex');
    if ('+!#'.includes(operation[0])) filter.tryAdd(key);
    else if ('-='.includes(operation[0])) filter.delete(key);
    else filter.has(key);
  }
  const { events } = filter.takeEvents();
  const changes = events.filter(({ kind }) => ['place', 'kick', 'undo', 'remove'].includes(kind));
  return changes
    .map((event) => {
      const { operation, kind, bucket, slot, before, after, otherBucket, kick = 0 } = event;
      return `${operation} ${kind} ${bucket} ${slot} ${before} ${after} ${otherBucket} ${kick}\n`;
    })
    .join('');
}
