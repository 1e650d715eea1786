// Saving where something goes wrong: whatever happens, the file holds a whole filter, the old one or the new one.
import { describe, expect, test } from '@jest/globals';
import { spawn, spawnSync, type SpawnSyncReturns } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { join } from 'node:path';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { load, save } from 'cuckoofilter-wasm/file';
import { runModule, TIME_LIMIT } from '../support/command';
import { runs } from '../support/long';
import { Random } from '../support/random';
import { at, file, folder } from '../support/scratch';

const ROOT = join(__dirname, '../../..');
const isRoot = process.getuid?.() === 0;
const onLinux = process.platform === 'linux' ? test : test.skip;

const OLD = CuckooFilter.from(['old']);
const NEW = CuckooFilter.from(['new'], { capacity: 5000 });

/** What begins with `name` in the folder of this file's tests. */
function left(name: string): string[] {
  return readdirSync(folder).filter((each) => each.startsWith(name));
}

/** A program that has the calls of the package, and `newer`, a filter that differs from the one in the files here. */
const program = (code: string): string => `
  import { CuckooFilter } from 'cuckoofilter-wasm';
  import { load, save, take } from 'cuckoofilter-wasm/file';
  const newer = CuckooFilter.from(['new'], { capacity: 5000 });
  const told = (promise) => promise.then(() => 'done', ({ message, code }) => [message, code]);
  ${code}`;

/** Lets each call of the file system that changes something run \`before(name)\` first. */
const WATCHED = `
  import promises from 'node:fs/promises';
  import timers from 'node:timers/promises';
  import { syncBuiltinESMExports } from 'node:module';
  let before = () => {};
  const watch = (object, names) => {
    for (const name of names) {
      const plain = object[name];
      object[name] = async function (...given) {
        before(name, given[0]);
        const result = await plain.apply(this, given);
        if (name === 'open') watch(result, ['write', 'sync', 'chmod', 'chown', 'close']);
        return result;
      };
    }
  };
  watch(promises, ['open', 'rename', 'rm']);
  timers.setTimeout = async () => {};
  syncBuiltinESMExports();`;

/** What became of Node with the text of a module, started by `words`. */
function spawned(words: readonly string[], code: string): SpawnSyncReturns<string> {
  const [first = '', ...rest] = [...words, process.execPath, '--input-type=module', '--eval', code];
  return spawnSync(first, rest, { cwd: ROOT, encoding: 'utf8', ...TIME_LIMIT });
}

/** What a program prints as JSON, in which the file system is watched. */
function watched(code: string): unknown {
  return JSON.parse(runModule(WATCHED + program(code)));
}

describe('a program that is killed', () => {
  test('before any step of a save leaves the old filter or the new one, whole', async () => {
    const kinds = new Set<string>();
    for (let step = 0, isDone = false; !isDone; ++step) {
      await save(at('killed'), OLD);
      const code = `
        let steps = 0;
        before = () => { if (steps++ === ${step}) process.kill(process.pid, 'SIGKILL'); };
        await save('${at('killed')}', newer);`;
      const { signal, stderr } = spawned([], WATCHED + program(code));
      expect(stderr).toBe('');
      isDone = signal === null;
      const found = await load(at('killed'), CuckooFilter);
      kinds.add(`${found?.has('new') === true ? 'new' : 'old'} ${left('killed').length}`);
      expect(isDone).toBe(isDone && found?.has('new') === true);
      for (const name of left('killed.')) rmSync(at(name));
    }
    // The new file lies beside the old one, is not made yet, or has replaced it.
    expect([...kinds].toSorted()).toEqual(['new 1', 'old 1', 'old 2']);
  });

  test('at any moment leaves a whole filter, with all that was saved before', async () => {
    const name = at('any-moment');
    const random = new Random(5);
    for (let round = 0; round < runs(2, 20); ++round) {
      const code = program(`
        const filter = (await load('${name}', CuckooFilter)) ?? new CuckooFilter({ capacity: 100_000 });
        for (let i = filter.size; ; ++i) {
          filter.add(i);
          await save('${name}', filter);
          process.stdout.write(i + '\\n');
        }`);
      const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
        cwd: ROOT,
        ...TIME_LIMIT,
      });
      let printed = '';
      const lines = 1 + random.below(30);
      child.stdout.on('data', (text) => {
        printed += String(text);
        if (printed.split('\n').length > lines) child.kill('SIGKILL');
      });
      await once(child, 'close');
      const last = Number(printed.trimEnd().split('\n').at(-1));
      const found = await load(name, CuckooFilter);
      expect(found?.has(last)).toBe(true);
      expect(found?.size).toBeGreaterThanOrEqual(last + 1);
    }
  });
});

