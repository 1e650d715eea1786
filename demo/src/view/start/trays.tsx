// One bucket of the first pictures.
import { boxOf, CHIP, NUMBER, TRAY } from '../../model/picture/trays';

export function Tray({ bucket, home = '' }: { bucket: number; home?: string }) {
  const { x, y } = boxOf({ bucket, slot: 0 });
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
