// One slot: empty and dotted, or a chip with its fingerprint.
import { useComputed } from '@preact/signals';
import { words } from '../../i18n';
import { hex } from '../../model/picture/bits';
import { slotBox, trayBox, type Box, type Cell, type Layout } from '../../model/picture/layout';
import { slotsInMotion } from '../../model/picture/motion';
import { handOf, operationShown, slotMark, type SlotMark } from '../../model/trace/marks';
import { focused } from '../../model/trace/session';
import { fitted } from '../../model/text';
import { otherHome, type Stored, storedAt } from '../../model/trace/state';
import type { Store } from '../../app/store';
import { Chip, hueStyle } from './chip';

interface SlotProps {
  readonly store: Store;
  readonly layout: Layout;
  readonly bucket: number;
  readonly slot: number;
}

export function Slot({ store, layout, bucket, slot }: SlotProps) {
  const isHere = (cell: Cell | null): boolean => cell?.bucket === bucket && cell.slot === slot;
  const { session, isMoving, cell, isLocked, asked } = store;
  // A step draws only the slots anew that it changes.
  const stored = useComputed(() => storedAt(session.value.place.state, bucket, slot)).value;
  const mark = useComputed(() =>
    (isLocked.value && isHere(asked.value)) || isLost(store, stored)
      ? 'changed'
      : slotMark(session.value, bucket, slot),
  ).value;
  const isTabbed = useComputed(() => isHere(cell.value)).value;
  const isLifted = useComputed(() => {
    const { motion } = session.value;
    return isMoving.value && motion !== null && slotsInMotion(motion.step).some(isHere);
  }).value;
  const label = useComputed(() => labelOf(store, bucket, slot)).value;
  const isNamed = useComputed(() => nameAt(store, stored) !== '').value;
  const { x, y, ...size } = slotBox(layout, bucket, slot);
  const text = stored === null ? '' : hex(stored.fingerprint, layout.shape.fingerprintBits);
  // A finger needs 44 pixels.
  const margin = Math.max(6, (44 - size.height) / 2);
  const point = (): void => {
    if (!isHere(store.pointed.peek())) store.show({ pointed: { bucket, slot } });
  };
  return (
    <g
      role="gridcell"
      class={isNamed ? 'slot is-named' : 'slot'}
      data-slot={`${bucket}.${slot}`}
      aria-colindex={slot + 2}
      aria-label={label}
      tabindex={isTabbed ? 0 : -1}
      transform={`translate(${x} ${y})`}
      onFocus={() => (store.show({ cell: { bucket, slot } }), point())}
      onBlur={() => store.show({ pointed: null })}
      onPointerMove={point}
      onPointerLeave={() => store.show({ pointed: null })}
      onClick={() => store.show({ pressed: { bucket, slot } })}
    >
      {(stored === null || isLifted) && <rect class="slot-empty" {...size} rx={9} />}
      {stored !== null && !isLifted && <Chip {...stored} {...size} text={text} />}
      {mark !== null && <Mark {...size} mark={mark} />}
      <rect
        class="slot-focus"
        x={-margin}
        y={-margin}
        width={size.width + 2 * margin}
        height={size.height + 2 * margin}
        rx={13}
      />
    </g>
  );
}

/** What was done to the slot in this step: a frame; in its corner a cross if it was read in vain, or a tick if it matched. */
function Mark({ mark, width, height }: { mark: Exclude<SlotMark, null>; width: number; height: number }) {
  // Beside the letters of a narrow chip.
  const corner = width < 80 ? 0 : 8;
  return (
    <g class={`slot-mark is-${mark}`} aria-hidden="true">
      <rect x={-2} y={-2} width={width + 4} height={height + 4} rx={10.5} />
      {mark !== 'changed' && (
        <g transform={`translate(${width - corner} ${corner})`}>
          <circle r={8} />
          <path d={mark === 'found' ? 'M-4 0l3 3 5-6' : 'M-3-3l6 6m0-6l-6 6'} />
        </g>
      )}
    </g>
  );
}

/** The name that our notebook has, if it is open. */
function nameAt({ session, showsNames }: Store, stored: Stored | null): string {
  return (showsNames.value && session.value.notebook.get(stored?.owner ?? -1)) || '';
}

/** What the hand holds of a key: only an insert holds one; in other operations, it holds the fingerprint that is sought. */
function heldKey({ session, isMoving }: Store): Stored | null {
  const isHeld = !isMoving.value && focused(session.value)?.name === 'insert';
  return isHeld ? handOf(operationShown(session.value)).stored : null;
}

/** Whether a name stands below the fingerprint in hand. */
export function isHandNamed(store: Store): boolean {
  return nameAt(store, heldKey(store)) !== '';
}

/** Whether it is the key that would be lost, once the answer names that. */
function isLost(store: Store, stored: Stored | null): boolean {
  return store.lost.value !== '' && nameAt(store, stored) === store.lost.value;
}

/** What a reader is told of a slot. */
function labelOf(store: Store, bucket: number, slot: number): string {
  const t = words.value.stage;
  const { state } = store.session.value.place;
  const stored = storedAt(state, bucket, slot);
  if (stored === null) return t.emptySlot(bucket, slot);
  const [text, name] = [hex(stored.fingerprint, state.shape.fingerprintBits), nameAt(store, stored)];
  const own = store.hidesHomes.value
    ? t.slotAlone(bucket, slot, text)
    : t.slot(bucket, slot, text, otherHome(stored, bucket));
  return name === '' ? own : `${own}, ${t.owner(name)}`;
}

/** The names below the fingerprints: a layer of its own, as they are our notebook's and no part of the table. */
export function Names({ store, layout }: { store: Store; layout: Layout }) {
  if (!store.showsNames.value) return null;
  const session = store.session.value;
  const { bucketSize } = layout.shape;
  const boxes = session.place.state.slots.map((stored, i): [Stored | null, Box] => [
    stored,
    slotBox(layout, Math.floor(i / bucketSize), i % bucketSize),
  ]);
  const inHand = heldKey(store);
  return (
    <g class="names" aria-hidden="true">
      {[...boxes, [inHand, trayBox(layout)] as const].map(([stored, { x, y, width, height }], i) => {
        if (stored === null) return null;
        const text = fitted(nameAt(store, stored), width, layout.nameSize);
        const at = { x: x + width / 2, y: y + height / 2 + (height < 34 ? 6 : layout.nameSize / 2 + 1) };
        return <text key={i} class="chip-name" {...at} style={hueStyle(stored.fingerprint)} {...text} />;
      })}
    </g>
  );
}
