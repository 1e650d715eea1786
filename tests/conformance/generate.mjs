// Carries out the operations of the manifest anew, and writes what comes of them: outcomes, answers and files. Run with
// `node tests/conformance/generate.mjs` after a decision to change hashes or kicks, or for a case that was added with its
// parameters and the words of its operations alone. Invariant: cases without operations never change; they must load.
import { readFileSync, writeFileSync } from 'node:fs';
import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
import { ask, change, create, open, save, size } from './core.mjs';
import { open as openAlone, siphash13, xxh64 } from './oracle.mjs';

const path = new URL('manifest.json', import.meta.url);
const fileOf = (name) => new URL(`files/${name}`, import.meta.url);
const manifest = JSON.parse(readFileSync(path, 'utf8'));
const listOf = (text = '') => text.split(' ').filter(Boolean);
const askedIn = (answers) => listOf(answers).map((word) => word.split('=')[0]);
const answersOf = (keys) => keys.map((key) => `${key}=${ask(Buffer.from(key, 'hex'))}`).join(' ');
const hex = (bytes) => Buffer.from(bytes).toString('hex');

/** The keys that words name, each once, and one that none of them adds. */
function keysOf(words, before = '') {
  const changed = words.filter((word) => !'*>'.includes(word)).map((word) => word.slice(1).split('=')[0]);
  return [...new Set([...changed, ...askedIn(before), '7e'])];
}

function filterOf({ name, file, isInline, made, answers, ...one }) {
  const given = one.bytes;
  delete one.bytes;
  const secret = one.secret && Buffer.from(one.secret, 'hex');
  if (made !== undefined) {
    create(one);
    const words = listOf(made).map(change);
    made = words.join(' ');
    one.isFree = !words.some((word) => '!#*'.includes(word[0]));
    answers = answersOf(keysOf(words, answers));
    if (!isInline) writeFileSync(fileOf(file), save());
  }
  const bytes = savedOf({ file, isInline, made, bytes: given });
  one.size = open(bytes, secret);
  if (answersOf(askedIn(answers)) !== answers) throw new Error(`${name} gives other answers`);
  const { needs } = openAlone(bytes, secret);
  return { name, file, needs, ...one, made, answers, ...(isInline ? { isInline, bytes: hex(bytes) } : {}) };
}

/** The bytes of a filter: as they are given, if no operations made it. */
function savedOf({ file, isInline, made, bytes }) {
  if (!isInline) return readFileSync(fileOf(file));
  return made === undefined ? Buffer.from(bytes, 'hex') : save();
}

function changed({ of, changes }) {
  const { file, isInline, bytes, secret, answers } = manifest.filters.find(({ name }) => name === of);
  open(savedOf({ file, isInline, bytes }), secret && Buffer.from(secret, 'hex'));
  const words = listOf(changes).map(change);
  const saved = save();
  const fields = saved[3] === 0x46 && saved[16] & 2 ? hex(saved.subarray(72, 88)) : undefined;
  return { of, changes: words.join(' '), size: size(), fields, answers: answersOf(keysOf(words, answers)) };
}

function hashOf({ key, bytes, seed, secret }) {
  const data = new Uint8Array(Buffer.from(bytes, 'hex'));
  const hash = secret === undefined ? xxh64(data, BigInt(seed)) : siphash13(data, Buffer.from(secret, 'hex'));
  return { key, bytes, seed, secret, hash: hash.toString(16).padStart(16, '0') };
}

manifest.hashes = manifest.hashes.map(hashOf);
manifest.filters = manifest.filters.map(filterOf);
manifest.changed = manifest.changed.map(changed);
const sections = Object.entries(manifest).map(
  ([name, cases]) => `"${name}": [\n${cases.map((one) => JSON.stringify(one)).join(',\n')}\n]`,
);
writeFileSync(path, `{\n${sections.join(',\n')}\n}\n`);
writeFileSync(
  new URL('../golden/trace.txt', import.meta.url),
  ['widths-of-five', 'semi-sorted-quarters'].map(traceOf).join(''),
);

/** The changes that the traced build reports for the operations of a case, a line each. */
function traceOf(name) {
  const { buckets, slots, bits, storage, addressing, capacity, seed, made } = manifest.filters.find(
    (one) => one.name === name,
  );
  const sizes = {
    bucketCount: buckets,
    bucketSize: slots,
    fingerprintBits: bits,
    semiSort: storage === 'semi-sorted',
  };
  const filter = new Traced({ ...sizes, capacity, addressing, seed: BigInt(seed) }).trace(2);
  for (const word of listOf(made)) {
    const key = Buffer.from(word.slice(1), 'hex');
    if ('+!#'.includes(word[0])) filter.tryAdd(key);
    else filter.delete(key);
  }
  const kinds = ['place', 'kick', 'undo', 'remove'];
  return filter
    .takeEvents()
    .events.filter(({ kind }) => kinds.includes(kind))
    .map(
      ({ operation, kind, bucket, slot, before, after, otherBucket, kick = 0 }) =>
        `${operation} ${kind} ${bucket} ${slot} ${before} ${after} ${otherBucket} ${kick}\n`,
    )
    .join('');
}
