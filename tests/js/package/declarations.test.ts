// The declarations as programs meet them: through the package's name, under the settings that projects have.
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { problemsIn, problemsOf, programOf, ROOT } from '../support/compiled';

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, unknown>;
};
/** The names by which the entries are imported. */
const ENTRIES = Object.keys(manifest.exports)
  .filter((path) => !/\.\w+$/.test(path))
  .map((path) => path.replace('.', 'cuckoofilter-wasm'));

/** Of each entry, a program that names what is in it. */
const NAMING = ENTRIES.map(
  (entry) => `import * as entry from '${entry}'; export type Names = keyof typeof entry;`,
);

/** Programs that must compile, by what each shows. They are compiled together. */
const PROGRAMS: Readonly<Record<string, string>> = {
  // With declarations of its own for `AbortSignal`, `TransformStream` and `Disposable`, in every entry that names them.
  'no entry needs types of a browser or of Node': ENTRIES.map(
    (entry, i) => `export * as entry${i} from '${entry}';`,
  ).join('\n'),
  'no object that is not a key passes for a hashed one': `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    const filter = new CuckooFilter({ capacity: 3 });
    // @ts-expect-error: a plain object is not a key
    filter.has({});
    // @ts-expect-error: an instance of a class is not a key
    filter.has(new Date());
    // @ts-expect-error: a promise is not a key
    filter.has(Promise.resolve('x'));`,
  'one key does not pass for many': `
    import { CuckooFilter, hashKeys } from 'cuckoofilter-wasm';
    const filter = new CuckooFilter({ capacity: 3 });
    for (const keys of [['a'], new Set(['a']), new Uint16Array(4), hashKeys(['a'])]) filter.addMany(keys);
    // @ts-expect-error: bytes are one key
    filter.addMany(new Uint8Array(4));
    // @ts-expect-error: and so is a string
    filter.addMany('alice');`,
  'every option that may be left out may be undefined': `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    import { CuckooCounter } from 'cuckoofilter-wasm/counter';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
    import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
    declare const given: { capacity: number | undefined, falsePositiveRate: number | undefined };
    for (const Class of [CuckooFilter, CuckooCounter, ScalableCuckooFilter, SharedCuckooFilter, Traced]) {
      Class.from(['a'], given);
      Class.fromAsync(['a'], { ...given, signal: undefined });
    }
    new Traced({ capacity: 3 }).trace(2, 100, { search: undefined });`,
  'saved bytes may come as any view or buffer': `
    import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
    import { FilterReader } from 'cuckoofilter-wasm/reader';
    for (const saved of [new DataView(new ArrayBuffer(3)), new SharedArrayBuffer(3), new ArrayBuffer(3), new Uint16Array(3)]) {
      CuckooFilter.deserialize(saved);
      Deduper.deserialize(saved);
      new FilterReader(saved);
    }`,
  'what would throw in every program does not compile': `
    import { dedupe, Deduper } from 'cuckoofilter-wasm';
    import { RemoteFilter } from 'cuckoofilter-wasm/reader';
    import type { RedisReplica } from 'cuckoofilter-wasm/redis';
    import { FoundValues } from 'cuckoofilter-wasm/values';
    const deduper = new Deduper({ capacity: 3 });
    dedupe(['a'], { deduper });
    // @ts-expect-error: with a deduper there is nothing else to make
    dedupe(['a'], { capacity: 3, deduper });
    // @ts-expect-error: one is made by FilterReader.remote
    new RemoteFilter();
    // @ts-expect-error: one is what getMany returns
    new FoundValues();
    // @ts-expect-error: a program only reads why a refresh failed
    (replica: RedisReplica) => (replica.error = undefined);`,
  'a filter or a plan does not pass for options': `
    import { CuckooFilter } from 'cuckoofilter-wasm';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { FilterReader } from 'cuckoofilter-wasm/reader';
    import { SharedCuckooFilter } from 'cuckoofilter-wasm/shared';
    const filter = new CuckooFilter({ capacity: 3 });
    new CuckooFilter(CuckooFilter.plan({ capacity: 3 }).options);
    // @ts-expect-error: a copy is made by clone
    new CuckooFilter(filter);
    // @ts-expect-error: and the options of a plan are its \`options\`
    new CuckooFilter(CuckooFilter.plan({ capacity: 3 }));
    // @ts-expect-error: nor does it pass in place of the options of from
    CuckooFilter.from(['a'], filter);
    // @ts-expect-error: nor a reader
    new CuckooFilter(new FilterReader(filter.serialize()));
    // @ts-expect-error: nor in any other class
    new SharedCuckooFilter(filter);
    // @ts-expect-error: even if no option but its own is required
    CuckooFilter.from(['a'], new ExpiringFilter({ capacity: 3, periods: 2 }));`,
  'what is loaded from a file has the type of its class, and the options of its class': `
    import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { load, save, take } from 'cuckoofilter-wasm/file';
    export const loaded: Promise<CuckooFilter | undefined> = load('a', CuckooFilter, { maxBytes: 1 });
    export const expiring: Promise<ExpiringFilter | undefined> = load('a', ExpiringFilter, { every: '1 h' });
    export const taken: Promise<Deduper> = take('a', Deduper, async (damage) => {
      void damage?.code;
      return new Deduper({ capacity: 3 });
    });
    save('a', new Deduper({ capacity: 3 }), { signal: undefined });
    // @ts-expect-error: there may be no file
    load('a', CuckooFilter).then((filter) => filter.size);
    // @ts-expect-error: the option is one of another class
    load('a', CuckooFilter, { every: '1 h' });
    // @ts-expect-error: what is built is of another class
    take('a', CuckooFilter, () => new Deduper({ capacity: 3 }));
    // @ts-expect-error: bytes are not a filter
    save('a', new Uint8Array(3));`,
  'a filter of any class can be named': `
    import { CuckooFilter, type Filter } from 'cuckoofilter-wasm';
    const filter: Filter = new CuckooFilter({ capacity: 3 });
    filter.has('a');`,
};

