// `npm run fuzz [-- seconds]`: builds the fuzz targets with libFuzzer and runs each from the stored corpus and the saved
// files of tests/conformance. Invariant: new inputs go to build/corpus, so that the stored corpus changes only on
// purpose: `npm run fuzz -- --merge` adds the new inputs that cover more than the stored ones.
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { bootstrap } from './bootstrap.mjs';
import { cmake, root, run, say } from './run.mjs';

const isMerge = process.argv[2] === '--merge';
const seconds = Number((isMerge ? undefined : process.argv[2]) ?? 60);
const { env } = await bootstrap(['native']);
say('building the fuzz bodies (they need clang with its libFuzzer runtime)');
await cmake('fuzz', env);
for (const body of ['operations', 'kinds', 'format']) {
  const archive = join(root, `tests/fuzz/corpus/${body}.bin`);
  const found = join(root, 'build/corpus', body);
  const stored = join(root, 'build/corpus/stored', body);
  const program = join(root, 'build/fuzz/tests', `fuzz_${body}`);
  await mkdir(found, { recursive: true });
  await unpack(archive, stored);
  if (isMerge) {
    say(`merging what was found for ${body}`);
    await run(program, ['-merge=1', stored, found], { env });
    await pack(stored, archive);
    continue;
  }
  say(`fuzzing ${body} for ${seconds} seconds`);
  const limits = [`-max_total_time=${seconds}`, '-max_len=4096', '-timeout=10', '-use_value_profile=1'];
  const files = body === 'format' ? [join(root, 'tests/conformance/files')] : [];
  await run(program, [...limits, '-print_final_stats=1', found, stored, ...files], { env });
}

/** Writes each input of an archive into a file of `folder`. An input stands behind its length, of 4 bytes, little-endian. */
async function unpack(archive, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const bytes = await readFile(archive);
  for (let at = 0, i = 0; at < bytes.length; ++i) {
    const begin = at + 4;
    at = begin + bytes.readUInt32LE(at);
    await writeFile(join(folder, String(i)), bytes.subarray(begin, at));
  }
}

/** Packs the files of `folder` in the order of their bytes, so that the same inputs give the same archive. */
async function pack(folder, archive) {
  const inputs = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name))));
  const parts = inputs.sort(Buffer.compare).flatMap((input) => {
    const length = Buffer.alloc(4);
    length.writeUInt32LE(input.length);
    return [length, input];
  });
  await writeFile(archive, Buffer.concat(parts));
}
