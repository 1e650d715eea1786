// The buckets on a ring, and the way between the two homes of a fingerprint.
import { words } from '../../i18n';
import { nodeAt } from '../../model/picture/graph';

const SIZE = 260;
const RADIUS = 104;
const CENTRE = { x: SIZE / 2, y: SIZE / 2 };

interface HomeRingProps {
  readonly count: number;
  readonly from: number;
  /** null: not told yet. */
  readonly to: number | null;
}

export function HomeRing({ count, from, to }: HomeRingProps) {
  const t = words.value.boards;
  const nodeRadius = count > 16 ? 10 : 15;
  const a = nodeAt(from, count, CENTRE, RADIUS);
  const b = nodeAt(to ?? from, count, CENTRE, RADIUS);
  const label = to === null ? t.ringAsking(count, from) : t.ring(count, from, to);
  return (
    <svg
      class="ring"
      width={SIZE}
      height={SIZE}
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={label}
    >
      <line class="ring-way" x1={a.x} y1={a.y} x2={b.x} y2={b.y} />
      {Array.from({ length: count }, (_, bucket) => {
        const { x, y } = nodeAt(bucket, count, CENTRE, RADIUS);
        const look = bucket === from ? 'is-primary' : bucket === to ? 'is-alternate' : '';
        return (
          <g key={bucket} class={`ring-node ${look}`} transform={`translate(${x} ${y})`}>
            <circle r={nodeRadius} />
            <text>{bucket}</text>
          </g>
        );
      })}
    </svg>
  );
}
