// What the words of a command line ask for, and what --help says of them.
import { describe, expect, test } from '@jest/globals';
import { Failure } from '../../js/cli/failure';
import { commandLineOf, help } from '../../js/cli/settings';
import { thrownBy } from './random';

describe('the words of a command line', () => {
  test.each<readonly [readonly string[], object]>([
    [['dedup'], { command: 'dedup', settings: { files: ['-'] } }],
    [['build', 'a', '-', 'b'], { command: 'build', settings: { files: ['a', '-', 'b'] } }],
    [['query', '--', '-k'], { command: 'query', settings: { files: ['-k'] } }],
    [['merge', 'a'], { command: 'merge', settings: { files: ['a'] } }],
    [['info', 'a', 'b'], { command: 'info', settings: { files: ['a', 'b'] } }],
    [
      ['dedup', '-k', '2', '-d', ',', '-z', '-c', '1_000_000', '-r', '1e-3', '-s', 'to', '-D', 'lines'],
      {
        command: 'dedup',
        settings: {
          key: '2',
          delimiter: ',',
          zero: true,
          capacity: 1_000_000,
          rate: 0.001,
          save: 'to',
          duplicates: true,
          files: ['lines'],
        },
      },
    ],
    [
      ['dedup', '--key=/a/', '--delimiter=;', '--zero', '--load', 'from', '--save', 'to', '--duplicates'],
      {
        command: 'dedup',
        settings: {
          key: '/a/',
          delimiter: ';',
          zero: true,
          load: 'from',
          save: 'to',
          duplicates: true,
          files: ['-'],
        },
      },
    ],
    [
      ['build', '-k1', '-d,', '-z', '-c5', '-r.1', '-s', 'to'],
      {
        command: 'build',
        settings: { key: '1', delimiter: ',', zero: true, capacity: 5, rate: 0.1, save: 'to', files: ['-'] },
      },
    ],
    [
      ['build', '-l', 'from', '-s', 'to'],
      { command: 'build', settings: { load: 'from', save: 'to', files: ['-'] } },
    ],
    [
      ['query', '-k1', '-d,', '-z', '-l', 'from', '-v', 'lines'],
      {
        command: 'query',
        settings: { key: '1', delimiter: ',', zero: true, load: 'from', invert: true, files: ['lines'] },
      },
    ],
    [['query', '--invert'], { command: 'query', settings: { invert: true, files: ['-'] } }],
    [['merge', '-o', 'to', 'a'], { command: 'merge', settings: { output: 'to', files: ['a'] } }],
    [['merge', '--output=to', 'a'], { command: 'merge', settings: { output: 'to', files: ['a'] } }],
    [['--help'], { command: 'help', settings: { files: [] } }],
    [['-h'], { command: 'help', settings: { files: [] } }],
    [['query', 'lines', '--help'], { command: 'help', settings: { files: [] } }],
    [['--version'], { command: 'version', settings: { files: [] } }],
  ])('%j', (words, asked) => {
    const { command, settings } = commandLineOf(words);
    expect({ command, settings: { ...settings } }).toEqual(asked);
  });

  test.each<readonly [readonly string[], RegExp]>([
    [[], /^no command given; run cuckoofilter-wasm --help for the list$/],
    [['constructor'], /^unknown command "constructor"; run cuckoofilter-wasm --help for the list$/],
    [['-v'], /^unknown command "-v"/],
    [['merge'], /^merge needs files/],
    [['info'], /^info needs files/],
    [['info', '-k1', 'a'], /^unknown option -k; run cuckoofilter-wasm --help for the list$/],
    [['query', '-D', 'a'], /^unknown option -D;/],
    [['build', '--invert'], /^unknown option --invert;/],
    [['dedup', '-c', ''], /^--capacity must be a number, got ""$/],
    [['dedup', '-c', 'Infinity'], /^--capacity must be a number, got "Infinity"$/],
    [['dedup', '-r', 'low'], /^--rate must be a number, got "low"$/],
    [['dedup', '-l', 'from', '-c', '5'], /^leave out --capacity and --rate with --load/],
    [['build', '-l', 'from', '-r', '0.1'], /^leave out --capacity and --rate with --load/],
    [['dedup', '--key'], /^--key needs a value; if the value begins with -, write --name=value$/],
    [['dedup', '-k', '-d'], /^-k needs a value; /],
    [['dedup', '--capacity', '-5'], /^--capacity needs a value; /],
    [['dedup', '--zero=1'], /^--zero takes no value$/],
  ])('%j make no sense', (words, message) => {
    expect(thrownBy(Failure, () => commandLineOf(words)).message).toMatch(message);
  });
});

describe('what --help prints', () => {
  const BUILD = [
    '-k, --key KEY',
    '-d, --delimiter BYTE',
    '-z, --zero',
    '-c, --capacity N',
    '-r, --rate P',
    '-l, --load FILE',
    '-s, --save FILE',
  ];
  const OPTIONS: Record<string, readonly string[]> = {
    dedup: [...BUILD, '-D, --duplicates'],
    build: BUILD,
    query: ['-k, --key KEY', '-d, --delimiter BYTE', '-z, --zero', '-l, --load FILE', '-v, --invert'],
    merge: ['-o, --output FILE'],
    info: [],
  };
  const [usage = '', , ...rest] = help().split('\n');

  test('has examples that make sense', () => {
    const examples = [...help().matchAll(/^ {2}cuckoofilter-wasm (.*?)(?: > .*)?$/gm)];
    const asked = examples.map(([, words = '']) => commandLineOf(words.split(' ')).command);
    expect(asked).toEqual(['dedup', 'dedup', 'build', 'query', 'info']);
  });

  test('begins with the usage, and ends with the exit codes, examples and a newline', () => {
    expect(usage).toMatch(/^usage: cuckoofilter-wasm command \[options\] \[files\]$/);
    expect(help()).toMatch(/\n\n[^\n]*standard input[^]*\nExit code: [^]*\n\nExamples:\n[^]*[^\n]\n$/);
  });

  test('tells of each command, after a blank line, what it does and each of its options, in columns', () => {
    const groups = rest
      .join('\n')
      .split('\n\n')
      .slice(0, Object.keys(OPTIONS).length)
      .map((group) => group.split('\n'));
    expect(groups.map(([name]) => name)).toEqual(
      ['dedup [options] [files]', 'build [options] [files]', 'query [options] [files]']
        .concat('merge [options] filters', 'info filters')
        .map((words) => `  ${words}`),
    );
    for (const [[name = '', summary = '', ...lines], options] of groups.map(
      (group, i) => [group, Object.values(OPTIONS)[i] ?? []] as const,
    )) {
      expect([name, summary]).toEqual([name, expect.stringMatching(/^ {6}\w+( \S+){2,}/)]);
      expect(lines.map((line) => line.slice(0, 30).trim())).toEqual(options);
      for (const line of lines) expect(line).toMatch(/^ {6}-\w, --.{17} *\b\w+( \S+){3,}$/);
    }
  });
});
