// Semi-sorting by hand: the low four bits of the four fingerprints of a bucket, in any order and sorted.
import { words } from '../i18n';
import { within } from '../kept';
import { multisets } from '../model/statistics';
import type { Page } from '../page';

const NIBBLES = 16;
const PLACES = 4;
const FIRST = [9, 3, 12, 3];

export function Nibbles({ page }: { page: Page }) {
  const t = words.value.space;
  const { gap } = words.value.steps;
  const values = page.kept.value.numbers('dials', FIRST, within(0, NIBBLES - 1));
  const turn = (at: number, by: number): void => {
    values.value = values.value.map((value, i) => (i === at ? (value + by + NIBBLES) % NIBBLES : value));
  };
  const sorted = [...values.value].sort((a, b) => a - b);
  const forms = multisets(NIBBLES, PLACES);
  return (
    <section class="nibbles" aria-label={t.nibblesTitle}>
      <h2>{t.nibblesTitle}</h2>
      <p>{t.nibblesLead}</p>
      <div class="dials">
        {values.value.map((value, i) => (
          <div class="dial" role="group" aria-label={t.dial(i)} key={i}>
            <button type="button" class="button is-quiet" aria-label={t.up(i)} onClick={() => turn(i, 1)}>
              +
            </button>
            <output>{value.toString(16)}</output>
            <button type="button" class="button is-quiet" aria-label={t.down(i)} onClick={() => turn(i, -1)}>
              -
            </button>
          </div>
        ))}
      </div>
      <p class="nibbles-sorted">
        {t.sorted} <code>{sorted.map((value) => value.toString(16)).join(' ')}</code>
      </p>
      <p>
        {t.orders(ordersOf(sorted))}
        {gap()}
        {t.forms(forms, NIBBLES ** PLACES)}
        {gap()}
        <strong>{t.saved(Math.ceil(Math.log2(forms)), PLACES * 4)}</strong>
      </p>
    </section>
  );
}

/** In how many orders four values can stand. */
function ordersOf(sorted: readonly number[]): number {
  const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));
  const repeats = new Map<number, number>();
  for (const value of sorted) repeats.set(value, (repeats.get(value) ?? 0) + 1);
  return [...repeats.values()].reduce((orders, times) => orders / factorial(times), factorial(sorted.length));
}
