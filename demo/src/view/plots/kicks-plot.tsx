// Kicks per insert against load, on a log axis.
import { words } from '../../i18n';
import type { LoadBin } from '../../core/measure';
import { powerAxis, shareAxis, type PlotPoint, type Series } from '../../model/picture/plot';
import { Plot } from './plot';

/** Below the mean of one kick in all inserts of a bin of the largest table. */
const LEAST = 1e-4;

export function kicksSeries(name: string, look: number, bins: readonly LoadBin[], isDone = false): Series {
  const points = bins
    .filter(({ inserts }) => inserts > 0)
    .map(({ load, inserts, kicks }): PlotPoint => [load, kicks / inserts]);
  // Where the table refused a key.
  return { name, look, points, answer: isDone ? points.at(-1) : undefined };
}

export function KicksPlot({ series }: { series: readonly Series[] }) {
  const t = words.value.plot;
  return (
    <>
      <Plot
        title={words.value.race.kicksPlot}
        x={shareAxis(t.load, t.percent)}
        y={powerAxis(t.meanKicks, LEAST, 500, t.number)}
        series={series}
      />
      <p class="note">{t.noKicks}</p>
    </>
  );
}
