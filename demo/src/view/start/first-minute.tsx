// The first minute: five rows to press, in order, each with its answer.
import { useMemo } from 'preact/hooks';
import type { OperationName } from '../../core/engine';
import { nameOf } from '../../app/name';
import { keysNow, TRIES, type Try } from '../../app/first-minute';
import { words, type Words } from '../../i18n';
import { truthOf } from '../../model/trace/ledger';
import { canStepForward, next, type Session } from '../../model/trace/session';
import { shortened } from '../../model/shortened';
import { outcomeOf } from '../../model/trace/story';
import type { Page } from '../../app/page';
import { addressOf } from '../header';
import { useSteady } from '../steady';

const OPERATIONS: Readonly<Record<Exclude<Try, 'kick'>, OperationName>> = {
  insert: 'insert',
  known: 'contains',
  stranger: 'contains',
  falsePositive: 'contains',
};

interface FirstMinuteProps {
  readonly page: Page;
  /** Of the rows, only the one that comes next: below the table, where that fills the screen. */
  readonly isNextOnly?: boolean;
}

export function FirstMinute({ page, isNextOnly = false }: FirstMinuteProps) {
  const t = words.value;
  const { store } = page;
  const { timeline, settings } = store.session.value;
  const name = nameOf(page);
  const keys = useMemo(() => keysNow(store, name), [timeline, settings, name]);
  // For each row, the number of its latest operation, counted from 1, or 0 if it has none yet.
  const tries = page.kept.value.numbers(
    'tries',
    TRIES.map(() => 0),
  );
  const attempt = (what: Try): void => {
    if (what === 'kick') page.kick();
    else {
      // A table on which no key does it makes way for a fresh one.
      if (keysNow(store, name)[what] === null) page.rebuild(settings);
      const key = keysNow(store, name)[what];
      if (key === null) return;
      store.operate(OPERATIONS[what], key);
    }
    const { operations } = store.session.value.timeline;
    tries.value = tries.value.map((each, i) => (TRIES[i] === what ? operations.length : each));
  };
  const done = useMemo(
    () => TRIES.map((what, i) => doneBy(store.session.peek(), what, tries.value[i] ?? 0, t)),
    [timeline, tries.value, t],
  );
  // An outcome is told only when its operation has been played.
  const [playing] = useSteady(store, () => {
    const session = store.session.value;
    return [canStepForward(session) ? (session.timeline.operations.at(-1)?.number ?? null) : null];
  });
  const upcoming = TRIES.find((_, i) => tries.value[i] === 0);
  return (
    <ol
      class={isNextOnly ? 'guide is-short' : 'guide'}
      aria-label={isNextOnly ? t.guide.next : t.guide.title}
    >
      {TRIES.map((each, i) => (
        <li key={each} hidden={isNextOnly && each !== upcoming}>
          <button
            class={`button guide-step${each === upcoming ? ' is-next' : ''}${each === 'kick' ? ' is-kick' : ''}`}
            type="button"
            onClick={() => attempt(each)}
          >
            <span class="guide-number" aria-hidden="true">
              {i + 1}
            </span>
            <span>
              {t.guide.steps[each](
                shortened(done[i]?.key ?? (each === 'kick' ? '' : keys[each]) ?? '', MOST_LETTERS),
              )}
            </span>
            {done[i] && done[i].number !== playing && <b class="guide-answer">{done[i].answer}</b>}
          </button>
        </li>
      ))}
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

/** What a row did and its outcome in a word, such as that a lookup was wrong; null if the table no longer has that operation. */
function doneBy(session: Session, what: Try, number: number, t: Words) {
  const operation = session.timeline.operations[number - 1];
  if (operation === undefined) return null;
  const { end, key, last, name } = operation;
  if (what === 'kick' ? end.kicks === 0 : name !== OPERATIONS[what]) return null;
  const isWrong = truthOf(next(session, { type: 'stand', cursor: last })) === 'falsePositive';
  const { falsePositive } = t.answer.truths;
  const verdict = falsePositive.charAt(0).toUpperCase() + falsePositive.slice(1);
  const answer = isWrong ? verdict : outcomeOf(end, t);
  return { key, number: operation.number, answer: end.kicks > 0 ? t.guide.kicks(end.kicks) : answer };
}
