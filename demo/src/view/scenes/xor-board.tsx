// The two homes of a fingerprint, bit by bit and on the ring of buckets.
// Invariant: home 2 and the fingerprint's offset come from the core; the page draws them.
import type { Signal } from '@preact/signals';
import { Button } from '../../controls/button';
import { CATALOGUE_BITS, located, type Located, type Way } from '../../core/catalogue';
import { Choose } from '../../controls/choose';
import { words } from '../../i18n';
import { within } from '../../app/kept';
import { bitsFor, bitsOf, flipped } from '../../model/picture/bits';
import { hex } from '../../model/picture/chip';
import { first, eventsOf } from '../../model/scenes/read';
import { homeSum, sumText } from '../../model/trace/sum';
import type { Page } from '../../app/page';
import { Print } from '../stage/print';
import { Bits } from './bits';
import { HomeRing } from './home-ring';

export function XorBoard({ page }: { page: Page }) {
  const phase = page.lesson.value?.phase;
  const { settings, timeline } = page.store.session.value;
  if (page.task.value === null || timeline.operations.length === 0)
    return (
      <div class="stage board">
        <Explore page={page} />
      </div>
    );
  const event = first(eventsOf(page.store.session.value, 0), 'locate');
  const isAsking = phase === 'predict';
  return (
    <div class="stage board">
      <div class="explore-pair">
        <Sum
          way={settings}
          bits={settings.fingerprintBits}
          event={event}
          isHidden={isAsking}
          isKnown={phase !== 'run'}
          columns={page.kept.value.number('columns', UNTOUCHED, within(0, ALL))}
        />
        <HomeRing count={settings.bucketCount} from={event.primary} to={isAsking ? null : event.alternate} />
      </div>
      {page.isOwn.value && <Explore page={page} />}
    </div>
  );
}

/** More columns than there are. */
const ALL = 16;
/** No column was pressed yet. */
const UNTOUCHED = -1;

interface SumProps extends Omit<RowsProps, 'shown'> {
  /** How many columns of the result are worked out, from the right. */
  readonly columns: Signal<number>;
  /** Whether the whole result is shown before a column is pressed. */
  readonly isKnown?: boolean;
}

/** The rows, and for XOR the way through their columns; a reflection has none, as it carries. */
function Sum({ columns, isKnown = true, ...rows }: SumProps) {
  const t = words.value.boards;
  const { way, event, isHidden = false } = rows;
  const width = bitsFor(way.bucketCount);
  const untouched = isKnown ? width : 0;
  const worked = columns.value === UNTOUCHED ? untouched : Math.min(width, columns.value);
  const shown = isHidden ? 0 : worked;
  const isStepped = way.addressing === 'xor' && !isHidden;
  const bitAt = (value: number): number => bitsOf(value, width)[width - shown] ?? 0;
  const step = (label: string, to: number) => (
    <Button look="quiet" text={label} disabled={to < 0 || to > width} onClick={() => (columns.value = to)} />
  );
  return (
    <div class="sum-steps">
      <Rows {...rows} shown={isStepped ? shown : width} />
      {way.addressing === 'reflect' && !isHidden && (
        <p>
          <code>{sumText(homeSum({ ...way, fingerprintBits: rows.bits }, event))}</code>
        </p>
      )}
      {isStepped && (
        <>
          <p role="status">
            {shown === 0
              ? t.noColumn
              : t.column(shown, width, bitAt(event.primary), bitAt(event.offset), bitAt(event.alternate))}
          </p>
          <div class="ask-actions">
            {step(t.columnBack, shown - 1)}
            {step(t.columnNext, shown + 1)}
          </div>
        </>
      )}
    </div>
  );
}

interface RowsProps {
  readonly way: Way;
  readonly bits: number;
  readonly event: Located['event'];
  readonly isHidden?: boolean;
  /** Columns of the result that are worked out, from the right; the leftmost of them stands out. */
  readonly shown: number;
  readonly onFingerprint?: (place: number) => void;
  readonly onPrimary?: (place: number) => void;
}

/**
 * Home 1, the fingerprint's own hash, and what becomes of them. A reflection takes home 1 from the hash, modulo the number of
 * buckets: its rows stand in that order, with the sign and the modulus; its bits borrow, so the sum below them is in numbers.
 */
