// Saves, loads and takes filters in a new folder, and prints how that went: for hosts that have files.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { CuckooFilter, Deduper } from 'cuckoofilter-wasm';
import { load, save, take } from 'cuckoofilter-wasm/file';

const folder = mkdtempSync(join(tmpdir(), 'cuckoofilter-files-'));
const file = join(folder, 'seen');
const link = join(folder, 'link');
const codeOf = (promise) =>
  promise.then(
    () => 'none',
    ({ name, code }) => (name === 'Error' ? code : name),
  );

const told = [await load(file, CuckooFilter)];
await save(file, CuckooFilter.from(['a']));
chmodSync(file, 0o640);
symlinkSync('seen', link);
const filter = new CuckooFilter({ capacity: 100 });
await Promise.all(Array.from({ length: 9 }, () => save(link, filter.add(filter.size))));
told.push((statSync(file).mode & 0o777).toString(8), (await load(pathToFileURL(file), Deduper))?.size);
told.push(await codeOf(load(file, Deduper, { maxBytes: 1 })), await codeOf(load(folder, Deduper)));
told.push(await codeOf(save(join(folder, 'no/file'), filter)), await codeOf(save(folder, filter)));
told.push(await codeOf(save(file, filter, { signal: AbortSignal.abort(new RangeError()) })));
told.push((await take(link, CuckooFilter, () => filter)).size, existsSync(file), readdirSync(folder).join());
rmSync(folder, { recursive: true });
console.log(told.join(' '));
