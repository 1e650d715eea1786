// Splits the WebAssembly module that has every class into a core and a part for each class but CuckooFilter, so that a
// program carries the code of the classes that it uses, and what they share once. Binaryen's wasm-split does the work.
// Invariant: a part has the functions that it alone needs, and every other function is in the core.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from '../run.mjs';

/** The parts, each with the names of what binds its classes (`PART` in bindings/bind.h). */
const BINDERS = {
  valued: ['expiring', 'values', 'counter'],
  scalable: ['scalable'],
};
export const PARTS = Object.keys(BINDERS);

/** What Emscripten compiles with, and Binaryen has to be told. */
const FEATURES = ['bulk-memory', 'nontrapping-float-to-int', 'simd', 'sign-ext', 'mutable-globals'].map(
  (feature) => `--enable-${feature}`,
);

/** Writes core.wasm and a file for each part into `folder`, where package.wasm is. */
export async function splitModule(folder, env) {
  const { output } = await run('em-config', ['BINARYEN_ROOT'], { env, quiet: true });
  const binaryen = (program, ...args) =>
    run(join(output.trim(), 'bin', program), [...FEATURES, ...args], { env, quiet: true });
  const file = (name) => join(folder, name);

  const bytes = await readFile(file('package.wasm'));
  await writeFile(file('named.wasm'), named(bytes));
  await binaryen('wasm-dis', file('named.wasm'), '-o', file('named.wat'));
  const functionsOf = partition(await readFile(file('named.wat'), 'utf8'), registered(bytes));

  let whole = 'named.wasm';
  for (const [i, part] of PARTS.entries()) {
    await writeFile(file(`${part}.txt`), functionsOf[part].join('\n'));
    await binaryen(
      ...['wasm-split', file(whole), '--split', '--no-placeholders', '-g'],
      ...[`--split-funcs=@${file(`${part}.txt`)}`, '-o1', file('rest.wasm'), '-o2', file('part.wasm')],
      // What the core exports to each part has names of its own.
      ...['--import-namespace=core', `--export-prefix=${i}`],
    );
    await binaryen('wasm-opt', '-Os', '--strip', file('part.wasm'), '-o', file(`${part}.wasm`));
    whole = `without-${part}.wat`;
    await binaryen('wasm-dis', '--no-validation', file('rest.wasm'), '-o', file(whole));
    await writeFile(file(whole), filled(await readFile(file(whole), 'utf8')));
  }
  await binaryen('wasm-opt', '-Os', '--strip', file(whole), '-o', file('core.wasm'));
}

/** A module as text, with its first function where its table lacks those of a part: old engines know no empty places. */
function filled(text) {
  return text.replace(/^ \(elem .*$/gm, (line) => {
    const [, at] = /(\(i32\.const \d+\))/.exec(line);
    const names = [...line.matchAll(/ref\.(?:func|null) (\S+?)\)/g)].map(([, name]) => name);
    const [first] = names;
    return names.length === 0
      ? line
      : ` (elem ${at} ${names.map((name) => (name[0] === '$' ? name : first)).join(' ')})`;
  });
}

/** The module with functions named by their indexes. */
function named(bytes) {
  const imported = WebAssembly.Module.imports(new WebAssembly.Module(bytes));
  const count = imported.filter(({ kind }) => kind === 'function').length + definedFunctions(bytes);
  const text = (string) => [...leb(string.length), ...Buffer.from(string)];
  const names = Array.from({ length: count }, (_, index) => [...leb(index), ...text(nameOf(index))]);
  const map = [...leb(count), ...names.flat()];
  const section = [...text('name'), 1, ...leb(map.length), ...map];
  return Buffer.concat([bytes, Buffer.from([0, ...leb(section.length), ...section])]);
}

/** f0, f1, to fz, then f10: short, because what a part takes from the core is exported under such names. */
function nameOf(index) {
  return `f${index.toString(36)}`;
}

/** A number as WebAssembly writes it: seven bits a byte, the lowest first, a mark on all but the last. */
function leb(number) {
  return number < 128 ? [number] : [(number & 127) | 128, ...leb(number >>> 7)];
}

/** How many functions a module defines: the first number in its section 3. */
function definedFunctions(bytes) {
  let at = 8;
  const read = () => {
    const byte = bytes[at++];
    return byte < 128 ? byte : (byte & 127) + 128 * read();
  };
  for (;;) {
    const id = bytes[at++];
    const length = read();
    if (id === 3) return read();
    at += length;
  }
}

/** The table's places of the functions that each part binds, and those that the core does, found by letting them bind. */
function registered(bytes) {
  let places = new Set();
  const env = new Proxy(
    { _embind_register_function: (...given) => places.add(given[5]) },
    { get: (known, name) => known[name] ?? (() => 0) },
  );
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env });
  const boundBy = (bind) => {
    places = new Set();
    bind();
    return places;
  };
  const core = boundBy(exports._initialize);
  const bindAll = (part) => () => BINDERS[part].forEach((name) => exports[name]());
  return { core, ...Object.fromEntries(PARTS.map((part) => [part, boundBy(bindAll(part))])) };
}

/** The names of the functions that each part alone needs, in a module as text. */
function partition(text, places) {
  const calls = new Map();
  for (const [, name, body] of text.matchAll(/^ \(func \$(f\w+)(.*?)(?=^ \(|^\))/gms))
    calls.set(
      name,
      [...body.matchAll(/(?:call|ref\.func) \$(f\w+)/g)].map(([, called]) => called),
    );
  const exported = new Map(
    [...text.matchAll(/\(export "([^"]+)" \(func \$(f\w+)\)\)/g)].map(([, name, of]) => [name, of]),
  );
  const inTable = new Map();
  for (const [, first, names] of text.matchAll(/^ \(elem .*?\(i32\.const (\d+)\)(.*)\)$/gm))
    for (const [i, [name]] of [...names.matchAll(/f\w+/g)].entries()) inTable.set(Number(first) + i, name);

  const reachable = (roots) => {
    const found = new Set();
    const waiting = roots.filter((name) => calls.has(name));
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(...calls.get(name).filter((called) => calls.has(called)));
    }
    return found;
  };
  const binders = Object.values(BINDERS).flat();
  const inParts = new Set(PARTS.flatMap((part) => [...places[part]]));
  const roots = {
    core: [
      ...[...exported].filter(([name]) => !binders.includes(name)).map(([, of]) => of),
      ...[...inTable].filter(([place]) => !inParts.has(place) || places.core.has(place)).map(([, of]) => of),
    ],
  };
  for (const part of PARTS)
    roots[part] = [
      ...BINDERS[part].map((name) => exported.get(name)),
      ...[...places[part]].map((at) => inTable.get(at)),
    ];
  const neededBy = Object.fromEntries(Object.entries(roots).map(([part, names]) => [part, reachable(names)]));
  const owners = (name) => Object.keys(neededBy).filter((part) => neededBy[part].has(name));
  return Object.fromEntries(
    PARTS.map((part) => [part, [...neededBy[part]].filter((name) => owners(name).length === 1)]),
  );
}
