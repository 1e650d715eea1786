// What `--save` and `--output` write to: a filter's file, or none; links and permissions stay.
import { describe, expect, test } from '@jest/globals';
import {
  chmodSync,
  existsSync,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { command } from '../support/command';
import { at, folder } from '../support/scratch';

describe('a file that is no filter is not replaced', () => {
  test.each([
    ['dedup', '--save', at('ids'), at('ids')],
    ['build', '--save', at('ids'), at('ids')],
    ['build', '--save', at('ids')],
    ['merge', '--output', at('ids'), at('filter')],
  ])('by %s', (...parameters) => {
    writeFileSync(at('ids'), 'a\nb\n');
    expect(command(['build', '--save', at('filter')], 'x\n').code).toBe(0);
    const { code, out, errors } = command(parameters);
    expect([code, out.toString()]).toEqual([2, '']);
    expect(errors).toMatch(
      /ids: not a filter, and saving would replace it\. Name another file, or remove this one\n$/,
    );
    expect(readFileSync(at('ids'), 'utf8')).toBe('a\nb\n');
  });

  test('nor is a folder, which is found before a line is printed', () => {
    const { code, out, errors } = command(['dedup', '--save', folder], 'a\n');
    expect([code, out.toString()]).toEqual([2, '']);
    expect(errors).toMatch(/: this is a folder\. Name a file to save the filter to\n$/);
  });

  test('but an empty one is', () => {
    writeFileSync(at('empty'), '');
    expect(command(['build', '--save', at('empty')], 'a\n').code).toBe(0);
    expect(command(['query', '--load', at('empty')], 'a\n').out.toString()).toBe('a\n');
  });
});

test('dedup says before it begins that it replaces a filter, and how to go on with that one', () => {
  const run = (...more: string[]): string => command(['dedup', '--save', at('seen'), ...more], 'a\n').errors;
  expect(run()).toBe('');
  expect(run()).toBe(
    `cuckoofilter-wasm: a new filter will replace the one in ${at('seen')}. To go on with that one, add --load ${at('seen')}\n`,
  );
  expect(run('--load', at('seen'))).toBe('');
  expect(run('--quiet')).toBe('');
});

test.each([
  ['info', '-'],
  ['query', '--load', '-'],
  ['dedup', '--load', '-'],
  ['build', '--save', '-'],
])('%s does not take %s %s for a filter', (...parameters) => {
  const { code, errors } = command(parameters, 'a\n');
  expect([code, errors]).toEqual([
    2,
    'cuckoofilter-wasm: give the name of a file for the filter: "-" stands for lines only\n',
  ]);
});

test.each([0o600, 0o666])('a filter that is saved again keeps its permissions, %d', (mode) => {
  command(['build', '--save', at('kept')], 'a\n');
  chmodSync(at('kept'), mode);
  expect(command(['dedup', '--load', at('kept'), '--save', at('kept')], 'b\n').code).toBe(0);
  expect(statSync(at('kept')).mode & 0o777).toBe(mode);
});

test('a link stays, and the file that it leads to is saved', () => {
  command(['build', '--save', at('real')], 'a\n');
  symlinkSync(at('real'), at('link'));
  expect(command(['dedup', '--load', at('link'), '--save', at('link')], 'b\n').code).toBe(0);
  expect(lstatSync(at('link')).isSymbolicLink()).toBe(true);
  expect(command(['query', '--load', at('real')], 'b\n').out.toString()).toBe('b\n');
  expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([]);
});

test('a link to a file that is still to be made stays as well', () => {
  symlinkSync('made-later', at('early-link'));
  expect(command(['build', '--save', at('early-link')], 'a\n').code).toBe(0);
  expect(lstatSync(at('early-link')).isSymbolicLink()).toBe(true);
  expect(command(['query', '--load', at('made-later')], 'a\n').out.toString()).toBe('a\n');
});

test.each([
  ['there is no folder .*/no-folder. Make it first', () => at('no-folder/filter')],
  [
    'ELOOP: .*',
    () => {
      symlinkSync('loop', at('loop'));
      return at('loop');
    },
  ],
])('a place where no file can be is told: %s', (reason, place) => {
  const file = place();
  const { code, errors } = command(['build', '--save', file], 'a\n');
  expect(code).toBe(2);
  expect(errors).toMatch(new RegExp(`^cuckoofilter-wasm: ${file}: ${reason}\n$`));
});

test('a filter that another program has changed meanwhile is not saved over', () => {
  command(['build', '--save', at('shared')], 'a\n');
  const before = readFileSync(at('shared'));
  const meanwhile = `import { utimesSync } from 'node:fs';
    import promises from 'node:fs/promises';
    import { syncBuiltinESMExports } from 'node:module';
    const plain = promises.open;
    promises.open = (file, ...more) => {
      if (file.endsWith('.tmp')) utimesSync(${JSON.stringify(at('shared'))}, 1, 1);
      return plain(file, ...more);
    };
    syncBuiltinESMExports();`;
  const { code, errors } = command(
    ['dedup', '--load', at('shared'), '--save', at('shared')],
    'b\n',
    meanwhile,
  );
  expect(code).toBe(2);
  expect(errors).toMatch(
    /shared: another program changed this file during the run, so nothing was saved\. Run this again\n$/,
  );
  expect(readFileSync(at('shared'))).toEqual(before);
  expect(readdirSync(folder).filter((name) => name.includes('tmp'))).toEqual([]);
});

// isaacs/node-graceful-fs#104, npm/write-file-atomic#49: on Windows, a virus scanner that reads a file keeps others from
// replacing it.
describe('a file that another program holds', () => {
  const UPDATE = ['dedup', '--load', at('in-use'), '--save', at('in-use')] as const;
  const LEFT = /^in-use\.\d+\.tmp$/;

  /** Lets `name` of the file system fail the first `times` times for names that end in `ending`, and no wait take time. */
  function failing(name: string, ending: string, code: string, times: number): string {
    return `import fs from 'node:fs';
      import { syncBuiltinESMExports } from 'node:module';
      import timers from 'node:timers/promises';
      Atomics.wait = () => 'timed-out';
      timers.setTimeout = async () => {};
      const object = ${name.endsWith('Sync') ? 'fs' : 'fs.promises'};
      const plain = object.${name};
      let times = ${times};
      object.${name} = (file, ...more) => {
        if (String(file).endsWith('${ending}') && times-- > 0)
          throw Object.assign(new Error('${code}: told by the test'), { code: '${code}' });
        return plain(file, ...more);
      };
      syncBuiltinESMExports();`;
  }

  function begin(): void {
    for (const name of readdirSync(folder)) if (name.startsWith('in-use')) rmSync(at(name));
    expect(command(['build', '--save', at('in-use')], 'a\n').code).toBe(0);
  }

  function left(): string[] {
    return readdirSync(folder).filter((name) => name.startsWith('in-use'));
  }

  test.each([
    ['rename', '.tmp', 'EPERM'],
    ['rename', '.tmp', 'EACCES'],
    ['rename', '.tmp', 'EBUSY'],
    ['rmSync', '.lock', 'EPERM'],
    ['writeFileSync', '.lock', 'EBUSY'],
  ])('is tried again: %s of %s that fails with %s', (name, ending, code) => {
    begin();
    const ran = command(UPDATE, 'b\n', failing(name, ending, code, 9));
    expect([ran.code, ran.out.toString(), ran.errors]).toEqual([0, 'b\n', '']);
    expect(command(['query', '--load', at('in-use')], 'a\nb\n').out.toString()).toBe('a\nb\n');
    expect(left()).toEqual(['in-use']);
  });

  test.each([
    ['EPERM', 1e9],
    ['EIO', 1], // Not of the kind that passes, so not tried again.
  ])('for good, with %s, leaves the filter under a name that is told', (code, times) => {
    begin();
    const before = readFileSync(at('in-use'));
    const ran = command(UPDATE, 'b\n', failing('rename', '.tmp', code, times));
    expect([ran.code, ran.out.toString()]).toEqual([2, 'b\n']);
    expect(readFileSync(at('in-use'))).toEqual(before);
    const [written = ''] = left().filter((name) => LEFT.test(name));
    expect(left().toSorted()).toEqual(['in-use', written].toSorted());
    expect(ran.errors).toBe(
      `cuckoofilter-wasm: ${at('in-use')}: this file could not be replaced (${code}: told by the test). ` +
        `The filter is saved as ${at(written)}: close the programs that use ${at('in-use')}, then rename ${at(written)} to ${at('in-use')}\n`,
    );
    renameSync(at(written), at('in-use'));
    expect(command(['query', '--load', at('in-use')], 'a\nb\n').out.toString()).toBe('a\nb\n');
  });

  test('if it is the lock, is told once the filter is saved', () => {
    begin();
    const ran = command(UPDATE, 'b\n', failing('rmSync', '.lock', 'EBUSY', 1e9));
    expect([ran.code, ran.out.toString()]).toEqual([2, 'b\n']);
    expect(ran.errors).toContain(`its lock ${at('in-use.lock')} could not be removed`);
    expect(left()).toEqual(['in-use', 'in-use.lock']);
    expect(command(['query', '--load', at('in-use')], 'b\n').out.toString()).toBe('b\n');
  });
});

describe('--create', () => {
  const DAILY = ['dedup', '--load', at('daily'), '--save', at('daily'), '--create'];

  test('begins the filter on the first day, says so, and loads it from then on', () => {
    const first = command(DAILY, 'a\nb\na\n');
    expect([first.code, first.out.toString()]).toEqual([0, 'a\nb\n']);
    expect(first.errors).toBe(
      `cuckoofilter-wasm: ${at('daily')} does not exist yet: starting with an empty filter\n`,
    );
    const second = command(DAILY, 'b\nc\n');
    expect([second.code, second.out.toString(), second.errors]).toEqual([0, 'c\n', '']);
  });

  test('says nothing with --quiet, and takes the size of the filter that it begins', () => {
    const words = [
      'build',
      '--load',
      at('sized'),
      '--save',
      at('sized'),
      '--create',
      '-q',
      '-c',
      '1000',
      '-m',
      '1000',
    ];
    expect(command(words, 'a\n')).toMatchObject({ code: 0, errors: '' });
    const { maxCapacity } = JSON.parse(command(['info', '--json', at('sized')]).out.toString()) as {
      maxCapacity: number;
    };
    expect(maxCapacity).toBeLessThan(1500);
    expect(command(words, 'b\n')).toMatchObject({ code: 0, errors: '' });
    expect(command(['query', '--load', at('sized')], 'a\nb\nc\n').out.toString()).toBe('a\nb\n');
  });

  test('is not for a filter that cannot be reached', () => {
    symlinkSync('circle', at('circle'));
    const { code, out } = command(['dedup', '--create', '--load', at('circle'), '--save', at('x')], 'a\n');
    expect([code, out.toString(), existsSync(at('x'))]).toEqual([2, '', false]);
  });

  test('needs both files, names, and a file that is a filter if it is there', () => {
    for (const words of [['--load', at('x')], ['--save', at('x')], []])
      expect(command(['dedup', '--create', ...words], 'a\n')).toMatchObject({
        code: 2,
        errors: 'cuckoofilter-wasm: --create needs --load FILE and --save FILE, usually the same file\n',
      });
    expect(command(['dedup', '--create', '--load', '-', '--save', at('x')], 'a\n').code).toBe(2);
    writeFileSync(at('text'), 'no filter');
    const damaged = command(['dedup', '--create', '--load', at('text'), '--save', at('x')], 'a\n');
    expect([damaged.code, damaged.out.toString()]).toEqual([2, '']);
    expect(damaged.errors).toMatch(/text: not a filter saved by build or dedup/);
    expect(existsSync(at('x'))).toBe(false);
  });
});
