// One slot: empty and dotted, or a chip with its fingerprint.
import { words } from '../i18n';
import { hex } from '../model/chip';
import { slotBox, type Layout } from '../model/layout';
import { slotInMotion } from '../model/motion';
import { slotMark, type SlotMark } from '../model/marks';
import { currentStep } from '../model/session';
import { otherHome, storedAt, type Stored } from '../model/state';
import type { Store } from '../store';
import { Chip } from './chip';

interface SlotProps {
  readonly store: Store;
  readonly layout: Layout;
  readonly bucket: number;
  readonly slot: number;
}

export function Slot({ store, layout, bucket, slot }: SlotProps) {
  const session = store.session.value;
  const stored = storedAt(session.place.state, bucket, slot);
  const mark = slotMark(currentStep(session), bucket, slot);
  const box = slotBox(layout, bucket, slot);
  const { bucket: tabBucket, slot: tabSlot } = store.cell.value;
  const moving = store.isMoving.value && session.motion !== null ? slotInMotion(session.motion.step) : null;
  const isLifted = moving?.bucket === bucket && moving.slot === slot;
  const point = () => (store.pointed.value = { bucket, slot });
  return (
    <g
      role="gridcell"
      class={`slot${isLifted ? ' is-lifted' : ''}`}
      data-slot={`${bucket}.${slot}`}
      aria-colindex={slot + 2}
      aria-label={nameOf(store, stored, bucket, slot)}
      tabindex={tabBucket === bucket && tabSlot === slot ? 0 : -1}
      transform={`translate(${box.x} ${box.y})`}
      onFocus={() => {
        store.cell.value = { bucket, slot };
        point();
      }}
      onBlur={() => (store.pointed.value = null)}
      onPointerEnter={point}
      onPointerLeave={() => (store.pointed.value = null)}
      onClick={() => (store.pressed.value = { bucket, slot })}
    >
      {(stored === null || isLifted) && (
        <rect class="slot-empty" width={box.width} height={box.height} rx={9} />
      )}
      {stored !== null && (
        <Chip
          fingerprint={stored.fingerprint}
          width={box.width}
          height={box.height}
          {...labels(store, stored)}
        />
      )}
      {mark !== null && <Mark mark={mark} width={box.width} height={box.height} />}
      <rect class="slot-focus" x={-5} y={-5} width={box.width + 10} height={box.height + 10} rx={13} />
    </g>
  );
}

/** What was done to the slot in this step: a frame, and a tick for each slot read. */
function Mark({ mark, width, height }: { mark: Exclude<SlotMark, null>; width: number; height: number }) {
  return (
    <g class={`slot-mark is-${mark}`} aria-hidden="true">
      <rect x={-2} y={-2} width={width + 4} height={height + 4} rx={10.5} />
      {mark !== 'changed' && <path d={`M${width / 2 - 5} ${height + 6}l3.500 3.500 6.500-7`} />}
    </g>
  );
}

function labels(store: Store, stored: Stored): { text: string; name: string } {
  const { settings, notebook } = store.session.value;
  const name = store.showsNames.value ? (notebook.get(stored.owner) ?? '') : '';
  return { text: hex(stored.fingerprint, settings.fingerprintBits), name };
}

function nameOf(store: Store, stored: Stored | null, bucket: number, slot: number): string {
  const t = words.value.stage;
  if (stored === null) return t.emptySlot(bucket, slot);
  const { text, name } = labels(store, stored);
  const own = t.slot(bucket, slot, text, otherHome(stored, bucket));
  return name === '' ? own : `${own}, ${t.owner(name)}`;
}
