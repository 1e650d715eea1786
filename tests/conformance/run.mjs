// Lets an implementation of the saved form prove itself: node tests/conformance/run.mjs [--pinned] -- python3 prove.py
// The program answers lines of JSON (see README.md). With --pinned it must also choose the slots that the core chooses.
// Invariant: the last line says how many cases passed and failed, and the exit code is 0 only if none failed.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { bytesOf, open, resealed } from './oracle.mjs';

const manifest = JSON.parse(readFileSync(new URL('manifest.json', import.meta.url), 'utf8'));
const words = process.argv.slice(2);
const isPinned = words[0] === '--pinned';
const [program, ...parameters] = words.slice(words.indexOf('--') + 1);
if (!words.includes('--') || program === undefined) {
  console.error('usage: node tests/conformance/run.mjs [--pinned] -- PROGRAM [ARGUMENT ...]');
  process.exit(2);
}

const child = spawn(program, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
child.on('error', ({ message }) => end(`${program} cannot be started: ${message}`));
child.stdin.on('error', () => {}); // a program that has ended is told by its missing answer
const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
/** What a writer makes of a file: without the limit that early versions wrote (rule 3.12). */
const rewritten = (bytes) =>
  bytes[3] === 0x53 ? bytes : resealed(bytes, (view) => view.setUint32(20, 500, true));
const hexOf = (bytes) => Buffer.from(bytes).toString('hex');
const fromHex = (hex) => new Uint8Array(Buffer.from(hex, 'hex'));

/** What the program answers to a request. Throws if it fails. */
async function call(name, request = {}) {
  child.stdin.write(`${JSON.stringify({ do: name, ...request })}\n`);
  const { value, done } = await lines.next();
  if (done) end(`${program} ended without an answer to "${name}"`);
  const answer = JSON.parse(value);
  if (answer.failure !== undefined) throw new Error(answer.failure);
  return answer;
}

function end(problem) {
  console.error(problem);
  process.exit(1);
}

/** The bytes of a saved filter of the manifest, in hexadecimal. */
function savedOf({ bytes, file }) {
  return bytes ?? hexOf(readFileSync(new URL(`files/${file}`, import.meta.url)));
}

const about = { writes: [], ...(await call('about')) };
const can = (needs, list) => needs.every((need) => list.includes(need));
/** A key found no room where the core found some, which rule 1.2 leaves open. */
class EarlyFull extends Error {}
let passed = 0;
/** How many cases were skipped, by reason. */
const skipped = new Map();
const skip = (reason) => void skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
const failures = [];

async function check(name, body) {
  try {
    await body();
    ++passed;
  } catch (error) {
    if (error instanceof EarlyFull && !isPinned)
      return skip('full earlier than the core, which rule 1.2 allows');
    failures.push(`${name}: ${error.message.slice(0, 600)}`);
  }
}

/** Bytes that begin with neither magic break rule 3.1 for some readers, and rule 9.1 for others. */
const magicAsOne = (rule) => (rule === '9.1' ? '3.1' : rule);
const numbered = (text) => (text.includes(',') ? text.split(',').map(Number) : [Number(text)]);
/** The keys and answers that words such as 6162=1 stand for. In a filter with values, an answer is a list. */
function answersOf(text, isList) {
  const pairs = text
    .split(' ')
    .filter(Boolean)
    .map((word) => word.split('='));
  const answers = pairs.map(([, answer]) =>
    isList ? (answer === '' ? [] : numbered(answer)) : Number(answer),
  );
  return { keys: pairs.map(([key]) => key), answers };
}

/** The program must give these answers, whose words the manifest has. */
async function asks(text, needs) {
  const { keys, answers } = answersOf(text, needs.includes('values'));
  assert.deepEqual((await call('ask', { keys })).answers, answers, 'answers');
  return { keys, answers };
}

/** What the program saves must keep all rules, be what a writer writes, and give these answers. */
async function saves(text, { needs, secret, size, fields }) {
  const bytes = fromHex((await call('save')).bytes);
  const { ask, size: savedSize, saved } = open(bytes, secret && fromHex(secret));
  for (const layer of saved.layers ?? [saved]) {
    assert.equal(layer.minorVersion, layer.kind > 0 ? 2 : layer.doublings > 0 ? 1 : 0, 'minor version (3.3)');
  }
  assert.equal(savedSize, size, 'size of what was saved');
  if (fields !== undefined) assert.equal(hexOf(bytes.subarray(72, 88)), fields, 'fields of section 8');
  const { keys, answers } = answersOf(text, needs.includes('values'));
  assert.deepEqual(
    keys.map((key) => ask(fromHex(key))),
    answers,
    'answers of what was saved',
  );
  return bytes;
}

/**
 * Carries out words, and compares the signs of what came of them. A filter may be full before that of the core is. If the
 * program grows filters, it may not be full while it may still double or begin a layer.
 */
async function changes(text, secret) {
  const wanted = text.split(' ').filter(Boolean);
  const { words: done } = await call('change', { words: wanted });
  if (done.some((word, i) => word[0] === '!' && wanted[i][0] === '+')) {
    const { saved } = open(fromHex((await call('save')).bytes), secret && fromHex(secret));
    const mayGrow = saved.layers !== undefined || saved.doublings > 0;
    assert.ok(!about.grows || !mayGrow, 'full, although it may still double or begin a layer');
    throw new EarlyFull();
  }
  assert.deepEqual(done, wanted, 'outcomes');
}

for (const { key, bytes, seed, secret, hash } of manifest.hashes)
  if (can(secret === undefined ? [] : ['keyed'], about.reads) && about.hashes === true)
    await check(`hash of ${key}`, async () => {
      assert.equal((await call('hash', { bytes, seed, secret })).hash, hash);
    });
for (const { bytes, ...key } of manifest.keys)
  if (about.keys === true)
    await check(`key ${JSON.stringify(key)}`, async () => {
      assert.equal((await call('key', key)).bytes, bytes);
    });

for (const one of manifest.filters) {
  const { name, needs, secret, answers } = one;
  const bytes = savedOf(one);
  if (!can(needs, about.reads)) {
    await check(`${name} is refused, because it needs ${needs.join(' ')}`, async () => {
      const { error } = await call('open', { bytes, secret });
      assert.ok(['unsupported-version', 'not-a-filter'].includes(error), error);
    });
    continue;
  }
  await check(name, async () => {
    assert.deepEqual(await call('open', { bytes, secret }), { size: one.size });
    await asks(answers, needs);
  });
  if (!can(needs, about.writes)) continue;
  await check(`${name}, saved again`, async () => {
    await call('open', { bytes, secret });
    assert.equal(hexOf(await saves(answers, one)), hexOf(rewritten(fromHex(bytes))), 'bytes');
  });
  if (one.made === undefined) continue;
  if (!isPinned && !(one.isFree && one.reserved === 0)) {
    skip('only for --pinned: an operation is refused, or the moment of a doubling decides the header');
    continue;
  }
  await check(`${name}, made`, async () => {
    await call('create', one);
    await changes(one.made, secret);
    await asks(answers, needs);
    const made = await saves(answers, one);
    if (isPinned) assert.equal(hexOf(made), bytes, 'bytes');
    else {
      const end = made[16] & 2 ? 88 : 72;
      assert.equal(hexOf(made.subarray(0, end)), bytes.slice(0, 2 * end), 'header');
    }
  });
}

for (const one of manifest.changed) {
  const from = manifest.filters.find(({ name }) => name === one.of);
  const { needs, secret } = from;
  if (!can(needs, about.writes)) continue;
  await check(`${one.of}, changed`, async () => {
    await call('open', { bytes: savedOf(from), secret });
    await changes(one.changes, secret);
    await asks(one.answers, needs);
    await saves(one.answers, { needs, secret, size: one.size, fields: one.fields });
  });
}

for (const one of manifest.rules) {
  const { rule, code, secret, limit, needs = ['plain'] } = one;
  if (!can(needs, about.reads)) continue;
  await check(`rule ${rule}, ${one.about}`, async () => {
    const { error = 'none', rule: broken = rule } = await call('open', {
      bytes: hexOf(bytesOf(one)),
      secret,
      limit,
    });
    assert.equal(error, code, 'code');
    if (code !== 'none') assert.equal(magicAsOne(broken), magicAsOne(rule), 'rule');
    else if (one.answers !== undefined) await asks(one.answers, needs);
  });
}

child.stdin.end();
for (const failure of failures) console.log(failure);
for (const [reason, count] of skipped) console.log(`${count} skipped: ${reason}`);
const allSkipped = [...skipped.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${about.name}: ${passed} passed, ${failures.length} failed` +
    (allSkipped > 0 ? `, ${allSkipped} skipped` : ''),
);
process.exitCode = failures.length === 0 && passed > 0 ? 0 : 1;
