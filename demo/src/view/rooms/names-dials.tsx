// How full a cuckoo hash table gets, by the number of functions and the slots of a bucket: measured here, beside the
// published figures.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { Choose } from '../../controls/choose';
import type { HashTables } from '../../core/hash-table';
import { words } from '../../i18n';
import { within } from '../../app/kept';
import type { PlotPoint } from '../../model/picture/plot';
import type { Page } from '../../app/page';
import { Plot } from '../plots/plot';

const FUNCTIONS = [2, 3, 4] as const;
const SLOTS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** Loads with two functions, by the slots of a bucket, as Fan et al. 2014 give them. */
const ARTICLES: Readonly<Record<number, number>> = { 1: 50, 2: 84, 4: 95, 8: 98 };

type Loads = ReadonlyMap<string, number>;

export function NamesDials({ page, tables }: { page: Page; tables: HashTables }) {
  const t = words.value.names;
  const { percent } = words.value.plot;
  const functions = page.kept.value.number('functions', 2, within(2, 4));
  const slots = page.kept.value.number('slots', 1, within(1, 8));
  const loads = useSignal<Loads>(new Map());
  useEffect(() => {
    let isOver = false;
    void (async () => {
      // The line that is looked at first.
      for (const k of [...FUNCTIONS].sort((a, b) => rank(a) - rank(b))) {
        for (const b of SLOTS) {
          const load = await tables.loadReached(k, b, 8 * k + b, () => isOver);
          if (load === null || isOver) return;
          loads.value = new Map(loads.value).set(`${k} ${b}`, load);
        }
      }
    })();
    return () => void (isOver = true);
  }, [tables]);
  const rank = (k: number): number => (k === functions.value ? 0 : k);
  const reached = loads.value.get(`${functions.value} ${slots.value}`);
  const article = functions.value === 2 ? ARTICLES[slots.value] : undefined;
  const series = FUNCTIONS.map((k, i) => ({
    name: t.lines(k),
    look: i,
    points: SLOTS.flatMap((b): PlotPoint[] => {
      const load = loads.value.get(`${k} ${b}`);
      return load === undefined ? [] : [[b, load]];
    }),
  }));
  const articles = {
    name: t.articles,
    look: 3,
    isMarks: true,
    points: Object.entries(ARTICLES).map(([b, load]): PlotPoint => [Number(b), load / 100]),
  };
  return (
    <section class="panel names-dials">
      <h2>{t.dials}</h2>
      <p>{t.dialsLead}</p>
      <div class="names-choices">
        <Choose label={t.functions} values={FUNCTIONS} bound={functions} />
        <label class="slider names-slider">
          <span>{t.slots}</span>
          <input
            type="range"
            min={1}
            max={8}
            value={slots.value}
            aria-valuetext={String(slots.value)}
            onInput={(event) => (slots.value = Number(event.currentTarget.value))}
          />
          <b>{slots.value}</b>
        </label>
      </div>
      <p role="status">
        {reached === undefined ? t.filling : t.result(functions.value, slots.value, percent(100 * reached))}
        {words.value.steps.gap()}
        {article !== undefined && t.article(article)}
      </p>
      <Plot
        page={page}
        title={t.plot}
        x={{ label: t.slots, least: 1, most: 8, ticks: SLOTS, format: String }}
        y={{
          label: t.load,
          least: 0.4,
          most: 1,
          ticks: [0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1],
          format: (value) => percent(Math.round(100 * value)),
        }}
        series={[...series, articles]}
        at={slots.value}
      />
    </section>
  );
}
