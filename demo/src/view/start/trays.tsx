// One bucket of the first pictures, by default in the row of its number.
import { boxOf, CHIP, NUMBER, TRAY } from '../../model/picture/trays';

interface TrayProps {
  readonly bucket: number;
  readonly row?: number;
  readonly home?: string | undefined;
}

export function Tray({ bucket, row = bucket, home }: TrayProps) {
  const { x, y } = boxOf({ bucket: row, slot: 0 });
  return (
    <g class={home}>
      <rect class="bucket-tray" x={x - 3} y={y - 3} width={TRAY} height={CHIP.height + 6} rx={8} />
      <text class="film-number" x={NUMBER} y={y + CHIP.height / 2}>
        {bucket}
      </text>
    </g>
  );
}
