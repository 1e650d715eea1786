// The chips that are in the air or under the pointer: this is what is drawn anew with every frame.
import { hex } from '../../model/picture/chip';
import { bucketBox, cellAt, trayBox, type Layout } from '../../model/picture/layout';
import { operationShown } from '../../model/trace/marks';
import { flights, isMoving, progress } from '../../model/picture/motion';
import { storedAt } from '../../model/trace/state';
import type { Store } from '../../app/store';
import { Chip } from './chip';

/** Whether a chip is in the air. */
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
      {flights(motion.step, layout, t).map(({ fingerprint, x, y, width, height }, i) => (
        <g key={i} transform={`translate(${x} ${y})`}>
          <Chip
            fingerprint={fingerprint}
            text={hex(fingerprint, settings.fingerprintBits)}
            width={width}
            height={height}
          />
        </g>
      ))}
    </g>
  );
}

/** The chip under the pointer, and the bucket that it would fall into. */
export function Dragged({ store, layout }: { store: Store; layout: Layout }) {
  const at = store.dragged.value;
  const grip = store.grip.value;
  if (at === null || grip === null) return null;
  const session = store.session.value;
  const stored =
    grip === 'hand'
      ? (operationShown(session)?.carried ?? null)
      : storedAt(session.place.state, grip.bucket, grip.slot);
  if (stored === null) return null;
  const { width, height } = trayBox(layout);
  const target = cellAt(layout, { x: at.x + width / 2, y: at.y + height / 2 });
  const box = target === null ? null : bucketBox(layout, target.bucket);
  return (
    <g class="dragged" aria-hidden="true">
      {box !== null && (
        <rect class="drop" x={box.x} y={box.y - 6} width={box.width} height={box.height + 12} rx={14} />
      )}
      <g transform={`translate(${at.x} ${at.y})`}>
        <Chip
          fingerprint={stored.fingerprint}
          text={hex(stored.fingerprint, session.settings.fingerprintBits)}
          width={width}
          height={height}
        />
      </g>
    </g>
  );
}