describe('compiled together', () => {
  let program: ts.Program;
  beforeAll(() => {
    const texts = [...NAMING, ...Object.values(PROGRAMS)];
    program = programOf(Object.fromEntries(texts.map((text, i) => [`${i}.mts`, text])));
  });

  test.each(Object.keys(PROGRAMS).map((name, i) => [name, NAMING.length + i] as const))('%s', (_, number) => {
    const problems = problemsIn(program);
    expect(problems.filter((each) => each.startsWith(`/tests/${number}.mts:`))).toEqual([]);
  });

  test('nothing else is wrong', () => {
    expect(problemsIn(program)).toEqual([]);
  });

  test.each(ENTRIES)('%s declares as values what it has at run time, and the rest as types', (entry) => {
    const checker = program.getTypeChecker();
    const source = program.getSourceFile(join(ROOT, `tests/${ENTRIES.indexOf(entry)}.mts`)) as ts.SourceFile;
    const names = source.statements.find(ts.isTypeAliasDeclaration) as ts.TypeAliasDeclaration;
    const declared = checker.getTypeAtLocation(names) as ts.UnionType;
    const values = declared.types.map((type) => (type as ts.StringLiteralType).value);
    expect(values.sort()).toEqual(Object.keys(jest.requireActual<object>(entry)).sort());
  });

  test('every type that a public declaration names is public, and every public type is documented', () => {
    const exported = exportedFrom(program);
    const checker = program.getTypeChecker();
    const problems = [...exported].flatMap(([symbol, name]) => [
      ...[...namedIn(symbol, checker)]
        .filter((each) => isOfModule(each) && !exported.has(each))
        .map((each) => `${name} names ${each.name}, which no entry exports`),
      ...(symbol.getDocumentationComment(checker).length > 0 ? [] : [`${name} is not documented`]),
    ]);
    expect(problems).toEqual([]);
  });
});

/** What the entries export, each once, by the first entry that does and its name there. */
function exportedFrom(program: ts.Program): Map<ts.Symbol, string> {
  const checker = program.getTypeChecker();
  const exported = new Map<ts.Symbol, string>();
  for (const [i, entry] of ENTRIES.entries()) {
    const source = program.getSourceFile(join(ROOT, `tests/${i}.mts`)) as ts.SourceFile;
    const { moduleSpecifier } = source.statements.find(ts.isImportDeclaration) as ts.ImportDeclaration;
    for (const symbol of checker.getExportsOfModule(
      checker.getSymbolAtLocation(moduleSpecifier) as ts.Symbol,
    )) {
      const target = targetOf(symbol, checker);
      if (!exported.has(target)) exported.set(target, `${entry}: ${symbol.name}`);
    }
  }
  return exported;
}

