// Semi-sorting: the lower parts of the four fingerprints in a bucket, their order, its code, and the bits that it saves.
import { useMemo } from 'preact/hooks';
import { Button } from '../../controls/button';
import { words } from '../../i18n';
import { within } from '../../app/kept';
import { hex } from '../../model/picture/chip';
import { multisets } from '../../model/statistics';
import type { Page } from '../../app/page';
import { BITS, codeBits, NIBBLE_BITS, PLACES, semiSorted } from '../../core/semi-sort';
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
  const { fingerprints, order, code } = useMemo(() => semiSorted(values.value), [values.value]);
  const turn = (place: number, by: number): void => {
    values.value = values.value.map((value, i) => (i === place ? (value + by + NIBBLES) % NIBBLES : value));
  };
  const inOrder = order.map((i) => hex(fingerprints[i] ?? 0, BITS));
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
      <p role="status">
        <Told text={t.sorted(inOrder.join(', '), code)} />
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

/** In how many orders four values can stand. */
function ordersOf(values: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const repeats = new Map<number, number>();
  for (const value of values) repeats.set(value, (repeats.get(value) ?? 0) + 1);
  return [...repeats.values()].reduce((orders, times) => orders / factorial(times), factorial(values.length));
}
