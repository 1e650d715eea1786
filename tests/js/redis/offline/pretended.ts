// A server of a few lines, within the process: it keeps strings, and makes, finds and reads shards, but stores no keys: it
// answers every change with `done`. A test may answer any command in its place.
import { RedisCuckooFilter, type RedisFilterOptions, type Send } from 'cuckoofilter-wasm/redis';

export type Command = Parameters<Send>[0];

/** A call of the program. */
export interface Call {
  readonly keys: readonly string[];
  readonly action: string;
  readonly header: Buffer;
  readonly given: Buffer;
  /** How much work the call may do. */
  readonly work: number;
}

/** What a command calls, if it runs the program. */
export function callOf(command: Command): Call | undefined {
  if (!/^(FCALL|EVAL)/.test(String(command[0]))) return undefined;
  const first = 3 + Number(command[2]);
  const [action, header, given, work] = command.slice(first);
  const keys = command.slice(3, first).map(String);
  const bytes = (word: unknown): Buffer => Buffer.from((word ?? '') as Uint8Array);
  return { keys, action: String(action), header: bytes(header), given: bytes(given), work: Number(work) };
}

/** Keys in a call that changes them: 12 bytes each. */
export function countOf({ given }: Call): number {
  return given.length / 12;
}

/** The length of the string whose table has this header. */
function lengthOf(header: Buffer): number {
  const grown = header.readUIntLE(24, 6) * 2 ** ((header[15] as number) >> 2);
  let span = 1024;
  while (grown > 256 * span) span *= 2;
  return 72 + header.readUIntLE(64, 6) + 6 * Math.ceil(grown / span) + 8;
}

export class Pretended {
  readonly strings = new Map<string, Buffer>();
  readonly sent: Command[] = [];
  /** What is answered instead; undefined for what the server itself answers. It may throw. */
  answers: (command: Command, call: Call | undefined) => unknown = () => undefined;

  readonly send: Send = async (command) => {
    this.sent.push(command);
    const call = callOf(command);
    const answer: unknown = await this.answers(command, call);
    if (answer !== undefined) return answer;
    return call === undefined ? this.#simple(command) : this.#run(call);
  };

  /** Opens a filter, of 1000 keys unless `options` say otherwise. */
  open(options: Partial<RedisFilterOptions> = {}): Promise<RedisCuckooFilter> {
    return RedisCuckooFilter.open({ send: this.send, name: 'seen', capacity: 1000, retryMs: 0, ...options });
  }

  /** The names of the commands that were sent since this was called last. */
  taken(): string[] {
    return this.sent.splice(0).map(([name]) => String(name));
  }

  #simple([name, ...words]: Command): unknown {
    const [key, ...more] = words.map(String) as [string, ...string[]];
    const string = this.strings.get(key);
    if (name === 'GET') return string === undefined ? null : Buffer.from(string);
    if (name === 'DEL') return [key, ...more].filter((each) => this.strings.delete(each)).length;
    if (name !== 'BITFIELD_RO') return 'OK';
    const numberAt = (at: number): number =>
      Buffer.concat([(string ?? Buffer.of()).subarray(at, at + 6), Buffer.alloc(6)]).readUIntBE(0, 6);
    return more.flatMap((word, i) => (i % 3 === 2 ? [numberAt(Number(word) / 8)] : []));
  }

  #run(call: Call): unknown {
    const { action, header, given } = call;
    const key = call.keys[0] as string;
    const string = this.strings.get(key);
    if (action === 'replace') return this.strings.set(key, given) && 'replaced';
    if (action === 'make') {
      if (string !== undefined) return 'other';
      const made = Buffer.alloc(lengthOf(header));
      made.set(header);
      // Shards but the first have no identity until all are there.
      if (header.readUInt16LE(56) > 0) made.fill(0, 58, 64);
      made.set(given.subarray(0, 6), made.length - 8);
      made[made.length - 1] = given[6] as number;
      this.strings.set(key, made);
      return 'created';
    }
    if (string === undefined) throw new Error('CUCKOO gone');
    const length = Buffer.alloc(6);
    length.writeUIntLE(string.length, 0, 6);
    const head = string.subarray(0, 72);
    if (action === 'look') return Buffer.concat([length, string.subarray(-8), head]).toString('hex');
    const isFresh = action === 'made' && head.subarray(58, 64).every((byte) => byte === 0);
    if (!isFresh && !head.equals(header)) throw new Error('CUCKOO differs');
    if (action === 'made') {
      string.set(header.subarray(56, 64), 56);
      string[string.length - 1] = 0;
      return 'made';
    }
    return { expire: 'set', reset: 'created' }[action] ?? `${'0'.repeat(countOf(call))}.`;
  }
}
