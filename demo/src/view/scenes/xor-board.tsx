// The two homes of a fingerprint, bit by bit.
// Invariant: home 2 and the fingerprint's offset come from the core; the page draws them.
import type { Signal } from '@preact/signals';
import { Button, Choose } from '../../controls/fields';
import { CATALOGUE_BITS, located, type Located } from '../../core/catalogue';
import { words } from '../../i18n';
import { oneOf, within } from '../../app/kept';
import { bitsFor, bitsOf, flipped, hex } from '../../model/picture/bits';
import { shownFor } from '../../model/picture/timing';
import { canStepForward, eventsOf } from '../../model/trace/session';
import { first } from '../../model/trace/state';
import type { Page } from '../../app/page';
import { Print } from '../stage/chip';

export function XorBoard({ page }: { page: Page }) {
  const phase = page.lesson.value?.phase;
  const session = page.store.session.value;
  const { settings, timeline } = session;
  const hasSum = page.task.value !== null && timeline.operations.length > 0;
  return (
    <div class="stage board grid">
      <Twice />
      {hasSum && (
        <Sum
          bucketCount={settings.bucketCount}
          bits={settings.fingerprintBits}
          event={first(eventsOf(session, 0), 'locate')}
          isHidden={phase === 'predict'}
          known={canStepForward(session) ? playedOf(page.store) : 1}
          columns={page.kept.value.number('columns', UNTOUCHED, within(0, ALL))}
        />
      )}
      {(!hasSum || page.isOwn.value) && <Explore page={page} />}
    </div>
  );
}

/** Switches from home to home and back; those that are turned, from the left. */
const [SWITCHES, TURNED] = [
  [false, true, true, false],
  [0, 2],
] as const;
/** Units of the picture from one row of switches to the next, and from one switch to the next. */
const [ROW, SWITCH] = [122, 18] as const;

/** The idea of XOR for readers without bits: whoever turns the same switches twice is back. */
function Twice() {
  const { boards: t, legend } = words.value;
  return (
    <figure class="twice">
      <svg viewBox="0 0 320 46" aria-hidden="true">
        {[legend.primary, legend.alternate, legend.primary].map((home, row) => (
          <g key={row} transform={`translate(${ROW * row} 0)`}>
            {SWITCHES.map((isOn, at) => {
              const turns = (TURNED as readonly number[]).includes(at);
              const isUp = isOn !== (turns && row === 1);
              return (
                <g key={at} class={turns ? 'is-turned' : ''} transform={`translate(${2 + SWITCH * at} 3)`}>
                  <rect width={14} height={26} rx={7} />
                  <circle cx={7} cy={isUp ? 7 : 19} r={5} />
                </g>
              );
            })}
            <text x={37} y={43}>
              {home}
            </text>
            {row < 2 && <path d="M82 16h30l-6 -5m6 5l-6 5" />}
          </g>
        ))}
      </svg>
      <figcaption>{t.twice}</figcaption>
    </figure>
  );
}

/** How much of the sum is worked out while the step before its result plays, from 0 to 1. In a talk, the keys go through it. */
function playedOf({ session, elapsed, isStill }: Page['store']): number {
  const { motion, isPlaying } = session.value;
  return isPlaying && motion !== null ? elapsed.value / shownFor(motion.step, isStill.value) : 0;
}

const ALL = 16;
/** No column was pressed yet. */
const UNTOUCHED = -1;

interface SumProps {
  readonly bucketCount: number;
  readonly bits: number;
  readonly event: Located['event'];
  readonly isHidden?: boolean;
  /** How many columns of the result are filled in, counted from the right. The last one filled in is highlighted. */
  readonly columns: Signal<number>;
  /** How much of the result is shown before a column is pressed, from 0 to 1. */
  readonly known?: number;
  readonly onFingerprint?: (place: number) => void;
  readonly onPrimary?: (place: number) => void;
}

