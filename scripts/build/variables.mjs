// Checks what lies in the memory of the module that threads share. A variable there is written by every thread, without a
// lock, unless each thread has its own or it is constant.
// Invariant: there are no such variables, but objects of embind whose address alone counts.
import { readFile } from 'node:fs/promises';

/** The sections of variables that all threads share, in a line of a link map. */
const SHARED = /:\(\.(?:data|bss)\.?(\S*)\)$/;

/** Those objects, by mangled names. */
const KNOWN = /^_ZNK?10emscripten8internal15CanonicalizedID/;

/** The variables that threads would share, by a link map. */
export function sharedVariables(map) {
  const names = map.split('\n').flatMap((line) => SHARED.exec(line)?.[1] ?? []);
  return names.filter((name) => !KNOWN.test(name));
}

/** Throws if the link map in `file` has such variables, or none at all, as a map of another form would. */
export async function checkVariables(file) {
  const map = await readFile(file, 'utf8');
  if (!map.split('\n').some((line) => SHARED.test(line)))
    throw new Error(`${file} is not a link map of a known form`);
  const found = sharedVariables(map);
  if (found.length > 0) throw new Error(`threads would share ${found.join(', ')}, which nothing locks`);
}
