// Four tables with equally many slots race to their first refusal, by random walks; then again, by the library's own search.
// Invariant: each frame moves one table on, in turn, so that no frame has to draw more than one large map anew.
import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { Choose } from '../../controls/fields';
import { words } from '../../i18n';
import { Filling, inSlices, type LoadBin } from '../../core/measure';
import { oneOf } from '../../app/kept';
import { powerAxis, type PlotPoint, type Series } from '../../model/picture/plot';
import { percentOf } from '../../model/statistics';
import { SEARCHES } from '../../model/settings';
import type { Value } from '../../model/scenes/task';
import type { Page } from '../../app/page';
import { HeatMap } from './heat-map';
import { Plot } from '../plots/plot';
import { RunBar, useRun } from '../plots/run-bar';
import { marked } from '../stage/chip';

const RACERS = [1, 2, 4, 8] as const;
/** The paper's loads, section 5.1, in per cent. */
const PAPER = { 1: 50, 2: 84, 4: 95, 8: 98 } as const;
const SIZES: readonly number[] = [16_384, 65_536, 131_072];
const KICKS: readonly number[] = [0, 1, 10, 100, 500];
const PAPER_KICKS = 500;
/** More keys than the largest table takes. */
const BETWEEN_STARTS = 200_000;
/** Per cent: with it the published loads are right, which two slots a bucket pass by five. */
const TOLERANCE = 6;
const FINGERPRINT_BITS = 16;
/** Below the mean of one kick in all inserts of a bin of the largest table. */
const LEAST_KICKS = 1e-4;
const SHARES = { least: 0, most: 1, ticks: [0, 0.25, 0.5, 0.75, 1] } as const;

interface Lane {
  readonly slots: Uint32Array;
  readonly load: number;
  readonly bins: readonly LoadBin[];
  readonly isDone: boolean;
}

const EMPTY: Lane = { slots: new Uint32Array(), load: 0, bins: [], isDone: false };

const NONE: readonly Lane[] = RACERS.map(() => EMPTY);

/** Each question begins with empty tables: what was measured before would answer another one, or tell its answer. */
export default function Race({ page }: { page: Page }) {
  const lesson = page.lesson.value;
  return <Tables key={`${lesson?.part} ${lesson?.round} ${lesson?.phase === 'predict'}`} page={page} />;
}

function Tables({ page }: { page: Page }) {
  const { race: t, plot } = words.value;
  const kept = page.kept.value;
  const size = kept.number('slots', 65_536, oneOf(SIZES));
  /** Of the random walk, and of the library's search. */
  const lanes = useSignal(NONE);
  const searched = useSignal(NONE);
  const lesson = page.lesson.value;
  // As large as the table that will be filled.
  const blank = useMemo(() => new Uint32Array(size.value), [size.value]);
  const hasRun = lanes.value.some(({ load }) => load > 0);
  // Before an audience the board is there from the start.
  const isEmpty = !hasRun && !page.store.presents.value;
  const isGuessed = isEmpty && lesson?.phase === 'predict';
  const guess = isGuessed ? page.guess.value : (lesson?.guess ?? null);
  const isTransfer = lesson?.part === 1;
  const isOwn = page.isOwn.value;
  // The question without kicks is about one table.
  const isOne = isTransfer && !isOwn;
  const asked = isTransfer ? 0 : PAPER_KICKS;
  const kicks = kept.number('kicks', asked, oneOf(KICKS));
  /** Of the visitor's own races: each has other keys. */
  const starts = useRef(0);
  /** The most kicks per insert in the run that is shown. */
  const shownKicks = useSignal(0);
  const run = useRun(async (signal, tell) => {
    const maxKicks = isOwn ? kicks.value : asked;
    const firstKey = isOwn ? ++starts.current * BETWEEN_STARTS : 0;
    kicks.value = maxKicks;
    shownKicks.value = maxKicks;
    // What is filled without kicks is not compared with a search for them.
    const searches = maxKicks === 0 ? (['random-walk'] as const) : SEARCHES;
    searched.value = NONE;
    for (const [part, search] of searches.entries()) {
      const fillings = RACERS.map((bucketSize, i) => {
        const shape = { bucketCount: size.value / bucketSize, bucketSize, fingerprintBits: FINGERPRINT_BITS };
        const key = (i + (lesson?.round ?? 0)) * 10_000_000 + firstKey;
        return new Filling({ ...shape, maxKicks }, key, search);
      });
      try {
        const shown = search === 'breadth-first' ? searched : lanes;
        shown.value = shown.value.map((lane) => ({ ...lane, isDone: false }));
        const show = (lane: Lane, i: number, progress: number): void => {
          shown.value = shown.value.with(i, lane);
          tell((part + progress) / searches.length);
        };
        if (!(await raced(fillings, show, signal))) return;
        const loads = fillings.map(({ load }) => percentOf(load, 1));
        if (search === 'random-walk')
          page.measured(isTransfer ? (loads[RACERS.indexOf(4)] ?? 0) : loads, TOLERANCE);
      } finally {
        fillings.forEach((filling) => filling.dispose());
      }
    }
  });
  // Results that were measured with other settings must not stay below the controls.
  const clear = (): void => {
    run.stop();
    lanes.value = searched.value = NONE;
  };
  useEffect(() => {
    if (lesson?.phase === 'run') run.start();
  }, [lesson?.phase]);
  return (
    <section class="theatre measure" aria-label={t.title}>
      <div class="measure-controls">
        <Choose label={t.slots} values={SIZES} bound={size} onChange={clear} />
        {isOwn && <Choose label={t.kicks} values={KICKS} bound={kicks} onChange={clear} />}
      </div>
      {isGuessed && <p>{words.value.explain.locked}</p>}
      <div class="lanes grid" hidden={isEmpty && !isGuessed}>
        {RACERS.map(
          (bucketSize, i) =>
            (!isOne || bucketSize === 4) && (
              <LaneView
                key={bucketSize}
                bucketSize={bucketSize}
                blank={blank}
                lane={isGuessed ? null : (lanes.value[i] ?? EMPTY)}
                searched={searched.value[i] ?? EMPTY}
                guess={typeof guess === 'object' ? guess?.[i] : bucketSize === 4 ? guess : undefined}
                hasPaper={shownKicks.value === PAPER_KICKS}
              />
            ),
        )}
      </div>
      {lesson?.phase !== 'predict' && (
        <RunBar
          run={run}
          label={t.start}
          summary={summaryOf(lanes.value)}
          doing={searched.value === NONE ? '' : t.searching}
        />
      )}
      {hasRun && shownKicks.value > 0 && (
        <>
          <Plot
            title={t.kicksPlot}
            x={{ label: plot.load, ...SHARES, format: (share) => plot.percent(100 * share) }}
            y={powerAxis(plot.meanKicks, LEAST_KICKS, 500, plot.number)}
            series={RACERS.map((bucketSize, i) => kicksOf(t.lane(bucketSize), i, lanes.value[i] ?? EMPTY))}
          />
          <p class="note">{plot.noKicks}</p>
          <p class="note">{marked(t.note)}</p>
          {searched.value[0]?.isDone === true && (
            <p class="note">{t.oneSlot(loadOf(lanes.value[0]), loadOf(searched.value[0]))}</p>
          )}
        </>
      )}
    </section>
  );
}

