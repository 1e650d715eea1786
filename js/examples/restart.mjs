// A program that guards a database with a filter, and may be killed at any time without ever denying a row that exists.
// Run it with `node js/examples/restart.mjs FOLDER`: it inserts rows until a signal ends it. With `--check` it asks for
// each row instead. Three rules make that work: the file is removed when it is loaded, so only an orderly end leaves
// one; if there is none, the filter is built from the rows; and a key is in the filter before its row is in the
// database.
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { CuckooFilter } from 'cuckoofilter-wasm';
import { save, take } from 'cuckoofilter-wasm/file';

/** A file with an id per line, which stands for a table; `ids` stands for `select id from users`. */
class Table {
  constructor(file) {
    this.file = file;
  }
  ids() {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n').filter(Boolean) : [];
  }
  insert(id) {
    appendFileSync(this.file, `${id}\n`);
  }
}

/** The filter of all rows: as it was saved, or built again. */
async function openFilter(file, table) {
  let told = 'loaded from the file';
  const filter = await take(file, CuckooFilter, () => {
    told = 'built from the rows';
    return CuckooFilter.from(table.ids(), { maxCapacity: 1_000_000 });
  });
  console.log(told);
  return filter;
}

async function main(folder, isCheck) {
  const file = join(folder, 'users.cuckoo');
  const table = new Table(join(folder, 'users.txt'));
  const filter = await openFilter(file, table);
  const before = table.ids();
  if (isCheck) {
    console.log(`${before.length} rows, ${before.filter((id) => !filter.has(id)).length} denied`);
    return save(file, filter);
  }
  let isEnding = false;
  process.once('SIGTERM', () => (isEnding = true));
  for (let i = before.length; !isEnding; ++i) {
    filter.add(`user-${i}`); // first: nobody may find the row while the filter denies it
    table.insert(`user-${i}`);
    if (i % 100 === 0) {
      console.log(`${i} rows`);
      await new Promise((resolve) => setImmediate(resolve)); // other work
    }
  }
  await save(file, filter); // only now, when nothing is inserted any more
  console.log('saved');
}

await main(process.argv[2] ?? '.', process.argv.includes('--check'));
