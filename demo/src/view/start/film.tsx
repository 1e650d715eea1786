// The first picture: a name goes into a table that has no room for it, so that names move; then what the filter keeps of them.
// Invariant: it draws what the core did. Only style sheets move it, so whoever asked for less motion sees its last frame,
// whose arrows tell the same.
import { useSignal } from '@preact/signals';
import type { CSSProperties } from 'preact';
import { useMemo } from 'preact/hooks';
import { friendOf, MOST_LETTERS, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { Button } from '../../controls/button';
import { TYPED } from '../../controls/key-field';
import { FILM, filmOf, type Actor } from '../../core/film';
import { birds, languageNow, words } from '../../i18n';
import { isolated } from '../../i18n/isolated';
import { hex } from '../../model/picture/chip';
import { nameIn } from '../../model/name';
import { isHan, shortened } from '../../model/shortened';
import { hueStyle } from '../stage/chip';
import '../../styles/film.css';

/** Tables on which the example names need no other table to be tried. */
const SEEDS = { en: 57, zh: 55 } as const;

/** Letters of a name that a sentence has room for: the middle of a longer one is left out there. */
export const SHOWN = 24;

/** In units of the picture, which is as wide as there is room: four rows of two buckets. */
const CHIP = { width: 69, height: 35 } as const;
const [WIDTH, ROW, COLUMN, ROWS] = [340, 45, 174, 4] as const;
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
      <svg
        key={`${name} ${runs.value}`}
        viewBox={`0 0 ${WIDTH} ${ROWS * ROW}`}
        style={end}
        aria-hidden="true"
      >
        {Array.from({ length: FILM.bucketCount }, (_, bucket) => (
          <Tray key={bucket} bucket={bucket} />
        ))}
        {film.moves.map((each, i) => (
          <Way key={i} actor={each} />
        ))}
        {film.stays.map((each) => (
          <NameChip key={each.name} actor={each} />
        ))}
        {film.moves
          .map((each, i) => <NameChip key={each.name} actor={each} at={LEAD + BEAT * i} />)
          .reverse()}
      </svg>
      <figcaption key={`${name} ${runs.value} told`}>
        <p>{t.film.told(names, film.hasOneHome)}</p>
        <p class="film-kept" style={end}>
          {t.film.kept(FILM.fingerprintBits)}
        </p>
        <Button look="quiet" text={t.film.again} onClick={() => (runs.value += 1)} />
      </figcaption>
    </figure>
  );
}

function boxOf({ bucket, slot }: { bucket: number; slot: number }): { x: number; y: number } {
  const x = Math.floor(bucket / ROWS) * COLUMN + 21 + slot * (CHIP.width + 4);
  return { x, y: (bucket % ROWS) * ROW + (ROW - CHIP.height) / 2 };
}

function Tray({ bucket }: { bucket: number }) {
  const { x, y } = boxOf({ bucket, slot: 0 });
  return (
    <>
      <rect class="bucket-tray" x={x - 21} y={y - 3} width={COLUMN - 8} height={CHIP.height + 6} rx={9} />
      <text class="film-number" x={x - 11} y={y + CHIP.height / 2}>
        {bucket}
      </text>
    </>
  );
}

/** From where a name was to the edge of where it is. */
function Way({ actor: { from, to } }: { actor: Actor }) {
  const [half, high] = [CHIP.width / 2, CHIP.height / 2];
  const middle = ({ x, y }: { x: number; y: number }) => ({ x: x + half, y: y + high });
  const [start, end] = [from ? middle(boxOf(from)) : { x: WIDTH / 2, y: -3 }, middle(boxOf(to))];
  const [dx, dy] = [end.x - start.x, end.y - start.y];
  const length = Math.hypot(dx, dy);
  // Up to the chip's edge, less the head.
  const share = 1 - Math.min(half / Math.abs(dx || 1), high / Math.abs(dy || 1)) - 7 / length;
  const neck = { x: start.x + dx * share, y: start.y + dy * share };
  const [along, across] = [
    { x: (8 * dx) / length, y: (8 * dy) / length },
    { x: (-5 * dy) / length, y: (5 * dx) / length },
  ];
  return (
    <g class="film-way">
      <path d={`M${start.x} ${start.y}L${neck.x} ${neck.y}`} />
      <path
        d={`M${neck.x + along.x} ${neck.y + along.y}L${neck.x + across.x} ${neck.y + across.y}L${neck.x - across.x} ${neck.y - across.y}Z`}
      />
    </g>
  );
}

/** `at`: the second in which it begins to move. */
function NameChip({ actor: { name, fingerprint, from, to }, at }: { actor: Actor; at?: number }) {
  const [start, end] = [from ? boxOf(from) : HAND, boxOf(to)];
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
      <text class="film-name" x={CHIP.width / 2} y={CHIP.height / 2 - 7}>
        {shortened(name, isHan(name) ? 4 : 9)}
      </text>
      <text class="film-print" x={CHIP.width / 2} y={CHIP.height / 2 + 8}>
        {hex(fingerprint, FILM.fingerprintBits)}
      </text>
    </g>
  );
}
