// The filters compared as marks: bits per key against the speed of lookups.
import { words } from '../i18n';
import { upTo, type Axis, type Series } from '../model/picture/plot';
import type { Page } from '../app/page';
import { Plot } from '../view/plots/plot';
import { KINDS } from './protocol';
import type { Results } from './results';
import { compareWords } from './words';

/** Where the axis may begin, end and have its ticks. */
const BITS = [2, 4, 8, 16, 32, 64, 128, 256, 512];

export function Scatter({ page, results }: { page: Page; results: Results }) {
  const t = compareWords.value;
  const { number } = words.value.plot;
  const series = KINDS.flatMap((kind, look): Series[] => {
    const { state, figures } = results[kind] ?? {};
    if (state !== 'done' || figures?.bitsPerKey === undefined || figures.lookupSpeed === undefined) return [];
    const points = [[figures.bitsPerKey, figures.lookupSpeed]] as const;
    return [{ name: t.names[kind], look, points, isMarks: true, isNamed: true }];
  });
  if (series.length < 2) return null;
  const bits = series.flatMap(({ points }) => points.map(([x]) => x));
  const least = BITS.findLast((each) => each <= Math.min(...bits)) ?? 1;
  const most = BITS.find((each) => each >= Math.max(...bits)) ?? Math.max(...bits);
  const x: Axis = {
    label: t.bars.bitsPerKey,
    ...{ least, most, isLog: true, ticks: BITS.filter((each) => each >= least && each <= most) },
    format: number,
  };
  const y = upTo(series, t.bars.lookupSpeed, number);
  return <Plot page={page} title={t.scatter} x={x} y={y} series={series} />;
}
