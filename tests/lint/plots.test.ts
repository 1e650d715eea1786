// The drawings in the documentation are those of the figures that the benches keep.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { runModule } from '../js/support/command';

const bench = join(__dirname, '../bench');

test('every stored drawing shows the stored figures', () => {
  const script =
    "const { drawings } = await import('./tests/bench/plots.mjs'); console.log(JSON.stringify(drawings()));";
  const drawings = Object.entries(JSON.parse(runModule(script)) as Record<string, string>);
  expect(drawings).toHaveLength(10);
  for (const [file, drawing] of drawings) {
    expect(readFileSync(join(bench, file), 'utf8')).toBe(drawing);
  }
});
