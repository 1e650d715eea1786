// The picture below the title of the README, which is drawn by hand in both languages and themes: what it shows is what
// the package does when `nora` is added.
import { expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TraceEvent, CuckooFilter } from 'cuckoofilter-wasm/trace';

/** The bucket and slot at a point of the picture: six buckets side by side, whose slots are filled from below. */
const placeAt = (x: string, y: string) => ({
  bucket: Math.floor(Number(x) / 133),
  slot: y === '226' ? 0 : 1,
});

test.each(['en-light', 'en-dark', 'zh-light', 'zh-dark'])('kick-%s.svg shows a real insert', (name) => {
  const picture = readFileSync(join(__dirname, `../../docs/inside/pictures/kick-${name}.svg`), 'utf8');
  const shape = { bucketCount: 6, bucketSize: 2, fingerprintBits: 8, semiSort: false };
  const keys = 'tom frank nils gina ruth pia otto dave karl ivan jan'.split(' ');
  const filter = CuckooFilter.from(keys, { capacity: 12, ...shape });
  const before = filter.slots();
  const events: TraceEvent[] = [];
  filter.trace((some) => events.push(...some));
  filter.add('nora');
  const moves = events.filter((event) => event.kind === 'kick' || event.kind === 'place');
  const places = moves.map(({ bucket, slot }) => ({ bucket, slot }));

  const chips = [
    ...picture.matchAll(/<g (?:id="chip(\d)" )?transform="translate\((\d+) (\d+)\)">.*?>(0x\w\w)</g),
  ];
  expect(chips.find(([, number]) => number === '0')?.[4]).toBe(`0x${moves[0]?.after.toString(16)}`);
  const shown = new Uint32Array(before.length);
  for (const [, number, x = '', y = '', fingerprint] of chips) {
    const { bucket, slot } = placeAt(x, y);
    if (number !== '0') shown[2 * bucket + slot] = Number(fingerprint);
  }
  expect(shown).toEqual(before);
  // Each of the three chips ends where the insert puts it, and an arrow leads there.
  const films = picture.matchAll(/@keyframes chip\d.*100%\{transform:translate\((\d+)px,(\d+)px\)\}\}/g);
  expect(Array.from(films, ([, x = '', y = '']) => placeAt(x, y))).toEqual(places);
  const arrows = picture.matchAll(/id="arrow\d">.*?"\/><path d="M(\d+) 144/g);
  expect(Array.from(arrows, ([, x = '']) => placeAt(x, ''))).toEqual(places);

  const located = events.find((event) => event.kind === 'locate');
  const homes = [`${located?.primary}`, `${located?.alternate}`];
  const outlined = picture.matchAll(/<rect x="(\d+)"[^>]*class="home"/g);
  expect(Array.from(outlined, ([, x = '']) => `${placeAt(x, '').bucket}`)).toEqual(homes);
  const [first, second] = moves.slice(1).map(({ after }) => `0x${after.toString(16)}`);
  const captions = picture.matchAll(/id="words[0-3]".*?>(.*)</g);
  expect(Array.from(captions, ([, text = '']) => text.match(/0x\w\w|\d/g))).toEqual([
    homes,
    [first, `${places[0]?.bucket}`],
    [first, second],
    [second],
  ]);
});
