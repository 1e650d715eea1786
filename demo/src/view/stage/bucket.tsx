// One row of the table: the bucket's number, its outline if it is a home of the key, and its slots.
import { useComputed } from '@preact/signals';
import { words } from '../../i18n';
import { binary } from '../../model/picture/bits';
import { bucketBox, labelBox, type Layout } from '../../model/picture/layout';
import { homeMark, type HomeMark } from '../../model/trace/marks';
import { fitted } from '../../model/text';
import { litBucket } from '../../model/trace/sum';
import type { Store } from '../../app/store';
import { isInAir } from './flights';
import { Slot } from './slot';

interface BucketProps {
  readonly store: Store;
  readonly layout: Layout;
  readonly bucket: number;
}

export function Bucket({ store, layout, bucket }: BucketProps) {
  const home = useComputed(() => homeMark(store.session.value, bucket)).value;
  const isLit = useComputed(
    () => !store.hidesHomes.value && !isInAir(store) && litBucket(store.session.value) === bucket,
  ).value;
  const isGuessed = useComputed(() => store.guessed.value === bucket).value;
  const t = words.value.stage;
  const { bucketCount, bucketSize } = layout.shape;
  const label = labelBox(layout, bucket);
  const isSlim = layout.labelWidth < 88;
  const left = label.x + (isSlim ? 8 : 12);
  const middle = label.y + label.height / 2;
  const bits = binary(bucket, bucketCount);
  // A home has its name below its number and its bits; where labels are narrow, bits that find no room beside the number stand below it.
  const isBeside = !isSlim || layout.labelWidth > 18 + 10 * String(bucket).length + 7 * bits.length;
  const below = home !== null || isGuessed ? 'home' : isBeside ? null : 'bits';
  const looks = [
    home === null ? '' : ` is-home is-${home}`,
    isLit ? ' is-lit' : '',
    isGuessed ? ' is-guessed' : '',
  ].join('');
  return (
    <g role="row" aria-rowindex={bucket + 1} class={`bucket${looks}`}>
      <Outline layout={layout} bucket={bucket} home={home} />
      <g role="rowheader" aria-colindex={1} aria-label={t.bucket(bucket)}>
        <text class="bucket-number" x={left} y={below === null ? middle : middle - 8}>
          {bucket}
          {isBeside && (
            <tspan class="bucket-binary" dx={isSlim ? 4 : 7}>
              {bits}
            </tspan>
          )}
        </text>
        {below !== null && (
          <text
            class={below === 'home' ? 'bucket-home' : 'bucket-binary'}
            x={left}
            y={middle + 8}
            {...fitted(
              isGuessed ? t.guessed : home === null ? bits : t.homes[home],
              layout.labelWidth - 4,
              12,
              0.5,
            )}
          />
        )}
      </g>
      {Array.from({ length: bucketSize }, (_, slot) => (
        <Slot key={slot} store={store} layout={layout} bucket={bucket} slot={slot} />
      ))}
    </g>
  );
}

/** Solid for the first home, dashed for the second, both where they coincide. */
function Outline({ layout, bucket, home }: Omit<BucketProps, 'store'> & { home: HomeMark }) {
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
