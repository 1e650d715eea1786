// The package's sources among themselves: which file imports which.
import { expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

const ROOT = join(__dirname, '../../..');
const SOURCES = join(ROOT, 'js/src');

type Graph = ReadonlyMap<string, readonly string[]>;

/** The sources that each source in a folder imports, types too, by their paths. */
function graphOf(folder: string): Graph {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
      .map((path) => {
        const text = readFileSync(join(folder, path), 'utf8');
        const named = [...text.matchAll(/^(?:import|export)\b[^;]*?\bfrom '(\.[^']+)\.js';/gm)];
        return [path, named.map(([, to = '']) => `${posix.join(posix.dirname(path), to)}.ts`)] as const;
      }),
  );
}

const graph = graphOf(SOURCES);
const command = graphOf(join(ROOT, 'js/cli'));

/** The first way found from a file back to itself. */
function circle(): readonly string[] | undefined {
  const done = new Set<string>();
  const walk = (path: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of graph.get(path) ?? []) {
      const found = walk(next, [...way, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  return [...graph.keys()].map((path) => walk(path, [])).find((found) => found !== undefined);
}

test('every import leads to a source', () => {
  expect(graph.size).toBeGreaterThan(20);
  for (const [path, imported] of graph)
    for (const each of imported) expect([path, each, graph.has(each)]).toEqual([path, each, true]);
});

test('no source imports itself by way of others', () => {
  expect(circle()).toBeUndefined();
});

test('the reader takes nothing but types from outside its folder, the errors, hashed keys, UTF-8 and the checks of arguments', () => {
  const taken = [...graph.keys()]
    .filter((path) => path.startsWith('reader/'))
    .flatMap((path) => [
      ...readFileSync(join(SOURCES, path), 'utf8').matchAll(
        /^import (?!type\b)[^;]*?\bfrom '(\.\.[^']+)';/gm,
      ),
    ]);
  expect(new Set(taken.map(([, from]) => from))).toEqual(
    new Set([
      '../basic-errors.js',
      '../keys/hashed-kind.js',
      '../keys/utf8.js',
      '../options/into.js',
      '../options/plain.js',
    ]),
  );
});

const folderOf = (path: string): string => (path.includes('/') ? path.slice(0, path.indexOf('/')) : '');

/** The imports that lead to a later one of `layers`, each as importer and imported. */
function backward(sources: Graph, layers: readonly string[]): (readonly [from: string, to: string])[] {
  const layerOf = (path: string): number => layers.indexOf(folderOf(path));
  expect(new Set([...sources.keys()].map(folderOf))).toEqual(new Set(layers));
  return [...sources].flatMap(([from, imported]) =>
    imported.filter((to) => layerOf(to) > layerOf(from)).map((to) => [from, to] as const),
  );
}

/** The folders, each of which imports from itself and from those before it, types too. '' is what all others may use. */
const LAYERS = ['', 'engine', 'options', 'keys', 'filters', 'abilities', 'reader'];
/** What stands beside the folders and is no entry. */
const SHARED = ['basic-errors.ts', 'class-names.ts', 'errors.ts'];

test('folders are layers', () => {
  const entries = [...graph.keys()].filter((path) => !path.includes('/') && !SHARED.includes(path));
  const inFolders = new Map([...graph].filter(([path]) => !entries.includes(path)));
  expect(backward(inFolders, LAYERS)).toEqual([]);
  expect([...inFolders].filter(([, imported]) => imported.some((each) => entries.includes(each)))).toEqual(
    [],
  );
});

/** What the projects beside js/src use of it: parts that need no core, and the filter that a replica is, by its public name. */
const USED =
  /^(basic-errors|class-names|errors|index|(keys|options|reader)\/.*|engine\/bytes|filters\/(protocols|wrong-filter))$/;

test.each(['redis', 'redisbloom', 'file'])(
  'js/%s uses the parts of the package that need no core',
  (project) => {
    const imports = [...graphOf(join(ROOT, 'js', project))].flatMap(([path, imported]) =>
      imported
        .map((to) => posix.join(project, to))
        .filter((to) => !to.startsWith(`${project}/`))
        .map((to) => [path, to]),
    );
    expect(imports.length).toBeGreaterThan(5);
    for (const [path, to = ''] of imports) {
      const name = to.replace(/^src\/(.*)\.ts$/, '$1');
      expect([path, name, USED.test(name), graph.has(`${name}.ts`)]).toEqual([path, name, true, true]);
    }
  },
);

test('folders of the command are layers', () => {
  expect(backward(command, ['words', 'input', 'filters', 'output', ''])).toEqual([]);
});

test('only the engine reads addresses, and knows where the parts of the scratch buffer lie', () => {
  const outside = [...graph.keys()].filter((path) => !path.startsWith('engine/'));
  const knowing = outside.filter((path) =>
    /addressOf|bindings\.scratch\b/.test(readFileSync(join(SOURCES, path), 'utf8')),
  );
  expect(knowing).toEqual([]);
});

test('no folder has more than fifteen sources', () => {
  const folders = ['bindings', 'js', 'scripts', 'tests/bench', 'tests/cpp', 'tests/js']
    .flatMap((folder) => readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => entry.parentPath);
  const crowded = folders.filter((folder) => folders.filter((each) => each === folder).length > 15);
  expect(new Set(crowded)).toEqual(new Set());
});
