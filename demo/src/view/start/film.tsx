// The first picture: a name whose two homes are full, so that names move; then what the filter keeps of them. Pressing a
// sentence plays what it tells.
// Invariant: it draws what the core did, and tells each kick as it happens. Only style sheets move it, so whoever asked
// for less motion sees its last frame, whose arrows tell the same.
import { useSignal } from '@preact/signals';
import type { CSSProperties } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { friendOf, MOST_LETTERS, nameOf, typedName } from '../../app/name';
import type { Page } from '../../app/page';
import { Button, TYPED } from '../../controls/fields';
import { FILM, filmOf, type Actor } from '../../core/film';
import { birds, languageNow, words } from '../../i18n';
import { fitted, isolated, nameIn } from '../../model/text';
import { hex } from '../../model/picture/bits';
import type { Line, Point } from '../../model/picture/lanes';
import { boxOf, CHIP, HAND, HEIGHT, waysOf, wayTo, WIDTH } from '../../model/picture/trays';
import { hueStyle } from '../stage/chip';
import { Tray } from './trays';
import '../../styles/film.css';

/** Tables on which the example names need no other table to be tried. */
const SEEDS = { en: 133, zh: 110 } as const;

/** Letters of a name that a sentence has room for: the middle of a longer one is left out there. */
export const SHOWN = 24;

/** The part of a chip, at its end, where its fingerprint stands. */
const PRINT = 40;

/** The width of a bold letter, as a part of its height. */
const LETTER = 0.683;

/** Seconds before the first move, and of each, as in the style sheet: a name leaves as soon as another has taken its place. */
const [LEAD, MOVE] = [1, 1.3] as const;

/** When move number `order` (from 0) begins. */
const startOf = (order: number): number => LEAD + MOVE * order;

/** When it has ended, and what belongs to it appears. */
const after = (order: number): CSSProperties => ({ '--end': `${startOf(order + 1)}s` }) as CSSProperties;

export function Film({ page }: { page: Page }) {
  const t = words.value;
  const typed = typedName(page);
  const friend = friendOf(page);
  const name = nameOf(page);
  const { presents, isPlain, isStill } = page.store;
  const host = useRef<HTMLElement>(null);
  const isPlayed = useSignal(false);
  // At the start of a talk the film waits for a press, so that the speaker can introduce it.
  const waits = !isPlayed.value && presents.value && isPlain.value && !isStill.value;
  /** Plays from the kick with this number; 0: from the beginning. */
  const playFrom = (kick: number): void => {
    isPlayed.value = true;
    // Animations that have ended play again from there.
    for (const each of host.current?.getAnimations({ subtree: true }) ?? [])
      each.currentTime = 1000 * startOf(kick - 1);
  };
  const isTyped = nameIn(typed.value) !== '';
  const seed = birds(SEEDS[languageNow()]);
  const film = useMemo(() => filmOf(name, seed), [name, seed]);
  const { moves, homes } = film;
  const told = t.film.told(
    moves.map((each) => isolated(each.name, SHOWN)),
    homes,
    moves.map(({ to }) => to.bucket),
  );
  const key = `${name} ${seed}`;
  return (
    <figure class={waits ? 'film is-waiting' : 'film'} style={after(moves.length - 1)} ref={host}>
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
            if (waits) playFrom(0);
          }}
          onCompositionEnd={(event) => (typed.value = event.currentTarget.value)}
        />
      </label>
      {typed.value.length === MOST_LETTERS && (
        <p class="note" role="status">
          {t.double.most(MOST_LETTERS)}
        </p>
      )}
      <svg key={key} viewBox={`0 ${HAND.y} ${WIDTH} ${HEIGHT - HAND.y}`} aria-hidden="true">
        {Array.from({ length: FILM.bucketCount }, (_, bucket) => (
          <Tray key={bucket} bucket={bucket} home={['is-primary', 'is-alternate'][homes.indexOf(bucket)]} />
        ))}
        {/* Where the new name comes from. */}
        <rect class="film-fork" {...CHIP} {...HAND} rx={7} stroke-dasharray="3 4" />
        {homes.map((bucket) => (
          <path key={bucket} class="film-fork" d={pathOf(wayTo(bucket))} />
        ))}
        {waysOf(moves).map((way, i) => {
          // The new name comes from the left, all others from the right.
          const back = i === 0 ? -7 : 7;
          const head = `l${back} -5m${-back} 5l${back} 5`;
          return <path key={i} class="film-way" style={after(i)} d={pathOf(way) + head} />;
        })}
        {film.stays.map((each) => (
          <NameChip key={each.name} actor={each} order={-1} />
        ))}
        {moves.map((each, i) => <NameChip key={each.name} actor={each} order={i} />).reverse()}
      </svg>
      <figcaption key={key}>
        <ol>
          {told.map((sentence, i) => (
            <li key={i} style={after(i - 1)}>
              <button class="row" type="button" disabled={isStill.value} onClick={() => playFrom(i)}>
                {i > 0 && <b class="guide-number grid">{i}</b>}
                {sentence}
              </button>
            </li>
          ))}
        </ol>
        <p>{t.film.kept(FILM.fingerprintBits)}</p>
        <p class="note">{t.film.chosen}</p>
        <Button
          data-next={waits}
          look="quiet"
          text={waits ? t.transport.play : t.film.again}
          onClick={() => playFrom(0)}
        />
      </figcaption>
    </figure>
  );
}

const pathOf = ({ points }: Line): string => `M${points.map(({ x, y }) => `${x} ${y}`).join('L')}`;

interface NameChipProps {
  readonly actor: Actor;
  /** Its index among the names that move; -1 if it stays. */
  readonly order: number;
}

function NameChip({ actor: { name, fingerprint, from, to }, order }: NameChipProps) {
  const placeOf = ({ x, y }: Point): string => `translate(${x}px, ${y}px)`;
  const way = {
    // What only stands by has no colour, so that the eye follows the others.
    ...(order >= 0 && hueStyle(fingerprint)),
    '--from': placeOf(from ? boxOf(from) : HAND),
    '--to': placeOf(boxOf(to)),
    '--at': `${startOf(order)}s`,
  };
  return (
    <g class={order < 0 ? 'film-chip' : 'film-chip is-moved'} style={way as CSSProperties}>
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
      {order > 0 && (
        <g class="film-order" style={after(order)}>
          <circle r={8} />
          <text y={0.5}>{order}</text>
        </g>
      )}
    </g>
  );
}
