// The main job, on a small sample: what it prints is checked against an exact Set of the same lines.
import { expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const example = join(__dirname, '../../js/examples/dedup.mjs');

function figures(printed: string): Record<string, string> {
  return Object.fromEntries(
    printed
      .trimEnd()
      .split('\n')
      .map((line) => [line.slice(0, 28).trim(), line.slice(28).trim()]),
  );
}

test('the example drops at most the rate asked for and keeps the rest', () => {
  const file = join(tmpdir(), `cuckoofilter-example-${process.pid}.txt`);
  const lines = Array.from({ length: 200_000 }, (_, i) => `line ${(i * 7919) % 50_000}`);
  writeFileSync(file, lines.join('\n') + '\n');
  const shown = figures(execFileSync(process.execPath, [example, file], { encoding: 'utf8' }));
  rmSync(file);
  expect(shown['lines read']).toBe('200,000');
  expect(shown['lines kept by a Set']).toBe('50,000');
  const kept = Number(shown['lines kept by the filter']?.replace(',', ''));
  expect(kept).toBeLessThanOrEqual(50_000);
  expect(50_000 - kept).toBeLessThanOrEqual(50);
  expect(shown['lines wrongly dropped']).toBe(`${50_000 - kept} of 50,000 distinct`);
});

test('the example calls nothing but the public API', () => {
  const imports = [...readFileSync(example, 'utf8').matchAll(/from '([^']+)'/g)].map(([, name]) => name);
  expect(imports).toEqual(['node:fs', 'node:readline', 'cuckoofilter-wasm', './sample.mjs']);
});