describe('saves at the same time', () => {
  test('of one program end with what the last call saved, under whatever name', async () => {
    const random = new Random(7);
    symlinkSync('at-once', at('at-once-link'));
    const filter = new CuckooFilter({ capacity: 1000 });
    for (let round = 0; round < 5; ++round) {
      const names = Array.from({ length: 12 }, () => at(random.below(2) === 0 ? 'at-once' : 'at-once-link'));
      await Promise.all(names.map((name) => save(name, filter.add(filter.size))));
      expect((await load(at('at-once'), CuckooFilter))?.size).toBe(filter.size);
    }
    expect(left('at-once').toSorted()).toEqual(['at-once', 'at-once-link']);
  });

  test('are in turn even if some are aborted while they wait', async () => {
    const filter = new CuckooFilter({ capacity: 1000 });
    const reasons: unknown[] = [];
    const calls = Array.from({ length: 20 }, (_, i) => {
      const controller = new AbortController();
      const { signal } = controller;
      const saving = save(at('in-turn'), filter.add(i), { signal }).catch((error: unknown) =>
        reasons.push(error),
      );
      if (i % 3 === 1) controller.abort(`reason ${i}`);
      return saving;
    });
    await Promise.all(calls);
    expect(reasons.toSorted()).toEqual([1, 4, 7, 10, 13, 16, 19].map((i) => `reason ${i}`).toSorted());
    expect((await load(at('in-turn'), CuckooFilter))?.size).toBe(19);
    expect(left('in-turn')).toEqual(['in-turn']);
  });

  test('of several processes leave a whole filter at every moment', async () => {
    const name = at('processes');
    await save(name, OLD);
    const code = program(`for (let i = 0; i < ${runs(30, 1000)}; ++i) await save('${name}', newer);`);
    const children = [1, 2, 3].map(() =>
      spawn(process.execPath, ['--input-type=module', '--eval', code], { cwd: ROOT, ...TIME_LIMIT }),
    );
    let running = children.length;
    const codes = children.map(async (child) => {
      const [status] = (await once(child, 'close')) as [number];
      --running;
      return status;
    });
    while (running > 0) expect((await load(name, CuckooFilter))?.size).toBe(1);
    expect(await Promise.all(codes)).toEqual([0, 0, 0]);
    expect(left('processes')).toEqual(['processes']);
  });
});

describe('a signal', () => {
  test.each(['open', 'write', 'sync', 'close'])(
    'ends a save before %s, and the old filter stays',
    async (step) => {
      await save(at('signalled'), OLD);
      const ended = watched(`
      const controller = new AbortController();
      const reason = new Error('enough');
      before = (name) => { if (name === '${step}') controller.abort(reason); };
      const error = await save('${at('signalled')}', newer, { signal: controller.signal }).catch((error) => error);
      console.log(error === reason);`);
      expect(ended).toBe(true);
      expect((await load(at('signalled'), CuckooFilter))?.has('old')).toBe(true);
      expect(left('signalled')).toEqual(['signalled']);
    },
  );

  test('that has aborted before ends every call before it begins', async () => {
    const signal = AbortSignal.abort('before');
    await expect(save(at('never'), OLD, { signal })).rejects.toBe('before');
    expect(left('never')).toEqual([]);
    await save(at('never'), OLD);
    await expect(load(at('never'), CuckooFilter, { signal })).rejects.toBe('before');
  });
});

