// Opens a saved filter: its layers (a CuckooFilter has one), with the rules of docs/inside/format.md for layers.
// Invariant: a filter that is opened whole keeps every rule, like one that the classes load.
import { numberAt } from './bits.js';
import { checked } from './arguments.js';
import { wordAt } from './hash64.js';
import type { Hash } from './key.js';
import {
  checkBegin,
  CHECKSUM,
  checkSum,
  hashAt,
  HEADER,
  must,
  readTable,
  type Parameters,
  type Table,
} from './table.js';

/** Bytes before the layers of a scalable filter. */
const SCALABLE_HEADER = 24;

/**
 * How many bytes of the saved form `FilterReader.remote` needs, or all if there are fewer: for a CuckooFilter, or a
 * ScalableCuckooFilter with one layer.
 */
export const REMOTE_HEADER_BYTES = SCALABLE_HEADER + HEADER;

export interface Opened {
  readonly bytes: Uint8Array;
  /**
   * The position of a byte of the last checksum that is not 0. If the buffer is transferred or shrunk, this byte is
   * gone; if the buffer then grows again, it is 0. All tables lie before it.
   */
  readonly mark: number;
  readonly hash: Hash;
  /** The layers, from the oldest to the newest. */
  readonly tables: readonly Table[];
  /** Totals over all layers, and what they have in common. */
  readonly parameters: Parameters;
}

/** What a layer must have exactly. */
type LayerRule = readonly [grownCount: number, capacity: number];

/** What adds up over layers. */
const TOTALS = [
  'size',
  'capacity',
  'currentCapacity',
  'bucketCount',
  'byteLength',
  'expectedFalsePositiveRate',
] as const;

/**
 * Opens the filter with the saved form `given`, or, if `isHead`, with only the beginning of it, up to the end of the
 * last header. Throws FormatError, and TypeError or RangeError for wrong arguments.
 */
export function open(given: unknown, options: unknown, isHead: boolean): Opened {
  const [bytes, maxBytes, secret] = checked(given, options);
  const isScalable = bytes[3] === 0x53;
  /** Doublings that the first layer began with. */
  const began = bytes[13] as number;
  let layerCount = 1;
  let last = Infinity;
  let at = 0;
  if (isScalable) {
    checkBegin(bytes, 0, 0x53, SCALABLE_HEADER);
    must((wordAt(bytes, 10) & 0xffff) === 0, 'unsupported-version');
    layerCount = bytes[12] as number;
    must(layerCount > 0 && layerCount < 18 && wordAt(bytes, 12) >>> 16 === 0, 'inconsistent');
    const total = numberAt(bytes, 16);
    at = SCALABLE_HEADER;
    last = total - CHECKSUM;
    must((isHead || total === bytes.length) && last >= at + 80 * layerCount, 'cut-short');
  }
  const tables: Table[] = [];
  const parameters = {} as Record<keyof Parameters, number>;
  // The header and the checksums of the layers, which the last checksum covers.
  const summed = new Uint8Array(SCALABLE_HEADER + CHECKSUM * layerCount);
  summed.set(bytes.subarray(0, SCALABLE_HEADER));
  let rules: readonly LayerRule[] = [];
  let hash: Hash | undefined;
  for (let k = 0; k < layerCount; ++k) {
    must(last >= at + 80, 'cut-short');
    const table = readTable(bytes, at, k);
    const { size, addressing, maxCapacity } = table.parameters;
    const next = table.end + CHECKSUM;
    if (k === 0) {
      Object.assign(parameters, table.parameters);
      if (isScalable) rules = layerRules(table, began, bytes[at + 14] as number);
    } else for (const name of TOTALS) parameters[name] += table.parameters[name];
    must(next <= last, 'cut-short');
    const isLayer =
      addressing === 'xor' &&
      table.kind === (tables[0] ?? table).kind &&
      table.doublings <= began + k &&
      `${rules[k]}` === `${[table.grownCount, maxCapacity]}` &&
      size <= Math.floor(maxCapacity / 2 ** k);
    must(!isScalable || isLayer, 'inconsistent');
    hash = hashAt(bytes, at, secret);
    must(isScalable || isHead || next === bytes.length, 'cut-short');
    must(parameters.byteLength <= maxBytes, 'too-large');
    if (!isHead) table.checkPayload();
    tables.push(table);
    summed.set(bytes.subarray(table.end, next), SCALABLE_HEADER + CHECKSUM * k);
    at = next;
  }
  if (isScalable) {
    must(at === last, 'cut-short');
    if (!isHead) checkSum(summed, bytes, at);
    parameters.totalCapacity = rules.reduce((sum, [, capacity], k) => sum + Math.floor(capacity / 2 ** k), 0);
    parameters.expectedFalsePositiveRate = Math.min(1, parameters.expectedFalsePositiveRate);
  }
  const mark = bytes.length - CHECKSUM + bytes.subarray(-CHECKSUM).findIndex((byte) => byte > 0);
  return { bytes, mark, hash: hash as Hash, tables, parameters: parameters as unknown as Parameters };
}

/**
 * The rules for all layers of a filter. Its first layer is `table`, which began with `began` doublings and whose
 * fingerprints are written in `width` bits.
 */
function layerRules({ grownCount, parameters }: Table, began: number, width: number): readonly LayerRule[] {
  const rules: LayerRule[] = [];
  let capacity = parameters.maxCapacity;
  let isNext = began <= 32 - width && 2 ** began <= grownCount;
  while (isNext) {
    rules.push([grownCount, Math.min(capacity, 2 ** 34)]);
    const factor = Math.min(2 ** 32 / grownCount, 2 ** (Math.max(1, began) + 1));
    grownCount *= factor;
    capacity *= factor;
    isNext = factor > 3 && rules.length <= 32 - width;
  }
  return rules;
}
