// Lab -> Compare in Chromium: filters are built and measured in a worker, on numbers and on a visitor's own lines.
// Invariant: what the page says of a filter is checked against what this test knows of the keys.
import { readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { KINDS } from '../../../../demo/src/compare/protocol';
import { DemoPage } from '../demo-page';
import { runs } from '../../support/long';

const demo = new DemoPage();

async function opened(kept: string): Promise<void> {
  await demo.open(`#v=1&s=compare&l=en&x=${kept}`);
  await demo.page.locator('.run-bar').nth(1).waitFor();
}

/** Runs the comparison to its end. */
async function compared(): Promise<void> {
  await demo.button('Run').click();
  await demo.page.locator('.take-away').waitFor();
}

/** The texts of each row, by the kind of its filter. */
async function rows(): Promise<Record<string, string[]>> {
  const all = await demo.page
    .locator('.rival')
    .evaluateAll((found) =>
      found.map((row) => [
        row.getAttribute('data-kind') ?? '',
        [...row.querySelectorAll('.gauge dd > span:first-child')].map((each) => each.textContent ?? ''),
      ]),
    );
  return Object.fromEntries(all) as Record<string, string[]>;
}

/** The file that a press of the button saves. */
async function saved(name: string): Promise<string> {
  const [download] = await Promise.all([
    demo.page.waitForEvent('download'),
    demo.page.locator('.take-away').getByRole('button', { name, exact: true }).click(),
  ]);
  return readFileSync(await download.path(), 'utf8');
}

describe('numbers', () => {
  test('every filter of the paper is built, asked and emptied, and loses no key', async () => {
    await opened('keys:n10000');
    await compared();
    const all = await rows();
    expect(Object.keys(all)).toEqual([...KINDS]);
    for (const [kind, [bits, rate, build, lookup, erase]] of Object.entries(all)) {
      expect([kind, Number(bits) > 10 && Number(bits) < 70]).toEqual([kind, true]);
      expect([kind, parseFloat(rate ?? '') <= 0.12]).toEqual([kind, true]);
      expect([kind, Number(build) > 0 && Number(lookup) > 0]).toEqual([kind, true]);
      const erases = !['bloom', 'blockedBloom', 'splitBlockBloom', 'binaryFuse'].includes(kind);
      expect([kind, erase === 'no delete']).toEqual([kind, !erases]);
    }
    expect(await demo.page.locator('.rival .warning').count()).toBe(0);
  });

  test('a filter that is not there for the bits says why', async () => {
    await opened('keys:n10000,goal:n1,bits:n4');
    await compared();
    const refusals = await demo.page
      .locator('.rival.is-refused')
      .evaluateAll((found) => found.map((row) => row.textContent ?? ''));
    expect(refusals.length).toBeGreaterThan(2);
    for (const text of refusals) expect(text).toMatch(/it needs at least [\d.]+ bits per key/);
    expect(refusals.some((text) => text.includes('cuckoo hash table'))).toBe(true);
  });

  test('a lookup lights what it reads: one cache line of a blocked filter, as many as k of a Bloom filter', async () => {
    await opened(`keys:${runs('n10000', 'n100000')}`);
    await compared();
    await demo.button('A present key').click();
    const strip = (kind: string) => demo.page.locator(`[data-kind=${kind}] .strip`);
    await strip('cuckoo').locator('.note').waitFor();
    for (const kind of KINDS) expect(await strip(kind).locator('.note').innerText()).toMatch(/^found/);
    expect(await strip('blockedBloom').locator('.note').innerText()).toMatch(/found, 1 of/);
    expect(await strip('cuckoo').locator('.strip-read').count()).toBe(2);
    expect(await strip('bloom').locator('.strip-read').count()).toBe(10);
    await demo.page.locator('.look-form input').fill('never inserted');
    await demo.button('Look up').click();
    await strip('cuckooTable').locator('.note', { hasText: 'not found' }).waitFor();
    // Each filter has a mark with its name, and its bars tell which way is better.
    expect(await demo.page.locator('.plot-picture .series text').allInnerTexts()).toHaveLength(KINDS.length);
    const row = demo.page.locator('[data-kind=cuckoo] .gauge');
    expect((await row.locator('dt').allInnerTexts()).map((text) => text.slice(-1)).join('')).toBe('↓↓↑↑↑');
  });

  test('stopping ends the work, and a run after it is whole', async () => {
    await opened('keys:n5000000,kinds:n1');
    await demo.button('Run').click();
    await demo.page.locator('.rival.is-running').waitFor();
    await demo.button('Stop').click();
    await demo.button('Run').waitFor();
    expect(await demo.page.locator('.rival.is-done').count()).toBe(0);
    await demo.page.locator('.measure-controls select').first().selectOption('10000');
    await compared();
    expect(await demo.page.locator('.rival.is-done').count()).toBe(1);
  });

  test('the link measures the same again; SVG and CSV hold the rows and the link', async () => {
    await opened('keys:n10000,kinds:n5');
    await compared();
    const before = await rows();
    const csv = await saved('CSV');
    const [link, headings, ...lines] = csv.trim().split('\n');
    expect(lines.map((line) => line.split(',')[0])).toEqual(['CF', 'BF']);
    const bits = headings?.split(',').indexOf('bitsPerKey') ?? -1;
    expect(Number(lines[0]?.split(',')[bits]).toPrecision(3)).toBe(
      Number(before['cuckoo']?.[0]).toPrecision(3),
    );
    const svg = await saved('SVG');
    expect(svg).toContain('<svg');
    expect(svg).toContain('>BF</text>');
    expect(svg.match(/<rect x=/g)).toHaveLength(9);
    const hash = new URL(link?.slice(2) ?? '').hash;
    expect(hash).toContain('ran:n1');
    await demo.open(hash);
    await demo.page.locator('.take-away').waitFor();
    const after = await rows();
    for (const kind of ['cuckoo', 'bloom'])
      expect(after[kind]?.slice(0, 2)).toEqual(before[kind]?.slice(0, 2));
  });

  test('it speaks Chinese, and changes its language while it shows results', async () => {
    await opened('keys:n10000,kinds:n1');
    await compared();
    await demo.page.locator('.bar-tool[lang^=zh]').click();
    await demo.page.locator('h1', { hasText: '比较' }).waitFor();
    expect(await demo.page.locator('.gauge dt').first().innerText()).toBe('每键比特数 ↓');
    expect(await demo.page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(1280);
  });
});

describe('a file', () => {
  const path = join(tmpdir(), `cuckoo-lines-${process.pid}.txt`);
  const lines = Array.from({ length: 20_000 }, (_, i) => `line ${i}, 键 ${i}`);

  test('its false positives are named, and are lines of the file that are neither in nor alone', async () => {
    // Lines twice, with both line breaks, empty ones between, and no line break at the end.
    writeFileSync(path, `${lines.join('\r\n')}\n\n${lines.join('\n')}`);
    await opened('rate:n0.1,kinds:n69');
    await demo.page.locator('input[type=file]').setInputFiles(path);
    await compared();
    const [, present, absent] =
      /([\d,]+) distinct lines go in, and ([\d,]+) others/
        .exec(await demo.page.locator('.measure').first().innerText())
        ?.map((text) => Number(text.replaceAll(',', ''))) ?? [];
    expect((present ?? 0) + (absent ?? 0)).toBe(lines.length);
    expect(Math.abs((present ?? 0) - 10_000)).toBeLessThan(4 * Math.sqrt(5000));
    const named = new Set<string>();
    for (const kind of ['cuckoo', 'bloom', 'planned']) {
      const row = demo.page.locator(`[data-kind=${kind}]`);
      const button = row.getByRole('button', { name: /Which lines/ });
      const found = Number(/[\d,]+/.exec(await button.innerText())?.[0].replaceAll(',', ''));
      await button.click();
      const [download] = await Promise.all([
        demo.page.waitForEvent('download'),
        row.getByRole('button', { name: 'Save all as text' }).click(),
      ]);
      const names = readFileSync(await download.path(), 'utf8')
        .trim()
        .split('\n');
      expect(names).toHaveLength(found);
      expect(found).toBeGreaterThan(100);
      for (const name of names) expect(lines).toContain(name);
      names.slice(0, 3).forEach((name) => named.add(name));
      // Each of them is found when it is asked for.
      await demo.page.locator('.look-form input').fill(names[0] ?? '');
      await demo.button('Look up').click();
      await row.locator('.strip .note', { hasText: /^found/ }).waitFor();
    }
    expect(named.size).toBeGreaterThan(3);
    expect(await demo.page.locator('.rival .warning').count()).toBe(0);
  });

  test('can be dropped, and given back for numbers', async () => {
    writeFileSync(path, lines.join('\n'));
    await opened('keys:n10000,kinds:n1');
    const transfer = await demo.page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'dropped.txt'));
      return data;
    }, lines.join('\n'));
    await demo.page.dispatchEvent('.measure', 'drop', { dataTransfer: transfer });
    await demo.page.locator('.file-chosen', { hasText: 'dropped.txt' }).waitFor();
    await compared();
    expect(await demo.page.locator('.measure').first().innerText()).toContain('distinct lines go in');
    await demo.button('Numbers instead').click();
    expect(await demo.page.locator('.rival').count()).toBe(0);
    await compared();
    expect(await demo.page.locator('.rival.is-done').count()).toBe(1);
  });
});

