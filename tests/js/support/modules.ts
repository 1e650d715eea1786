// The package's ES modules as files: for servers of tests, which a browser asks for an entry and what it imports.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Name and content of each ES module of the package. */
export function esModules(): [name: string, content: Buffer][] {
  const folder = join(__dirname, '../../../dist/esm');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(join(folder, name))]);
}
