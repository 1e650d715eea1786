// What the words of a command line ask for.
import { describe, expect, test } from '@jest/globals';
import { commandLineOf } from '../../../js/cli/arguments';
import { Failure } from '../../../js/cli/words/failure';
import { thrownBy } from '../support/random';

describe('the words of a command line', () => {
  test.each<readonly [readonly string[], object]>([
    [['dedup'], { action: 'run', command: 'dedup', settings: { files: ['-'] } }],
    [['build', 'a', '-', 'b'], { action: 'run', command: 'build', settings: { files: ['a', '-', 'b'] } }],
    [['query', '--', '-k'], { action: 'run', command: 'query', settings: { files: ['-k'] } }],
    [['merge', 'a'], { action: 'run', command: 'merge', settings: { files: ['a'] } }],
    [['info', 'a', 'b'], { action: 'run', command: 'info', settings: { files: ['a', 'b'] } }],
    [
      ['dedup', '-k', '2', '-d', ',', '-z', '-c', '1_000_000', '-r', '1e-3', '-s', 'to', '-D', 'lines'],
      {
        action: 'run',
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
        action: 'run',
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
        action: 'run',
        command: 'build',
        settings: { key: '1', delimiter: ',', zero: true, capacity: 5, rate: 0.1, save: 'to', files: ['-'] },
      },
    ],
    [
      ['build', '-l', 'from', '-s', 'to'],
      { action: 'run', command: 'build', settings: { load: 'from', save: 'to', files: ['-'] } },
    ],
    [
      ['query', '-k1', '-d,', '-z', '-l', 'from', '-v', 'lines'],
      {
        action: 'run',
        command: 'query',
        settings: { key: '1', delimiter: ',', zero: true, load: 'from', invert: true, files: ['lines'] },
      },
    ],
    [['query', '--invert'], { action: 'run', command: 'query', settings: { invert: true, files: ['-'] } }],
    [
      ['merge', '-o', 'to', 'a'],
      { action: 'run', command: 'merge', settings: { output: 'to', files: ['a'] } },
    ],
    [
      ['merge', '--output=to', 'a'],
      { action: 'run', command: 'merge', settings: { output: 'to', files: ['a'] } },
    ],
    [
      ['dedup', '--csv', '--header', '-k', 'name', '-m', '1,000,000', '--summary', '-q', '--json'],
      {
        action: 'run',
        command: 'dedup',
        settings: {
          csv: true,
          header: true,
          key: 'name',
          maxCapacity: 1_000_000,
          summary: true,
          quiet: true,
          json: true,
          files: ['-'],
        },
      },
    ],
    [
      ['dedup', '--key=-1', '-z', '-z', '-c', '10,000'],
      {
        action: 'run',
        command: 'dedup',
        settings: { key: '-1', zero: true, capacity: 10_000, files: ['-'] },
      },
    ],
    [['plan', '-c5'], { action: 'run', command: 'plan', settings: { capacity: 5, files: [] } }],
    [['--help'], { action: 'help' }],
    [['-h'], { action: 'help' }],
    [['help'], { action: 'help' }],
    [['help', 'help'], { action: 'help' }],
    [['help', '--help'], { action: 'help' }],
    [['query', 'lines', '--help'], { action: 'help', command: 'query' }],
    [['merge', '-h'], { action: 'help', command: 'merge' }],
    [['help', 'build'], { action: 'help', command: 'build' }],
    [['--help', 'info'], { action: 'help', command: 'info' }],
    [['query', '--', '--help'], { action: 'run', command: 'query', settings: { files: ['--help'] } }],
    [['-V'], { action: 'version' }],
    [[], { action: 'nothing' }],
    [['--version'], { action: 'version' }],
  ])('%j', (words, asked) => {
    expect(commandLineOf(words)).toEqual(asked);
  });

  test.each<readonly [readonly string[], RegExp]>([
    [['constructor'], /^unknown command "constructor"; run cuckoofilter-wasm --help for the list$/],
    [['-v'], /^unknown command "-v"/],
    [['access.log'], /^unknown command "access\.log"; did you mean dedup access\.log\?$/],
    [['logs/today'], /did you mean dedup logs\/today\?$/],
    [['-'], /did you mean dedup -\?$/],
    [['help', 'helper'], /^unknown command "helper"/],
    [['help', 'no-help'], /^unknown command "no-help"/],
    [['dedup', '-k1', '--key=2'], /^--key is given twice: leave one out$/],
    [
      ['dedup', '--create', '-l', 'from'],
      /^--create needs --load FILE and --save FILE, usually the same file$/,
    ],
    [['dedup', '--create', '-s', 'to'], /^--create needs --load FILE and --save FILE/],
    [['merge'], /^merge needs the names of filters saved by build or dedup$/],
    [['info'], /^info needs the names of filters/],
    [['info', '-k1', 'a'], /^info does not take -k; run cuckoofilter-wasm help info for the list$/],
    [['query', '-D', 'a'], /^query does not take -D;/],
    [['build', '--invert'], /^build does not take --invert;/],
    [['build', '-o', 'a'], /^build does not take -o; did you mean --save\?$/],
    [['query', '--output=a'], /^query does not take --output; redirect standard output/],
    [['dedup', '--column', '2'], /^unknown option --column; did you mean --key\?$/],
    [
      ['dedup', '--progress'],
      /^unknown option --progress; progress is shown on a terminal, without an option$/,
    ],
    [['dedup', '-c', ''], /^--capacity must be a number such as 1000000 or 1e6, got ""$/],
    [['dedup', '-c', 'Infinity'], /^--capacity must be a number such as 1000000 or 1e6, got "Infinity"$/],
    [['dedup', '-r', 'low'], /^--rate must be a number such as 0.001, got "low"$/],
    [
      ['dedup', '-l', 'from', '-c', '5'],
      /^leave out --capacity: the filter in from keeps the size and rate it was made with$/,
    ],
    [['build', '-l', 'from', '-r', '0.1'], /^leave out --rate: /],
    [['dedup', '-l', 'from', '-m', '5', '-c', '5'], /^leave out --capacity and --max-capacity: /],
    [['dedup', '--csv'], /^--csv needs --key with the number or name of a column, such as --key 2$/],
    [['dedup', '--csv', '-k1', '-z'], /^leave out --zero with --csv: rows end with a line break$/],
    [['dedup', '--header', '-k1'], /^--header needs --csv$/],
    [['plan', 'file'], /^plan takes no files/],
    [['dedup', '-c', '1,00'], /^--capacity must be a number such as 1000000 or 1e6, got "1,00"$/],
    [['dedup', '-c', '01,000'], /^--capacity must be a number .* got "01,000"$/],
    [['dedup', '-c', '1,000,00'], /^--capacity must be a number .* got "1,000,00"$/],
    [['dedup', '--key'], /^--key needs a value; if the value begins with -, write --key=VALUE$/],
    [['dedup', '-k', '-d'], /^-k needs a value; /],
    [['dedup', '--capacity', '-x'], /^--capacity needs a value; /],
    [['dedup', '--zero=1'], /^--zero takes no value$/],
  ])('%j make no sense', (words, message) => {
    expect(thrownBy(Failure, () => commandLineOf(words)).message).toMatch(message);
  });
});
