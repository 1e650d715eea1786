// Builds the npm package into dist/: WebAssembly by CMake, modules by esbuild, declarations by
// TypeScript and Rollup. Invariant: the modules carry WebAssembly inside, so that a user has no file to locate and nothing
// to fetch; and what two entries use is in a module that both import, so that it exists once in a program. Run with
// `node scripts/build.mjs`; what the build needs is set up first. With --bundles, WebAssembly and declarations stay as they are.
import { createHash } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { bootstrap } from './bootstrap.mjs';
import { luaPrograms } from './build/lua.mjs';
import { PARTS, splitModule } from './build/split.mjs';
import { checkVariables } from './build/variables.mjs';
import { cmake, root, run, say } from './run.mjs';

/** The entries of the package. */
export const ENTRIES =
  'index scalable expiring values counter audit trace reader redis redisbloom shared file'.split(' ');

/** Entries that are projects of their own beside js/src. */
const PROJECTS = ['redis', 'redisbloom', 'file'];

/** The source of an entry, in `js`, without its ending. */
const sourceOf = (entry) => (PROJECTS.includes(entry) ? `${entry}/index` : `src/${entry}`);

/** Where the WebAssembly modules are built. */
const binaries = join(root, 'build/wasm/bindings');

/** Builds everything in `dist`. `env` comes from `bootstrap`. */
export async function build(env) {
  await compile(env);
  await rm(join(root, 'dist'), { recursive: true, force: true });
  const bundled = bundles(root);
  await Promise.all([bundled, stubs(), declare(env, bundled)]);
  await settleModes();
}

/** Builds the WebAssembly modules. */
export async function compile(env) {
  await cmake('wasm', env);
  await checkVariables(join(binaries, 'shared.map'));
  await splitModule(binaries, env);
}

/** Builds `folder`/dist from the sources in `folder`/js and the WebAssembly modules of this checkout. */
export async function bundles(folder) {
  await Promise.all([modules(folder), bundleScript(folder), bundleCommand(folder)]);
  await writeFile(join(folder, 'dist/cjs/package.json'), '{ "type": "commonjs" }\n');
}

/** A tarball holds the modes of its files, which are those of whoever checked out and built, if they are not set. */
async function settleModes() {
  const { files } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const named = files.filter((name) => !name.startsWith('!'));
  const listed = [...named, 'package.json', 'README.md', 'LICENSE'];
  const packed = await Promise.all(listed.map((name) => filesIn(join(root, name))));
  await Promise.all(packed.flat().map((file) => chmod(file, file.endsWith('cli.js') ? 0o755 : 0o644)));
}

