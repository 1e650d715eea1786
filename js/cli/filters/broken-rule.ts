// Which rule of docs/inside/format.md a refused file breaks, for those who write files with programs of their own.
// Invariant: the rules are checked in the order of the document, so the one that is told is the reason for the refusal.
import { readFileSync } from 'node:fs';
import { bitsAt, mask } from '../../src/reader/bits.js';
import { bucketsOf } from '../../src/reader/buckets.js';
import { wordAt, xxh64 } from '../../src/reader/hash64.js';
import { HEADER, isHashAt } from '../../src/reader/table.js';

const MAGIC = [0x89, 0x43, 0x4b, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const CHECKED = Uint8Array.from('cuckoofilter', (letter) => letter.charCodeAt(0));
/** How many codes a semi-sorted bucket may have, by q. */
const CODES = [3876, 31_465, 14_950, 7315];

type Broken = readonly [rule: string, offset: number];

/** The rule that the file breaks, in words; nothing if it is none of a CuckooFilter's, or if the file cannot be read. */
export function brokenRuleOf(file: string): string {
  try {
    const broken = brokenRule(readFileSync(file));
    return broken === undefined ? '' : ` (rule ${broken[0]} of docs/inside/format.md, byte ${broken[1]})`;
  } catch {
    return ''; // Too long to be read at once, or gone.
  }
}

function brokenRule(bytes: Uint8Array): Broken | undefined {
  if (bytes.length === 0) return undefined; // which says it all
  const other = MAGIC.findIndex((byte, at) => at < bytes.length && bytes[at] !== byte);
  if (other >= 0) return bytes[1] === 0x43 && bytes[3] === 0x53 ? undefined : ['3.1', other];
  if (bytes.length > 8 && bytes[8] !== 1) return ['3.2', 8];
  if (bytes.length < HEADER) return ['2.2', bytes.length];
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if ((view.getUint16(16, true) & 2) !== 0) return undefined; // another class
  const end = HEADER + Number(view.getBigUint64(64, true));
  const inHeader = brokenField(bytes, view);
  if (inHeader !== undefined) return inHeader;
  if (bytes.length !== end + 8) return ['2.1', Math.min(bytes.length, end + 8)];
  if (!isHashAt(xxh64(bytes, end, 0, 0), bytes, end)) return ['2.3', end];
  return brokenBucket(bytes, end, Number(view.getBigUint64(40, true)));
}

/** The rule of section 3 that a field breaks. */
function brokenField(bytes: Uint8Array, view: DataView): Broken | undefined {
  const [storage = 0, addressing = 0, hash = 0, b = 0, w = 0, last = 0] = bytes.subarray(10, 16);
  const [q, r] = [last & 3, last >> 2];
  const [m = 0, capacity = 0, size = 0, seed = 0, , payload] = Array.from({ length: 6 }, (_, i) =>
    Number(view.getBigUint64(24 + 8 * i, true)),
  );
  const isSorted = storage === 1;
  const flags = view.getUint16(16, true);
  const grown = m * 2 ** r;
  const bits = isSorted ? 4 * (w + r - 1) - q : b * (w + r);
  const rules: readonly (readonly [...Broken, holds: boolean])[] = [
    ['3.4', 10, storage <= 1],
    ['3.6', 12, hash === 1 || hash === 2],
    ['3.10', 16, flags <= 1],
    ['3.5', 11, addressing <= 1],
    ['3.7', 13, b >= 1 && b <= 8 && (b === 4 || !isSorted)],
    ['3.8', 14, w >= (isSorted ? 5 : 2) && w <= 32],
    ['3.9', 15, q === 0 || (isSorted && w >= 6 && w <= 24)],
    ['3.9', 15, w + r <= 32],
    ['3.10', 16, r > 0 === (flags === 1)],
    ['3.12', 20, view.getUint32(20, true) <= 65_535],
    ['3.13', 24, m >= 1 && grown <= 2 ** 32 && (addressing === 0 || Number.isInteger(Math.log2(m)))],
    ['3.14', 32, capacity >= 1 && capacity <= Math.min(grown * b, 2 ** 34)],
    ['3.15', 40, size <= m * b],
    ['3.16', 48, hash === 1 || seed === 0],
    ['3.18', 64, payload === Math.ceil((m * bits) / 8)],
    // That of a secret key, which this command cannot take, is not checked.
    [
      '3.17',
      56,
      hash === 2 || isHashAt(xxh64(CHECKED, CHECKED.length, wordAt(bytes, 52), wordAt(bytes, 48)), bytes, 56),
    ],
  ];
  return rules.find(([, , holds]) => !holds)?.slice(0, 2) as Broken | undefined;
}

/** The rule of section 4 that the payload, which goes on to `end`, breaks. */
function brokenBucket(bytes: Uint8Array, end: number, size: number): Broken | undefined {
  const [storage = 0, , , b = 0, w = 0, last = 0] = bytes.subarray(10, 16);
  const [q, r] = [last & 3, last >> 2];
  const buckets = bucketsOf(storage === 1, b, w, q, r);
  const codeBits = q === 0 ? 12 : 16 - q;
  let used = 0;
  let at = 8 * HEADER;
  for (; at + buckets.bits <= 8 * end; at += buckets.bits) {
    const inUse = buckets.copies(bytes, at, 0, 1);
    used += inUse;
    if (!Number.isNaN(inUse)) continue;
    const isCode = storage === 0 || bitsAt(bytes, at, mask(codeBits)) < (CODES[q] as number);
    return [!isCode ? '4.4' : r === 0 ? '4.5' : '4.5 or 4.6', Math.floor(at / 8)];
  }
  if (used !== size) return ['4.7', 40];
  return (bytes[end - 1] as number) >> (at % 8 || 8) === 0 ? undefined : ['4.8', end - 1];
}
