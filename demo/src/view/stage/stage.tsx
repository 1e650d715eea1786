// The stage: the hand, the table and the arrows, in one picture.
import { useMemo } from 'preact/hooks';
import { words } from '../../i18n';
import { onGridKey } from '../../controls/grid';
import { hex } from '../../model/picture/bits';
import { layoutOf, slotHeadings, type Layout } from '../../model/picture/layout';
import type { Store } from '../../app/store';
import { Arrows, HomeLink, SumArrow } from './arrows';
import { Bucket } from './bucket';
import { Flights } from './flights';
import { Names } from './slot';
import { HandView } from './hand';
import { useInTurn } from '../lazy';
import { isLow, useWidth } from '../width';

/** `isCompact`: with the layout of a low screen, whatever the screen. */
export function Stage({ store, isCompact = false }: { store: Store; isCompact?: boolean }) {
  const { host } = useWidth<HTMLDivElement>(store.width, (width) => store.show({ width }));
  return (
    <div class="stage" ref={host}>
      {store.width.value > 0 && <Picture store={store} width={store.width.value} isCompact={isCompact} />}
    </div>
  );
}

function Picture({ store, width, isCompact }: { store: Store; width: number; isCompact: boolean }) {
  const { shape } = store.session.value.place.state;
  const isShort = isCompact || isLow.value;
  const layout = useMemo(
    () => layoutOf(shape, width, isShort, isCompact),
    [shape, width, isShort, isCompact],
  );
  // As large as lets a long fingerprint stand in a narrow chip, in a font whose letters are 0.6 wide.
  const fit = (layout.chipWidth - 2) / (0.6 * hex(0, shape.fingerprintBits).length);
  return (
    <svg
      class={`picture${layout.isWide ? ' is-wide' : ''}`}
      style={{ '--fit': `${fit}px` }}
      width={width}
      height={layout.height}
      viewBox={`0 0 ${width} ${layout.height}`}
    >
      <HandView store={store} layout={layout} />
      <Headings layout={layout} />
      <Grid store={store} layout={layout} />
      <Names store={store} layout={layout} />
      <Arrows store={store} layout={layout} />
      <SumArrow store={store} layout={layout} />
      <HomeLink store={store} layout={layout} />
      <Flights store={store} layout={layout} />
    </svg>
  );
}

/** Buckets drawn in one task: all at once hold a slow device up. */
const ROWS_AT_ONCE = 2;

function Headings({ layout }: { layout: Layout }) {
  const t = words.value.stage;
  return (
    <g class="headings" aria-hidden="true">
      {slotHeadings(layout).map(({ x, y, slot }) => (
        <text key={`${x}`} x={x} y={y}>
          {layout.isNarrow ? slot : t.slotHeading(slot)}
        </text>
      ))}
    </g>
  );
}

function Grid({ store, layout }: { store: Store; layout: Layout }) {
  const t = words.value.stage;
  const { shape } = layout;
  const rows = ROWS_AT_ONCE * useInTurn(Math.ceil(shape.bucketCount / ROWS_AT_ONCE));
  return (
    <g
      class={rows < shape.bucketCount ? 'is-loading' : ''}
      role="grid"
      aria-label={t.grid(shape.bucketCount, shape.bucketSize)}
      aria-rowcount={shape.bucketCount}
      aria-colcount={shape.bucketSize + 1}
      aria-description={t.help}
      onKeyDown={(event) => onGridKey(store, event)}
    >
      {Array.from({ length: Math.min(rows, shape.bucketCount) }, (_, bucket) => (
        <Bucket key={bucket} store={store} layout={layout} bucket={bucket} />
      ))}
    </g>
  );
}
