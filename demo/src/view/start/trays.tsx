// One bucket of the first pictures.
import { boxOf, CHIP, GUTTER, TRAY } from '../../model/picture/trays';

export function Tray({ bucket, home = '' }: { bucket: number; home?: string }) {
  const { x, y } = boxOf({ bucket, slot: 0 });
  return (
    <g class={home}>
      <rect
        class="bucket-tray"
        fill="none"
        x={x - GUTTER}
        y={y - 3}
        width={TRAY}
        height={CHIP.height + 6}
        rx={9}
      />
      <text class="film-number" x={x - GUTTER / 2} y={y + CHIP.height / 2}>
        {bucket}
      </text>
    </g>
  );
}
