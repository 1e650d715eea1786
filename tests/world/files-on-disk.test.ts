// The command and files as they are: pipes, devices, owners, names, and disks that refuse.
import { describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import {
  command,
  COMMAND,
  importing,
  inShell,
  printed,
  TIME_LIMIT,
  withoutSummary,
} from '../js/support/command';
import { at, file, folder, numbered } from '../js/support/scratch';

const isRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux' ? test : test.skip;

describe('output', () => {
  const lines = numbered(30_000);

  // js-yaml#286, recli#10, node-v0.x-archive#9279: the output ended at 65,536 bytes, the size of a pipe.
  test('comes whole through a pipe, also to a slow reader', () => {
    const input = file('whole', lines);
    for (const reader of ['cat', '(sleep 0.3; cat)'])
      expect(inShell(`"$0" "$1" dedup --rate 1e-9 "$2" | ${reader}`, input).stdout.toString()).toBe(lines);
  });

  // json2csv#134, node#947, ldapjs#225: the end of `head` was an unhandled EPIPE.
  test('to head ends without a message', () => {
    const { stdout, stderr } = inShell(`"$0" "$1" dedup "$2" | head -n 1`, file('headed', lines));
    expect([stdout.toString(), stderr.toString()]).toEqual(['line 0\n', '']);
  });

  // vsearch#243, uutils/coreutils#9877: a full disk was no error.
  test.each(['/dev/full'])('to a full disk is an error (%s)', (device) => {
    if (!existsSync(device)) return;
    const { status, stderr } = inShell(`"$0" "$1" dedup "$2" > ${device}`, file('lost', 'a\n'));
    expect([status, stderr.toString()]).toEqual([
      2,
      expect.stringMatching(/^cuckoofilter-wasm: standard output: ENOSPC.*\n$/),
    ]);
  });

  test('of figures to a full disk is an error, and then nothing is saved', () => {
    if (!existsSync('/dev/full')) return;
    const [saved, other, input] = [at('figures'), at('figures-merged'), file('figured', 'b\n')];
    printed(['build', '--save', saved], 'a\n');
    const before = readFileSync(saved);
    for (const words of ['build --json --load "$2" --save "$2" "$4"', 'merge --json --output "$3" "$2" "$2"'])
      expect(inShell(`"$0" "$1" ${words} > /dev/full`, saved, other, input).status).toBe(2);
    expect(readFileSync(saved)).toEqual(before);
    expect(readdirSync(folder).filter((name) => name.startsWith('figures'))).toEqual(['figures']);
  });

  // A write to a file that takes only a part is no error of the system; the next one is.
  test('to a file that takes only a part is an error, and then nothing is saved', () => {
    const input = file('partly', numbered(9000));
    const saved = at('partly-saved');
    printed(['build', '--save', at('partly-one'), input]);
    for (const words of [
      `dedup "$2" > "$4"`,
      `dedup --save "$3" "$2" > "$4"`,
      `query --load "$5" "$2" > "$4"`,
      `merge "$5" "$5" > "$4"`,
    ]) {
      const ran = inShell(
        `ulimit -f 16; "$0" "$1" ${words}`,
        input,
        saved,
        at('partly-out'),
        at('partly-one'),
      );
      expect([ran.status, ran.stderr.toString()]).toEqual([
        2,
        expect.stringMatching(/^cuckoofilter-wasm: standard output: EFBIG.*\n$/),
      ]);
    }
    expect(existsSync(saved)).toBe(false);
  });

  // oven-sh/bun#35956, gsd-core#1008, dax#362: a pipe that does not wait fails while it is full, and the rest was lost.
  test('to a full pipe that does not wait goes on once there is room', () => {
    const often = importing(`
      import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      const plain = fs.writeSync;
      let calls = 0;
      fs.writeSync = (fd, bytes, at, length) => {
        if (fd !== 1 || length === undefined) return plain(fd, bytes, at, length);
        if (++calls % 3 > 0) throw Object.assign(new Error('no room'), { code: 'EAGAIN' });
        return plain(fd, bytes, at, Math.min(length, 9000));
      };
      syncBuiltinESMExports();`)[1];
    const [input, output] = [file('slowly', lines), at('slowly-out')];
    const ran = inShell(
      `"$0" --import "$4" "$1" dedup --rate 1e-9 "$2" > "$3"`,
      input,
      output,
      String(often),
    );
    expect([ran.status, readFileSync(output, 'utf8') === lines]).toEqual([0, true]);
  });

  test('of dedup ends with a line that says what may be missing, wherever it goes, but not with --quiet', () => {
    const input = file('told', 'a\nb\na\n');
    const run = (words: string): string =>
      inShell(`"$0" "$1" dedup ${words} "$2" > "$3"`, input, at('told-out')).stderr.toString();
    expect(run('')).toMatch(
      /^cuckoofilter-wasm dedup: 3 lines read, 2 printed, 1 dropped, about 0 new ones taken for duplicates by mistake; .*\n$/,
    );
    expect(run('--quiet')).toBe('');
  });

  test.each(['/dev/full'])(
    'whose messages find a full disk (%s) saves nothing if it has not begun',
    (device) => {
      if (!existsSync(device)) return;
      const saved = at('unheard');
      const run = (): number | null =>
        inShell(
          `"$0" "$1" dedup --load "$2" --save "$2" --create "$3" > "$4" 2> ${device}`,
          saved,
          file('few', 'a\n'),
          at('unheard-out'),
        ).status;
      expect([run(), existsSync(saved)]).toEqual([2, false]);
      printed(['build', '--save', saved], 'b\n');
      expect([run(), readFileSync(at('unheard-out'), 'utf8')]).toEqual([0, 'a\n']);
    },
  );
});

describe('input', () => {
  // pfff#469, util-linux#1569: such files have the size 0.
  test('is read from pipes with a name, and from files without a size', () => {
    const folder = mkdtempSync(at('pipes-'));
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const ran = inShell(`(printf 'a\\nb\\na\\n' > "$2") & "$0" "$1" dedup "$2"; wait`, join(folder, 'pipe'));
    expect(ran.stdout.toString()).toBe('a\nb\n');
    if (existsSync('/proc/self/status'))
      expect(printed(['dedup', '--rate', '1e-9', '/proc/version'])).toBe(
        readFileSync('/proc/version', 'utf8'),
      );
  });

  // nodejs/node#21941, nodejs/help#3932: what Node gives a program that it starts is a socket.
  onLinux('is not read from a socket by its name, but told how', () => {
    for (const words of [
      ['dedup', '/dev/stdin'],
      ['info', '/dev/stdin'],
    ]) {
      const { status, stderr } = spawnSync(process.execPath, [COMMAND, ...words], {
        input: 'a\n',
        ...TIME_LIMIT,
      });
      expect([status, String(stderr)]).toEqual([
        2,
        'cuckoofilter-wasm: /dev/stdin: this is a socket, which has no name to open. For lines from standard input, write -\n',
      ]);
    }
  });

  // nxadm/tail#55, stanza#21.
  test('may grow while it is read: what was there at first comes whole', () => {
    const first = numbered(20_000);
    const growing = file('growing', first);
    const ran = inShell(
      `(i=0; while [ $i -lt 200 ]; do echo "more $i" >> "$2"; i=$((i + 1)); done) & "$0" "$1" dedup --rate 1e-9 "$2"; wait`,
      growing,
    );
    expect([ran.status, ran.stdout.toString().startsWith(first)]).toEqual([0, true]);
    expect(ran.stdout.toString()).toMatch(/^(line \d+\n)+(more \d+\n)*$/);
  });

  // node-v0.x-archive#2387, ripgrep#210, bat#225: names that are not UTF-8.
  test('in a file whose name is not UTF-8 is read from standard input', () => {
    const ran = inShell(
      `cd "$2" && printf 'a\\na\\n' > "$(printf 'caf\\351')" && "$0" "$1" dedup < "$(printf 'caf\\351')"`,
      mkdtempSync(at('names-')),
    );
    expect([ran.stdout.toString(), ran.status]).toEqual(['a\n', 0]);
  });

  // huniq#26, uutils/coreutils#1825: lines that are not UTF-8 ended the program, or became the same.
  test('has lines of any bytes, which come out as they are', () => {
    const bytes = Buffer.from(
      'a\0b\n\xff\n\xfe\n\xff\n\xed\xa0\x80\n\xc0\x80\n\n \n\t\n\rb\na\0c\n',
      'latin1',
    );
    const { code, out } = command(['dedup', '--rate', '1e-9'], Buffer.concat([bytes, bytes]));
    expect([code, out.toString('latin1')]).toEqual([
      0,
      bytes.toString('latin1').replace('\xfe\n\xff\n', '\xfe\n'),
    ]);
  });

  // miller#368: a last line without a line end, here before another file.
  test('without a final newline is not joined to the next file', () => {
    expect(printed(['dedup', file('first', 'a'), file('second', 'a\nb')])).toBe('a\nb\n');
  });

  // uutils/coreutils#14419.
  test('of many files needs few descriptors at once', () => {
    const names = Array.from({ length: 200 }, (_, i) => file(`many-${i}`, `x\n${i % 7}\n`));
    const ran = inShell(`ulimit -n 64; exec "$0" "$1" dedup "$2"*`, names[0]?.slice(0, -1) ?? '');
    expect([ran.status, ran.stdout.toString().split('\n').length]).toEqual([0, 9]);
  });

  // node#57045, openclaw#73676: the folder that a shell stands in is gone.
  test('comes through a pipe even in a folder that was removed', () => {
    const ran = inShell(
      `cd "$2" && rmdir "$2" && printf 'a\\na\\n' | "$0" "$1" dedup`,
      mkdtempSync(at('gone-')),
    );
    expect([ran.stdout.toString(), ran.status]).toEqual(['a\n', 0]);
  });
});

describe('an empty name', () => {
  // rclone#4239, just_bash#79, proiectio#102: it stood for the folder, or for nothing.
  test.each([
    [['dedup', ''], 'the file name is empty'],
    [['build', '--save', ''], 'the file name after --save is empty'],
    [['dedup', '--load=', '--save', 'x'], 'the file name after --load is empty'],
    [['dedup', '-s', '', '-'], 'the file name after -s is empty'],
    [['merge', '-o', '', 'x'], 'the file name after -o is empty'],
    [['info', ''], 'the file name is empty'],
  ])('in %j is an error that says where', (words, message) => {
    const { code, errors } = command(words);
    expect([code, errors]).toEqual([
      2,
      `cuckoofilter-wasm: ${message}. If it comes from a shell variable, that variable is not set\n`,
    ]);
  });
});

describe('a saved filter', () => {
  const build = (name: string): string => {
    const path = at(name);
    printed(['build', '--save', path], 'a\n');
    return path;
  };
  const more = (path: string): string => printed(['dedup', '--load', path, '--save', path], 'a\nb\n');

  // python-atomicwrites#11, grafel#6246.
  test('keeps its permissions and its link', () => {
    const path = build('kept');
    const link = at('link');
    symlinkSync(path, link);
    for (const mode of [0o640, 0o600, 0o444, 0o664]) {
      chmodSync(path, mode);
      more(link);
      expect((statSync(path).mode & 0o777).toString(8)).toBe(mode.toString(8));
    }
    expect(readdirSync(at('')).filter((name) => name.startsWith('kept'))).toEqual(['kept']);
    expect(printed(['query', '--load', link], 'b\n')).toBe('b\n');
  });

  // write-file-atomic#11, toybox#52, foundationdb#1316: after a run as root, its owner could not use it.
  (isRoot ? test : test.skip)('keeps its owner after a run as root', () => {
    const path = build('owned');
    chownSync(path, 1234, 2345);
    chmodSync(path, 0o600);
    more(path);
    const { uid, gid, mode } = statSync(path);
    expect([uid, gid, mode & 0o777]).toEqual([1234, 2345, 0o600]);
  });

  test('goes through no link that somebody put in the place of its temporary file', () => {
    const victim = file('victim', 'precious');
    const ran = inShell(
      `ln -s "$2" "$3.$$.tmp"; exec "$0" "$1" build -q --save "$3" "$4"`,
      victim,
      at('unlinked'),
      file('seed', 'a\n'),
    );
    expect([ran.status, readFileSync(victim, 'utf8')]).toEqual([0, 'precious']);
    expect(lstatSync(at('unlinked')).isFile()).toBe(true);
  });

  // ansible#8624: a user who may not give files away still saves.
  (isRoot ? test : test.skip)('of somebody else is saved by a user who may write there', () => {
    const folder = mkdtempSync(at('theirs-'));
    const path = join(folder, 'filter');
    printed(['build', '--save', path], 'a\n');
    for (const each of [at(''), folder]) chmodSync(each, 0o777);
    const ran = inShell(
      `exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$1" dedup -l "$2" -s "$2" "$3"`,
      path,
      file('theirs', 'b\n'),
    );
    expect([ran.stdout.toString(), withoutSummary(ran.stderr.toString()), ran.status]).toEqual([
      'b\n',
      '',
      0,
    ]);
    expect(printed(['query', '--load', path], 'a\nb\n')).toBe('a\nb\n');
  });

  // autojump#92: a disk without room left a broken file.
  test('is as it was if there is no room for the new one', () => {
    const path = build('limited');
    const before = readFileSync(path);
    const ran = inShell(
      `ulimit -f 8; exec "$0" "$1" dedup -l "$2" -s "$2" "$3" > /dev/null`,
      path,
      file('much', numbered(50_000)),
    );
    expect([ran.status, ran.stderr.toString()]).toEqual([2, expect.stringMatching(/limited: EFBIG/)]);
    expect(readFileSync(path)).toEqual(before);
    expect(readdirSync(at('')).filter((name) => name.startsWith('limited'))).toEqual(['limited']);
  });

  // write-file-atomic#63, pnpm#2605: the name of the temporary file was too long, which came out after all the work.
  test('with a name that leaves no room for the temporary one is refused at the start', () => {
    const input = file('short.txt', 'a\n');
    for (const length of [250, 255, 256]) {
      const { code, errors } = command(['build', '--save', at('n'.repeat(length)), input]);
      expect([code, errors]).toEqual([
        2,
        expect.stringMatching(
          /: the name is too long(, because .* with \d+ more characters\. Choose a shorter one)?\n$/,
        ),
      ]);
    }
    expect(command(['build', '-q', '--save', at('n'.repeat(200)), input]).code).toBe(0);
  });

  // nodejs/node#51965, #58286.
  test("is refused at the start under Node's permission model, which refuses fchmod", () => {
    const permission = process.allowedNodeEnvironmentFlags.has('--permission')
      ? '--permission'
      : '--experimental-permission';
    const input = file('permitted', 'a\na\n');
    const run = (read: string, words: string): unknown[] => {
      const { status, stdout, stderr } = inShell(
        `"$0" --no-warnings ${permission} --allow-fs-read="$2" --allow-fs-write="*" "$1" dedup -q ${words}`,
        read,
        input,
        at('permitted-saved'),
      );
      return [status, String(stdout), String(stderr)];
    };
    expect(run('*', '"$3"')).toEqual([0, 'a\n', '']);
    expect(run('*', '--save "$4" "$3"')).toEqual([
      2,
      '',
      expect.stringMatching(/permitted-saved: no filter can be saved .* Run without --permission\n$/),
    ]);
    expect(run(dirname(dirname(COMMAND)), '"$3"')).toEqual([
      2,
      '',
      expect.stringMatching(
        /permitted: Node's permission model refuses this\. Allow it with --allow-fs-read/,
      ),
    ]);
  });

  test('may be a pipe or a device', () => {
    const ran = inShell(
      `"$0" "$1" build --save /dev/stdout "$2" | wc -c; "$0" "$1" build --save /dev/null "$2"`,
      file('few', 'a\n'),
    );
    expect([Number(ran.stdout.toString()) > 80, ran.stderr.toString()]).toEqual([true, '']);
  });
});
