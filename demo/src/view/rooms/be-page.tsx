// "Be the filter": the learner makes the moves, and each is checked against the next event of the trace.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { Button, Choose, Stages } from '../../controls/fields';
import { sampleFor, triedInTurn } from '../../core/filling';
import { birds, titleOf, words } from '../../i18n';
import { within } from '../../app/kept';
import { movesOf, type Move } from '../../model/be';
import { slotOf } from '../../model/scenes/task';
import { binary } from '../../model/picture/bits';
import { DEFAULTS, type Settings } from '../../model/settings';
import { endOf } from '../../model/trace/state';
import type { Page } from '../../app/page';
import { MoveField } from '../../controls/move-field';
import { addressOf } from '../header';
import { CodePanel, PathPanel } from '../panels/panels';
import { Tools } from '../panels/tools';
import { marked } from '../stage/chip';
import { Theatre } from '../stage/theatre';
import '../../styles/card.css';
import '../../styles/rooms.css';

const LEVELS = [0, 1, 3] as const;
/** More than an insert of any level takes. */
const MOST_MOVES = 64;
/** Keys tried on a table before the next one. */
const MOST_TRIES = 60;

/** A table, and a key whose insert takes as many kicks as the level asks for. */
function exercise(level: number, round: number): { settings: Settings; key: string } {
  const most = level === 0 ? 0 : level + 2;
  return triedInTurn(
    (i) => ({ ...DEFAULTS, maxKicks: 100, seed: birds(round + 1000 * i) }),
    (trial) => {
      const fits = (sample: string): boolean => {
        const { result, kicks } = endOf(trial.engine.tryInsert(sample));
        return result === 'added' && kicks >= level && kicks <= most;
      };
      return { settings: trial.session.settings, key: sampleFor(trial, fits, MOST_TRIES) };
    },
  );
}

/** Where to press. */
function How({ asks, kind }: Move) {
  const t = words.value.be;
  if (asks === 'choice') return null;
  return (
    <span class="note">
      {asks === 'bucket' ? t.pressBucket : kind === 'place' ? t.pressPlace : t.pressSlot}
      {asks === 'slot' && <span class="by-keys">{t.byKeys}</span>}
    </span>
  );
}

interface Feedback {
  readonly look: 'none' | 'wrong' | 'right';
  readonly text: string;
  /** Of a wrong answer: the bucket pressed. */
  readonly missed?: number;
}

const NONE: Feedback = { look: 'none', text: '' };

function inBits({ facts }: Move, bucket: string): string {
  return binary(Number(bucket), Number(facts['count']));
}

function solved(move: Move): string {
  return `${move.facts['sum']} = ${inBits(move, move.answer)}`;
}

export default function BePage({ page }: { page: Page }) {
  const t = words.value.be;
  const { store } = page;
  const kept = page.kept.value;
  const level = kept.number('level', 1, within(0, LEVELS.length - 1));
  const round = kept.number('key', page.link.value.round, within(0, 1e6));
  const at = kept.number('moves', 0, within(0, MOST_MOVES));
  const misses = useSignal(0);
  const right = kept.number('right', 0, within(0, MOST_MOVES));
  const feedback = useSignal<Feedback>(NONE);
  const moves = useMemo(() => {
    const { settings, key } = exercise(LEVELS[level.value] ?? 0, round.value);
    store.rebuild(settings, [{ name: 'insert', key }], 0);
    const all = movesOf(store.session.value);
    const before = all[at.value - 1];
    if (before !== undefined) store.send({ type: 'stand', cursor: all[at.value]?.from ?? before.to });
    return all;
  }, [level.value, round.value, store]);
  const move = moves[at.value];
  const told = useRef<HTMLDivElement>(null);
  const { missed = null } = feedback.value;
  // No cleanup is needed: by the time a visitor leaves this place, the next one is open and has set the same values.
  useLayoutEffect(() => {
    store.show({
      // At the end the insert can be played step by step.
      isLocked: move !== undefined,
      // Where a bucket is asked for, the table does not tell it.
      asksHome: move?.asks === 'bucket',
      asked: move?.kind === 'destination' ? slotOf(move.facts) : null,
      guessed: missed,
    });
  }, [move, missed, store]);
  // On a phone, what was told may be below the visible part of the page.
  useEffect(() => {
    if (misses.value > 0) told.current?.scrollIntoView({ block: 'nearest', behavior: 'instant' });
  }, [misses.value]);
  const restart = (nextRound: number): void => {
    at.value = 0;
    misses.value = 0;
    right.value = 0;
    feedback.value = NONE;
    round.value = nextRound;
  };
  const onward = (done: Move): void => {
    at.value += 1;
    misses.value = 0;
    store.show({ pressed: null });
    store.send({ type: 'stand', cursor: moves[at.value]?.from ?? done.to });
  };
  const answer = (value: string): void => {
    if (move === undefined) return;
    if (value !== move.answer) {
      misses.value += 1;
      const isBucket = move.asks === 'bucket';
      feedback.value = {
        look: 'wrong',
        // A hint first, and the answer at the second miss.
        text: !isBucket
          ? t.wrong
          : misses.value === 1
            ? t.hint(inBits(move, value))
            : t.wrongBits(solved(move)),
        ...(value !== 'none' && move.asks !== 'choice' && { missed: parseInt(value) }),
      };
      return;
    }
    if (misses.value === 0) right.value += 1;
    feedback.value = { look: 'right', text: t.right };
    onward(move);
  };
  const fix = (): void => {
    if (move === undefined) return;
    feedback.value = move.asks === 'bucket' ? { look: 'right', text: t.fixed(solved(move)) } : NONE;
    onward(move);
  };
  return (
    <main id="main" data-place="be" class="page is-scene has-stage grid">
      <div class="intro">
        <h1>{words.value.nav.be}</h1>
        <p>{t.lead}</p>
      </div>
      <div class="console-place">
        <section class="card" aria-label={t.move}>
          {/* The number of moves would give an answer away. */}
          <Stages
            names={at.value === 0 ? [t.first] : moves.slice(0, at.value + 1).map((_, i) => i + 1)}
            at={at.value}
          />
          {move === undefined ? (
            <div class="ask grid">
              <p class="ask-found">{t.done(right.value, moves.length)}</p>
              <div class="ask-actions">
                <Button look="primary" text={t.next} onClick={() => restart(round.value + 1)} />
                <a class="button" href={addressOf('end')}>
                  {titleOf('end')}
                </a>
              </div>
            </div>
          ) : (
            <div class="ask grid">
              <p class="ask-question">{marked(t.asks[move.kind](move.facts))}</p>
              <MoveField
                key={`${round.value}.${at.value}`}
                store={store}
                move={move}
                missed={missed}
                onAnswer={answer}
              />
              <div class="be-told row" ref={told}>
                <p role="status">
                  <span class={`be-feedback is-${feedback.value.look}`}>{feedback.value.text}</span>{' '}
                  {feedback.value.look !== 'wrong' && <How {...move} />}
                </p>
                {misses.value > 0 && <Button look="quiet" text={t.fix} onClick={fix} />}
              </div>
            </div>
          )}
        </section>
      </div>
      <Theatre store={store} />
      <div class="panels">
        <section class="panel">
          <Choose
            label={t.level}
            values={LEVELS.map((_, i) => i)}
            bound={level}
            textOf={(i) => t.levels[i] ?? ''}
            onChange={() => restart(round.value)}
          />
        </section>
        <PathPanel store={store} />
        <CodePanel store={store} />
        <Tools page={page} hasSettings={false} />
      </div>
    </main>
  );
}
