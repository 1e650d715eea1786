// Splits the WebAssembly module that has every class into a core and a part for each class but CuckooFilter, so that a
// program carries the code of the classes that it uses. Binaryen's wasm-split does the work.
// Invariant: a part has the functions that it needs and the core does not. What two parts need is in both, because in
// the core every program would carry it. All parts write such a function to the same place of the table.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { run } from '../run.mjs';

/** The parts. Each binds its class by a function of its name (`PART` in bindings/bind.h). */
export const PARTS = ['expiring', 'values', 'counter', 'scalable'];

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
  const text = await readFile(file('named.wat'), 'utf8');
  const functionsOf = partition(text, registered(bytes));
  const whole = withPlaces(text);
  const inParts = new Set(PARTS.flatMap((part) => functionsOf[part]));

  /** Takes `functions` out of the module `text`: into a part, which imports what it needs of the rest by name. */
  const split = async (text, functions) => {
    await writeFile(file('whole.wat'), text);
    await writeFile(file('functions.txt'), functions.join('\n'));
    await binaryen(
      ...['wasm-split', file('whole.wat'), '--split', '--no-placeholders', '-g'],
      ...[`--split-funcs=@${file('functions.txt')}`, '-o1', file('left.wasm'), '-o2', file('part.wasm')],
      ...['--import-namespace=core', '--export-prefix=0'],
    );
  };
  for (const part of PARTS) {
    const others = [...inParts].filter((name) => !functionsOf[part].includes(name));
    await split(emptied(whole, new Set(others)), functionsOf[part]);
    await binaryen('wasm-opt', '-Os', '--strip', file('part.wasm'), '-o', file(`${part}.wasm`));
  }
  // Without the functions of all parts, what is left exports everything that a part imports.
  await split(whole, [...inParts]);
  await binaryen('wasm-dis', '--no-validation', file('left.wasm'), '-o', file('left.wat'));
  await writeFile(file('left.wat'), filled(await readFile(file('left.wat'), 'utf8')));
  await binaryen('wasm-opt', '-Os', '--strip', file('left.wat'), '-o', file('core.wasm'));
}

/** A module as text, in whose table each part's binder has a place: the core calls it there, and each part puts it there. */
function withPlaces(text) {
  const binders = PARTS.map((part) => new RegExp(`\\(export "${part}" \\(func (\\S+?)\\)`).exec(text)[1]);
  return text
    .replace(/^( \(table \$\S+ )(\d+)/m, (_, begin, size) => begin + (Number(size) + binders.length))
    .replace(/^( \(elem .*)\)$/m, (_, begin) => `${begin} ${binders.join(' ')})`);
}

/** A function in a module as text: its name, the rest of its first line, and its body. */
const FUNCTION = /^ \(func \$(f\w+)([^\n]*\n)(.*?)(?=^ \(|^\))/gms;

/** A module as text, in which the functions of these names do nothing, so that they call none that is taken out. */
function emptied(text, names) {
  return text.replace(FUNCTION, (whole, name, line) =>
    names.has(name) ? ` (func $${name}${line}  (unreachable)\n )\n` : whole,
  );
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
  return { core, ...Object.fromEntries(PARTS.map((part) => [part, boundBy(exports[part])])) };
}

/** The names of the functions that each part needs and the core does not, in a module as text. */
function partition(text, places) {
  const calls = new Map();
  for (const [, name, , body] of text.matchAll(FUNCTION))
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
  const inParts = new Set(PARTS.flatMap((part) => [...places[part]]));
  const roots = {
    core: [
      ...[...exported].filter(([name]) => !PARTS.includes(name)).map(([, of]) => of),
      ...[...inTable].filter(([place]) => !inParts.has(place) || places.core.has(place)).map(([, of]) => of),
    ],
  };
  for (const part of PARTS)
    roots[part] = [exported.get(part), ...[...places[part]].map((at) => inTable.get(at))];
  const inCore = reachable(roots.core);
  return Object.fromEntries(
    PARTS.map((part) => [part, [...reachable(roots[part])].filter((name) => !inCore.has(name))]),
  );
}
