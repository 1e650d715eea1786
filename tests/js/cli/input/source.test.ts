// Where the command's bytes come from: files and standard input, zipped and plain, in pieces of any size, that come late
// or not at all.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawn } from 'node:child_process';
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  read,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { compressionOf } from '../../../../js/cli/input/formats';
import { openInput } from '../../../../js/cli/input/source';
import { Failure } from '../../../../js/cli/words/failure';
import { COMMAND, command, importing, TIME_LIMIT } from '../../support/command';
import { sameBytes } from '../../support/random';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-source-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(name: string, bytes: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** Code for the process of a command: each read of standard input is what `read(given, call)` gives. */
function readingBy(read: string): string {
  return `import fs from 'node:fs';
    import { syncBuiltinESMExports } from 'node:module';
    import { promisify } from 'node:util';
    const plain = promisify(fs.read);
    let calls = 0;
    const changed = ${read};
    fs.read = Object.assign(() => {}, {
      [promisify.custom]: async (...given) => (given[0] === 0 ? changed(given, ++calls) : plain(...given)),
    });
    syncBuiltinESMExports();`;
}

const BY_ONES = readingBy('([fd, into, at]) => plain(fd, into, at, 1, null)');

/** Code whose reads fail from number `call` on with `code`. */
function failing(call: number, code: string): string {
  return readingBy(
    `async (given, call) => {
      if (call >= ${call}) throw Object.assign(new Error('told by the test'), { code: '${code}' });
      return plain(...given);
    }`,
  );
}

const LINES = 'one\ntwo\none\nthree\ntwo\n';
const KEPT = 'one\ntwo\nthree\n';

describe('standard input that is read byte by byte', () => {
  test.each([
    ['text', LINES, KEPT],
    ['gzip', gzipSync(LINES), KEPT],
    ['nothing', '', ''],
    ['one byte', '\x1f', '\x1f\n'],
    ['two bytes, the first as of gzip', '\x1fa', '\x1fa\n'],
    ['what begins as gzip does but for one byte', '\x1e\u{fffd}\n', '\x1e\u{fffd}\n'],
  ])('gives all of %s', (_, input, output) => {
    const { out, errors, code } = command(['dedup'], input, BY_ONES);
    expect([out.toString(), errors, code]).toEqual([output, '', 0]);
  });
});

describe('standard input whose reads fail', () => {
  test.each([1, 2, 3])('at read %d for lack of bytes is read as a stream from then on', (call) => {
    for (const input of [LINES, gzipSync(LINES)]) {
      const { out, errors, code } = command(['dedup'], input, failing(call, 'EAGAIN'));
      expect([out.toString(), errors, code]).toEqual([KEPT, '', 0]);
    }
  });

  test('at the end of a pipe, as on Windows, has ended', () => {
    const { out, errors, code } = command(['dedup'], LINES, failing(3, 'EOF'));
    expect([out.toString(), errors, code]).toEqual([KEPT, '', 0]);
  });

  test.each([1, 2])('at read %d for another reason is an error that names it', (call) => {
    const { errors, code } = command(['dedup'], LINES, failing(call, 'EIO'));
    expect([errors, code]).toEqual(['cuckoofilter-wasm: standard input: told by the test\n', 2]);
  });
});

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('a pipe that has nothing yet, and was told not to wait, is read when its bytes come', async () => {
  // To look at process.stdin sets the pipe to fail with EAGAIN, as a process that had it before may have done.
  const code = readingBy(`async (given) => {
    try {
      return await plain(...given);
    } catch (error) {
      process.stderr.write(error.code);
      throw error;
    }
  };
  void process.stdin;`);
  const child = spawn(process.execPath, [...importing(code), COMMAND, 'dedup'], TIME_LIMIT);
  let out = '';
  child.stdout.on('data', (text) => (out += text));
  // What is written is written after the read that found nothing.
  child.stderr.once('data', (text) => {
    expect(String(text)).toBe('EAGAIN');
    child.stdin.end(LINES);
  });
  const status = await new Promise((resolve) => child.on('close', resolve));
  expect([out, status]).toEqual([KEPT, 0]);
});

describe('an input', () => {
  /** All bytes that it gives to reads of at most `length`, and what it counts meanwhile. */
  async function readAll(name: string, length: number): Promise<{ bytes: Buffer; counted: number }> {
    let counted = 0;
    const { read, close } = await openInput(name, (bytes) => (counted += bytes));
    const pieces: Buffer[] = [];
    try {
      for (;;) {
        const into = Buffer.alloc(length);
        const got = await read(into);
        if (got === 0) break;
        expect(got).toBeLessThanOrEqual(length);
        pieces.push(into.subarray(0, got));
      }
      expect(await read(Buffer.alloc(length))).toBe(0);
    } finally {
      await close();
    }
    return { bytes: Buffer.concat(pieces), counted };
  }

  const content = Buffer.from(Array.from({ length: 200_000 }, (_, i) => (i * i * 31) >> 5));

  test.each([1000, 65_536, 300_000])(
    'gives its bytes in pieces of %d, and counts those of the file',
    async (length) => {
      const zipped = gzipSync(content);
      expect(await readAll(file('plain', content), length)).toEqual({
        bytes: content,
        counted: content.length,
      });
      const unzipped = await readAll(file('zipped', zipped), length);
      expect(sameBytes(unzipped.bytes, content)).toBe(true);
      expect(unzipped.counted).toBe(zipped.length);
    },
  );

  test('gives its first bytes also to reads of one byte', async () => {
    expect((await readAll(file('short', 'abc'), 1)).bytes.toString()).toBe('abc');
    expect((await readAll(file('short.gz', gzipSync('abc')), 1)).bytes.toString()).toBe('abc');
  });

  test('is known as gzip by both of its first bytes', () => {
    expect([0x1f, 0x8b, 0x08].map((_, i, all) => compressionOf(Uint8Array.from(all.slice(0, i))))).toEqual([
      undefined,
      undefined,
      'gzip',
    ]);
    for (const bytes of [
      [0x1f, 0x8a],
      [0x8b, 0x1f],
      [0, 0x8b],
    ])
      expect(compressionOf(Uint8Array.from(bytes))).toBeUndefined();
  });

  test('that is closed has closed its file, also where it could not be opened', async () => {
    const nextDescriptor = async (): Promise<number> => {
      const { close } = await openInput(file('next', 'x'), () => {});
      const open = Array.from({ length: 200 }, (_, fd) => fd).filter((fd) => {
        try {
          return fstatSync(fd).isFile();
        } catch {
          return false;
        }
      });
      await close();
      return open.length;
    };
    const before = await nextDescriptor();
    for (let i = 0; i < 3; ++i) {
      await expect(openInput(folder, () => {})).rejects.toThrow(
        new Failure(`${folder}: this is a directory: name the files in it`),
      );
      await readAll(file('again', 'x'), 10);
    }
    while ((await nextDescriptor()) !== before);
  });

  // A decompressor reads ahead, also after it has failed.
  onLinux(
    'that is closed while it is read, and read after that, takes nothing of the file opened next',
    async () => {
      const pipe = join(folder, 'pipe');
      execFileSync('mkfifo', [pipe]);
      const end = openSync(pipe, 'r+');
      const { read: readFirst, close } = await openInput(file('first', 'first'), () => {});
      const into = Buffer.alloc(10);
      expect(await readFirst(into)).toBe(5);
      // These reads wait for bytes and occupy every thread of the pool, so no other read can begin.
      const threads = Number(process.env['UV_THREADPOOL_SIZE'] ?? 4);
      const waiting = Array.from(
        { length: threads },
        () => new Promise((resolve) => read(end, Buffer.alloc(1), 0, 1, null, resolve)),
      );
      const late = readFirst(into);
      const closed = close();
      const next = openSync(file('next', 'next'), 'r');
      writeSync(end, 'x'.repeat(threads));
      await Promise.all(waiting);
      expect([await late, await readFirst(into), readSync(next, into)]).toEqual([0, 0, 4]);
      await closed;
      for (const fd of [next, end]) closeSync(fd);
    },
  );

  test('that is damaged fails with its name where it is read', async () => {
    const cut = gzipSync(content).subarray(0, 2000);
    await expect(readAll(file('cut', cut), 1000)).rejects.toThrow(
      new Failure(`${join(folder, 'cut')}: the compressed data is cut off. Get the file again`),
    );
    await expect(openInput(join(folder, 'none'), () => {})).rejects.toThrow(
      new Failure(`${join(folder, 'none')}: no such file or directory`),
    );
  });
});
