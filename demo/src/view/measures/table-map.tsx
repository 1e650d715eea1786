// A large table as a map, with a magnifier of eight buckets.
// Invariant: it is drawn anew with every frame of a filling, and nothing around it is.
import type { Signal } from '@preact/signals';
import { words } from '../../i18n';
import { hex } from '../../model/picture/chip';
import { TableFrame } from '../plots/data-table';
import { Print } from '../stage/print';
import { HeatMap } from './heat-map';

/** Buckets in the magnifier. */
const MAGNIFIED = 8;

interface BucketSizes {
  readonly bucketSize: number;
  readonly fingerprintBits: number;
}

interface TableMapProps {
  readonly slots: Signal<Uint32Array>;
  readonly load: Signal<number>;
  /** The first in the magnifier. */
  readonly bucket: Signal<number>;
  readonly sizes: BucketSizes;
}

export function TableMap({ slots, load, bucket, sizes }: TableMapProps) {
  const lastBucket = slots.value.length / sizes.bucketSize - MAGNIFIED;
  return (
    <>
      <HeatMap
        slots={slots.value}
        label={words.value.bulk.map(words.value.plot.percent(100 * load.value))}
        onPoint={(slot) => (bucket.value = Math.min(lastBucket, Math.floor(slot / sizes.bucketSize)))}
      />
      <Magnifier
        slots={slots.value}
        sizes={sizes}
        bucket={Math.max(0, Math.min(lastBucket, bucket.value))}
        last={lastBucket}
        onMove={(value) => (bucket.value = value)}
      />
    </>
  );
}

interface MagnifierProps {
  readonly slots: Uint32Array;
  readonly sizes: BucketSizes;
  readonly bucket: number;
  readonly last: number;
  readonly onMove: (bucket: number) => void;
}

/** Eight buckets, slot by slot: those under the pointer, or from the number typed on. */
function Magnifier({ slots, sizes, bucket, last, onMove }: MagnifierProps) {
  const t = words.value.bulk;
  const { bucketSize, fingerprintBits } = sizes;
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
      <TableFrame title={t.magnifier}>
        <table>
          <tbody>
            {Array.from({ length: Math.min(MAGNIFIED, slots.length / bucketSize) }, (_, row) => (
              <tr key={row}>
                <th scope="row">{words.value.stage.bucket(bucket + row)}</th>
                {Array.from({ length: bucketSize }, (__, slot) => {
                  const fingerprint = slots[(bucket + row) * bucketSize + slot] ?? 0;
                  return (
                    <td key={slot} class={fingerprint === 0 ? 'is-empty' : ''}>
                      {fingerprint === 0 ? (
                        t.empty
                      ) : (
                        <Print fingerprint={fingerprint} text={hex(fingerprint, fingerprintBits)} />
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </div>
  );
}
