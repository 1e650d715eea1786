// A Redis server in the memory of a test. It makes, finds, reads and replaces the strings of filters, but stores no keys: it
// answers every change with `done`. A test may answer any command in its place.
import { Buffer } from 'node:buffer'; // A test takes the global one away.
import { RedisCuckooFilter, type ClientSend, type RedisFilterOptions } from 'cuckoofilter-wasm/redis';
import { PATIENCE } from '../../support/patience';

export type Words = Parameters<ClientSend>[0];

/** A command that was sent, and its parts. */
export interface Command {
  readonly words: Words;
  readonly name: string;
  readonly keys: readonly string[];
  /** What the program is to do, if the command runs it; for another command its name. */
  readonly action: string;
  /** For changes, what is to be done with the first key: add, addIfAbsent or delete. */
  readonly first: string;
  /** What the program is given: the header of the string that it is to find or to make, more bytes, and how much work it may do. */
  readonly header: Buffer;
  readonly given: Buffer;
  readonly work: number;
  /** Keys in a change: 12 bytes each. */
  readonly count: number;
}

function commandOf(words: Words): Command {
  const name = String(words[0]);
  const isProgram = /^(EVAL)/.test(name);
  const end = isProgram ? 3 + Number(words[2]) : 2;
  const keys = words.slice(isProgram ? 3 : 1, end).map(String);
  const [action = name, header = '', bytes = '', work] = isProgram ? words.slice(end) : [];
  const given = Buffer.from(bytes);
  const first = action === 'change' ? (['add', 'addIfAbsent', 'delete'][given[11] as number] ?? '') : '';
  return {
    ...{ words, name, keys, action: String(action), first, header: Buffer.from(header), given },
    ...{ work: Number(work), count: given.length / 12 },
  };
}

/** Bytes of the tail: size, epoch, since and until in 6 bytes each, the highest first; 6 random ones, and 2 of 0. */
const TAIL = 32;

/** The length of the string with this header: docs/inside/format.md and docs/inside/redis.md. */
export function lengthOf(header: Buffer): number {
  const grown = header.readUIntLE(24, 6) * 2 ** ((header[15] as number) >> 2);
  let span = 1024;
  while (grown > 256 * span) span *= 2;
  return 72 + header.readUIntLE(64, 6) + 6 * Math.ceil(grown / span) + TAIL;
}

export class FakeServer {
  readonly strings = new Map<string, Buffer>();
  readonly sent: Command[] = [];
  /** Answers a command in place of the server, or throws; undefined leaves it to the server. */
  answer: (command: Command) => unknown = () => undefined;

  readonly send: ClientSend = async (words) => {
    const command = commandOf(words);
    this.sent.push(command);
    const answer: unknown = await this.answer(command);
    if (answer === undefined) return this.#answerOf(command);
    // A test says what becomes of keys, and not after which change.
    const [key] = command.keys as [string];
    const isDigits = command.action === 'change' && typeof answer === 'string' && /^\d*[.+!]$/.test(answer);
    if (!isDigits || !this.strings.has(key)) return answer;
    if (answer.includes('0')) this.change(key);
    const string = this.strings.get(key) as Buffer;
    return `${answer}${string.readUIntBE(string.length - TAIL + 6, 6)}`;
  };

  /** Opens a filter here, for 1000 keys unless `options` say otherwise. */
  open(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
    const own = { send: this.send, name: 'seen', capacity: 1000, callMs: PATIENCE };
    return RedisCuckooFilter.open({ ...own, ...options });
  }

  /** The names of the commands in `sent`, which is emptied. */
  takeNames(): string[] {
    return this.sent.splice(0).map(({ name }) => name);
  }

  /** For each command in `sent`, its action and keys. Empties `sent`, too. */
  takeActions(): string[] {
    return this.sent.splice(0).map(({ action, keys }) => [action, ...keys].join(' '));
  }

  /** Notes that the string under `key` has had a change, after which it has so many entries. */
  change(key: string, size?: number): Buffer {
    const string = this.strings.get(key) as Buffer;
    const tail = string.length - TAIL;
    if (size !== undefined) string.writeUIntBE(size, tail, 6);
    string.writeUIntBE(string.readUIntBE(tail + 6, 6) + 1, tail + 6, 6);
    return string;
  }

  #answerOf({ words, name, keys, action, header, given, count }: Command): unknown {
    const key = keys[0] as string;
    const string = this.strings.get(key);
    if (action === 'drop') {
      for (const each of keys) this.strings.delete(each);
      return string === undefined ? 'gone' : 'dropped';
    }
    if (action.startsWith('BITFIELD')) {
      const numberAt = (at: number): number =>
        Buffer.concat([(string ?? Buffer.of()).subarray(at, at + 6), Buffer.alloc(6)]).readUIntBE(0, 6);
      return words.slice(2).flatMap((word, i) => (i % 3 === 2 ? [numberAt(Number(word) / 8)] : []));
    }
    if (action === 'replace') {
      this.strings.set(key, given);
      return `replaced ${given.readUIntBE(given.length - TAIL + 6, 6)}`;
    }
    if (action === 'make') {
      if (string !== undefined) return 'other';
      const made = Buffer.alloc(lengthOf(header));
      made.set(header);
      // No shard has an identity until all of them exist.
      made.fill(0, 58, 64);
      made.writeUIntBE(1, made.length - TAIL + 6, 6);
      made.set(given.subarray(0, 6), made.length - 8);
      this.strings.set(key, made);
      return 'created';
    }
    if (name === 'GETRANGE') return (string ?? Buffer.of()).subarray(Number(words[2]), Number(words[3]) + 1);
    if (string === undefined && action === 'look') return Buffer.concat([Buffer.alloc(6), Buffer.from(key)]);
    if (string === undefined) throw new Error('CUCKOO gone');
    const head = string.subarray(0, 72);
    const tail = string.subarray(-TAIL);
    if (action === 'look') {
      const length = Buffer.alloc(6);
      length.writeUIntBE(string.length, 0, 6);
      return Buffer.concat([length, head, tail, Buffer.from(key)]);
    }
    const isFresh = /^(hold|made)$/.test(action) && head.subarray(58, 64).every((byte) => byte === 0);
    const isWhole = string.length === lengthOf(header);
    if (!isWhole || (!isFresh && !head.equals(header))) throw new Error('CUCKOO differs');
    if (action === 'hold' || action === 'made') {
      if (action === 'made') string.set(header.subarray(56, 64), 56);
      return isFresh ? 'made' : 'there';
    }
    const epoch = tail.readUIntBE(6, 6);
    if (epoch < Number(words.at(-1))) throw new Error(`CUCKOO rollback ${epoch}`);
    if (action === 'changed') {
      const records = string.subarray(72 + header.readUIntLE(64, 6), -TAIL);
      const isSame = given.readUIntBE(6, 6) === epoch && given.subarray(18).equals(records);
      const table = string.subarray(72, 72 + header.readUIntLE(64, 6));
      return isSame ? Buffer.of() : Buffer.concat([Buffer.of(0), tail, records, table]);
    }
    if (action === 'move') {
      // In one piece.
      const end = string.subarray(72 + header.readUIntLE(64, 6));
      const doubled = given.subarray(0, 72);
      this.strings.set(key, Buffer.concat([doubled, Buffer.alloc(given.readUIntLE(64, 6)), end]));
      return 'moved';
    }
    if (action === 'expire') return 'set';
    this.change(key);
    return action === 'reset' ? `emptied ${epoch + 1}` : `${'0'.repeat(count)}.${epoch + 1}`;
  }
}