describe('the new file', () => {
  test.each([0o600, 0o640, 0o444, 0o666])('has the permissions %o of the old one', async (mode) => {
    await save(at('mode'), OLD);
    chmodSync(at('mode'), mode);
    await save(at('mode'), NEW);
    expect(statSync(at('mode')).mode & 0o777).toBe(mode);
  });

  test('has those of any new file if there was none', async () => {
    await save(at('fresh'), OLD);
    expect(statSync(at('fresh')).mode & 0o777).toBe(statSync(file('other', '')).mode & 0o777);
  });

  (isRoot ? test : test.skip)('belongs to the owner of the old one, if root saves it', async () => {
    await save(at('owned'), OLD);
    chownSync(at('owned'), 1234, 2345);
    await save(at('owned'), NEW);
    const { uid, gid } = statSync(at('owned'));
    expect([uid, gid]).toEqual([1234, 2345]);
  });

  test('is where a link leads, even if nothing is there yet', async () => {
    mkdirSync(at('elsewhere'));
    symlinkSync('elsewhere/real', at('leading'));
    for (const filter of [OLD, NEW]) {
      await save(at('leading'), filter);
      expect(lstatSync(at('leading')).isSymbolicLink()).toBe(true);
      expect(readFileSync(at('elsewhere/real'))).toEqual(Buffer.from(filter.serialize()));
    }
    expect(readdirSync(at('elsewhere'))).toEqual(['real']);
  });

  onLinux('may be a pipe or a device, which are written to', () => {
    const code = program(`await save('/dev/stdout', newer); await save('/dev/null', newer);`);
    const { stdout, stderr } = spawned(['sh', '-c', '"$@" | od -v -A n -t u1', 'sh'], code);
    expect(stderr).toBe('');
    expect(Uint8Array.from(stdout.trim().split(/\s+/), Number)).toEqual(NEW.serialize());
    expect(lstatSync('/dev/null').isFile()).toBe(false);
  });
});

describe('a save that fails leaves the old filter and nothing else, and says why', () => {
  test.each<[string, string, string, string]>([
    ['no folder', 'no-folder/new', 'ENOENT', 'there is no folder FOLDER/no-folder. Make it first'],
    ['a folder', '.', 'EISDIR', 'this is a folder. Name a file'],
    [
      'a name that is too long',
      'n'.repeat(250),
      'ENAMETOOLONG',
      'the name is too long, because the new file first has 13 more characters',
    ],
  ])('%s', async (_, name, code, reason) => {
    const error = (await save(at(name), NEW).catch((each: unknown) => each)) as Error & {
      code?: string;
      path?: string;
    };
    const words = `cannot save ${at(name)}: ${reason.replace('FOLDER', folder)}`;
    expect([error.message, error.code, error.path, left('n').includes(name)]).toEqual([
      words,
      code,
      at(name),
      false,
    ]);
    expect(error.cause).toMatchObject({ code });
  });

  // A limit of the size of files acts as a full disk does: the first bytes are taken.
  onLinux('no room on the disk', async () => {
    await save(at('limited'), OLD);
    const code = program(`
      const filter = new CuckooFilter({ capacity: 100_000 });
      console.log(JSON.stringify(await told(save('${at('limited')}', filter))));`);
    const { stdout } = spawned(['sh', '-c', 'ulimit -f 8; exec "$@"', 'sh'], code);
    expect(JSON.parse(stdout)).toEqual([`cannot save ${at('limited')}: EFBIG: file too large`, 'EFBIG']);
    expect((await load(at('limited'), CuckooFilter))?.has('old')).toBe(true);
    expect(left('limited')).toEqual(['limited']);
  });

  onLinux('a folder that may not be written to', async () => {
    const closed = mkdtempSync(at('closed-'));
    await save(join(closed, 'seen'), OLD);
    chmodSync(folder, 0o755);
    chmodSync(closed, 0o555);
    const code = program(`
      const name = '${join(closed, 'seen')}';
      const loaded = await load(name, CuckooFilter);
      console.log(JSON.stringify([loaded.size, await told(save(name, newer)), await told(take(name, CuckooFilter, () => newer))]));`);
    const asOther = isRoot ? ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups'] : [];
    const { stdout, stderr } = spawned(asOther, code);
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual([
      1,
      [
        `cannot save ${closed}/seen: no permission to write in the folder ${closed}, where the new file is made`,
        'EACCES',
      ],
      [
        `cannot take ${closed}/seen: no permission to write in the folder ${closed}, where the new file is made`,
        'EACCES',
      ],
    ]);
    chmodSync(closed, 0o755);
    expect(readdirSync(closed)).toEqual(['seen']);
  });

  test.each(['open', 'chmod', 'write', 'sync', 'rename'])('an error of the system in %s', async (step) => {
    await save(at('failing'), OLD);
    const error = watched(`
      before = (name, path) => {
        if (name === '${step}' && path !== '${folder}')
          throw Object.assign(new Error("EIO: i/o error, ${step} '/a/b.tmp'"), { code: 'EIO', syscall: '${step}' });
      };
      console.log(JSON.stringify(await told(save('${at('failing')}', newer))));`);
    expect(error).toEqual([`cannot save ${at('failing')}: EIO: i/o error`, 'EIO']);
    expect((await load(at('failing'), CuckooFilter))?.has('old')).toBe(true);
    expect(left('failing')).toEqual(['failing']);
  });
});