/** The files in the folder `path`, at any depth; or `path` alone if it is a file. */
async function filesIn(path) {
  if (!(await stat(path)).isDirectory()) return [path];
  return (await readdir(path, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

/** Folders that stand for the entries where `exports` is not read: Parcel, and TypeScript's moduleResolution node10. */
async function stubs() {
  for (const entry of ENTRIES.filter((each) => each !== 'index')) {
    const stub = {
      main: `../dist/cjs/${entry}.js`,
      module: `../dist/esm/${entry}.js`,
      types: `../dist/cjs/${entry}.d.ts`,
    };
    await mkdir(join(root, entry), { recursive: true });
    await writeFile(join(root, entry, 'package.json'), `${JSON.stringify(stub, null, 2)}\n`);
  }
}

/**
 * Every entry, and the modules that entries share: as ES modules and as CommonJS with WebAssembly inside. For hosts that
 * compile it themselves, only the modules that differ are written. They import the rest from dist/esm.
 */
async function modules(folder) {
  const { transform } = await import('esbuild');
  const put = async (format, name, text) => {
    await mkdir(join(folder, 'dist', format), { recursive: true });
    await writeFile(join(folder, 'dist', format, name), text);
  };
  const pieces = WHOLE.map(async (name) => (await piecesOf(name)).map((_, i) => `${name}.${i}`));
  const apart = (await Promise.all(pieces)).flat();
  const [inlined, imported] = await Promise.all([
    bundle(folder, inlinedModules(), apart),
    bundle(folder, importedModules(), []),
  ]);
  const isShared = (name, seen = new Set()) => {
    if (seen.has(name)) return true; // What imports it asks.
    const text = imported.get(name);
    const others = [...text.matchAll(CHUNK)].map(([, other]) => other);
    return text === inlined.get(name) && others.every((other) => isShared(other, seen.add(name)));
  };
  const toShared = (path, name) => (isShared(name) ? `"../esm/${name}"` : path);
  await Promise.all([
    ...[...inlined].map(async ([name, text]) => {
      await put('esm', name, typesOf(name) + text);
      // esbuild cannot share modules in CommonJS, but turns one that is finished into it. What is imported when it is used is
      // required then: an import() would give the same file in another form, and Jest has none.
      const supported = { 'dynamic-import': false };
      const { code } = await transform(text, { ...OUTPUT, supported, format: 'cjs' });
      await put('cjs', name, code);
    }),
    ...Object.entries(COMPILED_BY_HOST).flatMap(([host, suffix]) =>
      [...imported]
        .filter(([name]) => !isShared(name))
        .map(([name, text]) =>
          put(host, name, text.replaceAll(CHUNK, toShared).replaceAll('.wasm"', `.wasm${suffix}"`)),
        ),
    ),
  ]);
  await mkdir(join(folder, 'dist/wasm'), { recursive: true });
  await Promise.all(
    WASM.map(async (name) => writeFile(join(folder, `dist/wasm/${name}.wasm`), await binary(`${name}.wasm`))),
  );
}

/** A WebAssembly module with an empty section at its end, whose name tells this build of it from others. */
async function binary(file) {
  const bytes = await readFile(join(binaries, file));
  const name = createHash('sha256').update(bytes).digest('hex').slice(0, 8);
  return Buffer.concat([bytes, Buffer.from([0, 9, 8]), Buffer.from(name)]);
}

/** What tells Deno where the types of an entry are, because it does not look beside the file. */
function typesOf(name) {
  const entry = basename(name, '.js');
  return ENTRIES.includes(entry) ? `/* @ts-self-types="./${entry}.d.ts" */\n` : '';
}

/** The WebAssembly modules, and all files: also the parts that are added to the core. */
const WHOLE = ['core', 'trace', 'shared'];
const WASM = [...WHOLE, ...PARTS];

/** Hosts that compile no bytes, but modules that are imported, by the suffix that the import needs. */
const COMPILED_BY_HOST = { workerd: '', 'edge-light': '?module' };

/**
 * Readable, because bundlers minify anyway. Lines are short, because Node prints the whole source line of an uncaught
 * error.
 */
const OUTPUT = { target: 'es2022', platform: 'neutral', lineLimit: 200 };

/** How one module imports another: what several entries have in common is a chunk. */
const CHUNK = /"\.\/(chunk-[\w-]+\.js)"/g;

/** The text of each ES module, by its name. `wasm` puts something in place of the WebAssembly modules; those in `apart` are modules of their own. */
async function bundle(folder, wasm, apart) {
  const { build: esbuild } = await import('esbuild');
  const { outputFiles } = await esbuild({
    ...OUTPUT,
    entryPoints: {
      ...Object.fromEntries(ENTRIES.map((entry) => [entry, join(folder, `js/${sourceOf(entry)}.ts`)])),
      // No user imports these. As entries, they become modules of their own: the traced class, which does not need the core;
      // errors and options, for RedisBloomFilter, which does not need the filters; the filter on a Redis server, whose replica
      // is loaded later; and what is the same for every host: its programs, and the WebAssembly modules.
      'chunk-traced': join(folder, 'js/src/abilities/traced.ts'),
      'chunk-options': join(folder, 'js/src/options/read.ts'),
      'chunk-filter': join(folder, 'js/redis/filter.ts'),
      'chunk-programs': join(folder, 'js/redis/lua/program.lua'),
      ...Object.fromEntries(apart.map((name) => [`chunk-${name.replace('.', '-')}`, `#${name}`])),
    },
    outdir: join(folder, 'dist/esm'),
    bundle: true,
    splitting: true,
    format: 'esm',
    chunkNames: 'chunk-[hash]',
    plugins: [wasm, luaPrograms()],
    external: ['node:*'], // The entry for files.
    write: false,
  });
  const named = outputFiles.map(({ path, text }) => [basename(path), nameOf(basename(path), text), text]);
  const names = new Map(named.map(([hashed, name]) => [`"./${hashed}"`, `"./${name}"`]));
  return joined(
    new Map(
      named
        .filter(([, name]) => name !== undefined)
        .map(([, name, text]) => [name, namedClasses(text).replaceAll(CHUNK, (path) => names.get(path))]),
    ),
  );
}

/**
 * The same modules in fewer files, because Node takes a while to open each. What the main entry shares with others is in
 * three: what it shares with the reader, else with the filters on Redis, else with other classes. So the smaller programs
 * load nothing of the larger ones. Nothing is in a file with WebAssembly, which differs from host to host. The filter on
 * Redis is one file, from which its replica takes what both need: otherwise bundlers make two of it.
 */
async function joined(texts) {
  const [{ rollup }, { transform }] = await Promise.all([import('rollup'), import('esbuild')]);
  const reachedFrom = (name, seen = new Set()) => {
    for (const [, other] of texts.get(name).matchAll(/ from "\.\/(chunk-[\w-]+\.js)"/g))
      if (!seen.has(other)) reachedFrom(other, seen.add(other));
    return seen;
  };
  const [main, reader, redis, ...others] = ['index', 'reader', 'redis', ...ENTRIES.slice(1)].map((entry) =>
    reachedFrom(`${entry}.js`),
  );
  const hasWebAssembly = (name) => /^\/\/ wasm:|\/wasm\/\w+\.wasm"/m.test(texts.get(name));
  const isJoined = (name) =>
    main.has(name) &&
    others.some((chunks) => chunks.has(name)) &&
    ![name, ...reachedFrom(name)].some(hasWebAssembly);
  const fileOf = (name) => {
    if (!name.startsWith('chunk-')) return undefined; // An entry.
    if (/^chunk-redis-(?!replica)/.test(name)) return 'chunk-redis-filter';
    const isOfReaderAlone = reader.has(name) && !redis.has(name);
    if (!isJoined(name) || isOfReaderAlone) return basename(name, '.js');
    return reader.has(name) ? 'chunk-errors' : redis.has(name) ? 'chunk-options' : 'chunk-filters';
  };
  const resolveId = (id) => (texts.has(basename(id)) ? basename(id) : { id, external: true });
  const bundle = await rollup({
    input: ENTRIES.map((entry) => `${entry}.js`),
    plugins: [{ name: 'texts', resolveId, load: (id) => texts.get(id) }],
    preserveEntrySignatures: 'strict',
    treeshake: false,
  });
  const { output } = await bundle.generate({
    manualChunks: fileOf,
    chunkFileNames: '[name].js',
    hoistTransitiveImports: false,
    minifyInternalExports: false,
  });
  // Without imports for their order alone: no module does anything when it is loaded, and bundlers warn of them.
  const written = output.map(async ({ fileName, code }) => {
    const text = await transform(code.replace(/^import '.*';\n/gm, ''), OUTPUT);
    return [fileName, text.code];
  });
  return new Map(await Promise.all(written));
}

/**
 * The name of a module: an entry's own; of a chunk, that of its largest source, because stack traces show it; undefined if
 * it has none.
 */
function nameOf(file, text) {
  if (!file.startsWith('chunk-')) return file;
  const [, ...sources] = text.split(/^\/\/ (?:js\/(?:src\/)?)?(\S+)\.\w+$/gm); // a name, its code, the next name
  const named = sources.flatMap((name, i) => (i % 2 === 0 ? [{ name, length: sources[i + 1].length }] : []));
  const [largest] = named.toSorted((one, other) => other.length - one.length);
  return largest && `chunk-${largest.name.replaceAll(/\W/g, '-')}.js`;
}

/** A class that uses its own name has an underscore before it, which shows where `new` is forgotten. */
function namedClasses(text) {
  const names = [...text.matchAll(/^var (\w+) = class _\1 /gm)].map(([, name]) => name);
  return names.reduce((all, name) => all.replaceAll(new RegExp(`\\b_${name}\\b`, 'g'), name), text);
}

/** One file for a plain <script>, with the WebAssembly inside: a CDN serves it for the bare name of the package. */
async function bundleScript(folder) {
  const { build: esbuild } = await import('esbuild');
  const file = join(folder, 'dist/cuckoofilter-wasm.min.js');
  await esbuild({
    ...OUTPUT,
    minify: true,
    entryPoints: [join(folder, 'js/src/script.ts')],
    outfile: file,
    bundle: true,
    format: 'iife',
    globalName: 'CuckooFilters',
    plugins: [inlinedModules()],
  });
  // A variable named $ before &&, which String.replace would take for a pattern.
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('$&', '$ &'));
}

/** The command, which uses the package as any program does. */
async function bundleCommand(folder) {
  const { build: esbuild } = await import('esbuild');
  const outfile = join(folder, 'dist/cli.js');
  await esbuild({
    entryPoints: [join(folder, 'js/cli/main.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'node20',
    platform: 'node',
    external: ['cuckoofilter-wasm'],
    banner: { js: '#!/usr/bin/env node' },
    // Here, because no bundler does it later. Names stay, for stack traces.
    minifySyntax: true,
    minifyWhitespace: true,
    lineLimit: OUTPUT.lineLimit,
  });
  await chmod(outfile, 0o755);
}

/** Puts WebAssembly modules as text in place of `#core`, `#scalable` and so on; a long text is joined from its pieces. */
function inlinedModules() {
  return {
    name: 'inlined-modules',
    setup(plugin) {
      plugin.onResolve({ filter: /^#[\w.]+$/ }, ({ path }) => ({
        // Without its folder, which would go into the hashes that name the shared modules.
        path: `${path.slice(1)}.wasm`,
        namespace: 'wasm',
      }));
      plugin.onLoad({ filter: /.*/, namespace: 'wasm' }, async ({ path }) => {
        const [name, piece] = path.split('.');
        const pieces = await piecesOf(name);
        if (piece !== 'wasm') return { contents: pieces[piece], loader: 'text' };
        if (pieces.length === 1) return { contents: pieces[0], loader: 'text' };
        const imports = pieces.map((_, i) => `import piece${i} from '#${name}.${i}';`);
        const sum = pieces.map((_, i) => `piece${i}`).join(' + ');
        return { contents: `${imports.join('\n')}\nexport default ${sum};` };
      });
    },
  };
}

/**
 * Characters in a piece of the text of a WebAssembly module. gzip finds what it has packed only within 32 kB, so that the
 * copies of a longer piece, as ES module and as CommonJS, would each be packed in full, although they are neighbours in the
 * tarball.
 */
const PIECE = 30_000;

/** The text of a WebAssembly module in pieces. */
async function piecesOf(name) {
  const text = encode(await binary(`${name}.wasm`), await binary('core.wasm'));
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, i) =>
    text.slice(PIECE * i, PIECE * (i + 1)),
  );
}

/** Leaves an import of the file in their place. */
function importedModules() {
  return {
    name: 'imported-modules',
    setup(plugin) {
      plugin.onResolve({ filter: /^#\w+$/ }, ({ path }) => ({
        path: `../wasm/${path.slice(1)}.wasm`,
        external: true,
      }));
    },
  };
}

