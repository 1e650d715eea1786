// Kicks per insert against load, on a log axis.
import { words } from '../i18n';
import type { LoadBin } from '../measure';
import { decades, type PlotPoint, type Series } from '../model/plot';
import type { Page } from '../page';
import { Plot } from './plot';

/** Below the mean of one kick in all inserts of a bin of the largest table. */
const LEAST = 1e-4;

export function kicksSeries(name: string, look: number, bins: readonly LoadBin[], isDashed = false): Series {
  const points = bins
    .filter(({ inserts }) => inserts > 0)
    .map(({ load, inserts, kicks }): PlotPoint => [load, kicks / inserts]);
  return { name, look, points, isDashed };
}

export function KicksPlot({ page, series }: { page: Page; series: readonly Series[] }) {
  const t = words.value.plot;
  return (
    <>
      <Plot
        page={page}
        title={words.value.race.kicksPlot}
        x={{
          label: t.load,
          least: 0,
          most: 1,
          ticks: [0, 0.25, 0.5, 0.75, 1],
          format: (value) => t.percent(100 * value),
        }}
        y={{
          label: t.meanKicks,
          least: LEAST,
          most: 500,
          isLog: true,
          ticks: decades(LEAST, 100),
          format: t.number,
        }}
        series={series}
      />
      <p class="note">{t.noKicks}</p>
    </>
  );
}
