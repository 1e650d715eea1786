// Puts every mutant of a header into one copy of it, each behind its switch. Invariant: with all mutants off the copy does
// what the header does, because a place is a whole expression or statement of the syntax tree, and its text stays.

import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { root } from '../run.mjs';
import { placesOf } from './places.mjs';
import { syntaxTree } from './tree.mjs';

/** Copies the headers in `folder` to `target` with all mutants, which it returns: each has its id, and its function's number. */
export async function writeMutants(folder, target, env) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.h')).sort();
  const sources = new Map();
  for (const name of names) sources.set(join(folder, name), await readFile(join(folder, name), 'utf8'));
  const places = placesOf(await syntaxTree('#include "cuckoo/cuckoo.h"\n', folder, env), sources);
  const mutants = [];
  let functions = 0;
  await put(join(target, 'mutants.h'), await readFile(join(root, 'tests/mutants/cpp/mutants.h'), 'utf8'));
  for (const name of names) {
    const source = sources.get(join(folder, name));
    const own = places.filter(({ file }) => file === join(folder, name));
    const outside = { number: 0, name: '', end: Infinity };
    let around = outside;
    for (const place of own) {
      if (place.form === 'function') around = Object.assign(place, { number: ++functions });
      if (place.begin >= around.end) around = outside;
      for (const mutant of named(place, source, name)) {
        mutants.push(Object.assign(mutant, { id: mutants.length + 1, function: around.number }));
        mutant.line = [around.name, mutant.line].filter(Boolean).join(': ');
      }
    }
    await put(join(target, name), withMutants(source, own));
  }
  for (const name of await readdir(target, { recursive: true }))
    if (name.endsWith('.h') && name !== 'mutants.h' && !names.includes(name)) await rm(join(target, name));
  return mutants;
}

/** Writes a header if it differs, so that only what includes it is built anew. */
async function put(path, text) {
  if ((await readFile(path, 'utf8').catch(() => undefined)) === text) return;
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

/** `source` with its mutants. `places` are sorted, an outer one before those within it, and their mutants have their ids. */
function withMutants(source, places) {
  let next = 0;
  const render = (begin, end) => {
    let text = '';
    let at = begin;
    while (next < places.length && places[next].begin < end) {
      const place = places[next++];
      text += source.slice(at, place.begin) + switched(place, render, source);
      at = place.end;
    }
    return text + source.slice(at, end);
  };
  return render(0, source.length).replace('#pragma once\n', '#pragma once\n#include "mutants.h"\n');
}

function switched({ begin, end, form, functor, between, mutants, number }, render, source) {
  if (form === 'function') {
    const within = render(begin, end);
    return within === source.slice(begin, end)
      ? within
      : `{ if (cuckoo_mutants::is_here(${number})) [[unlikely]] ${within} else ${source.slice(begin, end)} }`;
  }
  if (form === 'statement') {
    const others = mutants.map(({ id, text }) => `if (cuckoo_mutants::is_on(${id})) { ${text} } else `);
    return `{ ${others.join('')}{ ${render(begin, end)} } }`;
  }
  const functors = [functor, ...mutants.map((mutant) => mutant.functor)].filter(Boolean);
  const names = functors.map((name) => `cuckoo_mutants::${name}`).join(', ');
  const open = `<${names}>(${mutants[0].id}, `;
  if (form === 'binary')
    return `cuckoo_mutants::binary${open}${render(begin, between[0])}, ${render(between[1], end)})`;
  const value = render(begin, end);
  return `cuckoo_mutants::value${open}${form === 'condition' ? `static_cast<bool>(${value})` : value})`;
}

/** Each mutant of a place, with what tells it from others: its file, its line, and what becomes of that, both in few spaces. */
function named(place, source, file) {
  const start = source.lastIndexOf('\n', place.begin - 1) + 1;
  const stop = source.indexOf('\n', place.end);
  const plain = (text) => text.replaceAll(/\s+/g, ' ').trim();
  const number = source.slice(0, place.begin).split('\n').length;
  for (const mutant of place.mutants) {
    const becomes = source.slice(start, place.begin) + mutant.text + source.slice(place.end, stop);
    Object.assign(mutant, { file, number, line: plain(source.slice(start, stop)), becomes: plain(becomes) });
  }
  return place.mutants;
}
