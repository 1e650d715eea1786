// The sample for the example beside it: the lines of all source code, declarations and documents that npm installed here.
// Invariant: the same packages give the same lines, in the same order.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../node_modules', import.meta.url));
const TEXT = /\.([cm]?[jt]s|json|md)$/;

/** Each line of the text files in `folder`, at any depth. */
export function* sampleLines(folder = PACKAGES) {
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  for (const entry of entries) {
    const path = join(folder, entry.name);
    // A link to this repository stands beside the packages, and is neither a file nor a folder here.
    if (entry.isDirectory() && !entry.name.startsWith('.')) yield* sampleLines(path);
    else if (entry.isFile() && TEXT.test(entry.name)) yield* readFileSync(path, 'utf8').split('\n');
  }
}
