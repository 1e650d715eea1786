// The keyboard on the table: one slot is in the tab order, arrow keys move from it (roving tabindex).
// Invariant: the slot focused, the slot in the tab order and the slot pointed at are the same after every key.
import { otherHome, storedAt, type TableState } from '../model/trace/state';
import type { Cell } from '../model/picture/layout';
import type { Store } from '../app/store';

/** How far each key goes: buckets, slots. */
const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** The cell to which `key` leads from `from`; null if the table has no use for the key. */
export function cellAfter(state: TableState, from: Cell, key: string): Cell | null {
  const { bucketCount, bucketSize } = state.shape;
  const move = MOVES[key];
  if (move !== undefined) {
    return {
      bucket: clamp(from.bucket + move[0], bucketCount),
      slot: clamp(from.slot + move[1], bucketSize),
    };
  }
  if (key.toLowerCase() !== 'a') return null;
  const stored = storedAt(state, from.bucket, from.slot);
  return stored === null ? from : { bucket: otherHome(stored, from.bucket), slot: from.slot };
}

export function onGridKey(store: Store, event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Enter') store.show({ pressed: { ...store.cell.value } });
  const cell = cellAfter(store.session.value.place.state, store.cell.value, event.key);
  if (cell === null || (store.hidesHomes.value && MOVES[event.key] === undefined)) return;
  event.preventDefault();
  store.show({ cell });
  const name = `[data-slot="${cell.bucket}.${cell.slot}"]`;
  (event.currentTarget as Element).querySelector<SVGGElement>(name)?.focus();
}

function clamp(value: number, count: number): number {
  return Math.min(count - 1, Math.max(0, value));
}
