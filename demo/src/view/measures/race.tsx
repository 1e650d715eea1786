// Four tables with equally many slots race to their first refusal, by random walks; then again, by the library's own search.
// Invariant: each frame moves one table on, in turn, so that no frame has to draw more than one large map anew.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Choose } from '../../controls/choose';
import { words } from '../../i18n';
import { Filling, inSlices, SEARCHES, type LoadBin } from '../../core/measure';
import { oneOf } from '../../app/kept';
import { percentOf } from '../../model/statistics';
import type { Settings } from '../../model/settings';
import type { Value } from '../../model/scenes/task';
import type { Page } from '../../app/page';
import { HeatMap } from './heat-map';
import { KicksPlot, kicksSeries } from '../plots/kicks-plot';
import { RunBar, useRun } from '../plots/run-bar';

export const RACERS = [1, 2, 4, 8] as const;
/** The paper's loads, section 5.1, in per cent. */
const PAPER = { 1: 50, 2: 84, 4: 95, 8: 98 } as const;
const SIZES: readonly number[] = [16_384, 65_536, 131_072];
const KICKS: readonly number[] = [0, 1, 10, 100, 500];
/** As in the paper's measurement. */
const PAPER_KICKS = 500;
/** Per cent: with it the published loads are right, which two slots a bucket pass by five. */
const TOLERANCE = 6;
const FINGERPRINT_BITS = 16;

interface Lane {
  readonly slots: Signal<Uint32Array>;
  readonly load: Signal<number>;
  readonly bins: Signal<readonly LoadBin[]>;
  readonly isDone: Signal<boolean>;
}

function useLanes(): Lane[] {
  // The same hooks in the same order at every call: there are always four lanes.
  return RACERS.map(() => ({
    slots: useSignal(new Uint32Array(16_384)),
    load: useSignal(0),
    bins: useSignal<readonly LoadBin[]>([]),
    isDone: useSignal(false),
  }));
}

/** Each question begins with empty tables: what was measured before would answer another one, or tell its answer. */
export default function Race({ page }: { page: Page }) {
  const lesson = page.lesson.value;
  return <Tables key={`${lesson?.part} ${lesson?.round} ${lesson?.phase === 'predict'}`} page={page} />;
}

function Tables({ page }: { page: Page }) {
  const t = words.value.race;
  const kept = page.kept.value;
  const size = kept.number('slots', 65_536, oneOf(SIZES));
  const kicks = kept.number('kicks', 500, oneOf(KICKS));
  const lanes = useLanes();
  const searchLanes = useLanes();
  const lesson = page.lesson.value;
  const hasRun = lanes.some(({ load }) => load.value > 0);
  // Before an audience the board is there from the start.
  const isEmpty = !hasRun && !page.store.presents.value;
  const isTransfer = lesson?.part === 1;
  const isOwn = page.isOwn.value;
  /** The most kicks per insert in the run that is shown. */
  const shownKicks = useSignal(0);
  const run = useRun(async (signal, tell) => {
    const maxKicks = isOwn ? kicks.value : isTransfer ? 0 : PAPER_KICKS;
    shownKicks.value = maxKicks;
    // What is filled without kicks is not compared with a search for them.
    const searches = maxKicks === 0 ? (['random-walk'] as const) : SEARCHES;
    searchLanes.forEach((lane) => (lane.isDone.value = false));
    for (const [part, search] of searches.entries()) {
      const fillings = RACERS.map((bucketSize, i) =>
        fillingOf(bucketSize, size.value, maxKicks, i + (lesson?.round ?? 0), search),
      );
      try {
        const shown = search === 'breadth-first' ? searchLanes : lanes;
        const isDone = await raced(fillings, shown, signal, (progress) =>
          tell((part + progress) / searches.length),
        );
        if (!isDone) return;
        if (search === 'random-walk') tellResult(page, fillings, isTransfer);
      } finally {
        fillings.forEach((filling) => filling.dispose());
      }
    }
  });
  useEffect(() => {
    if (lesson?.phase === 'run') run.start();
  }, [lesson?.phase]);
  return (
    <section class="theatre measure" aria-label={t.title}>
      <div class="measure-controls">
        <Choose label={t.slots} values={SIZES} bound={size} />
        {isOwn && <Choose label={t.kicks} values={KICKS} bound={kicks} />}
      </div>
      {isEmpty && lesson?.phase === 'predict' && <Guessed guess={page.guess.value} isTransfer={isTransfer} />}
      <div class="lanes" hidden={isEmpty}>
        {RACERS.map((bucketSize, i) => {
          const lane = lanes[i];
          return lane === undefined ? null : (
            <LaneView
              key={bucketSize}
              bucketSize={bucketSize}
              lane={lane}
              searched={searchLanes[i]?.isDone.value === true ? searchLanes[i].load.value : 0}
              hasPaper={shownKicks.value === PAPER_KICKS}
            />
          );
        })}
      </div>
      {lesson?.phase !== 'predict' && (
        <RunBar
          run={run}
          label={t.start}
          summary={lanes.every((lane) => lane.isDone.value) ? summaryOf(lanes) : ''}
        />
      )}
      {hasRun && shownKicks.value > 0 && (
        <>
          <KicksPlot
            series={RACERS.map((bucketSize, i) =>
              kicksSeries(t.lane(bucketSize), i, lanes[i]?.bins.value ?? [], lanes[i]?.isDone.value),
            )}
          />
          <p class="note">{t.note}</p>
        </>
      )}
    </section>
  );
}

