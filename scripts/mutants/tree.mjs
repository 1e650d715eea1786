// The syntax tree of C++ headers, as Clang gives it. Invariant: each place in it names its file.
import { spawn } from 'node:child_process';

/** The roots of the syntax tree of what `source`, a file of C++, includes of the namespace cuckoo. */
export async function syntaxTree(source, folder, env) {
  const filter = ['-Xclang', '-ast-dump=json', '-Xclang', '-ast-dump-filter=cuckoo'];
  const args = [
    '-std=c++20',
    '-fsyntax-only',
    '-fno-color-diagnostics',
    `-I${folder}`,
    ...filter,
    '-xc++',
    '-',
  ];
  const child = spawn(env.CLANG ?? 'clang++', args, { env, stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(source);
  const chunks = [];
  for await (const chunk of child.stdout) chunks.push(chunk);
  const code = child.exitCode ?? (await new Promise((resolve) => child.on('close', resolve)));
  if (code !== 0) throw new Error(`clang++ exited with ${code}`);
  // One document after the other, each of which ends with a brace at the start of a line.
  const roots = Buffer.concat(chunks)
    .toString()
    .split(/(?<=^\})\n/m)
    .filter((text) => text.trim() !== '')
    .map((text) => JSON.parse(text));
  nameFiles(roots);
  return roots;
}

/** Clang names a file only where it differs from the one that was named last. */
function nameFiles(roots) {
  let file;
  const visit = (value) => {
    if (value === null || typeof value !== 'object') return;
    if (typeof value.offset === 'number') value.file = file = value.file ?? file;
    else for (const key in value) if (key !== 'includedFrom') visit(value[key]);
  };
  visit(roots);
}
