// The first minute: five rows to press, in order, each with its answer.
import type { Signal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { OperationName } from '../../core/engine';
import { nameOf } from '../../app/name';
import { keysNow, TRIES, type Keys, type Try } from '../../app/first-minute';
import { words } from '../../i18n';
import { truthOf } from '../../model/trace/ledger';
import { canStepForward, next } from '../../model/trace/session';
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

/** What a row showed when it was pressed last. */
interface Done {
  readonly key: string;
  readonly answer: string;
  /** The operation's number. */
  readonly operation: number | null;
}

export type AllDone = Partial<Readonly<Record<Try, Done>>>;

interface FirstMinuteProps {
  readonly page: Page;
  readonly done: Signal<AllDone>;
  /** Of the rows, only the one that comes next: below the table, where that fills the screen. */
  readonly isNextOnly?: boolean;
}

export function FirstMinute({ page, done, isNextOnly = false }: FirstMinuteProps) {
  const t = words.value;
  const { store } = page;
  const { timeline, settings } = store.session.value;
  const name = nameOf(page);
  const keys = useMemo(() => keysNow(store, name), [timeline, settings, name]);
  const attempt = (what: Try): void => {
    if (what === 'kick') page.kick();
    else {
      // A table on which no key does it makes way for a fresh one.
      if (keysNow(store, name)[what] === null) page.rebuild(settings);
      const key = keysNow(store, name)[what];
      if (key === null) return;
      store.operate(OPERATIONS[what], key);
    }
    done.value = { ...done.value, [what]: answered() };
  };
  const answered = (): Done => {
    const session = store.session.value;
    const last = session.timeline.operations.at(-1);
    if (last === undefined) return { key: '', answer: '', operation: null };
    const truth = truthOf(next(session, { type: 'toEnd' }));
    const answer = outcomeOf(last.end, t);
    return {
      key: last.key,
      operation: last.number,
      answer:
        truth === 'falsePositive'
          ? t.answer.truths[truth]
          : last.end.kicks > 0
            ? t.guide.kicks(last.end.kicks)
            : answer,
    };
  };
  // An outcome is told only when its operation has been played.
  const [playing] = useSteady(store, () => {
    const session = store.session.value;
    return [canStepForward(session) ? (session.timeline.operations.at(-1)?.number ?? null) : null];
  });
  const isTold = (it: Done | undefined): it is Done => it !== undefined && it.operation !== playing;
  const upcoming = TRIES.find((each) => done.value[each] === undefined);
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
            <span>{t.guide.steps[each](keyOf(each, keys, done.value[each]))}</span>
            {isTold(done.value[each]) && <b class="guide-answer">{done.value[each].answer}</b>}
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

function keyOf(what: Try, keys: Keys, done: Done | undefined): string {
  return shortened(done?.key ?? (what === 'kick' ? '' : (keys[what] ?? '')), MOST_LETTERS);
}
