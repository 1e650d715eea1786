// The stage with what belongs to it: load, signs, the sentence of the step, the transport.
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Transport } from '../../controls/transport';
import { useSight } from '../../browser/sight';
import { words } from '../../i18n';
import { layoutOf } from '../../model/picture/layout';
import { focused } from '../../model/trace/session';
import type { Store } from '../../app/store';
import { Caption } from './caption';
import { useFollowing } from './follow';
import { Lazy, useInTurn } from '../lazy';
import { Stage } from './stage';
import { isLow, screenHeight } from '../width';
import { percentOf } from '../../model/statistics';
import '../../styles/stage.css';
import '../../styles/deck.css';
import '../../styles/print.css';

interface TheatreProps {
  readonly store: Store;
  readonly tools?: ComponentChildren;
  readonly next?: ComponentChildren;
  readonly children?: ComponentChildren;
  /** Whether a link leads to a step of it, which is then in view. */
  readonly isGoal?: boolean;
}

const loadFoot = (): Promise<typeof import('./theatre-foot')> => import('./theatre-foot');

/** Pixels of the load, the sentence and the transport on a phone. */
const DECK = 250;

/**
 * Comes into view when an operation begins and a part of it is below the fold. The sentence and the transport stay in
 * sight, unless the whole of it fits on a phone.
 */
export function Theatre({ store, tools, next, children, isGoal = false }: TheatreProps) {
  const t = words.value;
  const place = useRef<HTMLElement>(null);
  const session = store.session.value;
  const { isPlaying, timeline, place: table } = session;
  const { height, isNarrow } = layoutOf(table.state.shape, Math.max(200, store.width.value), isLow.value);
  const isIdle = focused(session) === null || store.isLocked.value;
  // Before the first step the table matters more than a bar with nothing to do.
  const isFixed = !isIdle && (!isNarrow || height + DECK > screenHeight.value);
  const drawn = useInTurn(4);
  useFollowing(store, place);
  const isComing = useRef(isGoal);
  useEffect(() => {
    if (drawn < Infinity) return;
    const { top = 0, bottom = 0 } = place.current?.getBoundingClientRect() ?? {};
    // What its signs mean may lie below.
    const foot = place.current?.querySelector<HTMLElement>('.theatre-foot')?.offsetHeight ?? 0;
    const comes = isPlaying || isComing.current;
    isComing.current = false;
    if (!comes || top < innerHeight / 10 || bottom - foot <= innerHeight) return;
    place.current?.scrollIntoView({ behavior: store.isStill.value ? 'instant' : 'smooth' });
  }, [isPlaying, timeline.operations.length, store, drawn]);
  useSight(place, (isIn) => store.show({ isAway: !isIn }));
  useEffect(() => () => store.show({ isAway: false }), [store]);
  return (
    <section class="theatre" ref={place} aria-label={t.stage.title}>
      <div class="theatre-head">
        {(children === undefined || tools !== undefined) && <Meter store={store} />}
        {tools}
      </div>
      {drawn > 1 && (children ?? <Stage store={store} />)}
      {drawn > 2 && (
        <div class={isFixed ? 'deck is-fixed' : 'deck'}>
          <Caption store={store} />
          {next}
          <Transport store={store} />
        </div>
      )}
      {drawn < Infinity ? (
        <div class="is-loading" aria-busy="true" />
      ) : (
        children === undefined && <Lazy load={loadFoot} props={{ store }} />
      )}
    </section>
  );
}

function Meter({ store }: { store: Store }) {
  const t = words.value.meter;
  const { size, slots } = store.session.value.place.state;
  const count = slots.length;
  return (
    <div class="meter row">
      <b>{t.title}</b>
      <div
        class="meter-bar"
        role="meter"
        aria-label={t.title}
        aria-valuemin={0}
        aria-valuemax={count}
        aria-valuenow={size}
        aria-valuetext={t.value(size, count)}
      >
        <div class="meter-fill" style={{ width: `${(100 * size) / count}%` }} />
      </div>
      <span class="meter-value">
        <b>{t.percent(percentOf(size / count))}</b> <span>{t.value(size, count)}</span>
      </span>
    </div>
  );
}
