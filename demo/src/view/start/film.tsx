// The first picture: a name goes into a table that has no room for it, so that names move; then what the filter keeps of them.
// Invariant: it draws what the core did, and tells each move once it is seen. Only style sheets move it, so whoever asked
// for less motion sees its last frame, whose arrows tell the same.
import { useSignal } from '@preact/signals';
import type { CSSProperties } from 'preact';
import { useMemo } from 'preact/hooks';
import { friendOf, MOST_LETTERS, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { Button, TYPED } from '../../controls/fields';
import { FILM, filmOf, type Actor } from '../../core/film';
import { birds, languageNow, words } from '../../i18n';
import { fitted, isolated, nameIn } from '../../model/text';
import { hex } from '../../model/picture/bits';
import type { Line, Point } from '../../model/picture/lanes';
import { boxOf, CHIP, HEIGHT, waysOf, WIDTH } from '../../model/picture/trays';
import { hueStyle } from '../stage/chip';
import { Tray } from './trays';
import '../../styles/film.css';

/** Tables on which the example names need no other table to be tried. */
const SEEDS = { en: 133, zh: 110 } as const;

/** Letters of a name that a sentence has room for: the middle of a longer one is left out there. */
export const SHOWN = 24;

/** A new name comes from where it is typed: from behind the field above the picture. */
const HAND = { x: 6, y: -1.5 * CHIP.height } as const;

/** The part of a chip, at its end, where its fingerprint stands. */
const PRINT = 40;

/** The width of a bold letter, as a part of its height. */
const LETTER = 0.683;

/** Seconds from one move to the next, before the first, and of each. */
const [BEAT, LEAD, MOVE] = [1.4, 0.7, 0.9] as const;

/** When move number `order` (from 0) has ended, and what belongs to it appears. */
const after = (order: number): CSSProperties =>
  ({ '--end': `${LEAD + BEAT * order + MOVE}s` }) as CSSProperties;

export function Film({ page }: { page: Page }) {
  const t = words.value;
  const typed = typedName(page);
  const friend = friendOf(page);
  const name = nameOf(page);
  const runs = useSignal(0);
  // At the start of a talk the film waits for a press, so that the speaker can introduce it.
  const { presents, isPlain, isStill } = page.store;
  const waits = runs.value === 0 && presents.value && isPlain.value && !isStill.value;
  const isTyped = nameIn(typed.value) !== '';
  const seed = birds(SEEDS[languageNow()]);
  const film = useMemo(() => filmOf(name, seed), [name, seed]);
  const names = film.moves.map((each) => isolated(each.name, SHOWN));
  const end = after(film.moves.length - 1);
  return (
    <figure class={waits ? 'film is-waiting' : 'film'}>
      {friend !== '' && !isTyped && <p>{t.double.friend(isolated(name, SHOWN))}</p>}
      <label class="double-field">
        <span class="visually-hidden">{t.double.label}</span>
        <input
          class="double-name"
          {...TYPED}
          value={typed.value}
          placeholder={t.double.label}
          maxLength={MOST_LETTERS}
          // While an input method composes a character, the field holds letters that are not part of the name.
          onInput={(event) => event.isComposing || (typed.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.currentTarget.blur();
            if (waits) runs.value += 1;
          }}
          onCompositionEnd={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      {typed.value.length === MOST_LETTERS && (
        <p class="note" role="status">
          {t.double.most(MOST_LETTERS)}
        </p>
      )}
      <svg
        key={`${name} ${seed} ${runs.value}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        style={end}
        aria-hidden="true"
      >
        {Array.from({ length: FILM.bucketCount }, (_, bucket) => (
          <Tray key={bucket} bucket={bucket} />
        ))}
        {waysOf(film.moves).map((way, i) => (
          <Way key={i} way={way} order={i} />
        ))}
        {film.stays.map((each) => (
          <NameChip key={each.name} actor={each} />
        ))}
        {film.moves
          .map((each, i) => (
            <NameChip key={each.name} actor={each} order={i} isLast={i === film.moves.length - 1} />
          ))
          .reverse()}
      </svg>
      <figcaption key={`${name} ${seed} ${runs.value} told`}>
        <p>
          {t.film.told(names, film.homes).map((part, i) => (
            <span key={i} class={i > 0 ? 'film-then' : ''} style={after(i - 1)}>
              {part}
            </span>
          ))}
        </p>
        <p class="film-kept" style={end}>
          {t.film.kept(FILM.fingerprintBits)}
        </p>
        <p class="film-then note" style={end}>
          {t.film.chosen}
        </p>
        <Button
          data-next={waits}
          look="quiet"
          text={waits ? t.transport.play : t.film.again}
          onClick={() => (runs.value += 1)}
        />
      </figcaption>
    </figure>
  );
}

function Way({ way: { points }, order }: { way: Line; order: number }) {
  const end = points[points.length - 1];
  // The new name comes from the left, all others from the right.
  const back = order === 0 ? -7 : 7;
  return (
    <g class="film-way" style={after(order)}>
      <path d={`M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`} />
      <path class="film-head" d={`M${end?.x} ${end?.y}l${back} -5v10Z`} />
    </g>
  );
}

interface NameChipProps {
  readonly actor: Actor;
  /** Its place among the names that move, from 0; the others have none. */
  readonly order?: number;
  readonly isLast?: boolean;
}

/** A name that takes another's place lies over it until that one has left. */
function NameChip({ actor: { name, fingerprint, from, to }, order, isLast = true }: NameChipProps) {
  const [start, end] = [from ? boxOf(from) : HAND, boxOf(to)];
  const placeOf = ({ x, y }: Point): string => `translate(${x}px, ${y}px)`;
  const way = {
    ...hueStyle(fingerprint),
    '--from': placeOf(start),
    '--over': placeOf({ x: end.x, y: end.y - (isLast ? 0 : 0.7 * CHIP.height) }),
    '--to': placeOf(end),
    '--at': `${LEAD + BEAT * (order ?? 0)}s`,
    '--move': `${MOVE}s`,
    '--settle': `${LEAD + BEAT * ((order ?? 0) + 1) + MOVE}s`,
  };
  return (
    <g class={order === undefined ? 'film-chip' : 'film-chip is-moved'} style={way as CSSProperties}>
      <rect class="chip-body" width={CHIP.width} height={CHIP.height} rx={7} />
      <text
        class="film-name"
        x={(CHIP.width - PRINT) / 2 + 2}
        y={CHIP.height / 2}
        {...fitted(name, CHIP.width - PRINT, 12, LETTER)}
      />
      <text class="film-print" x={CHIP.width - PRINT / 2} y={CHIP.height / 2}>
        {hex(fingerprint, FILM.fingerprintBits)}
      </text>
      {order !== undefined && order > 0 && (
        <g class="film-order" style={after(order)}>
          <circle r={8} />
          <text y={0.5}>{order}</text>
        </g>
      )}
    </g>
  );
}
