// The programs of js/redis/lua alone, as they are written, run by EVAL: what they answer, and that their errors change nothing.
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fromNodeRedis } from 'cuckoofilter-wasm/redis';
import { newName, node, open } from './clients';

const FOLDER = join(__dirname, '../../../js/redis/lua');
/** The order that shard.lua names. */
const programOf = (action: string): string =>
  ['shard', 'buckets', 'growth', action === 'change' ? 'changes' : 'whole', 'answer']
    .map((name) => readFileSync(join(FOLDER, `${name}.lua`), 'utf8'))
    .join('');

/** Headers of shards: one that does not grow, and one that does. */
const headers: Buffer[] = [];
beforeAll(async () => {
  for (const maxCapacity of [1000, 8000])
    await open({
      maxCapacity,
      send: (command, options) => {
        if (command.includes('make'))
          headers.push(Buffer.from(command[command.indexOf('make') + 1] as Buffer).fill(7, 58, 64));
        return fromNodeRedis(node)(command, options);
      },
    });
});

type Word = string | Buffer;

/** Runs the program that can do that. */
async function run(keys: string[], action: string, header: Buffer, given: Word = '', least = 0, work = 500) {
  const words = [String(keys.length), ...keys, action, header, given, String(work), String(least)];
  const answer = await fromNodeRedis(node)(['EVAL', programOf(action), ...words]).catch(
    (error: Error) => error.message,
  );
  return Buffer.isBuffer(answer) ? answer : String(answer);
}
const told = async (...given: Parameters<typeof run>): Promise<string> => String(await run(...given));

/** A key that may lie in buckets `one` and `two`, with what is to be done: 0 add, 1 add if absent, 2 delete. */
function keyFor(what: number, fingerprint: number, one = 3, two = 9): Buffer {
  const bytes = Buffer.alloc(12);
  bytes.writeUInt32LE(one, 0);
  bytes.writeUInt32LE(two, 4);
  bytes.writeUInt32LE(what * 2 ** 24 + fingerprint, 8);
  return bytes;
}

/** A new shard. */
async function made(header: Buffer): Promise<string> {
  const name = newName();
  expect(await told([name], 'make', header, Buffer.from('random500000'))).toBe('created');
  expect(await told([name], 'make', header, Buffer.from('random500000'))).toBe('other');
  expect(await told([name], 'change', header, keyFor(0, 5))).toBe('CUCKOO differs');
  expect(await told([name], 'made', header, Buffer.from('others'))).toBe('CUCKOO differs');
  expect(await node.pTTL(name)).toBeGreaterThan(0);
  for (const [action, answer] of ['hold made', 'hold made', 'made made', 'made there', 'hold there'].map(
    (words) => words.split(' '),
  ))
    expect(await told([name], action as string, header, Buffer.from('random'))).toBe(answer);
  expect(await node.pTTL(name)).toBe(-1);
  return name;
}

