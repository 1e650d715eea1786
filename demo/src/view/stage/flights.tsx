// The chips that are in the air: this is what is drawn anew with every frame.
import { hex } from '../../model/picture/bits';
import type { Layout } from '../../model/picture/layout';
import { flights, isMoving, progress } from '../../model/picture/motion';
import type { Store } from '../../app/store';
import { Chip } from './chip';

export function isInAir(store: Store): boolean {
  const { motion } = store.session.value;
  return store.isMoving.value && motion !== null && isMoving(motion.step);
}

export function Flights({ store, layout }: { store: Store; layout: Layout }) {
  const session = store.session.value;
  const { motion, settings } = session;
  if (!store.isMoving.value || motion === null) return null;
  const t = progress(motion.step, store.elapsed.value, motion.direction);
  return (
    <g class="flights" aria-hidden="true">
      {flights(motion.step, layout, t).map((flight, i) => (
        <Chip key={i} {...flight} text={hex(flight.fingerprint, settings.fingerprintBits)} />
      ))}
    </g>
  );
}
