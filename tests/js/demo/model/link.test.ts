// The demo's links: what they say comes back, nonsense never throws, and the same link gives the same trace.
import { expect, test } from '@jest/globals';
import { formatLink, HOME, parseLink, type Link } from '../../../../demo/src/model/link';
import { ROOMS, SCENES } from '../../../../demo/src/model/places';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { opened } from '../../../../demo/src/core/filling';
import { Random } from '../../support/random';

const LINKS: Link[] = [
  HOME,
  { ...HOME, place: 'kick', round: 12, language: 'zh', course: 20 },
  {
    ...HOME,
    settings: { ...DEFAULTS, bucketCount: 16, addressing: 'xor', seed: 7 },
    cursor: 37,
  },
  {
    ...HOME,
    settings: { ...DEFAULTS, search: 'breadth-first' },
    operations: [
      { name: 'insert', key: 'alice, bob & 杜鹃=1#?' },
      { name: 'contains', key: '' },
      { name: 'erase', key: 'a:b' },
      { name: 'clear', key: '' },
    ],
    cursor: 9,
    isEmbedded: true,
    hasChrome: false,
  },
  {
    ...HOME,
    place: 'race',
    lesson: { part: 1, phase: 'compare', guess: [50, 84, 95, 98] },
    kept: { slots: 131_072, list: [1, 2, 300, 4], rate: -2.35, bloom: 'a, b:c & 杜鹃', none: [] },
  },
  { ...HOME, place: 'hunt', lesson: { part: 0, phase: 'run', guess: 'nobody, 5' } },
  { ...HOME, place: 'kick', lesson: { part: 1, phase: 'predict', guess: null } },
];

test.each(LINKS.map((link) => [formatLink(link), link] as const))('%s comes back as it was', (text, link) => {
  expect(parseLink(`#${text}`)).toEqual(link);
});

test('every place has a link', () => {
  for (const place of [...SCENES, ...ROOMS])
    expect(parseLink(formatLink({ ...HOME, place })).place).toBe(place);
});

test('a link of another version opens the start and says so', () => {
  expect(parseLink('#v=2&s=kick&l=zh')).toEqual({ ...HOME, language: 'zh', isReadable: false });
});

test('a link whose table looked ahead gets the search, and one that kicked at random still does', () => {
  expect(parseLink('#v=1&s=lab&m=8&k=100').settings).toMatchObject({
    search: 'breadth-first',
    maxKicks: 100,
  });
  expect(parseLink('#v=1&s=lab&m=8&k=100&walk=plain').settings).toMatchObject({ search: 'random-walk' });
});

test('what is asked for behind ? counts where # does not name it', () => {
  expect(parseLink('#v=1&s=hunt', '?embed=1&s=kick&chrome=none')).toEqual({
    ...HOME,
    place: 'hunt',
    isEmbedded: true,
    hasChrome: false,
  });
});

test('no text throws, and what it gives makes a table', () => {
  const random = new Random(1);
  const pick = (count: number): number => random.below(count);
  const letters = '#?&=%:;,.v1smbfkpseedopsatlzhwayxoricdx09-eEqgntl日\ud800';
  for (let i = 0; i < 3000; ++i) {
    const noise = Array.from({ length: pick(60) }, () => letters[pick(letters.length)]).join('');
    const whole = formatLink(LINKS[pick(LINKS.length)] ?? HOME);
    const cut = pick(whole.length);
    const link = parseLink(whole.slice(0, cut) + noise + whole.slice(cut));
    if (i % 20 === 0) opened(link.settings ?? DEFAULTS).engine.dispose();
  }
});

test('the same link gives the same events', () => {
  const events = (): unknown[] => {
    const { engine } = opened({ ...DEFAULTS, seed: 7 });
    const all = ['alice', 'bob', 'eve'].map((key) => engine.run('insert', key));
    engine.dispose();
    return all;
  };
  expect(events()).toEqual(events());
});
