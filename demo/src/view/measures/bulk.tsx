// A large table of the lab: filled in bulk, seen as a heat map.
// Invariant: once a filling ends or stops, the map shows the core's slots as they are.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Choose } from '../../controls/fields';
import { words } from '../../i18n';
import { oneOf, within } from '../../app/kept';
import { Filling, inSlices, type TableSizes } from '../../core/measure';
import { SEARCHES, type Settings } from '../../model/settings';
import type { Page } from '../../app/page';
import { RunBar, useRun } from '../plots/run-bar';
import { HeatMap } from './heat-map';
import '../../styles/rooms.css';

const SLOT_COUNTS: readonly number[] = [1024, 4096, 16_384, 65_536, 131_072];
const SIZES: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8];
const BITS: readonly number[] = [4, 6, 8, 10, 12, 16];
const KICKS: readonly number[] = [0, 1, 10, 100, 500];
const TARGETS: readonly number[] = [25, 50, 75, 90, 95, 100];

export default function Bulk({ page }: { page: Page }) {
  const { bulk: t, settings } = words.value;
  const kept = page.kept.value;
  const slots = kept.number('tableslots', 131_072, oneOf(SLOT_COUNTS));
  const bucketSize = kept.number('tablesize', 4, oneOf(SIZES));
  const fingerprintBits = kept.number('tablebits', 12, oneOf(BITS));
  const maxKicks = kept.number('tablekicks', 500, oneOf(KICKS));
  const walk = kept.number('walk', 0, within(0, SEARCHES.length - 1));
  const target = kept.number('fill', 100, oneOf(TARGETS));
  const sizes = {
    bucketCount: Math.ceil(slots.value / bucketSize.value),
    bucketSize: bucketSize.value,
    fingerprintBits: fingerprintBits.value,
    maxKicks: maxKicks.value,
  };
  const searchNames = [settings.randomWalk, settings.breadthFirst];
  const search = SEARCHES[walk.value] ?? 'random-walk';
  return (
    <section class="theatre measure" aria-label={t.title}>
      <h2>{t.title}</h2>
      <div class="measure-controls">
        <Choose label={t.slots} values={SLOT_COUNTS} bound={slots} />
        <Choose label={settings.bucketSize} values={SIZES} bound={bucketSize} />
        <Choose label={settings.fingerprintBits} values={BITS} bound={fingerprintBits} />
        <Choose label={settings.search} values={[0, 1]} bound={walk} textOf={(i) => searchNames[i] ?? ''} />
        {search === 'random-walk' && <Choose label={settings.maxKicks} values={KICKS} bound={maxKicks} />}
        <Choose label={t.target} values={TARGETS} bound={target} />
      </div>
      <Table
        // Another table, where a control is set anew.
        key={`${Object.values(sizes).join()} ${walk.value}`}
        sizes={sizes}
        search={search}
        target={target.value / 100}
      />
    </section>
  );
}

interface Shown extends Pick<Filling, 'load' | 'rate' | 'isFull'> {
  readonly slots: Uint32Array;
}

function Table({ sizes, search, target }: { sizes: TableSizes; search: Settings['search']; target: number }) {
  const { bulk: t, plot } = words.value;
  const filling = useRef<Filling | null>(null);
  const shown = useSignal<Shown | null>(null);
  const run = useRun(async (signal, tell) => {
    const wanted = Math.round(target * sizes.bucketCount * sizes.bucketSize);
    const isAsWanted = (table: Filling): boolean => table.isFull || table.size >= wanted;
    // One that was stopped, or is to be fuller now, goes on; another begins empty.
    if (filling.current !== null && isAsWanted(filling.current)) empty();
    const table = (filling.current ??= new Filling(sizes, 0, search));
    const show = (): void => {
      const { load, rate, isFull } = table;
      shown.value = { slots: table.slots(), load, rate, isFull };
      tell(Math.min(1, table.size / wanted));
    };
    let frames = 0;
    await inSlices(
      () => {
        table.advance(Math.min(512, wanted - table.size));
        return isAsWanted(table);
      },
      // Half of the frames are enough for the eye.
      () => {
        if (++frames % 2 === 0) show();
      },
      signal,
    );
    if (filling.current !== null) show();
  });
  const empty = (): void => {
    filling.current?.dispose();
    filling.current = null;
  };
  useEffect(() => empty, []);
  const { slots, load = 0, rate = 0, isFull = false } = shown.value ?? {};
  const percent = plot.percent(100 * load);
  const summary = load === 0 ? '' : isFull ? t.full(percent) : t.filled(percent);
  return (
    <>
      <RunBar run={run} label={t.fill} summary={summary} />
      {slots !== undefined && (
        <>
          <HeatMap slots={slots} label={t.map(percent)} />
          <p class="note">{t.legend(plot.percent(100 * rate))}</p>
        </>
      )}
    </>
  );
}