function Rows({ way, bits, event, isHidden = false, shown, onFingerprint, onPrimary }: RowsProps) {
  const t = words.value.boards;
  const width = bitsFor(way.bucketCount);
  const { fingerprint, primary, alternate, offset } = event;
  const isXor = way.addressing === 'xor';
  const column = (at: number): string => (isXor && !isHidden && at === width - shown ? 'is-column' : '');
  const open = <span class="bit">?</span>;
  const homeOne = (
    <>
      <dt>{isXor ? t.homeOne : t.minusHomeOne}</dt>
      <dd>
        <Bits
          bits={bitsOf(primary, width)}
          label={t.homeOne}
          look={column}
          {...(onPrimary && { onFlip: onPrimary })}
        />
        <b>{primary}</b>
      </dd>
    </>
  );
  return (
    <dl class="sum">
      <dt>{t.fingerprint}</dt>
      <dd>
        <Bits
          bits={bitsOf(fingerprint, bits)}
          label={t.fingerprint}
          {...(onFingerprint && { onFlip: onFingerprint })}
        />
        <b>
          <Print fingerprint={fingerprint} text={hex(fingerprint, bits)} />
        </b>
      </dd>
      {isXor && homeOne}
      <dt>{isXor ? t.xorWith : t.reflectWith}</dt>
      <dd>
        <Bits bits={bitsOf(offset, width)} label={t.offset} look={column} />
        <b>{offset}</b>
      </dd>
      {!isXor && homeOne}
      <dt class="sum-result">{isXor ? t.homeTwo : t.homeTwoModulo(way.bucketCount)}</dt>
      <dd class="sum-result">
        {isHidden || shown < width ? (
          <span class="bits" role="img" aria-label={t.homeTwo}>
            {bitsOf(alternate, width).map((bit, at) =>
              isHidden || at < width - shown ? (
                open
              ) : (
                <span key={at} class={`bit is-${bit} ${column(at)}`}>
                  {bit}
                </span>
              ),
            )}
          </span>
        ) : (
          <>
            <Bits
              bits={bitsOf(alternate, width)}
              label={t.homeTwo}
              look={(at) => `${isXor && bitsOf(offset, width)[at] === 1 ? 'is-changed' : ''} ${column(at)}`}
            />
            <b>{alternate}</b>
          </>
        )}
      </dd>
    </dl>
  );
}

const WAYS: readonly Way[] = [
  { bucketCount: 8, addressing: 'xor' },
  { bucketCount: 16, addressing: 'xor' },
  { bucketCount: 32, addressing: 'xor' },
  { bucketCount: 7, addressing: 'reflect' },
  { bucketCount: 12, addressing: 'reflect' },
  { bucketCount: 30, addressing: 'reflect' },
];

/** Bits to flip. Every pair shown belongs to a real key, which the core was asked for. */
function Explore({ page }: { page: Page }) {
  const t = words.value.boards;
  const kept = page.kept.value;
  const way = kept.number('way', 1, within(0, WAYS.length - 1));
  const fingerprint = kept.number('print', 0b0110, within(1, 2 ** CATALOGUE_BITS - 1));
  const primary = kept.number('home', 5, within(0, 31));
  const chosen = WAYS[way.value] ?? { bucketCount: 16, addressing: 'xor' };
  const at = Math.min(primary.value, chosen.bucketCount - 1);
  const found = located(chosen, fingerprint.value, at);
  if (found === null) return null;
  const { event, key } = found;
  const flipPrimary = (place: number): void => {
    const value = flipped(at, place);
    if (value < chosen.bucketCount) primary.value = value;
  };
  return (
    <section class="explore" aria-label={t.explore}>
      <h2>{t.explore}</h2>
      <Choose
        label={t.buckets}
        values={WAYS.map((_, i) => i)}
        bound={way}
        textOf={(i) => t.way(WAYS[i]?.bucketCount ?? 0, WAYS[i]?.addressing === 'xor')}
      />
      <div class="explore-pair">
        <Sum
          way={chosen}
          bits={CATALOGUE_BITS}
          event={event}
          columns={kept.number('upto', UNTOUCHED, within(0, ALL))}
          onFingerprint={(place) => (fingerprint.value = flipped(fingerprint.value, place) || 1)}
          onPrimary={flipPrimary}
        />
        <HomeRing count={chosen.bucketCount} from={event.primary} to={event.alternate} />
      </div>
      <p class="board-fact" role="status">
        {event.homesCoincide ? t.meet(event.primary) : t.pair(event.primary, event.alternate)}
        {words.value.steps.gap()}
        {t.example(key)}
      </p>
      <Button text={t.applyAgain(event.alternate)} onClick={() => (primary.value = event.alternate)} />
    </section>
  );
}
