// Where everything on the stage lies, in pixels, for a given width.
// Invariant: no chip overlaps another, nothing is wider than the width given, and between any two rows and any two
// chips of a row there is an aisle wide enough for the arrows (route.ts).
import type { Shape } from '../trace/state';

export interface Cell {
  readonly bucket: number;
  readonly slot: number;
}

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** Below, every pixel goes to the chips. */
const TIGHT = 340;
const NARROW = 560;
const WIDE = 860;
const COLUMN_ROWS = 10;
const COLUMN_GAP = 20;
const EDGE = 6;
/** Pixels that the chip in hand and its sum take, however narrow the table is. */
const LEAST_TRAY = 480;

/**
 * The layout of a table of `shape` in `width` pixels, from 200 up; `isLow`: on a screen without height for large chips;
 * `isSlide`: with room for large letters, and below each fingerprint for a name.
 */
export function layoutOf(shape: Shape, width: number, isLow = false, isSlide = false) {
  const isNarrow = width < NARROW;
  const isWide = width > WIDE && !isLow;
  // The width of the gaps between chips, and the height of the gaps between rows.
  const aisleX = isNarrow ? 20 : 28;
  const aisleY = isLow ? 18 : isWide ? 24 : 22;
  const chipHeight = isNarrow && isLow ? 28 : isSlide ? 40 : isLow ? 34 : isWide ? 46 : 40;
  const letters = 2 + Math.ceil(shape.fingerprintBits / 4);
  const leastChip = Math.max(isNarrow ? 32 : 48, 8 + (isNarrow ? 9 : 10) * letters);
  const wanted = Math.ceil(shape.bucketCount / COLUMN_ROWS);
  const chipsWidth = (chips: number, chip: number): number => chips * (chip + aisleX) + EDGE;
  const [broad, slim] = [88, width < TIGHT ? 56 : 64];
  const isInOneLine = slim + chipsWidth(shape.bucketSize, leastChip) <= width;
  const perLine = isInOneLine ? shape.bucketSize : Math.ceil(shape.bucketSize / 2);
  const columnsWith = (label: number): number => {
    const one = label + chipsWidth(perLine, leastChip) + COLUMN_GAP;
    return Math.min(wanted, Math.floor((width + COLUMN_GAP) / one));
  };
  // Labels are narrow where that makes room for another column.
  const labelWidth = isNarrow || columnsWith(slim) > columnsWith(broad) ? slim : broad;
  const columns = Math.max(1, columnsWith(labelWidth));
  const widthOf = (chips: number, chip: number): number => labelWidth + chipsWidth(chips, chip);
  const rows = Math.ceil(shape.bucketCount / columns);
  const available = (width - COLUMN_GAP * (columns - 1)) / columns;
  const chipWidth = Math.floor(
    Math.min(
      isSlide ? 200 : isWide ? 168 : width > WIDE ? 140 : 112,
      (available - labelWidth - EDGE) / perLine - aisleX,
    ),
  );
  const columnWidth = widthOf(perLine, chipWidth) + COLUMN_GAP;
  const left = Math.floor((width - (columns * columnWidth - COLUMN_GAP)) / 2);
  const rowHeight = Math.ceil(shape.bucketSize / perLine) * (chipHeight + aisleY);
  const trayWidth = Math.min(width, Math.max(LEAST_TRAY, columns * columnWidth - COLUMN_GAP));
  const trayHeight = Math.max(chipHeight + 10, isNarrow ? 40 : isLow ? 46 : isWide ? 68 : 56);
  const tray = { x: Math.floor((width - trayWidth) / 2), y: 0, width: trayWidth, height: trayHeight };
  const top = tray.height + (isSlide ? 32 : isWide ? 38 : isNarrow || isLow ? 26 : 30);
  const height = top + rows * rowHeight - aisleY / 2;
  /** Pixels of the letters of a key's name. */
  const nameSize = isSlide ? 18 : isWide ? 14 : 12;
  const cells = { columns, columnWidth, rows, rowHeight, perLine };
  const chips = { labelWidth, chipWidth, chipHeight, aisleX, aisleY };
  return { shape, width, height, ...cells, ...chips, left, top, tray, isNarrow, isWide, nameSize };
}

export type Layout = Readonly<ReturnType<typeof layoutOf>>;

export function slotBox(layout: Layout, bucket: number, slot: number): Box {
  const { perLine, chipWidth, chipHeight, aisleX, aisleY } = layout;
  const home = bucketBox(layout, bucket);
  const x = home.x + layout.labelWidth + (slot % perLine) * (chipWidth + aisleX);
  const y = home.y + Math.floor(slot / perLine) * (chipHeight + aisleY);
  return { x, y, width: chipWidth, height: chipHeight };
}

/** A bucket: its number and its slots, without the aisles around them. */
export function bucketBox(layout: Layout, bucket: number): Box {
  const x = layout.left + Math.floor(bucket / layout.rows) * layout.columnWidth;
  const y = layout.top + (bucket % layout.rows) * layout.rowHeight;
  const width = layout.columnWidth - COLUMN_GAP;
  return { x, y, width, height: layout.rowHeight - layout.aisleY };
}

export function labelBox(layout: Layout, bucket: number): Box {
  const { x, y, height } = bucketBox(layout, bucket);
  return { x, y, width: layout.labelWidth, height };
}

/** The fingerprint in hand, as large as in a slot. */
export function trayBox({ tray, chipWidth, chipHeight }: Layout): Box {
  const y = tray.y + (tray.height - chipHeight) / 2;
  return { x: tray.x + 10, y, width: chipWidth, height: chipHeight };
}

/** Where a victim is held while the newcomer takes its slot: at the other end of the tray. */
export function asideBox(layout: Layout): Box {
  const box = trayBox(layout);
  return { ...box, x: layout.tray.x + layout.tray.width - 10 - box.width };
}

/** Where the numbers of the slots stand: above each column of buckets. None where a bucket takes two lines. */
export function slotHeadings(layout: Layout) {
  const { columns, rows, shape, perLine, top, aisleY } = layout;
  if (perLine < shape.bucketSize) return [];
  return Array.from({ length: columns * shape.bucketSize }, (_, i) => {
    const slot = i % shape.bucketSize;
    const box = slotBox(layout, Math.floor(i / shape.bucketSize) * rows, slot);
    return { x: box.x + box.width / 2, y: top - aisleY / 2 - 8, slot };
  });
}
