// Dragging a fingerprint to a bucket or a slot: another way to press there.
// Invariant: only what the store's `grip` names can be dragged, and letting it go over a slot presses that slot; the
// table itself changes by nothing of this.
import { cellAt, contains, slotBox, trayBox, type Box, type Layout } from '../model/picture/layout';
import type { Store } from '../app/store';

/** Pixels beside a chip that still take hold of it, and that a press may tremble. */
const MARGIN = 6;

interface Handlers {
  readonly onPointerDown: (event: PointerEvent) => void;
  readonly onPointerMove: (event: PointerEvent) => void;
  readonly onPointerUp: (event: PointerEvent) => void;
  readonly onPointerCancel: () => void;
}

/** The chip that may be dragged. */
export function gripBox({ grip }: Store, layout: Layout): Box | null {
  const { value } = grip;
  if (value === null) return null;
  if (value === 'hand') return trayBox(layout);
  return slotBox(layout, value.bucket, value.slot);
}

/** For the stage's picture, whose pixels are those of the layout. */
export function draggingOn(store: Store, layout: Layout): Handlers {
  const { dragged } = store;
  // Where the chip was taken hold of.
  let hold = { x: 0, y: 0 };
  return {
    onPointerDown: (event) => {
      const box = gripBox(store, layout);
      const at = placeOf(event);
      if (box === null || event.button !== 0 || !contains(box, at, MARGIN)) return;
      event.preventDefault();
      (event.currentTarget as Element).setPointerCapture(event.pointerId);
      hold = { x: at.x - box.x, y: at.y - box.y };
      store.show({ dragged: { x: box.x, y: box.y } });
    },
    onPointerMove: (event) => {
      if (dragged.value === null) return;
      const at = placeOf(event);
      store.show({ dragged: { x: at.x - hold.x, y: at.y - hold.y } });
    },
    onPointerUp: (event) => {
      const box = gripBox(store, layout);
      const chip = dragged.value;
      store.show({ dragged: null });
      if (chip === null || box === null || contains({ ...box, width: 0, height: 0 }, chip, MARGIN)) return;
      store.show({ pressed: cellAt(layout, placeOf(event)) });
    },
    onPointerCancel: () => store.show({ dragged: null }),
  };
}

function placeOf(event: PointerEvent): { x: number; y: number } {
  const picture = event.currentTarget as SVGSVGElement;
  const { left, top, width } = picture.getBoundingClientRect();
  // Before an audience the picture is scaled.
  const scale = width / picture.width.baseVal.value || 1;
  return { x: (event.clientX - left) / scale, y: (event.clientY - top) / scale };
}
