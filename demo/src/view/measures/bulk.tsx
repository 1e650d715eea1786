// A large table of the lab: filled in bulk, seen as a heat map.
// Invariant: the map shows the core's slots as they are after the last slice of work.
import { useSignal, type Signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Button } from '../../controls/button';
import { Choose } from '../../controls/choose';
import { words } from '../../i18n';
import { oneOf, within } from '../../app/kept';
import { Filling, inSlices, WALKS, type TableSizes } from '../../core/measure';
import type { Page } from '../../app/page';
import { RunBar, useRun, type Run } from '../plots/run-bar';
import { HeatMap } from './heat-map';
import '../../styles/rooms.css';

const SLOT_COUNTS: readonly number[] = [1024, 4096, 16_384, 65_536, 131_072];
const BITS: readonly number[] = [2, 3, 4, 6, 8, 10, 12, 16];
const KICKS: readonly number[] = [0, 1, 10, 100, 500];
const TARGETS: readonly number[] = [25, 50, 75, 90, 95, 100];

interface Choice {
  readonly slots: number;
  readonly bucketSize: number;
  readonly fingerprintBits: number;
  readonly maxKicks: number;
}

const FIRST: Choice = { slots: 131_072, bucketSize: 4, fingerprintBits: 12, maxKicks: 500 };

function sizesOf({ slots, ...others }: Choice): TableSizes {
  return { bucketCount: Math.ceil(slots / others.bucketSize), ...others };
}

function emptySlots(choice: Choice): Uint32Array {
  const { bucketCount, bucketSize } = sizesOf(choice);
  return new Uint32Array(bucketCount * bucketSize);
}

export default function Bulk({ page }: { page: Page }) {
  const t = words.value.bulk;
  const kept = page.kept.value;
  const controls = {
    slots: kept.number('tableslots', FIRST.slots, oneOf(SLOT_COUNTS)),
    bucketSize: kept.number('tablesize', FIRST.bucketSize, within(1, 8)),
    fingerprintBits: kept.number('tablebits', FIRST.fingerprintBits, oneOf(BITS)),
    maxKicks: kept.number('tablekicks', FIRST.maxKicks, oneOf(KICKS)),
  };
  const chosen = (): Choice => ({
    slots: controls.slots.value,
    bucketSize: controls.bucketSize.value,
    fingerprintBits: controls.fingerprintBits.value,
    maxKicks: controls.maxKicks.value,
  });
  const choice = chosen();
  const walk = kept.number('walk', 0, within(0, WALKS.length - 1));
  const target = kept.number('fill', 100, oneOf(TARGETS));
  const filling = useRef<Filling | null>(null);
  const slots = useSignal<Uint32Array>(emptySlots(choice));
  const load = useSignal(0);
  const isFull = useSignal(false);
  const show = (): void => {
    const table = filling.current;
    if (table === null) return;
    slots.value = table.slots();
    load.value = table.load;
    isFull.value = table.isFull;
  };
  const run = useRun(async (signal, tell) => {
    const table = (filling.current ??= new Filling(sizesOf(choice), 0, WALKS[walk.value]));
    const wanted = Math.round((target.value / 100) * table.slotCount);
    await inSlices(
      () => {
        table.advance(Math.min(512, wanted - table.size));
        return table.isFull || table.size >= wanted;
      },
      () => {
        show();
        tell(Math.min(1, table.size / wanted));
      },
      signal,
    );
  });
  /** Another table, where a control is set anew; the same one, empty, where none is. */
  const empty = (control?: Signal<number>, value = 0): void => {
    run.stop();
    filling.current?.dispose();
    filling.current = null;
    if (control !== undefined) control.value = value;
    slots.value = emptySlots(chosen());
    load.value = 0;
    isFull.value = false;
  };
  useEffect(() => () => filling.current?.dispose(), []);
  const { settings } = words.value;
  const choose = (
    label: string,
    control: Signal<number>,
    values: readonly number[],
    textOf?: (value: number) => string,
  ) => (
    <Choose
      label={label}
      values={values}
      value={control.value}
      {...(textOf && { textOf })}
      onChange={(value) => empty(control, value)}
    />
  );
  return (
    <section class="theatre measure" aria-label={t.title}>
      <h2>{t.title}</h2>
      <div class="measure-controls">
        {choose(t.slots, controls.slots, SLOT_COUNTS)}
        {choose(settings.bucketSize, controls.bucketSize, [1, 2, 3, 4, 5, 6, 7, 8])}
        {choose(settings.fingerprintBits, controls.fingerprintBits, BITS)}
        {choose(settings.maxKicks, controls.maxKicks, KICKS)}
        {choose(settings.walk, walk, [...WALKS.keys()], (i) =>
          i === 0 ? settings.walkPlain : settings.walkAhead,
        )}
        <Choose label={t.target} values={TARGETS} bound={target} />
        <Button look="quiet" text={words.value.console.clear} onClick={() => empty()} />
      </div>
      <FillBar run={run} load={load} isFull={isFull} />
      <TableMap slots={slots} load={load} />
    </section>
  );
}

/** What changes with every frame is drawn by components of its own. */
function TableMap({ slots, load }: { slots: Signal<Uint32Array>; load: Signal<number> }) {
  const { bulk, plot } = words.value;
  return <HeatMap slots={slots.value} label={bulk.map(plot.percent(100 * load.value))} />;
}

function FillBar({ run, load, isFull }: { run: Run; load: Signal<number>; isFull: Signal<boolean> }) {
  const t = words.value.bulk;
  const percent = words.value.plot.percent(100 * load.value);
  const summary = load.value === 0 ? '' : isFull.value ? t.full(percent) : t.filled(percent);
  return <RunBar run={run} label={t.fill} summary={summary} />;
}
