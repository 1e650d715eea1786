// The measured false positive rate, with its interval, against the exact curve.
// Invariant: the curve is the core's own formula for the same table; the marks are counted lookups of absent keys.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Choose } from '../../controls/choose';
import { words } from '../../i18n';
import { oneOf, within } from '../../app/kept';
import { expectedRate, Filling, inSlices } from '../../core/measure';
import { decades, powerAxis, shareAxis, type PlotPoint } from '../../model/picture/plot';
import { interval } from '../../model/statistics';
import type { Page } from '../../app/page';
import { Plot } from '../plots/plot';
import { RunBar, useRun } from '../plots/run-bar';

const BUCKETS = 4096;
const SLOTS = 4;
const LOADS = [0.2, 0.4, 0.6, 0.8, 0.95] as const;
const BATCH = 4096;
const PROBES = decades(100, 1_000_000);
/** Of a fingerprint, in bits. */
const LENGTHS = Array.from({ length: 13 }, (_, i) => i + 4);

interface Measured {
  readonly load: number;
  readonly hits: number;
  readonly probes: number;
}

export default function Rates({ page }: { page: Page }) {
  const t = words.value.rates;
  const kept = page.kept.value;
  const bits = kept.number('bits', 8, oneOf(LENGTHS));
  const probes = kept.number('probes', 10_000, oneOf(PROBES));
  const asked = kept.numbers('asked', [], within(0, Math.max(...PROBES)));
  const marks = useSignal<readonly Measured[]>([]);
  const markedBits = useSignal(8);
  const sizes = { bucketCount: BUCKETS, bucketSize: SLOTS, fingerprintBits: bits.value };
  const run = useRun(async (signal, tell) => {
    const limits = kept.replay('asked') ?? LOADS.map(() => probes.value);
    marks.value = [];
    markedBits.value = bits.value;
    const filling = new Filling({ ...sizes, maxKicks: 500 });
    try {
      await measured(filling, limits, signal, (all) => {
        marks.value = all;
        asked.value = all.map(({ probes: done }) => done);
        tell(all.reduce((sum, { probes: done }) => sum + done, 0) / (probes.value * LOADS.length));
      });
    } finally {
      filling.dispose();
    }
  });
  useEffect(() => {
    if (asked.value.length > 0) run.start();
  }, [asked]);
  const curve = Array.from({ length: 40 }, (_, i): PlotPoint => {
    const load = (i + 1) / 40;
    return [load, expectedRate(sizes, Math.round(load * BUCKETS * SLOTS))];
  });
  const shown = markedBits.value === bits.value ? marks.value.filter(({ probes: done }) => done > 0) : [];
  const top = (curve.at(-1)?.[1] ?? 1) * 3;
  const last = shown.at(-1);
  return (
    <section class="theatre measure" aria-label={t.title}>
      <h2>{t.title}</h2>
      <div class="measure-controls">
        <Choose label={t.bits} values={LENGTHS} bound={bits} />
        <Choose label={t.probes} values={PROBES} bound={probes} />
      </div>
      <Plot
        title={t.plot(bits.value)}
        x={shareAxis(words.value.plot.load, words.value.plot.percent)}
        y={powerAxis(t.rate, top / 3000, top, (value) => words.value.plot.percent(100 * value))}
        series={[
          { name: t.exact, look: 0, points: curve },
          {
            name: t.measured,
            look: 2,
            isMarks: true,
            points: shown.map(({ load, hits, probes: done }): PlotPoint => [load, hits / done]),
            intervals: shown.map(({ hits, probes: done }) => interval(hits, done)),
          },
        ]}
      />
      <RunBar
        run={run}
        label={t.start}
        summary={
          last === undefined
            ? ''
            : t.summary(last.hits, last.probes, ...percentOf(interval(last.hits, last.probes)))
        }
      />
      <p class="note">{t.note}</p>
    </section>
  );
}

function percentOf([low, high]: readonly [number, number]): [string, string] {
  return [words.value.plot.percent(100 * low), words.value.plot.percent(100 * high)];
}

/** Fills to each load in turn and asks absent keys there. */
async function measured(
  filling: Filling,
  limits: readonly number[],
  signal: AbortSignal,
  show: (all: readonly Measured[]) => void,
): Promise<void> {
  const all: Measured[] = [];
  for (const [i, probes] of limits.slice(0, LOADS.length).entries()) {
    const load = LOADS[i] ?? 0;
    filling.fillTo(Math.round(load * filling.slotCount));
    let [hits, done] = [0, 0];
    all.push({ load: filling.load, hits, probes: done });
    const isThere = await inSlices(
      () => {
        const count = Math.min(BATCH, probes - done);
        hits += filling.falsePositives(done, count);
        done += count;
        return done >= probes;
      },
      () => {
        all[all.length - 1] = { load: filling.load, hits, probes: done };
        show([...all]);
      },
      signal,
    );
    if (!isThere) return;
  }
}