describe('the paper’s figures', () => {
  test.each([
    ['Figure 4', 1],
    ['Figure 5', 1],
    ['Figure 6', 2],
    ['Figure 7', 1],
    ['Figure 8', 1],
  ])('%s is drawn live beside the native one', async (name, pairs) => {
    // CF and QF, in 384 kB each.
    await opened(`size:n16,rivals:n17,figure:n${Number(name.slice(-1)) - 3}`);
    const plots = demo.page.locator('.figure-pair .plot');
    await plots.nth(2 * pairs - 1).waitFor();
    const curves = (i: number): Promise<number> => plots.nth(i).locator('.plot-picture .series-line').count();
    expect(await curves(0)).toBe(0);
    expect(await curves(1)).toBeGreaterThan(1);
    await demo.button(`Measure: ${name}`).click();
    await demo.page.getByText(`Measured: ${name}.`).waitFor();
    for (let i = 0; i < 2 * pairs; i += 2) expect(await curves(i)).toBe(2);
  });

  test('Table 3 stands beside the native and the paper’s own figures', async () => {
    await opened('size:n16,rivals:n17');
    await demo.button('Measure: Table 3').click();
    await demo.page.getByText('Measured: Table 3.').waitFor();
    const cells = await demo.page.locator('.numbers tbody tr').first().locator('td').allInnerTexts();
    const [items, , , bits, nativeBits, paperBits, rate] = cells;
    expect(Number(items)).toBeCloseTo(0.255, 2);
    expect([Number(bits), Number(nativeBits)].map(Math.round)).toEqual([12, 12]);
    expect(paperBits).toBe('12.6');
    expect(Math.abs(parseFloat(rate ?? '') - 0.19)).toBeLessThan(0.03);
  });

  test('cuckoo hash tables fill to their thresholds', async () => {
    await opened('figure:n6');
    await demo.button('Measure: Cuckoo hash tables').click();
    await demo.page.getByText('Measured: Cuckoo hash tables.').waitFor({ timeout: 90_000 });
    const shapes = await demo.page
      .locator('.numbers tbody tr')
      .evaluateAll((found) => found.map((row) => [...row.children].map((cell) => cell.textContent ?? '')));
    expect(shapes).toHaveLength(12);
    for (const [shape, ...loads] of shapes) {
      const [threshold = 0, ...reached] = loads.map(parseFloat);
      for (const load of reached) expect([shape, Math.abs(load - threshold) < 5]).toEqual([shape, true]);
    }
  });
});
