// Which class has which call: the table in docs/api.md is what the declarations say that users get.
import { expect, test } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The classes of the table, each with its entry. */
const CLASSES = {
  CuckooFilter: 'index',
  ScalableCuckooFilter: 'scalable',
  CuckooCounter: 'counter',
  CuckooValues: 'values',
  ExpiringFilter: 'expiring',
  Deduper: 'index',
  FilterReader: 'reader',
};
const root = join(__dirname, '../..');
const fileOf = (entry: string): string => join(root, `dist/esm/${entry}.d.ts`);

/** The public calls of each class, static ones with a dot before them. */
function callsOfClasses(): Map<string, Set<string>> {
  const program = ts.createProgram(Object.values(CLASSES).map(fileOf), {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.esnext.disposable.d.ts'],
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    module: ts.ModuleKind.ESNext,
    types: [],
  });
  const checker = program.getTypeChecker();
  const isCall = (member: ts.Symbol): boolean =>
    (member.flags & ts.SymbolFlags.Method) !== 0 && !member.name.startsWith('__');
  return new Map(
    Object.entries(CLASSES).map(([name, entry]) => {
      const source = program.getSourceFile(fileOf(entry));
      const module = source && checker.getSymbolAtLocation(source);
      const exported = module && checker.getExportsOfModule(module).find((each) => each.name === name);
      if (exported === undefined) throw new Error(`${entry} has no ${name}`);
      const symbol = exported.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(exported) : exported;
      const members = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol)).filter(isCall);
      const statics = checker.getPropertiesOfType(checker.getTypeOfSymbol(symbol)).filter(isCall);
      return [
        name,
        new Set([...statics.map((each) => `.${each.name}`), ...members.map((each) => each.name)]),
      ];
    }),
  );
}

test('docs/api.md shows which class has which call', () => {
  const calls = callsOfClasses();
  const names = [...new Set([...calls.values()].flatMap((each) => [...each]))].sort();
  // Calls that the same classes have share a row.
  const rows = new Map<string, string[]>();
  for (const name of names) {
    const marks = [...calls.values()].map((each) => (each.has(name) ? '•' : ' ')).join(' | ');
    rows.set(marks, [...(rows.get(marks) ?? []), `\`${name}\``]);
  }
  const table = [
    `| call | ${Object.keys(CLASSES)
      .map((name) => `\`${name}\``)
      .join(' | ')} |`,
    `| --- |${' :-: |'.repeat(calls.size)}`,
    ...[...rows].map(([marks, named]) => `| ${named.join(', ')} | ${marks} |`),
  ].join('\n');
  const page = join(root, 'docs/api.md');
  const text = readFileSync(page, 'utf8');
  const wanted = text.replace(/^\| call \| `CuckooFilter`.*\n(?:\|.*\n)*/m, () => `${table}\n`);
  if (process.env['WRITE_TABLES'] !== undefined) writeFileSync(page, wanted);
  // If this fails, run `WRITE_TABLES=1 npx jest symmetry`.
  else expect(text).toBe(wanted);
});

test('docs/api.md names every call of a CuckooFilter, not only in that table', () => {
  const [text = ''] = readFileSync(join(root, 'docs/api.md'), 'utf8').split(
    '\n## The classes beside each other',
  );
  const names = [...(callsOfClasses().get('CuckooFilter') ?? [])].map((name) => name.replace('.', ''));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(text))).toEqual([]);
});
