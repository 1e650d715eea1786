// What `npm run bench -- paper` measured natively, as `npm run bench -- plots` writes it down for the page.
import type { PlotPoint } from '../model/picture/plot';
import native from './native.json';
import { KINDS, type Kind, type Row } from './protocol';

export interface NativeRow extends Omit<Row, 'bytes'> {
  readonly bits: number;
  /** Millions of items, bits per item, rate and million keys per second in the paper. */
  readonly paper: readonly number[] | null;
}

export const nativeMachine: string = native.machine.replace(/;.*/, '');
/** Of each filter's memory. */
export const nativeBytes: number = native.bytes;

const ROWS: Readonly<Record<string, NativeRow>> = native.rows;
const CURVES = native.curves as unknown as Readonly<Record<string, Readonly<Record<string, PlotPoint[]>>>>;

/** `lab::kNames`, as the native results have them. */
export const NATIVE_NAMES = [
  'CF',
  'ss-CF',
  'BF',
  'blk-BF',
  'QF',
  'dl-CBF',
  'planned CF',
  'split block BF',
  'CBF',
  'binary fuse',
  'cuckoo table',
] as const;

function nameOf(kind: Kind): string {
  return NATIVE_NAMES[KINDS.indexOf(kind)] ?? '';
}

/** The row of Table 3. */
export function nativeRow(kind: Kind): NativeRow | null {
  return ROWS[nameOf(kind)] ?? null;
}

/** The points of a filter in a figure: '5', '6 absent', '6 present', '7' or '8'. */
export function nativeCurve(figure: string, kind: Kind): readonly PlotPoint[] {
  return CURVES[figure]?.[nameOf(kind)] ?? [];
}

/** The formulas of Figure 4, by their names. */
export function formulas(): [string, PlotPoint[]][] {
  return Object.entries(CURVES['4'] ?? {});
}