const SYMBOLS = String.fromCharCode(...Array.from({ length: 90 }, (_, i) => 37 + i)).replace(/[<\\]/g, '');

/**
 * Encodes bytes as printable ASCII that compresses as well as the bytes do. The 88 values most common in `like` are one
 * character each, from `%` on without `<` and the backslash. Each other value is such a character after a space or an
 * exclamation mark. A bit map of the most common values comes first, as hexadecimal digits. js/src/engine/module.ts
 * decodes it. All modules are encoded like the core, so that code which several of them have compresses once in a
 * program that has them all. Without `$` and `<`, the text is safe in a page: String.replace finds no pattern such as
 * `$&` in it, and HTML no comment or tag. A module of 35.6 kB takes 17.4 kB gzipped in this form, 17.3 as bytes, 19.1 in
 * hexadecimal and 22.9 in base64.
 */
function encode(bytes, like) {
  const counts = new Uint32Array(256);
  for (const byte of like) ++counts[byte];
  const values = Array.from(counts.keys());
  const frequent = new Set(values.toSorted((a, b) => counts[b] - counts[a]).slice(0, SYMBOLS.length));
  const order = values.toSorted((a, b) => frequent.has(b) - frequent.has(a));
  const symbols = [];
  for (const [rank, value] of order.entries()) {
    symbols[value] = ['', ' ', '!'][Math.floor(rank / SYMBOLS.length)] + SYMBOLS[rank % SYMBOLS.length];
  }
  const marks = Array.from({ length: 64 }, (_, digit) =>
    [0, 1, 2, 3].reduce((sum, bit) => sum | (frequent.has(4 * digit + bit) << bit), 0).toString(16),
  );
  return marks.join('') + Array.from(bytes, (byte) => symbols[byte]).join('');
}

