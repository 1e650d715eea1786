// The drawings in the documentation are those of the figures that the benches keep.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { TIME_LIMIT } from '../support/command';

const bench = join(__dirname, '../../bench');

test('every stored drawing shows the stored figures', () => {
  const script = "const { drawings } = await import('./plots.mjs'); console.log(JSON.stringify(drawings()));";
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: bench,
    encoding: 'utf8',
    ...TIME_LIMIT,
  });
  const drawings = Object.entries(JSON.parse(printed) as Record<string, string>);
  expect(drawings).toHaveLength(10);
  for (const [file, drawing] of drawings) {
    expect(readFileSync(join(bench, file), 'utf8')).toBe(drawing);
  }
});
