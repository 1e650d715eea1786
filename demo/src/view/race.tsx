// Scene 10: four tables with equally many slots race to their first refusal.
// Invariant: each frame moves one table on, in turn, so that no frame has to draw more than one large map anew.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../i18n';
import { Filling, inSlices, type LoadBin } from '../measure';
import type { Page } from '../page';
import { HeatMap } from './heat-map';
import { kicksAxes, kicksSeries } from './kicks-plot';
import { Plot } from './plot';
import { RunBar, useRun } from './run-bar';

export const RACERS = [1, 2, 4, 8] as const;
/** The paper's loads, section 5.1, in per cent. */
const PAPER = { 1: 50, 2: 84, 4: 95, 8: 98 } as const;
const SIZES = [16_384, 65_536, 131_072] as const;
const TOLERANCE = 4;
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
    slots: useSignal(new Uint32Array(SIZES[0])),
    load: useSignal(0),
    bins: useSignal<readonly LoadBin[]>([]),
    isDone: useSignal(false),
  }));
}

export default function Race({ page }: { page: Page }) {
  const t = words.value.race;
  const size = useSignal<number>(SIZES[1]);
  const kicks = useSignal(500);
  const lanes = useLanes();
  const lesson = page.lesson.value;
  const isTransfer = lesson?.part === 1 && lesson.phase !== 'free';
  const run = useRun(async (signal, tell) => {
    const maxKicks = isTransfer ? 0 : kicks.value;
    const fillings = RACERS.map((bucketSize, i) =>
      fillingOf(bucketSize, size.value, maxKicks, i + (lesson?.round ?? 0)),
    );
    try {
      if (await raced(fillings, lanes, signal, tell)) tellResult(page, fillings, isTransfer);
    } finally {
      fillings.forEach((filling) => filling.dispose());
    }
  });
  useEffect(() => {
    if (lesson?.phase === 'run') run.start();
  }, [lesson?.phase, lesson?.part, lesson?.round]);
  return (
    <section class="theatre measure" aria-label={t.title}>
      <div class="measure-controls">
        <label class="field">
          <span>{t.slots}</span>
          <select value={size.value} onChange={(event) => (size.value = Number(event.currentTarget.value))}>
            {SIZES.map((count) => (
              <option key={count} value={count}>
                {words.value.plot.number(count)}
              </option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{t.kicks}</span>
          <select value={kicks.value} onChange={(event) => (kicks.value = Number(event.currentTarget.value))}>
            {[0, 1, 10, 100, 500].map((count) => (
              <option key={count} value={count}>
                {count}
              </option>
            ))}
          </select>
        </label>
      </div>
      <div class="lanes">
        {RACERS.map((bucketSize, i) => {
          const lane = lanes[i];
          return lane === undefined ? null : (
            <LaneView
              key={bucketSize}
              bucketSize={bucketSize}
              lane={lane}
              isAsking={lesson?.phase === 'predict'}
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
      <Plot
        title={t.kicksPlot}
        {...kicksAxes()}
        series={RACERS.map((bucketSize, i) => kicksSeries(t.lane(bucketSize), i, lanes[i]?.bins.value ?? []))}
      />
      <p class="note">{t.note}</p>
    </section>
  );
}

function summaryOf(lanes: readonly Lane[]): string {
  const { race, plot } = words.value;
  return race.summary(
    lanes.map((lane, i) => `b = ${RACERS[i]}: ${plot.percent(100 * lane.load.value)}`).join(', '),
  );
}

function fillingOf(bucketSize: number, slots: number, maxKicks: number, turn: number): Filling {
  return new Filling(
    { bucketCount: slots / bucketSize, bucketSize, fingerprintBits: FINGERPRINT_BITS, maxKicks },
    turn * 10_000_000,
  );
}

/** Moves the tables on in turn, until each has refused a key. */
async function raced(
  fillings: readonly Filling[],
  lanes: readonly Lane[],
  signal: AbortSignal,
  tell: (progress: number) => void,
): Promise<boolean> {
  lanes.forEach((lane) => (lane.isDone.value = false));
  let turn = -1;
  const next = (): void => {
    for (let i = 1; i <= fillings.length; ++i) {
      turn = (turn + 1) % fillings.length;
      if (fillings[turn]?.isFull === false) return;
    }
  };
  const showLane = (): void => {
    const [filling, lane] = [fillings[turn], lanes[turn]];
    if (filling === undefined || lane === undefined) return;
    lane.slots.value = filling.slots();
    lane.load.value = filling.load;
    lane.isDone.value = filling.isFull;
    lane.bins.value = [...filling.bins];
  };
  next();
  return inSlices(
    () => {
      const filling = fillings[turn];
      filling?.advance(256);
      if (filling?.isFull === true) {
        showLane();
        next();
      }
      return fillings.every(({ isFull }) => isFull);
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
  const loads = fillings.map(({ load }) => Math.round(100 * load));
  page.measured(isTransfer ? (loads[RACERS.indexOf(4)] ?? 0) : loads, TOLERANCE);
}

interface LaneViewProps {
  readonly bucketSize: (typeof RACERS)[number];
  readonly lane: Lane;
  /** The paper's figure would tell the answer. */
  readonly isAsking: boolean;
}

function LaneView({ bucketSize, lane, isAsking }: LaneViewProps) {
  const t = words.value.race;
  const percent = words.value.plot.percent(100 * lane.load.value);
  return (
    <div class="lane">
      <h2>
        {t.lane(bucketSize)} <b>{percent}</b>
      </h2>
      <HeatMap slots={lane.slots.value} label={t.map(bucketSize, percent)} />
      {!isAsking && <p class="note">{t.paper(PAPER[bucketSize])}</p>}
    </div>
  );
}