/** One declaration file an entry, and those that entries share, without what is internal. Reads the modules, once `bundled`. */
async function declare(env, bundled) {
  const { rollup } = await import('rollup');
  const { dts } = await import('rollup-plugin-dts');
  const folder = join(root, 'build/types');
  await rm(folder, { recursive: true, force: true });
  const tsc = join(root, 'node_modules/typescript/bin/tsc');
  // The project that includes all entries.
  await run(process.execPath, [tsc, '-p', join(root, 'js/file'), '--outDir', folder], { env });
  const bundle = await rollup({
    input: Object.fromEntries(ENTRIES.map((entry) => [entry, join(folder, `${sourceOf(entry)}.d.ts`)])),
    plugins: [dts(), typesAlone(bundled)],
    onwarn({ message }) {
      throw new Error(message);
    },
  });
  const output = {
    entryFileNames: '[name].d.ts',
    chunkFileNames: ({ name }) => `chunk-${basename(name, '.d')}.d.ts`,
    // One file of what every class has, in place of one for each set of entries.
    manualChunks: (id) =>
      /\/src\/(\w*-?errors|engine\/bytes|keys\/[\w-]+|options\/[\w-]+)\.d\.ts$/.test(id) ? 'keys' : undefined,
  };
  await bundle.write({ ...output, dir: join(root, 'dist/cjs') });
  // ES modules may take names from CommonJS, not the reverse. So there is one copy, and the classes are the same types.
  await Promise.all(
    ENTRIES.map((entry) =>
      writeFile(join(root, `dist/esm/${entry}.d.ts`), `export * from '../cjs/${entry}.js';\n`),
    ),
  );
}

/** Marks what an entry does not have at run time as a type, because Rollup drops the `type` of an exported class. */
function typesAlone(bundled) {
  return {
    name: 'types-alone',
    async renderChunk(code, { isEntry, name }) {
      if (!isEntry) return null;
      await bundled;
      const values = await import(pathToFileURL(join(root, `dist/esm/${name}.js`)).href);
      const marked = (specifier) => (specifier.split(' ').at(-1) in values ? specifier : `type ${specifier}`);
      const text = code.replaceAll(
        /^export \{ (.*) \}/gm,
        (_, specifiers) => `export { ${specifiers.split(', ').map(marked).join(', ')} }`,
      );
      return { code: text, map: null };
    },
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--bundles')) {
    say('building JavaScript; WebAssembly and declarations stay as they are');
    await bundles(root);
  } else {
    say('building the package: 20 seconds after changes of JavaScript alone, longer after changes of C++');
    const { env } = await bootstrap(['npm', 'wasm']);
    await build(env);
  }
}
