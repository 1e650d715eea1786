// How `npm run mutants -- cpp` finds the places of mutants and writes them into a header: with no mutant on, the copy does
// what the header does. Needs Clang, and is skipped without it.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(__dirname, '../../..');
const hasClang = spawnSync('clang++', ['--version']).status === 0;

/** Each line of a function is one question to the rewriting. */
const HEADER = `#pragma once
#include <cassert>
namespace cuckoo {
constexpr int kSize = 4 + 4;
static_assert(kSize == 8);
inline int precedence(int a, int b, int c) { return a - b + c; }
inline int dangling(int a) {
  int b = 0;
  if (a > 1)
    b = a;
  else
    b += 7;
  return b;
}
inline bool both(bool a, bool b) { return a && !b; }
template <class T>
T halved(T value) {
  assert(value >= 0 && value < 100);
  if constexpr (sizeof(T) > 100) return T();
  const auto is_large = [&](T other) { return other > T{10}; };
  return is_large(value) ? value >> 1 : value;
}
struct Pair {
  explicit constexpr Pair(int a) : sum_(a * 3) {}
  int sum_;
  int more_ = 5;
};
static_assert(Pair(2).sum_ + Pair(1).more_ == 11);
}
`;

const PROGRAM = `#include "cuckoo/cuckoo.h"
#include <cstdio>
int main() {
  using namespace cuckoo;
  for (int i = 0; i < 20; ++i)
    std::printf("%d %d %d %d %d %d\\n", precedence(i, 3, 2 * i), dangling(i % 3), both(i % 2, i % 3 == 0), halved(i),
                Pair(i).sum_, Pair(i).more_);
}
`;

interface Mutant {
  id: number;
  function: number;
  becomes: string;
}

(hasClang ? describe : describe.skip)('mutants of C++', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  let mutants: Mutant[] = [];

  const compiled = (include: string, name: string) => {
    const path = join(folder, name);
    execFileSync('clang++', [
      '-std=c++20',
      '-w',
      '-Wno-narrowing',
      `-I${include}`,
      '-o',
      path,
      join(folder, 'program.cpp'),
    ]);
    return (variables = {}) =>
      spawnSync(path, { env: { ...process.env, ...variables }, encoding: 'utf8' }).stdout;
  };

  beforeAll(() => {
    mkdirSync(join(folder, 'plain/cuckoo'), { recursive: true });
    writeFileSync(join(folder, 'plain/cuckoo/cuckoo.h'), HEADER);
    writeFileSync(join(folder, 'program.cpp'), PROGRAM);
    const script = `
      import { writeMutants } from ${JSON.stringify(join(ROOT, 'scripts/mutants/rewrite.mjs'))};
      const [from, to] = ${JSON.stringify(['plain', 'mutated'].map((name) => join(folder, name)))};
      console.log(JSON.stringify(await writeMutants(from, to, process.env)));`;
    mutants = JSON.parse(
      execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' }),
    ) as Mutant[];
  });

  test('with no mutant on, the program is the original; with one on, another', () => {
    const expected = compiled(join(folder, 'plain'), 'original')();
    const mutated = compiled(join(folder, 'mutated'), 'mutated-program');
    expect(mutated()).toBe(expected);
    const same = mutants.filter(
      ({ id, function: number }) =>
        mutated({ CUCKOO_MUTANT: `${id}`, CUCKOO_FUNCTION: `${number}` }) === expected,
    );
    expect(same).toEqual([]);
  }, 60_000);

  test('every expression that runs has its mutants', () => {
    expect(mutants.map(({ becomes }) => becomes)).toEqual([
      'inline int precedence(int a, int b, int c) { return a - b - c; }',
      'inline int precedence(int a, int b, int c) { return a + b + c; }',
      'int b = (0 + 1);',
      'if (a >= 1)',
      'if (true)',
      'if (false)',
      '', // b = a;
      '', // b += 7;
      'b -= 7;',
      'b += (7 + 1);',
      'b += (7 - 1);',
      'inline bool both(bool a, bool b) { return true; }',
      'inline bool both(bool a, bool b) { return false; }',
      'inline bool both(bool a, bool b) { return true && !b; }',
      'inline bool both(bool a, bool b) { return a && true; }',
      'const auto is_large = [&](T other) { return other >= T{10}; };',
      'const auto is_large = [&](T other) { return true; };',
      'const auto is_large = [&](T other) { return false; };',
      'const auto is_large = [&](T other) { return other > T{(10 + 1)}; };',
      'const auto is_large = [&](T other) { return other > T{(10 - 1)}; };',
      'return true ? value >> 1 : value;',
      'return false ? value >> 1 : value;',
      'return is_large(value) ? value << 1 : value;',
      'return is_large(value) ? value >> (1 + 1) : value;',
      'return is_large(value) ? value >> (1 - 1) : value;',
      'explicit constexpr Pair(int a) : sum_(a / 3) {}',
      'explicit constexpr Pair(int a) : sum_(a * (3 + 1)) {}',
      'explicit constexpr Pair(int a) : sum_(a * (3 - 1)) {}',
      'int more_ = (5 + 1);',
      'int more_ = (5 - 1);',
    ]);
  });
});
