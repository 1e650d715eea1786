// The eight buckets of the first pictures: trays of two places in two columns, with an aisle for arrows between them.
// Invariant: whatever is drawn in the aisle, and in the gaps above and below a tray, lies over no place and no number.
import type { Cell } from '../../model/picture/layout';

export const CHIP = { width: 68, height: 34 } as const;
const [GUTTER, GAP, ROW, ROWS] = [16, 2, 50, 4] as const;
const TRAY = GUTTER + 2 * CHIP.width + GAP + 3;
/** In units of the picture, which is as wide as there is room. */
export const [WIDTH, HEIGHT] = [340, ROWS * ROW] as const;
export const AISLE = { left: TRAY, right: WIDTH - TRAY } as const;

export function boxOf({ bucket, slot }: Cell): { readonly x: number; readonly y: number } {
  const x = (bucket < ROWS ? 0 : AISLE.right) + GUTTER + slot * (CHIP.width + GAP);
  return { x, y: (bucket % ROWS) * ROW + (ROW - CHIP.height) / 2 };
}

export function Tray({ bucket, home = '' }: { bucket: number; home?: string }) {
  const { x, y } = boxOf({ bucket, slot: 0 });
  return (
    <g class={home}>
      <rect class="bucket-tray" x={x - GUTTER} y={y - 3} width={TRAY} height={CHIP.height + 6} rx={9} />
      <text class="film-number" x={x - GUTTER / 2} y={y + CHIP.height / 2}>
        {bucket}
      </text>
    </g>
  );
}
