// Runs that save the same filter at the same time, end by a signal, or are killed: no keys of a run that succeeds are lost.
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { relative } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { command, COMMAND, printed, TIME_LIMIT } from '../support/command';
import { until } from '../support/patience';
import { claim, Random, withSeed } from '../support/random';
import { at, folder } from '../support/scratch';

const SEEN = at('seen');
const LOCK = at('seen.lock');
const UPDATE = ['dedup', '--load', SEEN, '--save', SEEN] as const;

interface Running {
  readonly child: ChildProcess;
  /** What it has printed so far. */
  readonly texts: Readonly<{ out: string; errors: string }>;
  readonly ended: Promise<{ code: number | null; signal: string | null; out: string; errors: string }>;
}

const all: Running[] = [];
/** The filter that each test begins with, built once. */
let begun: Uint8Array | undefined;
beforeEach(() => {
  if (begun === undefined) {
    printed(['build', '--save', SEEN], 'first\n');
    begun = readFileSync(SEEN);
  } else writeFileSync(SEEN, begun);
});
afterEach(async () => {
  for (const { child, ended } of all.splice(0)) {
    child.kill('SIGKILL');
    await ended;
  }
  for (const name of readdirSync(folder)) rmSync(at(name), { recursive: true });
});

/** The command at work, which waits for its input. */
function start(parameters: readonly string[], input = ''): Running {
  const child = spawn(process.execPath, [COMMAND, ...parameters], TIME_LIMIT);
  const texts = { out: '', errors: '' };
  child.stdout.on('data', (bytes: Buffer) => (texts.out += bytes.toString()));
  child.stderr.on('data', (bytes: Buffer) => (texts.errors += bytes.toString()));
  child.stdin.on('error', () => {});
  child.stdin.write(input);
  const ended = once(child, 'close').then(([code, signal]: (number | string | null)[]) => ({
    code: code as number | null,
    signal: signal as string | null,
    ...texts,
  }));
  const run = { child, texts, ended };
  all.push(run);
  return run;
}

/** One that has the lock at `path`. */
async function startLocked(parameters: readonly string[], path = LOCK, input = 'mine\n'): Promise<Running> {
  const run = start(parameters, input);
  await until(
    () => existsSync(path) && readFileSync(path, 'utf8').startsWith(`process ${run.child.pid} on `),
  );
  return run;
}

function finish({ child, ended }: Running): Running['ended'] {
  child.stdin?.end();
  return ended;
}

function has(key: string): boolean {
  using filter = CuckooFilter.deserialize(readFileSync(SEEN));
  return filter.has(key);
}

describe('a run that saves the file of another run at work is refused before it prints a line', () => {
  test.each<readonly [string, () => readonly string[]]>([
    ['under the same name', () => UPDATE],
    ['under another spelling', () => ['dedup', '--load', SEEN, '--save', `${folder}/./seen`]],
    ['under a relative path', () => ['build', '--load', SEEN, '--save', relative(process.cwd(), SEEN)]],
    ['by a link', () => ['dedup', '--load', SEEN, '--save', linked('link')]],
    ['by a link to its folder', () => ['dedup', '--load', SEEN, '--save', `${linkedFolder()}/seen`]],
    ['loaded by a link', () => ['dedup', '--load', linked('other-link'), '--save', SEEN]],
    ['without loading it', () => ['build', '--save', SEEN]],
    ['as the output of merge', () => ['merge', '--output', SEEN, SEEN, SEEN]],
  ])('%s', async (_, parameters) => {
    const first = await startLocked(UPDATE);
    const words = parameters();
    const { code, out, errors } = command(words, 'theirs\n');
    expect([code, out.toString()]).toEqual([2, '']);
    expect(errors).toMatch(
      new RegExp(
        `: locked by process ${first.child.pid} on ${hostname()} since 20\\S+Z\\. Wait until that run has ended, then run this again\\. ` +
          `If that process is not a run of this command, remove ${LOCK}\n$`,
      ),
    );
    expect(await finish(first)).toMatchObject({ code: 0, out: 'mine\n' });
    expect(existsSync(LOCK)).toBe(false);
    expect(has('mine')).toBe(true);
    expect(command(words, 'theirs\n').code).toBe(0);
  });

  function linked(name: string): string {
    symlinkSync('seen', at(name));
    return at(name);
  }

  function linkedFolder(): string {
    symlinkSync('.', at('here'));
    return at('here');
  }

  test('also where the file is still to be made', async () => {
    const first = await startLocked(['build', '--save', at('new')], at('new.lock'));
    symlinkSync('new', at('new-link'));
    expect(command(['build', '--save', at('new-link')], 'theirs\n').errors).toContain('locked by process');
    expect((await finish(first)).code).toBe(0);
    expect(printed(['query', '--load', at('new')], 'mine\n')).toBe('mine\n');
  });
});

