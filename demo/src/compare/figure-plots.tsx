// Figures 4 to 8, each as measured here and natively, on the same axes.
import { words } from '../i18n';
import { powerAxis, shareAxis, upTo, type PlotPoint, type Series } from '../model/picture/plot';
import type { Page } from '../app/page';
import { Plot } from '../view/plots/plot';
import type { FigureId, Measured } from './figures';
import { formulas, nativeCurve } from './native';
import { KINDS, type Kind } from './protocol';
import { compareWords } from './words';

interface FigurePlotsProps {
  readonly page: Page;
  readonly id: FigureId;
  readonly measured: Measured;
  readonly kinds: readonly Kind[];
}

export function FigurePlots({ page, id, measured, kinds }: FigurePlotsProps) {
  const t = compareWords.value;
  const here = (figure: number, line = 0) =>
    seriesOf(kinds, (kind) =>
      measured.points.value
        .filter((point) => point.figure === figure && point.line === line && point.kind === kind)
        .map(({ x, y }): PlotPoint => [x, y])
        .sort(([a], [b]) => a - b),
    );
  if (id === 'figure4') return <SpacePlots page={page} here={here(4)} />;
  const pairs =
    id === 'figure6'
      ? (['absent', 'present'] as const).map((line, i) => ({
          title: `, ${t.ofKeys[line]}`,
          here: here(6, i),
          native: seriesOf(kinds, (kind) => nativeCurve(`6 ${line}`, kind)),
        }))
      : [
          {
            title: '',
            here: here(Number(id.slice(-1))),
            native: seriesOf(kinds, (kind) => nativeCurve(id.slice(-1), kind)),
          },
        ];
  const x = shareAxis(id === 'figure5' ? t.present : t.load, words.value.plot.percent);
  return (
    <>
      {pairs.map(({ title, here: own, native }) => {
        const y = upTo([...own, ...native], t.speed, words.value.plot.number);
        return (
          <div key={title} class="figure-pair">
            <Plot page={page} title={`${t.figureNames[id]}${title}: ${t.here}`} x={x} y={y} series={own} />
            <Plot
              page={page}
              title={`${t.figureNames[id]}${title}: ${t.native}`}
              x={x}
              y={y}
              series={native}
            />
          </div>
        );
      })}
    </>
  );
}

function SpacePlots({ page, here }: { page: Page; here: readonly Series[] }) {
  const t = compareWords.value;
  const { percent } = words.value.plot;
  const x = powerAxis(t.rate, 1e-5, 0.1, (rate) => percent(100 * rate));
  const native = formulas().map(([name, points], i): Series => ({
    name: t.formulas[name as keyof typeof t.formulas],
    look: i,
    points,
  }));
  const y = upTo([...here, ...native], t.bits, words.value.plot.number);
  return (
    <div class="figure-pair">
      <Plot page={page} title={`${t.figureNames.figure4}: ${t.here}`} x={x} y={y} series={here} />
      <Plot page={page} title={`${t.figureNames.figure4}: ${t.formula}`} x={x} y={y} series={native} />
    </div>
  );
}

/** A series for each filter that has points, always in the same look. */
function seriesOf(kinds: readonly Kind[], points: (kind: Kind) => readonly PlotPoint[]): Series[] {
  return kinds
    .map((kind) => ({
      name: compareWords.value.names[kind],
      look: KINDS.indexOf(kind),
      points: points(kind),
    }))
    .filter((series) => series.points.length > 0);
}
