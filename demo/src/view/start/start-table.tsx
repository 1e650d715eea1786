// A whole table, five things to try on it, what tells an operation in other ways, and the way to the scenes.
// Invariant: the story comes first. The panels appear with the first operation; what the package is worth, and how to get
// and call it, comes last.
import { useComputed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { FirstMinute, type Row } from '../../app/first-minute';
import { Console } from '../../controls/console';
import { words } from '../../i18n';
import { focused } from '../../model/trace/session';
import { nameOf } from '../../app/name';
import type { Page } from '../../app/page';
import { CodePanel, PathPanel } from '../panels/panels';
import { InTurn } from '../lazy';
import { Theatre } from '../stage/theatre';
import { Tools } from '../panels/tools';
import { Tour } from '../scenes/tour';
import { shortened } from '../../model/text';
import { addressOf } from '../header';
import { TakeHome } from './take-home';
import '../../styles/guide.css';

export default function StartTable({ page }: { page: Page }) {
  const t = words.value;
  const { store } = page;
  const kept = page.kept.value;
  const minute = useMemo(() => new FirstMinute(page), [page, kept]);
  const name = nameOf(page);
  useEffect(() => minute.receive(name), [minute, name]);
  const isQuiet = useComputed(() => focused(store.session.value) === null).value;
  const isTold = useComputed(() => focused(store.told.value) !== null).value;
  return (
    <div class={isQuiet ? 'start-table grid is-quiet' : 'start-table grid'}>
      <InTurn>
        <div class="console-place">
          <h2>{t.guide.title}</h2>
          <p>{t.guide.lead}</p>
          <Console page={page}>
            <Rows minute={minute} />
          </Console>
        </div>
        <div class="start-stage">
          <Theatre
            store={store}
            next={!isQuiet && <Rows minute={minute} isNextOnly />}
            isGoal={page.link.value.operations.length > 0}
          />
        </div>
        {isTold && (
          <div class="panels">
            <PathPanel store={store} />
            <CodePanel store={store} />
          </div>
        )}
        <Tools page={page} />
        <Tour page={page} />
        <TakeHome name={name} />
      </InTurn>
    </div>
  );
}

interface RowsProps {
  readonly minute: FirstMinute;
  /** Shows only the row that comes next. Used below the table where the table fills the screen. */
  readonly isNextOnly?: boolean;
}

/** The five rows to press, in order, each with its answer. */
function Rows({ minute, isNextOnly = false }: RowsProps) {
  const t = words.value;
  const upcoming = minute.upcoming.value;
  return (
    <ol
      class={isNextOnly ? 'guide grid is-short' : 'guide grid'}
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
      class={`button guide-step row${isNext ? ' is-next' : ''}${what === 'kick' ? ' is-kick' : ''}`}
      type="button"
      onClick={() => minute.attempt(what)}
    >
      <span class="guide-number grid" aria-hidden="true">
        {number}
      </span>
      <span>{words.value.guide.steps[what](shortened(key, MOST_LETTERS))}</span>
      {done !== null && done.answer !== '' && <b class="guide-answer">{done.answer}</b>}
    </button>
  );
}
