// The scene of lengths: what each bit of a fingerprint does to the rate of errors, and to how full a table gets.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { words } from '../../i18n';
import { expectedRate, Filling, inSlices, type Walk } from '../../core/measure';
import { powerAxis, shareAxis, type PlotPoint } from '../../model/picture/plot';
import { within } from '../../app/kept';
import type { Page } from '../../app/page';
import { Plot } from '../plots/plot';
import { RunBar, useRun } from '../plots/run-bar';

const BUCKETS = 32_768;
const SLOTS = 4;
const LENGTHS = Array.from({ length: 15 }, (_, i) => i + 2);
const LOAD = 0.95;
const WANTED_RATE = 0.001;
const TOLERANCE = 5;

function rateAt(fingerprintBits: number): number {
  const sizes = { bucketCount: BUCKETS, bucketSize: SLOTS, fingerprintBits };
  return expectedRate(sizes, Math.round(LOAD * BUCKETS * SLOTS));
}

export default function Lengths({ page }: { page: Page }) {
  const t = words.value.lengths;
  const loads = useSignal<readonly PlotPoint[]>([]);
  const ahead = useSignal<readonly PlotPoint[]>([]);
  const lesson = page.lesson.value;
  const isAsking = lesson?.phase === 'predict';
  const isTransfer = lesson?.part === 1;
  const done = page.kept.value.numbers('done', [], within(0, LENGTHS.length));
  const run = useRun(async (signal, tell) => {
    const [most = LENGTHS.length] = page.kept.value.replay('done') ?? [];
    loads.value = [];
    ahead.value = [];
    for (const bits of LENGTHS.slice(0, most)) {
      const load = await loadWhenFull(bits, 'random', signal, (part) =>
        tell((bits - 2 + part / 2) / LENGTHS.length),
      );
      if (load === null) return;
      loads.value = [...loads.value, [bits, load]];
      done.value = [loads.value.length];
      if (isTransfer) page.measured(Math.round(100 * (loads.value[0]?.[1] ?? 0)), TOLERANCE);
      const further = await loadWhenFull(bits, 'ahead', signal, (part) =>
        tell((bits - 1.5 + part / 2) / LENGTHS.length),
      );
      if (further === null) return;
      ahead.value = [...ahead.value, [bits, further]];
    }
  });
  useEffect(() => {
    if (lesson?.phase !== 'run') return;
    if (isTransfer || done.value.length > 0) run.start();
    if (!isTransfer) page.measured(LENGTHS.find((bits) => rateAt(bits) <= WANTED_RATE) ?? 0, 0);
  }, [lesson?.phase, isTransfer]);
  const x = { label: t.bits, least: 2, most: 16, ticks: [2, 4, 6, 8, 10, 12, 14, 16], format: String };
  const { list, named, percent } = words.value.plot;
  return (
    <section class="theatre measure" aria-label={t.title}>
      <Plot
        page={page}
        title={t.ratePlot}
        x={x}
        y={powerAxis(words.value.rates.rate, 1e-5, 1, (value) => percent(100 * value))}
        series={[
          {
            name: words.value.rates.exact,
            look: 0,
            points: isAsking && !isTransfer ? [] : LENGTHS.map((bits): PlotPoint => [bits, rateAt(bits)]),
          },
        ]}
        empty={words.value.explain.locked}
      />
      {(!isAsking || isTransfer) && (
        <Plot
          page={page}
          title={t.loadPlot}
          x={x}
          y={shareAxis(t.loadFull, percent)}
          series={[
            { name: t.random, look: 2, isMarks: true, points: isAsking ? [] : loads.value },
            { name: t.ahead, look: 0, isMarks: true, points: isAsking ? [] : ahead.value },
          ]}
          {...(isAsking && { empty: words.value.explain.locked })}
        />
      )}
      {!isAsking && (
        <RunBar
          run={run}
          label={t.start}
          summary={
            loads.value.length === 0
              ? ''
              : list(loads.value.map(([bits, load]) => named(`f = ${bits}`, percent(100 * load))))
          }
        />
      )}
      <p class="note">{t.note}</p>
    </section>
  );
}

/** The load at the first refusal; null if it was stopped. */
async function loadWhenFull(
  fingerprintBits: number,
  walk: Walk,
  signal: AbortSignal,
  tell: (part: number) => void,
): Promise<number | null> {
  const sizes = { bucketCount: BUCKETS, bucketSize: SLOTS, fingerprintBits, maxKicks: 500 };
  const filling = new Filling(sizes, 0, 'distinct', walk);
  try {
    const work = (): boolean => {
      filling.advance(512);
      return filling.isFull;
    };
    const isThere = await inSlices(work, () => tell(filling.load), signal);
    return isThere ? filling.load : null;
  } finally {
    filling.dispose();
  }
}
