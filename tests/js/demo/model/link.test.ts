// The demo's links: what they say comes back, nonsense never throws, and the same link gives the same trace.
import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { formatLink, HOME, parseLink, type Link } from '../../../../demo/src/model/link';
import { MOVED, ROOMS, SCENES } from '../../../../demo/src/model/places';
import { DEFAULTS } from '../../../../demo/src/model/settings';
import { opened } from '../../../../demo/src/core/filling';
import { packed, unpacked } from '../../../../demo/src/browser/packing';
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
    settings: DEFAULTS,
    operations: [
      { name: 'insert', key: 'alice, bob & 杜鹃=1#?' },
      { name: 'contains', key: '' },
      { name: 'erase', key: 'a:b' },
      { name: 'clear', key: '' },
    ],
    cursor: 9,
    isEmbedded: true,
    theme: 'dark',
    hasChrome: false,
  },
  {
    ...HOME,
    place: 'race',
    lesson: { part: 1, phase: 'compare', guess: [50, 84, 95, 98] },
    kept: { slots: 131_072, tried: [1, 2, 300, 4], rate: -2.35, bloom: 'a, b:c & 杜鹃', dials: [] },
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

test('a link to a place that was taken away leads to another, without its question', () => {
  for (const [before, place] of Object.entries(MOVED)) {
    const link = parseLink(`#v=1&s=${before}&q=0.compare&g=n3&r=7&embed=1`);
    expect(link).toMatchObject({ place, lesson: null, round: 7, isEmbedded: true, isReadable: true });
  }
  expect(parseLink('#v=1&s=graph').kept).toEqual({ graph: 1 });
});

test('a link of another version opens the start and says so', () => {
  expect(parseLink('#v=2&s=kick&l=zh')).toEqual({ ...HOME, language: 'zh', isReadable: false });
});

test('what is asked for behind ? counts where # does not name it', () => {
  expect(parseLink('#v=1&s=hunt', '?embed=1&scene=kick&theme=dark&chrome=none')).toEqual({
    ...HOME,
    place: 'hunt',
    isEmbedded: true,
    theme: 'dark',
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

describe('a long link', () => {
  const operations = Array.from({ length: 400 }, (_, i) => ({
    name: 'insert' as const,
    key: `a key, no. ${i}`,
  }));
  const text = formatLink({ ...HOME, settings: DEFAULTS, operations, cursor: 7, language: 'zh' });

  test('is packed to a part of its length, and comes back letter by letter', async () => {
    const short = await packed(text);
    expect(short.length).toBeLessThan(text.length / 4);
    expect(short).toMatch(/^[\w&=.-]+$/);
    expect(await unpacked(`#${short}`)).toBe(`#${text}`);
    expect(parseLink((await unpacked(short)) ?? '').operations).toEqual(operations);
  });

  test('stays as it is while it is short', async () => {
    for (const link of LINKS) {
      expect(await packed(formatLink(link))).toBe(formatLink(link));
      expect(await unpacked(formatLink(link))).toBe(formatLink(link));
    }
  });

  test('that is damaged, cut or would grow without end gives null, and never throws', async () => {
    const short = await packed(text);
    const random = new Random(2);
    for (let i = 0; i < 300; ++i) {
      const at = 60 + random.below(short.length - 60);
      const other = 'AZaz09-_%'[random.below(9)] ?? '';
      const link = await unpacked(short.slice(0, at) + other + short.slice(at + random.below(3)));
      if (link !== null) parseLink(link);
    }
    const endless = deflateRawSync(Buffer.alloc(5_000_000, 'a')).toString('base64url');
    expect(await unpacked(`v=1&z=${endless}`)).toBeNull();
    expect(await unpacked('v=1&z=%%%')).toBeNull();
  });
});
