// Bundles a program with Metro: `node metro.mjs ENTRY OUT`.
import { createRequire } from 'node:module';

import Metro from 'metro';

const [entry, out] = process.argv.slice(2);
const folder = import.meta.dirname;
const require = createRequire(import.meta.url);
const config = await Metro.loadConfig(
  { cwd: folder },
  {
    projectRoot: folder,
    maxWorkers: 1,
    resetCache: true,
    cacheStores: [],
    transformer: { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') },
    resolver: { sourceExts: ['mjs', 'js', 'json'], useWatchman: false },
  },
);
await Metro.runBuild(config, { entry, out, minify: true, dev: false, platform: 'android' });
