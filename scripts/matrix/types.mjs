// The rows of `npm run test:matrix` that check the program's types with a version of TypeScript.
import { mkdir, readFile, writeFile } from 'node:fs/promises';

import { expected, file, node, tool } from './place.mjs';

async function types(version, moduleResolution, module) {
  const program = await readFile(file('program.mjs'), 'utf8');
  const source = `${program.replace('answers()', 'answers(): string')}
    const bytes = CuckooFilter.from(['a']).serialize();
    export const uses = [new Blob([bytes]), new Response(bytes), crypto.subtle.digest('SHA-256', bytes)];`;
  await mkdir(file('types'), { recursive: true });
  await writeFile(file('types/program.ts'), source);
  // Whether a file is a module is what the nearest package.json says.
  await writeFile(file('types/package.json'), '{ "type": "module" }');
  const compilerOptions = {
    module,
    moduleResolution,
    strict: true,
    target: 'es2022',
    types: [],
    skipLibCheck: false,
    noEmit: true,
  };
  await writeFile(file('types/tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  await node(tool(`typescript-${version}/bin/tsc`), '-p', file('types'));
  return expected;
}

export const TYPES = [
  ['5.0', 'node16', 'node16'],
  ['5.2', 'node16', 'node16'],
  ['5.2', 'bundler', 'esnext'],
  ['5.4', 'node16', 'node16'],
  ['5.9', 'node16', 'node16'],
  ['5.9', 'bundler', 'esnext'],
  ['5.0', 'node10', 'esnext'],
  ['5.9', 'node10', 'commonjs'],
].map(([version, moduleResolution, module]) => ({
  name: `TypeScript, moduleResolution ${moduleResolution}`,
  version: `typescript-${version}`,
  attempt: () => types(version, moduleResolution, module),
}));