/** What `symbol` is an import or export of, or the symbol itself. */
function targetOf(symbol: ts.Symbol, checker: ts.TypeChecker): ts.Symbol {
  return (symbol.flags & ts.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
}

/** The symbols that the declarations of `symbol` name as types, but for its private members. */
function namedIn(symbol: ts.Symbol, checker: ts.TypeChecker): ReadonlySet<ts.Symbol> {
  const named = new Set<ts.Symbol>();
  const visit = (node: ts.Node): void => {
    if (
      ts.canHaveModifiers(node) &&
      ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.PrivateKeyword)
    )
      return;
    const name = ts.isTypeReferenceNode(node)
      ? node.typeName
      : ts.isTypeQueryNode(node)
        ? node.exprName
        : ts.isExpressionWithTypeArguments(node)
          ? node.expression
          : undefined;
    const found = name && checker.getSymbolAtLocation(name);
    if (found !== undefined) named.add(targetOf(found, checker));
    node.forEachChild(visit);
  };
  symbol.declarations?.forEach(visit);
  return named;
}

/** Whether `symbol` is declared at the top of a module: so it is neither a global, nor a type parameter, nor a member. */
function isOfModule({ declarations = [] }: ts.Symbol): boolean {
  return declarations.every((each) => {
    const { parent } = ts.isVariableDeclaration(each) ? each.parent.parent : each;
    return ts.isSourceFile(parent) && ts.isExternalModule(parent);
  });
}

test('filters of two entries fit together where `exports` is not read', () => {
  const text = `
    import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
    import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
    import { CuckooFilter as Traced } from 'cuckoofilter-wasm/trace';
    new Deduper(new ScalableCuckooFilter({ capacity: 3 }));
    new CuckooFilter({ capacity: 3 }).merge(new Traced({ capacity: 3 }));`;
  const node10 = {
    module: ts.ModuleKind.CommonJS,
    moduleResolution: ts.ModuleResolutionKind.Node10,
    ignoreDeprecations: '6.0',
  };
  expect(problemsOf({ 'user.ts': text }, node10)).toEqual([]);
});

test('keys and options that a CommonJS library passes on fit an ES module', () => {
  const library = `
    import type { CuckooFilterOptions, Key, Keys } from 'cuckoofilter-wasm';
    export declare function lower(key: Key): Key;
    export declare const all: Keys;
    export declare const options: CuckooFilterOptions;`;
  const user = `
    import { CuckooFilter, hashKey } from 'cuckoofilter-wasm';
    import { all, lower, options } from './library.cjs';
    CuckooFilter.from(all, options).has(lower(hashKey('x')));`;
  expect(problemsOf({ 'library.d.cts': library, 'user.mts': user })).toEqual([]);
});

test('the code of an error tells its class', () => {
  const text = `
    import type { DisposedError, FilterFullError, InvalidKeyError } from 'cuckoofilter-wasm';
    import type { FilterBusyError } from 'cuckoofilter-wasm/shared';
    export function addedBy(error: DisposedError | FilterBusyError | FilterFullError | InvalidKeyError): unknown {
      switch (error.code) {
        case 'filter-full': return error.reason;
        case 'filter-busy': return error.added;
        case 'invalid-key': return error.index;
        case 'disposed': return error.message;
      }
    }`;
  expect(problemsOf({ 'user.mts': text }, { noImplicitReturns: true })).toEqual([]);
});

test('answers and saved forms are bytes that the platform takes', () => {
  const text = `
    import { CuckooFilter, Deduper, type Bytes } from 'cuckoofilter-wasm';
    import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
    import { CuckooCounter } from 'cuckoofilter-wasm/counter';
    import { FilterReader, type Bytes as ReaderBytes } from 'cuckoofilter-wasm/reader';
    import type { AsyncOptions, Bytes as RedisBytes, RedisCuckooFilter, RedisReplica } from 'cuckoofilter-wasm/redis';
    declare const filters: [CuckooFilter, ExpiringFilter, Deduper, FilterReader, RedisReplica, RedisCuckooFilter, CuckooCounter];
    const [filter, expiring, deduper, reader, replica, redis, counter] = filters;
    const signal: AsyncOptions = {};
    const others: [ReaderBytes, RedisBytes] = [reader.containsMany(['a']), await redis.containsMany(['a'], signal)];
    const bytes: Bytes[] = [
      filter.containsMany(['a']), filter.addManyIfAbsent(['a']), filter.serialize(),
      deduper.areNew(['a']), deduper.haveSeen(['a']), await deduper.areNewAsync(['a']),
      expiring.areNew(['a']), expiring.haveSeen(['a']), await expiring.areNewAsync(['a']),
      reader.containsMany(['a']), replica.containsMany(['a']), ...replica.serializeShards(),
      await redis.containsMany(['a']), await redis.addManyIfAbsent(['a']),
    ];
    new Blob([...bytes, ...others, filter.countMany(['a']), counter.countMany(['a'])]);`;
  const withPlatform = { lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'], skipLibCheck: true };
  expect(problemsOf({ 'user.mts': text }, withPlatform)).toEqual([]);
});
