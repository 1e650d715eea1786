// A Redis server in the memory of a test. It makes, finds, reads and replaces the strings of filters, but stores no keys: it
// answers every change with `done`. A test may answer any command in its place.
import { Buffer } from 'node:buffer'; // A test takes the global one away.
import { RedisCuckooFilter, type RedisFilterOptions, type Send } from 'cuckoofilter-wasm/redis';

export type Words = Parameters<Send>[0];

/** A command that was sent, and its parts. */
export interface Command {
  readonly words: Words;
  readonly name: string;
  readonly keys: readonly string[];
  /** What the program is to do, if the command runs it; for another command its name. */
  readonly action: string;
  /** What the program is given: the header of the string that it is to find or to make, more bytes, and how much work it may do. */
  readonly header: Buffer;
  readonly given: Buffer;
  readonly work: number;
  /** Keys in a change: 12 bytes each. */
  readonly count: number;
}

function commandOf(words: Words): Command {
  const name = String(words[0]);
  const isProgram = /^(FCALL|EVAL)/.test(name);
  const end = isProgram ? 3 + Number(words[2]) : name === 'DEL' ? words.length : 2;
  const keys = words.slice(isProgram ? 3 : 1, end).map(String);
  const [action = name, header = '', bytes = '', work] = isProgram ? words.slice(end) : [];
  const given = Buffer.from(bytes);
  return {
    ...{ words, name, keys, action: String(action), header: Buffer.from(header), given },
    ...{ work: Number(work), count: given.length / 12 },
  };
}

/** The length of the string with this header: docs/inside/format.md and docs/inside/redis.md. */
function lengthOf(header: Buffer): number {
  const grown = header.readUIntLE(24, 6) * 2 ** ((header[15] as number) >> 2);
  let span = 1024;
  while (grown > 256 * span) span *= 2;
  return 72 + header.readUIntLE(64, 6) + 6 * Math.ceil(grown / span) + 8;
}

export class FakeServer {
  readonly strings = new Map<string, Buffer>();
  readonly sent: Command[] = [];
  /** Answers a command in place of the server, or throws; undefined leaves it to the server. */
  answer: (command: Command) => unknown = () => undefined;

  readonly send: Send = async (words) => {
    const command = commandOf(words);
    this.sent.push(command);
    const answer: unknown = await this.answer(command);
    return answer === undefined ? this.#answerOf(command) : answer;
  };

  /** Opens a filter here, for 1000 keys unless `options` say otherwise. */
  open(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
    return RedisCuckooFilter.open({ send: this.send, name: 'seen', capacity: 1000, retryMs: 0, ...options });
  }

  /** The names of the commands in `sent`, which is emptied. */
  takeNames(): string[] {
    return this.sent.splice(0).map(({ name }) => name);
  }

  /** For each command in `sent`, its action and keys. Empties `sent`, too. */
  takeActions(): string[] {
    return this.sent.splice(0).map(({ action, keys }) => [action, ...keys].join(' '));
  }

  #answerOf({ words, keys, action, header, given, count }: Command): unknown {
    const key = keys[0] as string;
    const string = this.strings.get(key);
    if (action === 'FUNCTION') return 'OK';
    if (action === 'GET') return string === undefined ? null : Buffer.from(string);
    if (action === 'DEL') return keys.filter((each) => this.strings.delete(each)).length;
    if (action.startsWith('BITFIELD')) {
      const numberAt = (at: number): number =>
        Buffer.concat([(string ?? Buffer.of()).subarray(at, at + 6), Buffer.alloc(6)]).readUIntBE(0, 6);
      return words.slice(2).flatMap((word, i) => (i % 3 === 2 ? [numberAt(Number(word) / 8)] : []));
    }
    if (action === 'replace') return this.strings.set(key, given) && 'replaced';
    if (action === 'make') {
      if (string !== undefined) return 'other';
      const made = Buffer.alloc(lengthOf(header));
      made.set(header);
      // Shards but the first have no identity until all are there.
      if (header.readUInt16LE(56) > 0) made.fill(0, 58, 64);
      made.set(given.subarray(0, 6), made.length - 8);
      made.set(given.subarray(6), made.length - 1);
      this.strings.set(key, made);
      return 'created';
    }
    if (string === undefined) throw new Error('CUCKOO gone');
    const head = string.subarray(0, 72);
    const end = string.subarray(-8);
    if (action === 'look') {
      const length = Buffer.alloc(6);
      length.writeUIntLE(string.length, 0, 6);
      return Buffer.concat([length, end, head]).toString('hex');
    }
    const isFresh = action === 'made' && head.subarray(58, 64).every((byte) => byte === 0);
    if (!isFresh && !head.equals(header)) throw new Error('CUCKOO differs');
    if (action === 'made') {
      string.set(header.subarray(56, 64), 56);
      string[string.length - 1] = 0;
      return 'made';
    }
    if (action === 'move') {
      // In one piece.
      this.strings.set(key, Buffer.concat([given, Buffer.alloc(lengthOf(given) - 80), end]));
      return 'moved';
    }
    return { expire: 'set', reset: 'created' }[action] ?? `${'0'.repeat(count)}.`;
  }
}