test('one file with two names is refused, because saving would part them', () => {
  linkSync(SEEN, at('twin'));
  const before = readFileSync(SEEN);
  for (const parameters of [
    ['dedup', '--load', SEEN, '--save', at('twin')],
    ['merge', '--output', at('twin'), SEEN],
  ]) {
    const { code, out, errors } = command(parameters, 'a\n');
    expect([code, out.toString()]).toEqual([2, '']);
    expect(errors).toBe(
      `cuckoofilter-wasm: ${SEEN} and ${at('twin')} are two names for the same file, and saving would replace only the second. ` +
        'Use the same name for both\n',
    );
  }
  expect(readFileSync(SEEN)).toEqual(before);
  expect(readdirSync(folder).toSorted()).toEqual(['seen', 'twin']);
});

test('nothing is locked by a run that only loads, nor by one that saves another file', async () => {
  const reader = start(['dedup', '--load', SEEN], 'a line\n');
  await once(reader.child.stdout ?? reader.child, 'data');
  expect(readdirSync(folder)).toEqual(['seen']);
  const first = await startLocked(UPDATE);
  printed(['query', '--load', SEEN], 'first\n');
  printed(['build', '--load', SEEN, '--save', at('other')], 'b\n');
  expect((await finish(reader)).code).toBe(0);
  expect((await finish(first)).code).toBe(0);
});

describe('a run that ends early', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
    'by %s leaves the file, and a lock that the next run takes over',
    async (signal) => {
      const before = readFileSync(SEEN);
      const { child, ended } = await startLocked(UPDATE);
      child.kill(signal);
      expect(await ended).toMatchObject({ code: null, signal });
      expect(readdirSync(folder)).toEqual(['seen', 'seen.lock']);
      expect(readFileSync(SEEN)).toEqual(before);
      writeFileSync(at(`seen.${child.pid}.tmp`), 'half of a filter');
      expect(printed(UPDATE, 'first\na\n')).toBe('a\n');
      expect(readdirSync(folder)).toEqual(['seen']);
    },
  );

  test('by an error unlocks the file', () => {
    expect(command([...UPDATE, '--key', '/[/'], 'a\n').code).toBe(2);
    expect(command([...UPDATE, at('no-input')]).code).toBe(2);
    expect(readdirSync(folder)).toEqual(['seen']);
  });
});

test.each([
  [
    'process 1 on elsewhere since 2030-01-01T00:00:00.000Z\n',
    'locked by process 1 on elsewhere since 2030-01-01T00:00:00.000Z. Wait until that run has ended, then run this again. ' +
      `If that process is not a run of this command, remove ${LOCK}`,
  ],
  [
    '',
    `another run may be about to save this file, because ${LOCK} exists. If there is no such run, remove ${LOCK}. If another program locks that file, as flock does, give it another one`,
  ],
  [
    'process 0 on \x1b[31m since now\n',
    `another run may be about to save this file, because ${LOCK} exists. If there is no such run, remove ${LOCK}. If another program locks that file, as flock does, give it another one`,
  ],
])('a lock with %j is told, and left', (content, told) => {
  writeFileSync(LOCK, content);
  const { code, out, errors } = command(UPDATE, 'a\n');
  expect([code, out.toString(), errors]).toEqual([2, '', `cuckoofilter-wasm: ${SEEN}: ${told}\n`]);
  expect(readFileSync(LOCK, 'utf8')).toBe(content);
});