function loadOf(lane: Lane = EMPTY): string {
  return words.value.plot.percent(100 * lane.load);
}

/** Kicks per insert against load, on a log axis; with a ring where the table refused a key. */
function kicksOf(name: string, look: number, { bins, isDone }: Lane): Series {
  const points = bins
    .filter(({ inserts }) => inserts > 0)
    .map(({ load, inserts, kicks }): PlotPoint => [load, kicks / inserts]);
  return { name, look, points, answer: isDone ? points.at(-1) : undefined };
}

/** Empty until all tables are full. */
function summaryOf(lanes: readonly Lane[]): string {
  const { race, plot } = words.value;
  if (!lanes.every(({ isDone }) => isDone)) return '';
  const loads = RACERS.map((slots, i) => race.loadOf(slots, loadOf(lanes[i])));
  return race.summary(plot.list(loads));
}

/** Moves the tables on in turn, one in a frame, until each has refused a key; false if stopped before. */
function raced(
  fillings: readonly Filling[],
  show: (lane: Lane, turn: number, progress: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let turn = 0;
  const isDone = (): boolean => fillings.every(({ isFull }) => isFull);
  return inSlices(
    () => {
      fillings[turn]?.advance(256);
      return isDone();
    },
    () => {
      const filling = fillings[turn];
      if (filling === undefined) return;
      const progress = fillings.reduce((sum, { load, isFull }) => sum + (isFull ? 1 : load), 0);
      const { load, isFull, bins } = filling;
      const lane = { slots: filling.slots(), load, isDone: isFull, bins: [...bins] };
      show(lane, turn, progress / fillings.length);
      do turn = (turn + 1) % fillings.length;
      while (fillings[turn]?.isFull === true && !isDone());
    },
    signal,
  );
}

interface LaneViewProps {
  readonly bucketSize: (typeof RACERS)[number];
  readonly blank: Uint32Array;
  /** null: nothing has been put in yet. */
  readonly lane: Lane | null;
  /** The same table by the library's own search; told once it is full. */
  readonly searched: Lane;
  /** The load that the visitor guessed, in per cent. */
  readonly guess: Value | undefined;
  /** Whether the paper's figure stands below: not where it would tell the answer, nor where no kick is allowed. */
  readonly hasPaper: boolean;
}

function LaneView({ bucketSize, blank, lane, searched, guess, hasPaper }: LaneViewProps) {
  const { race: t, lesson, plot } = words.value;
  const percent = plot.percent(100 * (lane?.load ?? 0));
  const guessed = typeof guess === 'number' ? plot.percent(guess) : '';
  return (
    <div class="lane">
      <h2>
        {t.lane(bucketSize)}{' '}
        <b>{lane === null ? guessed : lane.isDone ? percent : lane.load > 0 && `${percent} …`}</b>
      </h2>
      {lane === null ? (
        <div class="guess-table">
          <HeatMap slots={blank} label="" />
          <div style={{ height: `${guess ?? 0}%` }} />
        </div>
      ) : (
        <HeatMap slots={lane.load > 0 ? lane.slots : blank} label={t.map(bucketSize, percent)} />
      )}
      {lane !== null && guessed !== '' && <p class="note">{lesson.yours(guessed)}</p>}
      {/* With one slot per bucket, a search has nothing to choose: a note says why the loads differ. */}
      {searched.isDone && bucketSize > 1 && (
        <p class="note">{t.searched(plot.percent(100 * searched.load))}</p>
      )}
      {hasPaper && <p class="note">{t.paper(PAPER[bucketSize])}</p>}
    </div>
  );
}