/** Home 1, the fingerprint's own hash and home 2, below each other, and the way through their columns. */
function Sum({ bucketCount, bits, event, columns, isHidden = false, known = 1, ...flips }: SumProps) {
  const { boards: t, legend } = words.value;
  const { fingerprint, primary, alternate, offset } = event;
  const width = bitsFor(bucketCount);
  // After the first column, which is the example.
  const untouched = known < 1 ? 2 + Math.floor(known * (width - 1)) : width;
  const worked = columns.value === UNTOUCHED ? untouched : Math.min(width, columns.value);
  // While the question is open, the first column alone is worked out, as an example.
  const shown = isHidden ? 1 : worked;
  const last = width - shown;
  const [one = [], other = [], result = []] = [primary, offset, alternate].map((value) =>
    bitsOf(value, width),
  );
  const told = result.map((bit, at) => (at < last ? '?' : bit));
  const column = (at: number): string => (at === last ? 'is-column' : '');
  const step = (label: string, to: number, isNext = false) => (
    <Button
      data-next={isNext && known < 1 && to <= width}
      look="quiet"
      text={label}
      disabled={to < 0 || to > width}
      onClick={() => (columns.value = to)}
    />
  );
  return (
    <div class="sum-steps grid">
      <dl class="sum grid">
        <dt>{legend.chip}</dt>
        <dd>
          <Bits bits={bitsOf(fingerprint, bits)} label={legend.chip} onFlip={flips.onFingerprint} />
          <b>
            <Print fingerprint={fingerprint} text={hex(fingerprint, bits)} />
          </b>
        </dd>
        <dt>{legend.primary}</dt>
        <dd>
          <Bits bits={one} label={legend.primary} look={column} onFlip={flips.onPrimary} />
          <b>{primary}</b>
        </dd>
        <dt>{t.xorWith}</dt>
        <dd>
          <Bits bits={other} label={t.offset} look={column} />
          <b>{offset}</b>
        </dd>
        <dt class="sum-result">{legend.alternate}</dt>
        <dd class="sum-result">
          <Bits bits={told} label={legend.alternate} look={column} />
          {shown === width && <b>{alternate}</b>}
        </dd>
      </dl>
      <p role="status">
        {shown === 0
          ? t.noColumn
          : t.column(shown, width, one[last] ?? 0, other[last] ?? 0, result[last] ?? 0)}
      </p>
      {!isHidden && (
        <div class="ask-actions">
          {step(t.columnBack, shown - 1)}
          {step(t.columnNext, shown + 1, true)}
        </div>
      )}
    </div>
  );
}

const COUNTS: readonly number[] = [8, 16, 32];

/** Bits to flip. Every pair shown belongs to a real key, which the core was asked for. */
function Explore({ page }: { page: Page }) {
  const t = words.value.boards;
  const kept = page.kept.value;
  const count = kept.number('buckets', 16, oneOf(COUNTS));
  const fingerprint = kept.number('print', 0b0110, within(1, 2 ** CATALOGUE_BITS - 1));
  const primary = kept.number('home', 5, within(0, 31));
  const at = Math.min(primary.value, count.value - 1);
  const found = located(count.value, fingerprint.value, at);
  if (found === null) return null;
  const { event, key } = found;
  return (
    <section class="explore grid" aria-label={t.explore}>
      <h2>{t.explore}</h2>
      <Choose label={t.buckets} values={COUNTS} bound={count} />
      <Sum
        bucketCount={count.value}
        bits={CATALOGUE_BITS}
        event={event}
        columns={kept.number('upto', UNTOUCHED, within(0, ALL))}
        onFingerprint={(place) => (fingerprint.value = flipped(fingerprint.value, place) || 1)}
        onPrimary={(place) => (primary.value = flipped(at, place))}
      />
      <p role="status">
        {event.homesCoincide ? t.meet(event.primary) : t.pair(event.primary, event.alternate)}
        {words.value.steps.gap()}
        {t.example(key)}
      </p>
      <Button text={t.applyAgain(event.alternate)} onClick={() => (primary.value = event.alternate)} />
    </section>
  );
}

/** A row of bits. To a reader it is its number; bits that can be flipped are buttons. */
interface BitsProps {
  /** A question mark stands for a bit that is not known yet. */
  readonly bits: readonly (number | '?')[];
  readonly look?: (at: number) => string;
  readonly onFlip?: ((place: number) => void) | undefined;
  /** The accessible name of the row. */
  readonly label: string;
}

function Bits({ bits, look = () => '', onFlip, label }: BitsProps) {
  const { boards, plot } = words.value;
  const isFixed = onFlip === undefined;
  return (
    <span
      class="bits"
      role={isFixed ? 'img' : 'group'}
      aria-label={isFixed ? plot.named(label, bits.join('')) : label}
    >
      {bits.map((bit, at) => {
        const place = bits.length - 1 - at;
        return isFixed ? (
          <span key={at} class={`bit grid ${look(at)}`}>
            {bit}
          </span>
        ) : (
          <button
            key={at}
            type="button"
            class={`bit grid ${look(at)}`}
            aria-label={boards.flip(place, Number(bit))}
            onClick={() => onFlip(place)}
          >
            {bit}
          </button>
        );
      })}
    </span>
  );
}
