// The first minute: five rows to press, in order, each with its answer.
import type { FirstMinute, Row } from '../../app/first-minute';
import { words } from '../../i18n';
import { shortened } from '../../model/shortened';
import { addressOf } from '../header';

interface RowsProps {
  readonly minute: FirstMinute;
  /** Only the row that comes next: below the table, where that fills the screen. */
  readonly isNextOnly?: boolean;
}

export function Rows({ minute, isNextOnly = false }: RowsProps) {
  const t = words.value;
  const upcoming = minute.upcoming.value;
  return (
    <ol
      class={isNextOnly ? 'guide is-short' : 'guide'}
      aria-label={isNextOnly ? t.guide.next : t.guide.title}
    >
      {minute.rows.value.map(
        (row, i) =>
          (!isNextOnly || row.what === upcoming) && (
            <li key={row.what}>
              <RowButton minute={minute} row={row} number={i + 1} isNext={row.what === upcoming} />
            </li>
          ),
      )}
      {upcoming === undefined && (
        <li>
          <a class="button is-primary" href={addressOf('names')}>
            {t.lesson.next(t.scenes.names.title)}
          </a>
        </li>
      )}
    </ol>
  );
}

/** Letters of a key that a row has room for. */
const MOST_LETTERS = 24;

interface RowButtonProps {
  readonly minute: FirstMinute;
  readonly row: Row;
  readonly number: number;
  readonly isNext: boolean;
}

function RowButton({ minute, row: { what, key, done }, number, isNext }: RowButtonProps) {
  return (
    <button
      class={`button guide-step${isNext ? ' is-next' : ''}${what === 'kick' ? ' is-kick' : ''}`}
      type="button"
      onClick={() => minute.attempt(what)}
    >
      <span class="guide-number" aria-hidden="true">
        {number}
      </span>
      <span>{words.value.guide.steps[what](shortened(key, MOST_LETTERS))}</span>
      {done !== null && done.answer !== '' && <b class="guide-answer">{done.answer}</b>}
    </button>
  );
}
