// One bucket of the first pictures, by default in the row of its number.
import { boxOf, CHIP, NUMBER, TRAY } from '../../model/picture/trays';

export function Tray({ bucket, row = bucket, home = '' }: { bucket: number; row?: number; home?: string }) {
  const { x, y } = boxOf({ bucket: row, slot: 0 });
  return (
    <g class={home}>
      <rect
        class="bucket-tray"
        fill="none"
        x={x - 3}
        y={y - 3}
        width={TRAY}
        height={CHIP.height + 6}
        rx={8}
      />
      <text class="film-number" x={NUMBER} y={y + CHIP.height / 2}>
        {bucket}
      </text>
    </g>
  );
}