test('of two runs whose lock was removed by hand, the later one saves nothing, and leaves a lock that is not its own', async () => {
  const first = await startLocked(UPDATE, LOCK, 'one\n');
  rmSync(LOCK);
  const second = await startLocked(UPDATE, LOCK, 'two\n');
  await until(() => second.texts.out !== ''); // It has loaded the file once it prints its line.
  const lock = readFileSync(LOCK, 'utf8');
  expect((await finish(first)).code).toBe(0);
  expect(readFileSync(LOCK, 'utf8')).toBe(lock);
  const { code, errors } = await finish(second);
  expect(code).toBe(2);
  expect(errors).toContain('another program changed this file during the run, so nothing was saved');
  expect([has('one'), has('two'), existsSync(LOCK)]).toEqual([true, false, false]);
});

test('a filter that a program puts in its place meanwhile is not replaced', async () => {
  const first = await startLocked(UPDATE);
  printed(['build', '--save', at('put')], 'put\n');
  renameSync(at('put'), SEEN);
  expect((await finish(first)).code).toBe(2);
  expect([has('put'), has('mine')]).toEqual([true, false]);
});

test(
  'of many runs at once, some of them killed, every run that succeeds has its keys in the filter',
  withSeedAsync(3, async (random) => {
    mkdirSync(at('deep'));
    symlinkSync('../seen', at('deep/link'));
    const names = [SEEN, `${folder}//seen`, relative(process.cwd(), SEEN), at('deep/link')];
    const saved: string[] = [];
    const worker = async (id: number): Promise<void> => {
      for (let i = 0; i < 6; ++i) {
        const key = `key ${id} ${i}`;
        const [load = SEEN, save = SEEN] = random.shuffled(names);
        const run = start(['dedup', '--load', load, '--save', save], `${key}\n`);
        const isKilled = random.below(4) === 0;
        if (isKilled) {
          await wait(random.below(400));
          run.child.kill('SIGKILL');
        }
        const { code, errors } = await finish(run);
        if (code === 0) saved.push(key);
        else
          claim(
            code === null ||
              /locked by process|may be about to save this file|another program changed/.test(errors) ||
              removesLock(errors),
            () => errors,
          );
      }
    };
    await Promise.all([0, 1, 2].map(worker));
    // The next run goes on after a killed one, with one exception: if that was killed after it had saved, or before it had
    // written its name into the lock, an error says to remove the lock.
    let last = await finish(start(UPDATE, 'last\n'));
    if (last.code !== 0 && last.errors.includes(`remove ${LOCK}`)) {
      rmSync(LOCK);
      last = await finish(start(UPDATE, 'last\n'));
    }
    expect([last.code, last.errors]).toEqual([0, expect.anything()]);
    const lost = [...saved, 'last'].filter((key) => !has(key));
    expect(lost).toEqual([]);
    expect(readdirSync(folder).toSorted()).toEqual(['deep', 'seen']);
  }),
);

/** Does what the error says if a run was killed after it had saved; false for any other error. */
function removesLock(errors: string): boolean {
  const isSaved = errors.includes('was killed after it had saved this file');
  if (isSaved) rmSync(LOCK, { force: true });
  return isSaved;
}

/** A test's body that is given numbers from `seed`, and waits. */
function withSeedAsync(seed: number, body: (random: Random) => Promise<void>): () => Promise<void> {
  return () => {
    let ended = Promise.resolve();
    withSeed(seed, (random) => (ended = body(random)))();
    return ended;
  };
}
