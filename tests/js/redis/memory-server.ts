// A server for RedisCuckooFilter in the memory of the test: it keeps strings, and makes, shows and replaces them as the program does.
// It knows nothing of buckets: a test answers what changes keys.
import { Buffer } from 'node:buffer';
import type { RedisCuckooFilter, RedisFilterOptions, Send } from 'cuckoofilter-wasm/redis';
import { RedisCuckooFilter as Filter } from 'cuckoofilter-wasm/redis';

type Words = Parameters<Send>[0];

/** A command; where it runs the program, `action` is what the program is to do. */
export interface Command {
  readonly name: string;
  readonly action: string;
  readonly keys: readonly string[];
  /** What follows the keys, or the name of another command. */
  readonly words: Words;
}

export { keysTo } from './keys';

/** The bytes of a string with this header: docs/inside/format.md and docs/inside/redis.md. */
export function lengthOf(header: Buffer): number {
  const grown = Number(header.readBigUInt64LE(24)) * 2 ** ((header[15] as number) >> 2);
  let span = 1024;
  while (grown > 256 * span) span *= 2;
  return 72 + Number(header.readBigUInt64LE(64)) + 6 * Math.ceil(grown / span) + 8;
}

export class MemoryServer {
  readonly strings = new Map<string, Buffer>();
  readonly sent: Command[] = [];
  /** Answers a command in place of the server, or throws; undefined leaves it to the server. */
  answer: (command: Command) => unknown = () => undefined;

  readonly send: Send = async (command) => {
    const [name, ...words] = command as [string, ...Words];
    const isProgram = name.startsWith('FCALL');
    const count = isProgram ? Number(words[1]) : 1;
    const keys = isProgram
      ? words.splice(0, 2 + count).slice(2)
      : name === 'DEL'
        ? words
        : words.splice(0, 1);
    const asked = { name, action: isProgram ? String(words[0]) : '', keys: keys.map(String), words };
    this.sent.push(asked);
    return (await this.answer(asked)) ?? this.#answerOf(asked);
  };

  /** Opens a filter here. */
  open(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
    return Filter.open({ send: this.send, name: 'f', capacity: 1000, retryMs: 0, ...options });
  }

  /** What was sent since the last call, without the words. */
  take(): string[] {
    return this.sent.splice(0).map(({ name, action, keys }) => [action || name, ...keys].join(' '));
  }

  #answerOf({ name, action, keys: [key = '', ...others], words }: Command): unknown {
    const string = this.strings.get(key);
    if (name === 'GET') return string === undefined ? null : Buffer.from(string);
    if (name === 'DEL') return [key, ...others].filter((each) => this.strings.delete(each)).length;
    if (name.startsWith('BITFIELD')) {
      const begins = words.filter((_, i) => i % 3 === 2).map((bit) => Number(bit) / 8);
      const bytes = Buffer.concat([string ?? Buffer.alloc(0), Buffer.alloc(1e5)]);
      return begins.map((begin) => bytes.readUIntBE(begin, 6));
    }
    const [header, given] = words.slice(1, 3).map((word) => Buffer.from(word)) as [Buffer, Buffer];
    if (action === 'make') {
      if (string !== undefined) return 'other';
      const made = Buffer.alloc(lengthOf(header));
      made.set(header);
      if (header.readUInt16LE(56) > 0) made.fill(0, 58, 64);
      made.set(given.subarray(0, 6), made.length - 8);
      made.set(given.subarray(6), made.length - 1);
      this.strings.set(key, made);
      return 'created';
    }
    if (string === undefined) throw new Error('CUCKOO gone');
    if (action === 'look') {
      const length = Buffer.alloc(6);
      length.writeUIntLE(string.length, 0, 6);
      return Buffer.concat([length, string.subarray(-8), string.subarray(0, 72)]).toString('hex');
    }
    if (action === 'made') {
      string.set(header.subarray(56, 64), 56);
      string[string.length - 1] = 0;
      return 'made';
    }
    if (action === 'replace') {
      this.strings.set(key, given);
      return 'replaced';
    }
    throw new Error(`ERR nobody answers ${name} ${action}`);
  }
}
