// The files of tests/world/hosts as a page loads them, without a bundler, and what Node gives for the same program.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { TIME_LIMIT } from '../support/command';
import { esModules } from '../support/local-server';

const withPaths = createRequire(__filename)('../../world/hosts/paths.cjs') as (text: string) => string;
const FOLDER = join(__dirname, '../../world/hosts');

/** What the program returns. */
export interface Checked {
  readonly failures: readonly string[];
  readonly hashes: Readonly<Record<string, string>>;
}

/** The modules of the package and of the program by their paths, with paths in place of the package's name. */
export function hostFiles(): Map<string, string | Buffer> {
  const files = new Map<string, string | Buffer>(esModules().map(([name, content]) => [`/${name}`, content]));
  for (const name of ['keys', 'page', 'program', 'worker'])
    files.set(`/hosts/${name}.mjs`, withPaths(readFileSync(join(FOLDER, `${name}.mjs`), 'utf8')));
  return files;
}

export async function checkedInNode(): Promise<Checked> {
  const script = "import { check } from './program.mjs'; console.log(JSON.stringify(await check()));";
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    cwd: FOLDER,
    ...TIME_LIMIT,
  });
  return JSON.parse(stdout) as Checked;
}
