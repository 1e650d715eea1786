// The first picture: whatever the name, the core kicks out one or two names for it, and each goes to its other bucket.
import { expect, test } from '@jest/globals';
import { createEngine } from '../../../../demo/src/core/engine';
import { seededFor, tried } from '../../../../demo/src/core/filling';
import { FILM, filmOf } from '../../../../demo/src/core/film';
import { namesOf as firstNames } from '../../../../demo/src/i18n/en-first-names';
import { namesOf as fullNames } from '../../../../demo/src/i18n/zh-first-names';
import { hueOf } from '../../../../demo/src/model/picture/bits';
import { endOf, first } from '../../../../demo/src/model/trace/state';
import { FIRST_CHINESE } from '../../../../demo/src/model/samples';

test.each([
  ['English', 1, [...firstNames(0).slice(0, 40), 'wren', 'x'.repeat(80), '\u{1f426}']],
  ['Chinese', 1 + FIRST_CHINESE, [...fullNames(0).slice(0, 40), '麻雀']],
] as const)('with %s names, names move for every new one, each to its other bucket', (_, seed, names) => {
  for (const name of names) {
    const empty = createEngine(seededFor(FILM, name));
    const { moves, stays } = filmOf(name, seed);
    expect(moves[0]).toMatchObject({ name, from: undefined });
    expect([2, 3]).toContain(moves.length);
    expect(first(empty.run('contains', name), 'locate').homesCoincide).toBe(false);
    for (const { name: key, fingerprint, from, to } of [...moves, ...stays]) {
      const at = first(empty.run('contains', key), 'locate');
      const homes = [at.primary, at.alternate];
      expect(fingerprint).toBe(at.fingerprint);
      expect(homes).toContain(to.bucket);
      if (from) expect(homes.filter((home) => home !== to.bucket)).toEqual([from.bucket]);
    }
    // Those that move can be told apart by their colours.
    const hues = moves.map((each) => hueOf(each.fingerprint));
    for (const [i, hue] of hues.entries())
      for (const other of hues.slice(0, i)) {
        const turn = Math.abs(hue - other);
        expect(Math.min(turn, 360 - turn)).toBeGreaterThanOrEqual(45);
      }
    const ends = [...moves, ...stays].map(({ to }) => `${to.bucket}.${to.slot}`);
    expect(new Set(ends).size).toBe(ends.length);
    empty.dispose();
  }
});

test('most tables as full have room for a name at once, as the picture says', () => {
  const seeds = Array.from({ length: 100 }, (_, seed) => seed);
  const kicks = seeds.map((seed) =>
    tried({ ...seededFor(FILM, 'Marta'), seed }, ({ engine }) => endOf(engine.tryInsert('Marta')).kicks),
  );
  expect(kicks.filter((count) => count === 0).length).toBeGreaterThan(seeds.length / 2);
});
