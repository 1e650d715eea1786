// Shortens the program that a Redis server runs: removes comments and indentation, and shortens names.
// Invariant: names are the same in all its files, so that the parts fit, and nothing in a string or in `${}` changes.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../run.mjs';

/** The plugin of esbuild, to which the program is text. */
export function plainProgram() {
  const filter = /redis.program.script[-\w]*\.ts$/;
  const short = shortNames(
    readdirSync(join(root, 'js/redis/program'))
      .filter((name) => name.startsWith('script'))
      .map((name) => luaOf(readFileSync(join(root, 'js/redis/program', name), 'utf8')))
      .join('\n'),
  );
  return {
    name: 'plain-program',
    setup(plugin) {
      plugin.onLoad({ filter }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        const lua = luaOf(text);
        return { contents: text.replace(lua, () => short(lua)), loader: 'ts' };
      });
    },
  };
}

/** The Lua in a file of the program: the text that its function returns. */
function luaOf(text) {
  return text.slice(text.indexOf('return `') + 8, text.lastIndexOf('`'));
}

/** A function that strips Lua, and gives each name that `lua` declares a short one, outside of strings and `${}`. */
function shortNames(lua) {
  // What is declared by local, for or function, and the fields of tables, which are all set by name.
  const declared =
    /\blocal function (\w+)|\bfunction[^(\n]*\(([^)\n]*)\)|\b(?:local|for) (?!function)([\w, ]+)| (\w+) = /g;
  const counts = new Map();
  const stripped = lua.replace(/^ *--.*\n/gm, '');
  for (let found; (found = declared.exec(stripped)) !== null;) {
    declared.lastIndex = found.index + 1; // The name and the parameters of a function are both found.
    for (const name of found
      .slice(1)
      .join(',')
      .match(/[A-Za-z_]\w{2,}/g) ?? [])
      counts.set(name, 0);
  }
  for (const fixed of ['run', 'KEYS', 'ARGV', 'and', 'not', 'nil', 'true', 'false', 'pairs', 'function'])
    counts.delete(fixed);
  for (const [word] of lua.matchAll(/\w+/g)) if (counts.has(word)) counts.set(word, counts.get(word) + 1);
  const taken = new Set(lua.match(/\b\w{1,2}\b/g));
  const letters = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const free = [...letters, ...letters.flatMap((one) => letters.map((two) => one + two))].filter(
    (name) => !taken.has(name),
  );
  const names = new Map(
    [...counts.keys()].sort((a, b) => counts.get(b) - counts.get(a)).map((name, i) => [name, free[i]]),
  );
  const token =
    /'[^'\n]*'|\$\{[^}]*\}|(?:\b(?:redis|struct|math|string|table|bit)\.|:)\w+|\w+| *(?:[-=,+*/%(){}<>~]+|\.\.) */g;
  return (text) =>
    text
      .replace(/^ *--.*\n/gm, '')
      .replace(/^ +/gm, '')
      .replace(token, (word) => names.get(word) ?? (word.startsWith("'") ? word : word.trim()));
}
