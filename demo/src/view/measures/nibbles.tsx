// Semi-sorting in four stages: four fingerprints of a bucket, their order, the code of their lower parts, and what the
// bits set free are spent on.
import { useMemo } from 'preact/hooks';
import { Button } from '../../controls/button';
import { words } from '../../i18n';
import { within } from '../../app/kept';
import { bitsOf } from '../../model/picture/bits';
import { hex } from '../../model/picture/chip';
import { CODE_ROW, cellsAt, STAGES, type BitCell } from '../../model/picture/nibbles';
import { multisets } from '../../model/statistics';
import type { Page } from '../../app/page';
import { BITS, codeBits, NIBBLE_BITS, PLACES, semiSorted } from '../../core/semi-sort';
import { hueStyle } from '../stage/chip';
import { Told } from '../stage/print';
import '../../styles/boards.css';

const NIBBLES = 2 ** NIBBLE_BITS;
const FIRST = [9, 3, 12, 3];
const FORMS = multisets(NIBBLES, PLACES);
const CODE_BITS = codeBits(NIBBLE_BITS);

export function Nibbles({ page }: { page: Page }) {
  const t = words.value.space;
  const { gap } = words.value.steps;
  const values = page.kept.value.numbers('dials', FIRST, within(0, NIBBLES - 1));
  const at = page.kept.value.number('sorting', 0, within(0, STAGES.length - 1));
  const stage = STAGES[at.value] ?? 'came';
  const { fingerprints, order, code } = useMemo(() => semiSorted(values.value), [values.value]);
  const turn = (place: number, by: number): void => {
    values.value = values.value.map((value, i) => (i === place ? (value + by + NIBBLES) % NIBBLES : value));
  };
  const step = (label: string, to: number) => (
    <Button text={label} disabled={STAGES[to] === undefined} onClick={() => (at.value = to)} />
  );
  const names = fingerprints.map((fingerprint) => hex(fingerprint, BITS));
  const inOrder = order.map((i) => names[i] ?? '');
  return (
    <div class="nibbles">
      <p>{t.nibblesLead}</p>
      <div class="dials">
        {values.value.map((value, i) => (
          <div class="dial" role="group" aria-label={t.dial(i)} key={i}>
            <Button look="quiet" text="+" aria-label={t.up(i)} onClick={() => turn(i, 1)} />
            <output>{value.toString(16)}</output>
            <Button look="quiet" text="−" aria-label={t.down(i)} onClick={() => turn(i, -1)} />
          </div>
        ))}
      </div>
      <BitPicture
        label={words.value.sorting.picture((stage === 'came' ? names : inOrder).join(', '))}
        names={fingerprints.map((fingerprint, i) => ({
          fingerprint,
          row: stage === 'came' ? i : order.indexOf(i),
        }))}
        isCoded={at.value > 1}
        cells={cellsAt(
          stage,
          fingerprints.map((fingerprint) => bitsOf(fingerprint, BITS)),
          order,
          bitsOf(code, CODE_BITS),
        )}
      />
      <div class="ask-actions">
        {step(words.value.sorting.back, at.value - 1)}
        {step(words.value.sorting.next[at.value] ?? '', at.value + 1)}
      </div>
      <p role="status">
        <Told text={words.value.sorting.stages[stage](inOrder.join(', '), code)} />
      </p>
      <p class="note">
        {t.orders(ordersOf(values.value))}
        {gap()}
        {t.forms(FORMS, NIBBLES ** PLACES)}
        {gap()}
        <strong>{t.saved(CODE_BITS, PLACES * NIBBLE_BITS)}</strong>
      </p>
    </div>
  );
}

interface BitPictureProps {
  readonly label: string;
  readonly names: readonly { readonly fingerprint: number; readonly row: number }[];
  readonly isCoded: boolean;
  readonly cells: readonly BitCell[];
}

/** Squares that slide from place to place; each keeps its element, so that the browser moves it. */
function BitPicture({ label, names, isCoded, cells }: BitPictureProps) {
  const t = words.value.sorting;
  return (
    <div class="bit-picture" role="img" aria-label={label}>
      {names.map(({ fingerprint, row }, i) => (
        <b key={i} class="bit-name print" style={{ '--row': row, ...hueStyle(fingerprint) }}>
          {hex(fingerprint, BITS)}
        </b>
      ))}
      <b class="bit-name is-code" style={{ '--row': CODE_ROW }}>
        {isCoded && t.code}
      </b>
      {cells.map(({ id, row, column, bit, look }) => (
        <i key={id} class={`bit-cell is-${look}`} style={{ '--row': row, '--column': column }}>
          {bit ?? (look === 'gained' ? '+' : '')}
        </i>
      ))}
    </div>
  );
}

/** In how many orders four values can stand. */
function ordersOf(values: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const repeats = new Map<number, number>();
  for (const value of values) repeats.set(value, (repeats.get(value) ?? 0) + 1);
  return [...repeats.values()].reduce((orders, times) => orders / factorial(times), factorial(values.length));
}
