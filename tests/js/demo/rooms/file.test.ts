// A saved filter that a visitor brings: told, drawn and asked; a damaged or foreign one gets the library's message.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { CuckooFilter } from 'cuckoofilter-wasm';
import { ExpiringFilter } from 'cuckoofilter-wasm/expiring';
import { ScalableCuckooFilter } from 'cuckoofilter-wasm/scalable';
import { openSaved } from '../../../../demo/src/core/saved';
import { DemoPage } from '../demo-page';

const demo = new DemoPage();
beforeEach(async () => {
  await demo.open('#v=1&s=lab');
  await demo.page.locator('.drop').waitFor();
});

function saved(filter: { serialize(): Uint8Array; dispose(): void }): Buffer {
  const bytes = Buffer.from(filter.serialize());
  filter.dispose();
  return bytes;
}

async function choose(name: string, buffer: Buffer): Promise<void> {
  await demo.page
    .locator('.drop input')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
}

async function ask(key: string): Promise<string> {
  await demo.page.getByLabel('Look up a key', { exact: true }).fill(key);
  await demo.page.locator('.saved-lookup button').click();
  return demo.page.locator('.saved-lookup [role=status]').innerText();
}

test('a file tells its sizes, draws each slot that is full, and answers as the filter does', async () => {
  const keys = Array.from({ length: 5000 }, (_, i) => `bird ${i}`);
  const filter = CuckooFilter.from<string | bigint>(keys, { capacity: 6000, falsePositiveRate: 0.001 });
  filter.add(12345n);
  const { size, bucketCount, bucketSize, byteLength } = filter;
  await choose('birds.cuckoo', saved(filter));
  const figures = await demo.page.locator('.saved-file .figures').innerText();
  for (const number of [size, bucketCount, byteLength, bucketSize])
    expect(figures).toContain(number.toLocaleString('en'));
  expect(await ask('bird 17')).toBe('bird 17: Maybe present');
  expect(await ask('no bird at all')).toBe('no bird at all: Definitely not');
  await demo.page.getByLabel('It is').selectOption({ label: 'a whole number' });
  expect(await ask('12345')).toBe('12345: Maybe present');
  expect(await ask('1.5')).toContain('no whole number');
  const full = await demo.page.locator('.saved-file .heat-map').evaluate((canvas) => {
    const { width, height } = canvas as HTMLCanvasElement;
    const data = (canvas as HTMLCanvasElement).getContext('2d')?.getImageData(0, 0, width, height).data;
    const pixels = [...new Uint32Array(data?.buffer ?? new ArrayBuffer(0))].filter((each) => each !== 0);
    const dark = Math.min(...pixels.map((pixel) => pixel & 0xff));
    return pixels.filter((pixel) => (pixel & 0xff) === dark).length;
  });
  expect(full).toBe(size);
});

test('the page’s own table makes a file, which it opens', async () => {
  const { name, bytes } = await demo.download('Save the table');
  expect(name).toBe('table.cuckoo');
  await choose(name, bytes);
  expect(await demo.page.locator('.saved-file h3').innerText()).toBe(name);
  expect(await demo.page.locator('.saved-file .figures').innerText()).toMatch(/capacity\s+32/);
  // One formula: the file has the rate of the table that it was saved from.
  const rate = await demo.page.locator('.handles dd').first().innerText();
  expect(await demo.page.locator('.saved-file .figures dd').last().innerText()).toBe(rate);
});

test('a damaged file and a foreign one get the library’s message, and the next good one opens', async () => {
  const good = saved(CuckooFilter.from(['a', 'b'], { capacity: 100 }));
  const damaged = Buffer.from(good);
  damaged[damaged.length - 3] = (damaged.at(-3) ?? 0) ^ 255;
  const files: readonly [string, Buffer][] = [
    ['damaged.cuckoo', damaged],
    ['short.cuckoo', good.subarray(0, 20)],
    ['picture.png', Buffer.from('\x89PNG and so on')],
    ['empty.cuckoo', Buffer.alloc(0)],
    ['periods.cuckoo', saved(new ExpiringFilter({ capacity: 10, periods: 2 }))],
  ];
  for (const [name, bytes] of files) {
    let why = '';
    try {
      CuckooFilter.deserialize(bytes);
    } catch (error) {
      why = (error as Error).message;
    }
    expect(why).not.toBe('');
    await choose(name, bytes);
    await demo.page.locator('.saved-file .problem', { hasText: name }).waitFor();
    expect(await demo.page.locator('.saved-file .problem').innerText()).toBe(
      `${name} cannot be opened: ${why}`,
    );
    expect(await demo.page.locator('.saved-file .figures').count()).toBe(0);
  }
  await choose('good.cuckoo', good);
  await demo.page.locator('.saved-file .figures').waitFor();
  expect(await demo.page.locator('.saved-file .problem').textContent()).toBe('');
});

test('a file of a table that grows tells of its reserved bits', async () => {
  const filter = new CuckooFilter({ capacity: 100, maxCapacity: 100_000 });
  for (let i = 0; i < 500; ++i) filter.add(`key ${i}`);
  await choose('growable.cuckoo', saved(filter));
  expect(await demo.page.locator('.saved-file .figures').innerText()).toContain('reserved bits');
});

test('a file of several layers is told and asked, without a map', async () => {
  const filter = new ScalableCuckooFilter({ capacity: 100, maxCapacity: 10_000 });
  for (let i = 0; i < 2000; ++i) filter.add(`key ${i}`);
  const { size } = filter;
  await choose('layers.cuckoo', saved(filter));
  const section = demo.page.locator('.saved-file');
  expect(await section.locator('.figures').innerText()).toContain(size.toLocaleString('en'));
  expect(await section.innerText()).toContain('no map is drawn');
  expect(await ask('key 1999')).toContain('Maybe present');
});

test('files that other versions saved open, with every slot', () => {
  const folder = join(__dirname, '../../../conformance/files');
  for (const name of ['empty', 'grown', 'growing', 'one-slot', 'planned', 'odd-full', 'copies']) {
    const filter = openSaved(readFileSync(join(folder, `${name}.bin`)));
    const { bucketCount, bucketSize, size } = filter.reader;
    expect(filter.slots).toHaveLength(bucketCount * bucketSize);
    expect(filter.slots?.filter((slot) => slot !== 0)).toHaveLength(size);
    filter.dispose();
  }
});
