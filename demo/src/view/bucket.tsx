// One row of the table: the bucket's number, its outline if it is a home of the key, and its slots.
import { words } from '../i18n';
import { binary } from '../model/chip';
import { bucketBox, labelBox, type Layout } from '../model/layout';
import type { HomeMark } from '../model/marks';
import type { Shown } from '../store';
import { Slot } from './slot';

interface BucketProps {
  readonly store: Shown;
  readonly layout: Layout;
  readonly bucket: number;
  readonly home: HomeMark;
}

export function Bucket({ store, layout, bucket, home }: BucketProps) {
  const t = words.value.stage;
  const { bucketCount, bucketSize } = layout.shape;
  const label = labelBox(layout, bucket);
  const left = label.x + (layout.isNarrow ? 4 : 12);
  const middle = label.y + label.height / 2;
  // A home has its name below its number; where there is no room for both, in place of the binary number.
  const above = layout.isNarrow || home !== null ? middle - 8 : middle;
  return (
    <g role="row" aria-rowindex={bucket + 1} class={home === null ? 'bucket' : `bucket is-home is-${home}`}>
      <Outline layout={layout} bucket={bucket} home={home} />
      <g role="rowheader" aria-colindex={1} aria-label={t.bucket(bucket)}>
        <text class="bucket-number" x={left} y={above}>
          {bucket}
          {!layout.isNarrow && (
            <tspan class="bucket-binary" dx={7}>
              {binary(bucket, bucketCount)}
            </tspan>
          )}
        </text>
        {home !== null && (
          <text class="bucket-home" x={left} y={middle + 10}>
            {layout.isNarrow ? t.shortHome[home] : t[home]}
          </text>
        )}
        {home === null && layout.isNarrow && (
          <text class="bucket-binary" x={left} y={middle + 10}>
            {binary(bucket, bucketCount)}
          </text>
        )}
      </g>
      {Array.from({ length: bucketSize }, (_, slot) => (
        <Slot key={slot} store={store} layout={layout} bucket={bucket} slot={slot} />
      ))}
    </g>
  );
}

/** Solid for the first home, dashed for the second, both where they coincide. */
function Outline({ layout, bucket, home }: Omit<BucketProps, 'store'>) {
  const { x, y, width, height } = bucketBox(layout, bucket);
  const frame = (by: number, look: string) => (
    <rect
      class={`home-outline ${look}`}
      x={x + 6 - by}
      y={y - by}
      width={width - 12 + 2 * by}
      height={height + 2 * by}
      rx={12}
    />
  );
  return (
    <g aria-hidden="true">
      <rect class="bucket-tray" x={x + 1} y={y - 5} width={width - 2} height={height + 10} rx={14} />
      {(home === 'primary' || home === 'both') && frame(5, 'is-primary')}
      {home === 'alternate' && frame(5, 'is-alternate')}
      {home === 'both' && frame(1, 'is-alternate')}
    </g>
  );
}