/** Four empty tables, with the loads that are guessed; without kicks, the one that is asked about. */
function Guessed({ guess, isTransfer }: { guess: Value | null; isTransfer: boolean }) {
  const t = words.value;
  return (
    <>
      <p>{t.explain.locked}</p>
      <div class="lanes">
        {RACERS.filter((slots) => !isTransfer || slots === 4).map((slots, i) => {
          const load = typeof guess === 'number' ? guess : typeof guess === 'string' ? undefined : guess?.[i];
          return (
            <div key={slots} class="lane">
              <h2>
                {t.race.lane(slots)} <b>{load === undefined ? '' : t.plot.percent(load)}</b>
              </h2>
              <div class="guess-table">
                <div style={{ height: `${load ?? 0}%` }} />
              </div>
            </div>
          );
        })}
      </div>
    </>
  );
}

function summaryOf(lanes: readonly Lane[]): string {
  const { race, plot } = words.value;
  return race.summary(
    plot.list(RACERS.map((slots, i) => race.loadOf(slots, plot.percent(100 * (lanes[i]?.load.value ?? 0))))),
  );
}

function fillingOf(
  bucketSize: number,
  slots: number,
  maxKicks: number,
  turn: number,
  search: Settings['search'],
): Filling {
  return new Filling(
    { bucketCount: slots / bucketSize, bucketSize, fingerprintBits: FINGERPRINT_BITS, maxKicks },
    turn * 10_000_000,
    search,
  );
}

/** Moves the tables on in turn, until each has refused a key; false if stopped before. */
function raced(
  fillings: readonly Filling[],
  lanes: readonly Lane[],
  signal: AbortSignal,
  tell: (progress: number) => void,
): Promise<boolean> {
  lanes.forEach((lane) => (lane.isDone.value = false));
  const isDone = (): boolean => fillings.every(({ isFull }) => isFull);
  let turn = 0;
  const next = (): void => {
    do turn = (turn + 1) % fillings.length;
    while (fillings[turn]?.isFull === true && !isDone());
  };
  const showLane = (): void => {
    const [filling, lane] = [fillings[turn], lanes[turn]];
    if (filling === undefined || lane === undefined) return;
    lane.slots.value = filling.slots();
    lane.load.value = filling.load;
    lane.isDone.value = filling.isFull;
    lane.bins.value = [...filling.bins];
  };
  return inSlices(
    () => {
      fillings[turn]?.advance(256);
      if (fillings[turn]?.isFull === true) {
        showLane();
        next();
      }
      return isDone();
    },
    () => {
      showLane();
      tell(fillings.reduce((sum, { load, isFull }) => sum + (isFull ? 1 : load), 0) / fillings.length);
      next();
    },
    signal,
  );
}

function tellResult(page: Page, fillings: readonly Filling[], isTransfer: boolean): void {
  const loads = fillings.map(({ load }) => percentOf(load, 1));
  page.measured(isTransfer ? (loads[RACERS.indexOf(4)] ?? 0) : loads, TOLERANCE);
}

interface LaneViewProps {
  readonly bucketSize: (typeof RACERS)[number];
  readonly lane: Lane;
  /** How full the same table gets by the library's own search; 0: not known before it is full. */
  readonly searched: number;
  /** Whether the paper's figure stands below: not where it would tell the answer, nor where no kick is allowed. */
  readonly hasPaper: boolean;
}

function LaneView({ bucketSize, lane, searched, hasPaper }: LaneViewProps) {
  const t = words.value.race;
  const percent = words.value.plot.percent(100 * lane.load.value);
  return (
    <div class="lane">
      <h2>
        {t.lane(bucketSize)} {lane.isDone.value ? <b>{percent}</b> : lane.load.value > 0 && `${percent} …`}
      </h2>
      <HeatMap slots={lane.slots.value} label={t.map(bucketSize, percent)} />
      {searched > 0 && <p class="note">{t.searched(words.value.plot.percent(100 * searched), bucketSize)}</p>}
      {hasPaper && <p class="note">{t.paper(PAPER[bucketSize])}</p>}
    </div>
  );
}