describe.each([0, 1])('shape %i', (index) => {
  test('keys are taken in their order, each with its own action', async () => {
    const header = headers[index] as Buffer;
    const name = await made(header);
    const keys = [
      ...[keyFor(1, 5), keyFor(1, 5), keyFor(0, 5), keyFor(2, 5), keyFor(2, 5), keyFor(2, 5)],
      ...[keyFor(1, 5), keyFor(0, 6)],
    ];
    expect(await told([name], 'change', header, Buffer.concat(keys))).toBe('03000300.2');
    expect(await told([name], 'change', header, keyFor(1, 6))).toBe('3.2'); // nothing has changed
    const look = (await run([name], 'look', header)) as Buffer;
    const tail = look.subarray(6 + 72, 6 + 72 + 32);
    expect(String(look.subarray(6 + 72 + 32))).toBe(name);
    expect([look.readUIntBE(0, 6), tail.readUIntBE(0, 6), tail.readUIntBE(6, 6)]).toEqual([
      await node.strLen(name),
      2,
      2,
    ]);
  });

  test('it stops where its work ends, and says what is not decided', async () => {
    const header = headers[index] as Buffer;
    const name = await made(header);
    const keys = Buffer.concat(Array.from({ length: 20 }, (_, i) => keyFor(0, 7, 2 * i, 2 * i + 1)));
    expect(await told([name], 'change', header, keys, 0, 10)).toMatch(/^0{2,6}4+\.2$/);
  });

  test('an error says what is there, and changes nothing', async () => {
    const header = headers[index] as Buffer;
    expect(await told(['no such key'], 'change', header, keyFor(0, 5))).toBe('CUCKOO gone');
    const name = await made(header);
    await told([name], 'change', header, keyFor(0, 5));
    const before = await node.sendCommand(['DUMP', name]);
    const other = Buffer.from(header);
    other[60] = 1 ^ (header[60] as number);
    expect(await told([name], 'change', other, keyFor(0, 5))).toBe('CUCKOO differs');
    expect(await told([name], 'change', header, keyFor(0, 5), 3)).toBe('CUCKOO rollback 2');
    expect(await told([name], 'reset', header, '', 3)).toBe('CUCKOO rollback 2');
    expect(await told([name], 'expire', header, Buffer.alloc(6), 3)).toBe('CUCKOO rollback 2');
    expect(await told([name], 'made', other, Buffer.from('random'))).toBe('CUCKOO differs');
    expect(await node.sendCommand(['DUMP', name])).toEqual(before);
    await node.rPush(`${name} list`, 'a');
    expect(await told([`${name} list`], 'change', header, keyFor(0, 5))).toMatch(/^WRONGTYPE /);
    // Whatever the server says: here, an error of Lua itself.
    const code = await told([name], 'change', header.subarray(0, 5), keyFor(0, 5));
    expect(code).toMatch(/^DENIED GETRANGE failed, and nothing was changed: /);
    expect(await node.sendCommand(['DUMP', name])).toEqual(before);
  });

  test('a string that is emptied counts on', async () => {
    const header = headers[index] as Buffer;
    const name = await made(header);
    await told([name], 'change', header, keyFor(0, 5));
    expect(await told([name], 'reset', header)).toBe('emptied 3');
    expect(await told([name], 'change', header, Buffer.concat([keyFor(2, 5), keyFor(0, 5)]))).toBe('30.4');
  });

  test('what has changed is told in part while somebody follows, and whole otherwise', async () => {
    const header = headers[index] as Buffer;
    const name = await made(header);
    await told([name], 'change', header, keyFor(0, 5));
    const first = (await run([name], 'changed', header, Buffer.alloc(18, 1))) as Buffer;
    expect(first[0]).toBe(0);
    const records = first.length - 33 - header.readUIntLE(64, 6);
    const known = (answer: Buffer): Buffer =>
      Buffer.concat([
        ...[Buffer.alloc(6, 2), answer.subarray(7, 13)],
        ...[answer.subarray(25, 31), answer.subarray(33, 33 + records)],
      ]);
    expect(await told([name], 'changed', header, known(first))).toBe('');
    expect(await told([name], 'change', header, keyFor(0, 6))).toBe('0.3');
    const second = (await run([name], 'changed', header, known(first))) as Buffer;
    expect([second[0], second.readUIntBE(7, 6)]).toEqual([1, 3]);
    expect(await told([name], 'changed', header, known(second))).toBe('');
    // Of an epoch before anybody followed, or one that has not come yet.
    for (const epoch of [1, 9]) {
      const odd = known(second);
      odd.writeUIntBE(epoch, 6, 6);
      expect(((await run([name], 'changed', header, odd)) as Buffer)[0]).toBe(0);
    }
    // With other random bytes: after a rollback, others may have made as many changes as were lost.
    const other = known(second);
    other[12] = 9;
    expect(((await run([name], 'changed', header, other)) as Buffer)[0]).toBe(0);
  });
});

test('a table is doubled in pieces, and a second string of another epoch is begun again', async () => {
  const header = headers[1] as Buffer;
  const name = await made(header);
  const next = `${name} next`;
  const doubled = Buffer.from(header);
  const doublings = (header[15] as number) >> 2;
  doubled[15] = (doublings - 1) << 2;
  doubled[9] = doubled[16] = Number(doublings > 1);
  const buckets = header.readUIntLE(24, 6);
  doubled.writeUIntLE(2 * buckets, 24, 6);
  const bits = (8 * header.readUIntLE(64, 6)) / buckets;
  doubled.writeUIntLE(Math.ceil((2 * buckets * Math.round(bits - 4)) / 8), 64, 6);
  await told([name], 'change', header, keyFor(0, 5));
  expect(await told([name, next], 'move', header, doubled, 0, 24)).toBe('moving 0 8');
  expect(await told([name, next], 'move', header, doubled, 0, 24)).toBe('moving 8 16');
  expect(await told([name], 'change', header, keyFor(0, 6))).toBe('CUCKOO moving');
  expect(await told([name, next], 'change', header, keyFor(0, 6))).toBe('0+3 2');
  expect(await told([name, next], 'move', header, doubled, 0, 24)).toBe('moving 16 24');
  // As when one of the two is restored from a backup.
  const tail = (await node.strLen(next)) - 32;
  await node.setRange(next, tail + 11, '\x09');
  const given = Buffer.concat([doubled, Buffer.of(1, 2)]);
  expect(await told([name, next], 'move', header, given, 0, 24)).toBe('moving 0 8');
  expect(await told([name, next], 'move', header, given, 0, 24)).toBe('moving 8 16');
  // Of another doubling, although the epoch is the same.
  await node.setRange(next, tail + 30, '\x09');
  expect(await told([name, next], 'move', header, given, 0, 24)).toBe('moving 0 8');
});
