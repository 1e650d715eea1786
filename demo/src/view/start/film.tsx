// The first picture: a name goes into a table that has no room for it, so that names move; then what the filter keeps of them.
// Invariant: it draws what the core did. Only style sheets move it, so whoever asked for less motion sees its last frame,
// whose arrows tell the same.
import { useSignal } from '@preact/signals';
import type { CSSProperties } from 'preact';
import { useMemo } from 'preact/hooks';
import { friendOf, MOST_LETTERS, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { Button, TYPED } from '../../controls/fields';
import { FILM, filmOf, type Actor } from '../../core/film';
import { birds, languageNow, words } from '../../i18n';
import { isHan, isolated, nameIn, shortened } from '../../model/text';
import { hex } from '../../model/picture/bits';
import { hueStyle } from '../stage/chip';
import { AISLE, boxOf, CHIP, HEIGHT, Tray, WIDTH } from './trays';
import '../../styles/film.css';

/** Tables on which the example names need no other table to be tried. */
const SEEDS = { en: 57, zh: 55 } as const;

/** Letters of a name that a sentence has room for: the middle of a longer one is left out there. */
export const SHOWN = 24;

/** A new name comes from where it is typed, above the picture. */
const HAND = { x: (WIDTH - CHIP.width) / 2, y: -CHIP.height } as const;

/** Seconds from one move to the next, and before the first. */
const [BEAT, LEAD] = [0.85, 0.7] as const;

export function Film({ page }: { page: Page }) {
  const t = words.value;
  const typed = typedName(page);
  const friend = friendOf(page);
  const name = nameOf(page);
  const runs = useSignal(0);
  const isTyped = nameIn(typed.value) !== '';
  const seed = birds(SEEDS[languageNow()]);
  const film = useMemo(() => filmOf(name, seed), [name, seed]);
  const names = film.moves.map((each) => isolated(each.name, SHOWN));
  const end = { '--end': `${LEAD + BEAT * film.moves.length}s` } as CSSProperties;
  return (
    <figure class="film">
      {friend !== '' && !isTyped && <p>{t.double.friend(isolated(name, SHOWN))}</p>}
      <label class="double-field">
        <span class="visually-hidden">{t.double.label}</span>
        <input
          class="double-name"
          {...TYPED}
          value={typed.value}
          placeholder={t.double.label}
          maxLength={MOST_LETTERS}
          onInput={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      {typed.value.length === MOST_LETTERS && (
        <p class="note" role="status">
          {t.double.most(MOST_LETTERS)}
        </p>
      )}
      <svg key={`${name} ${runs.value}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} style={end} aria-hidden="true">
        {Array.from({ length: FILM.bucketCount }, (_, bucket) => (
          <Tray key={bucket} bucket={bucket} />
        ))}
        {film.moves.map((each, i) => (
          <Way key={i} actor={each} lane={i} />
        ))}
        {film.stays.map((each) => (
          <NameChip key={each.name} actor={each} />
        ))}
        {film.moves
          .map((each, i) => <NameChip key={each.name} actor={each} at={LEAD + BEAT * i} />)
          .reverse()}
      </svg>
      <figcaption key={`${name} ${runs.value} told`}>
        <p>{t.film.told(names)}</p>
        <p class="film-kept" style={end}>
          {t.film.kept(FILM.fingerprintBits)}
        </p>
        <Button look="quiet" text={t.film.again} onClick={() => (runs.value += 1)} />
      </figcaption>
    </figure>
  );
}

/** Between the lanes of the aisle, of which each move has its own. */
const LANE = 6;

/** From below the place where a name was, through the aisle, to above the place where it is. */
function Way({ actor: { from, to }, lane }: { actor: Actor; lane: number }) {
  const aisle = AISLE.left + LANE * (lane + 0.7);
  const end = boxOf(to);
  const [x, y] = [end.x + CHIP.width / 2, end.y - 8];
  const start = from ? boxOf(from) : null;
  const out = start ? `M${start.x + CHIP.width / 2} ${start.y + CHIP.height}v4H${aisle}` : `M${aisle} -3`;
  return (
    <g class="film-way">
      <path d={`${out}V${y}H${x}v2`} />
      <path class="film-head" d={`M${x} ${end.y}l-5 -7h10Z`} />
    </g>
  );
}

/** `at`: the second in which it begins to move. */
function NameChip({ actor: { name, fingerprint, from, to }, at }: { actor: Actor; at?: number }) {
  const [start, end] = [from ? boxOf(from) : HAND, boxOf(to)];
  const { shown, size } = fitted(name);
  const [x0, y0, x1, y1] = [start.x, start.y, end.x, end.y].map((each) => `${each}px`);
  const way = {
    ...hueStyle(fingerprint),
    '--from-x': x0,
    '--from-y': y0,
    '--to-x': x1,
    '--to-y': y1,
    '--at': `${at}s`,
  };
  return (
    <g class={at === undefined ? 'film-chip' : 'film-chip is-moved'} style={way as CSSProperties}>
      <rect class="chip-body" width={CHIP.width} height={CHIP.height} rx={8} />
      <text class="film-name" x={CHIP.width / 2} y={CHIP.height / 2 - 7} font-size={size}>
        {shown}
      </text>
      <text class="film-print" x={CHIP.width / 2} y={CHIP.height / 2 + 8}>
        {hex(fingerprint, FILM.fingerprintBits)}
      </text>
    </g>
  );
}

/**
 * A name as its chip has room for it, and the size of its letters, which can be read on a phone. Capitals, m and w are half as
 * wide again as others.
 */
function fitted(name: string): { readonly shown: string; readonly size: number } {
  if (isHan(name)) return { shown: shortened(name, 4), size: 13 };
  for (let most = 9; ; --most) {
    const shown = shortened(name, most);
    const width = shown.length + (shown.match(/[\p{Lu}mw]/gu)?.length ?? 0) / 2;
    if (width <= 9 || most < 4) return { shown, size: Math.max(12, Math.min(13, 108 / width)) };
  }
}
