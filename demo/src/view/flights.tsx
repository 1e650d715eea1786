// The chips that are in the air, and nothing else: this is what is drawn anew with every frame.
import { hex } from '../model/chip';
import { trayBox, type Layout } from '../model/layout';
import { flights, progress } from '../model/motion';
import type { Store } from '../store';
import { Chip } from './chip';

export function Flights({ store, layout }: { store: Store; layout: Layout }) {
  const { motion, settings } = store.session.value;
  if (!store.isMoving.value || motion === null) return null;
  const t = progress(store.elapsed.value, motion.direction);
  const { height } = trayBox(layout);
  return (
    <g class="flights" aria-hidden="true">
      {flights(motion.step, layout, t).map(({ fingerprint, x, y }, i) => (
        <g key={i} transform={`translate(${x} ${y})`}>
          <Chip
            fingerprint={fingerprint}
            text={hex(fingerprint, settings.fingerprintBits)}
            width={layout.chipWidth}
            height={height}
          />
        </g>
      ))}
    </g>
  );
}
