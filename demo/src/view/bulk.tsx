// A large table of the lab: filled in bulk, seen as a heat map with a magnifier, and as kicks against load.
// Invariant: the map shows the core's slots as they are after the last slice of work.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { words } from '../i18n';
import { Filling, inSlices, type LoadBin, type TableSizes } from '../measure';
import { hex } from '../model/chip';
import { HeatMap, Regions } from './heat-map';
import { kicksAxes, kicksSeries } from './kicks-plot';
import { Plot } from './plot';
import { RunBar, useRun } from './run-bar';
import '../styles/rooms.css';

const SLOT_COUNTS = [1024, 4096, 16_384, 65_536, 131_072] as const;
/** Buckets in the magnifier. */
const MAGNIFIED = 8;

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

export default function Bulk() {
  const t = words.value.bulk;
  const choice = useSignal<Choice>(FIRST);
  const target = useSignal(100);
  const filling = useRef<Filling | null>(null);
  const slots = useSignal<Uint32Array>(new Uint32Array(FIRST.slots));
  const bins = useSignal<readonly LoadBin[]>([]);
  const bucket = useSignal(0);
  const load = useSignal(0);
  const isFull = useSignal(false);
  const show = (): void => {
    const table = filling.current;
    if (table === null) return;
    slots.value = table.slots();
    bins.value = [...table.bins];
    load.value = table.load;
    isFull.value = table.isFull;
  };
  const run = useRun(async (signal, tell) => {
    const table = (filling.current ??= new Filling(sizesOf(choice.value)));
    const wanted = Math.round((target.value / 100) * table.slotCount);
    const work = (): boolean => {
      if (table.size < wanted) table.advance(Math.min(512, wanted - table.size));
      return table.isFull || table.size >= wanted;
    };
    await inSlices(
      work,
      () => {
        show();
        tell(Math.min(1, table.size / wanted));
      },
      signal,
    );
  });
  const empty = (next: Choice): void => {
    run.stop();
    filling.current?.dispose();
    filling.current = null;
    choice.value = next;
    const { bucketCount, bucketSize } = sizesOf(next);
    slots.value = new Uint32Array(bucketCount * bucketSize);
    bins.value = [];
    load.value = 0;
    isFull.value = false;
    bucket.value = 0;
  };
  useEffect(
    () => () => {
      filling.current?.dispose();
    },
    [],
  );
  const percent = words.value.plot.percent(100 * load.value);
  const { bucketSize } = choice.value;
  const lastBucket = slots.value.length / bucketSize - MAGNIFIED;
  return (
    <section class="theatre measure" aria-label={t.title}>
      <h2>{t.title}</h2>
      <div class="measure-controls">
        <Choose
          label={t.slots}
          values={SLOT_COUNTS}
          value={choice.value.slots}
          onChange={(value) => empty({ ...choice.value, slots: value })}
        />
        <Choose
          label={words.value.settings.bucketSize}
          values={[1, 2, 3, 4, 5, 6, 7, 8]}
          value={bucketSize}
          onChange={(value) => empty({ ...choice.value, bucketSize: value })}
        />
        <Choose
          label={words.value.settings.fingerprintBits}
          values={[2, 3, 4, 6, 8, 10, 12, 16]}
          value={choice.value.fingerprintBits}
          onChange={(value) => empty({ ...choice.value, fingerprintBits: value })}
        />
        <Choose
          label={words.value.settings.maxKicks}
          values={[0, 1, 10, 100, 500]}
          value={choice.value.maxKicks}
          onChange={(value) => empty({ ...choice.value, maxKicks: value })}
        />
        <Choose
          label={t.target}
          values={[25, 50, 75, 90, 95, 100]}
          value={target.value}
          onChange={(value) => (target.value = value)}
        />
        <button class="button is-quiet" type="button" onClick={() => empty(choice.value)}>
          {words.value.console.clear}
        </button>
      </div>
      <RunBar
        run={run}
        label={t.fill}
        summary={load.value === 0 ? '' : isFull.value ? t.full(percent) : t.filled(percent)}
      />
      <HeatMap
        slots={slots.value}
        label={t.map(percent)}
        onPoint={(slot) => {
          if (slot !== null) bucket.value = Math.min(lastBucket, Math.floor(slot / bucketSize));
        }}
      />
      <Magnifier
        slots={slots.value}
        choice={choice.value}
        bucket={Math.max(0, Math.min(lastBucket, bucket.value))}
        last={lastBucket}
        onMove={(value) => (bucket.value = value)}
      />
      <Regions slots={slots.value} />
      <Plot
        title={words.value.race.kicksPlot}
        {...kicksAxes()}
        series={[kicksSeries(words.value.race.lane(bucketSize), 0, bins.value)]}
      />
    </section>
  );
}

interface ChooseProps {
  readonly label: string;
  readonly values: readonly number[];
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function Choose({ label, values, value, onChange }: ChooseProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
        {values.map((each) => (
          <option key={each} value={each}>
            {words.value.plot.number(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

interface MagnifierProps {
  readonly slots: Uint32Array;
  readonly choice: Choice;
  readonly bucket: number;
  readonly last: number;
  readonly onMove: (bucket: number) => void;
}

/** Eight buckets, slot by slot: those under the pointer, or from the number typed on. */
function Magnifier({ slots, choice, bucket, last, onMove }: MagnifierProps) {
  const t = words.value.bulk;
  const { bucketSize, fingerprintBits } = choice;
  return (
    <div class="magnifier">
      <label class="field">
        <span>{t.magnifier}</span>
        <input
          type="number"
          min={0}
          max={last}
          value={bucket}
          onInput={(event) => onMove(Math.floor(Number(event.currentTarget.value)) || 0)}
        />
      </label>
      <div class="table-frame" tabindex={0} role="region" aria-label={t.magnifier}>
        <table>
          <tbody>
            {Array.from({ length: MAGNIFIED }, (_, row) => (
              <tr key={row}>
                <th scope="row">{words.value.stage.bucket(bucket + row)}</th>
                {Array.from({ length: bucketSize }, (__, slot) => {
                  const fingerprint = slots[(bucket + row) * bucketSize + slot] ?? 0;
                  return (
                    <td key={slot} class={fingerprint === 0 ? 'is-empty' : ''}>
                      {fingerprint === 0 ? t.empty : hex(fingerprint, fingerprintBits)}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
