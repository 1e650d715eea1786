// What is said about versions of Emscripten, and what the linker may take of its libraries.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runModule } from '../support/command';

const ROOT = join(__dirname, '../../..');
const MAP = `    Addr      Off     Size Out     In      Symbol
       -      3a0        4         /lib/libc.a(memcpy.o):(memcpy)
       -     be35    1e05f DATA
     400     be3a       88         lto.tmp:(.tbss._ZN4keys8long_keyE)
   1e290    29cc5       14         lto.tmp:(.rodata..Lconstinit)
   1e45c        0        1         lto.tmp:(.bss._ZN10emscripten8internal15CanonicalizedIDIbE1cE)
`;

/** What an expression gives, with what `from`, a script, exports. */
function evaluated(from: string, expression: string): unknown {
  const code = `const given = await import('./scripts/${from}');
    console.log(JSON.stringify((({ ${expression.match(/\w+/)?.[0]} }) => ${expression})(given)));`;
  return JSON.parse(runModule(code));
}

test('a version that nothing was tested with is named; CI tests the newest of the others', () => {
  const from = 'bootstrap/emscripten.mjs';
  const tested = evaluated(from, 'testedVersions') as string[];
  expect(tested.length).toBeGreaterThan(1);
  for (const version of tested) expect(evaluated(from, `untestedAdvice('${version}') ?? null`)).toBe(null);
  expect(evaluated(from, "untestedAdvice('9.9.9')")).toMatch(
    /^Emscripten 9\.9\.9 was not tested: .* npm run test:all, or use 3\.1\.69 or /,
  );
  const workflow = readFileSync(join(ROOT, '.github/workflows/ci.yml'), 'utf8');
  expect(workflow).toContain(`emscripten: '${tested.at(-1)}'`);
});

test('a variable in memory that threads share ends the build; functions and constants do not', () => {
  const found = (more: string): unknown =>
    evaluated('build/variables.mjs', `sharedVariables(${JSON.stringify(MAP + more)})`);
  expect(found('')).toEqual([]);
  expect(found('   3d0b0   0   4         /lib/libc.a(errno.o):(.bss.errno)\n')).toEqual(['errno']);
  expect(found('   3d0b0   0   4         lto.tmp:(.data.heap)\n')).toEqual(['heap']);
  const codes = '_ZZN6cuckoo6detail13SemiSortCodes5belowEjE5codes';
  expect(found(`   1e460        0    1ec4c         lto.tmp:(.bss.${codes})\n`)).toEqual([codes]);
});
