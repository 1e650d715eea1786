// A plot as SVG, with its numbers as a table below.
// Invariant: lines differ in dash as well as in colour, and an answer is a ring on its line.
import { useSignal } from '@preact/signals';
import { Table } from '../../controls/fields';
import { words } from '../../i18n';
import { along, legible, lineThrough } from '../../model/picture/plot';
import type { Axis, PlotPoint, Series } from '../../model/picture/plot';
import { isLow, useWidth } from '../width';
import '../../styles/card.css';
import '../../styles/boards.css';

interface PlotProps {
  readonly title: string;
  readonly x: Axis;
  readonly y: Axis;
  readonly series: readonly Series[];
  readonly at?: number;
  /** Where the visitor guessed that an answer is. */
  readonly guess?: number | undefined;
  /** What stands in a plot without points, between its axes; by default, that nothing is measured yet, and no axes. */
  readonly empty?: string;
}

const LEFT = 80;
/** Half of the last tick's text. */
const RIGHT = 26;
const BOTTOM = 44;
const TOP = 14;
const EMPTY = 64;

export function Plot({ title, x, y, series, at, guess, empty }: PlotProps) {
  const { host, width } = useWidth<HTMLElement>();
  const full = Math.min(1400, width.value);
  const isEmpty = series.every(({ points }) => points.length === 0);
  const hasAxes = !isEmpty || empty !== undefined;
  const most = isLow.value ? 380 : 560;
  const height = !hasAxes ? EMPTY : Math.round(Math.min(most, Math.max(240, full * 0.5)));
  const right = full - RIGHT;
  const placeX = (value: number): number => LEFT + along(x, value) * (right - LEFT);
  const placeY = (value: number): number => height - BOTTOM - along(y, value) * (height - BOTTOM - TOP);
  const lineOf = (points: readonly PlotPoint[]): string =>
    lineThrough(points, y, ([a, b]) => [placeX(a), placeY(b)]);
  return (
    <figure class="plot" ref={host}>
      <figcaption>{title}</figcaption>
      <ul class="plot-legend">
        {series.map(({ name, look }) => (
          <li key={name} class="row">
            <svg width="30" height="14" aria-hidden="true" class={`series is-${look}`}>
              <path class="series-line" d="M1 7H29" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      {full > 0 && (
        <svg
          class="plot-picture"
          width={full}
          height={height}
          viewBox={`0 0 ${full} ${height}`}
          role="img"
          aria-label={title}
        >
          {hasAxes && (
            <>
              {y.ticks.map((tick) => (
                <g key={`y${tick}`} class="tick" transform={`translate(0 ${placeY(tick)})`}>
                  <line x1={LEFT} x2={right} />
                  <text x={LEFT - 8} class="is-end">
                    {y.format(tick)}
                  </text>
                </g>
              ))}
              {legible(x, right - LEFT).map((tick) => (
                <g key={`x${tick}`} class="tick" transform={`translate(${placeX(tick)} 0)`}>
                  <line y1={TOP} y2={height - BOTTOM} />
                  <text y={height - BOTTOM + 14}>{x.format(tick)}</text>
                </g>
              ))}
              <text class="axis-label" x={(LEFT + right) / 2} y={height - 8}>
                {x.label}
              </text>
              <text class="axis-label" transform={`translate(13 ${(height - BOTTOM + TOP) / 2}) rotate(-90)`}>
                {y.label}
              </text>
            </>
          )}
          {isEmpty && (
            <text class="plot-empty" x={(LEFT + right) / 2} y={height / 2}>
              {empty ?? words.value.plot.nothing}
            </text>
          )}
          {[at, guess].map(
            (each, i) =>
              each !== undefined && (
                <line
                  key={i}
                  class="plot-at"
                  x1={placeX(each)}
                  x2={placeX(each)}
                  y1={TOP}
                  y2={height - BOTTOM}
                />
              ),
          )}
          {guess !== undefined && (
            <text class="plot-empty" x={placeX(guess)} y={TOP}>
              {words.value.lesson.guess}
            </text>
          )}
          {series.map((each) => (
            <g key={each.name} class={`series is-${each.look}`}>
              <path class="series-line" d={lineOf(each.points)} />
              {each.answer && (
                <circle class="plot-answer" cx={placeX(each.answer[0])} cy={placeY(each.answer[1])} r={7} />
              )}
            </g>
          ))}
        </svg>
      )}
      {!isEmpty && <PlotData title={title} x={x} y={y} series={series} />}
    </figure>
  );
}

/** Where the lines have points along the x axis, in order. */
function placesOf(series: readonly Series[]): number[] {
  const places = series.flatMap(({ points }) => points.map(([a]) => a));
  return [...new Set(places)].sort((a, b) => a - b);
}

/** The same numbers as a table, a column for each line; drawn only once it is opened. */
function PlotData({ title, x, y, series }: PlotProps) {
  const t = words.value.plot;
  const isOpen = useSignal(false);
  return (
    <details class="plot-data" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary class="note">{t.data}</summary>
      {isOpen.value && (
        <Table
          label={title}
          columns={[x.label, ...series.map(({ name }) => name)]}
          rows={placesOf(series).map((at) => [
            x.format(at),
            ...series.map(
              ({ points }) => points.filter(([a]) => a === at).map(([, b]) => y.format(b))[0] ?? '',
            ),
          ])}
        />
      )}
    </details>
  );
}
