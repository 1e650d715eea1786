// Makes the programs that a Redis server runs out of the files of js/redis/lua: without comments and indentation, and with short
// names. Invariant: a name is the same in all files, and nothing in a string changes.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../run.mjs';

/** The files of each program, in their order. What both have is in the package once. */
const BEGIN = ['shard', 'buckets', 'growth'];
const PROGRAMS = { keys: [...BEGIN, 'changes', 'answer'], whole: [...BEGIN, 'whole', 'answer'] };

/** The plugin of esbuild: importing `lua/program.lua` gives the text of each program and its SHA-1, by which the server knows it. */
export function luaPrograms() {
  return {
    name: 'lua-programs',
    setup(plugin) {
      plugin.onResolve({ filter: /\/program\.lua$/ }, () => ({ path: 'program.lua', namespace: 'lua' }));
      plugin.onLoad({ filter: /.*/, namespace: 'lua' }, () => ({ contents: module() }));
    },
  };
}

function module() {
  const names = [...new Set(Object.values(PROGRAMS).flat())];
  const read = (name) => readFileSync(join(root, `js/redis/lua/${name}.lua`), 'utf8');
  const texts = shortened(names.map(read).join('\0\n')).split('\0\n');
  const programs = Object.entries(PROGRAMS).map(([name, files]) => {
    const parts = files.map((file) => names.indexOf(file));
    const sha1 = createHash('sha1')
      .update(parts.map((i) => texts[i]).join(''))
      .digest('hex');
    return `export const ${name} = { text: ${parts.map((i) => `part${i}`).join(' + ')}, sha1: '${sha1}' };`;
  });
  return [...texts.map((text, i) => `const part${i} = ${JSON.stringify(text)};`), ...programs].join('\n');
}

/**
 * Lua without comments and indentation, in which each name that it declares is a short one, outside of strings. Constants,
 * whose names are in capitals, become their values: each one that a function uses takes time whenever that is made.
 */
export function shortened(lua) {
  const constants = new Map();
  const stripped = lua
    .replace(/^ *--.*\n/gm, '')
    .replace(/ -- .*$/gm, '')
    .replace(/^ +|^\n/gm, '')
    .replace(/^local ([A-Z_]+(?:, [A-Z_]+)*) = ([^{}()\n]+)\n/gm, (_, names, values) => {
      const all = values.split(', ');
      names.split(', ').forEach((name, i) => constants.set(name, all[i]));
      return '';
    });
  // What is declared by local, for or function, and the fields of tables, which are all set by name.
  const declared =
    /\blocal function (\w+)|\bfunction[^(\n]*\(([^)\n]*)\)|\b(?:local|for) (?!function)([\w, ]+)| (\w+) = /g;
  const counts = new Map();
  for (let found; (found = declared.exec(stripped)) !== null;) {
    declared.lastIndex = found.index + 1; // The name and the parameters of a function are both found.
    for (const name of found
      .slice(1)
      .join(',')
      .match(/[A-Za-z_]\w{2,}/g) ?? [])
      counts.set(name, 0);
  }
  for (const fixed of [
    'KEYS',
    'ARGV',
    'and',
    'not',
    'nil',
    'true',
    'false',
    'pairs',
    'function',
    'err',
    'error',
  ])
    counts.delete(fixed);
  for (const [word] of stripped.matchAll(/\w+/g))
    if (counts.has(word)) counts.set(word, counts.get(word) + 1);
  const taken = new Set(stripped.match(/\b\w{1,2}\b/g));
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const free = [...letters, ...letters.flatMap((one) => letters.map((two) => one + two))].filter(
    (name) => !taken.has(name),
  );
  const names = new Map([
    ...[...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).map((name, i) => [name, free[i]]),
    ...constants,
  ]);
  const token =
    /'[^'\n]*'|"[^"\n]*"|(?:\b(?:redis|struct|math|string|table|bit)\.|:)\w+|\w+| *(?:[-=,+*/%(){}<>~]+|\.\.) */g;
  return stripped.replace(token, (word) => names.get(word) ?? (/^['"]/.test(word) ? word : word.trim()));
}
