// `npm run check:reproducible`: builds the package twice from nothing, in two folders, and compares the tarballs byte
// by byte. Invariant: everything that may differ between two machines with one toolchain differs between the two
// builds: the folder and the length of its path, the times and modes of the files, the time zone and the language.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { bootstrap } from '../bootstrap.mjs';
import { root, run, say } from '../run.mjs';

const { env } = await bootstrap(['npm', 'wasm']);
const folder = mkdtempSync(join(tmpdir(), 'reproducible-'));
try {
  const first = await packed('one', { ...env, TZ: 'UTC', LC_ALL: 'C' }, 0o022);
  const second = await packed(
    'the-other/deeper',
    { ...env, TZ: 'Pacific/Kiritimati', LC_ALL: 'C.UTF-8' },
    0o077,
  );
  compare(first, second);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** The tarball of a build in a folder of its own, unpacked beside it. */
async function packed(name, environment, mask) {
  const checkout = join(folder, name);
  say(`building in ${checkout}`);
  process.umask(mask);
  for (const file of sources()) cpSync(join(root, file), join(checkout, file));
  symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'));
  const options = { env: environment, cwd: checkout, onlyIfFailed: true };
  await run(process.execPath, ['scripts/build.mjs'], options);
  const into = join(checkout, 'build/packed');
  mkdirSync(into);
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', into], options);
  await run('tar', ['-xzf', ...tarballs(into), '-C', into], options);
  const [file] = tarballs(into);
  return { bytes: readFileSync(file), contents: join(into, 'package') };
}

/** The files of the checkout that are its own: those git knows, and new ones that it would not ignore. */
function sources() {
  const listed = spawnSync('git', ['ls-files', '-co', '--exclude-standard', '-z'], {
    cwd: root,
    encoding: 'utf8',
  });
  return listed.stdout.split('\0').filter(Boolean);
}

function tarballs(into) {
  const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return [join(into, `${name}-${version}.tgz`)];
}

function compare(first, second) {
  const digest = createHash('sha256').update(first.bytes).digest('hex');
  if (first.bytes.equals(second.bytes)) {
    console.log(`\nboth tarballs are the same ${first.bytes.length} bytes, sha256 ${digest}`);
    return;
  }
  console.log('\nthe tarballs differ; in their contents:');
  spawnSync('diff', ['-rq', first.contents, second.contents], { stdio: 'inherit' });
  process.exitCode = 1;
}