// npm/write-file-atomic#49, isaacs/node-graceful-fs#104: on Windows, a virus scanner that reads a file keeps others from
// replacing or removing it.
describe('a file that another program holds', () => {
  /** Saves and takes while `rename`, `rm` and opening the file fail so often. */
  const held = (name: string, times: number): unknown =>
    watched(`
      const counts = { rename: ${times}, rm: ${times}, open: ${times} };
      before = (name, path) => {
        const isOf = name !== 'open' || path === '${at(name)}';
        if (isOf && counts[name]-- > 0) throw Object.assign(new Error('EBUSY: held'), { code: 'EBUSY', syscall: name });
      };
      const saved = await told(save('${at(name)}', newer));
      let hasBuilt = false;
      const taken = await told(take('${at(name)}', CuckooFilter, () => ((hasBuilt = true), newer)));
      console.log(JSON.stringify([saved, taken, hasBuilt]));`);

  test('is waited for', async () => {
    await save(at('held'), OLD);
    expect(held('held', 9)).toEqual(['done', 'done', false]);
    expect(left('held')).toEqual([]);
  });

  test('for good is told, and stays', async () => {
    await save(at('for-good'), OLD);
    const message = (action: string): string[] => [
      `cannot ${action} ${at('for-good')}: EBUSY: held`,
      'EBUSY',
    ];
    expect(held('for-good', 1e9)).toEqual([message('save'), message('load'), false]);
    expect((await load(at('for-good'), CuckooFilter))?.has('old')).toBe(true);
  });
});

onLinux('what is saved or taken is flushed, and so is its folder', () => {
  const trace = ['-f', '-e', 'trace=rename,renameat,renameat2,fsync,unlink,unlinkat', '-o', at('trace')];
  const code = program(
    `await save('${at('flushed')}', newer); await take('${at('flushed')}', CuckooFilter, () => newer);`,
  );
  const { error, status } = spawned(['strace', ...trace], code);
  if (error) return; // There is no strace.
  expect(status).toBe(0);
  const steps = readFileSync(at('trace'), 'utf8').match(/fsync|rename|unlink/g);
  // Before it loads, take makes and removes a file, to see whether it can.
  expect(steps).toEqual(['fsync', 'rename', 'fsync', 'unlink', 'unlink', 'fsync']);
  expect(existsSync(at('flushed'))).toBe(false);
});
