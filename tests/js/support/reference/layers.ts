// A reader of saved scalable filters, from section 9 of docs/inside/format.md. Like reader.ts, it shares nothing with the
// library.
import { checkBegin, must, SavedFilter, TRAILER_BYTES } from './reader';
import { xxh64 } from './xxh64';

const MAGIC = [0x89, 0x43, 0x4b, 0x53, 0x0d, 0x0a, 0x1a, 0x0a];
const HEADER = 24;

/** A saved scalable filter, opened. Throws Refusal where the bytes break a rule of the format. */
export class SavedLayers {
  readonly layers: readonly SavedFilter[];
  readonly size: number;
  readonly hashOf: (key: Uint8Array) => bigint;

  constructor(bytes: Uint8Array, secret?: Uint8Array, limit = Infinity) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    checkBegin(bytes, MAGIC, HEADER, ['9.1', '9.2', '2.2']);
    must(view.getUint16(10, true) === 0, '9.4', 'unsupported-version');
    const count = view.getUint8(12);
    must(count >= 1 && count <= 17, '9.5');
    must(view.getUint16(14, true) === 0, '9.7');
    const isWhole = view.getBigUint64(16, true) === BigInt(bytes.length);
    must(isWhole && bytes.length >= HEADER + 80 * count + TRAILER_BYTES, '9.8', 'cut-short');
    const end = bytes.length - TRAILER_BYTES;
    const layers: SavedFilter[] = [];
    const summed = [...bytes.subarray(0, HEADER)];
    let at = HEADER;
    let left = limit;
    for (let k = 0; k < count; ++k) {
      let length = 0;
      must(end - at >= 80, '9.8', 'cut-short');
      const layer = new SavedFilter(bytes.subarray(at), secret, left, (header, itsLength) => {
        length = itsLength;
        must(at + length <= end, '9.8', 'cut-short');
        checkLayer(header, layers[0] ?? header, layers.at(-1), k, view.getUint8(13));
      });
      layers.push(layer);
      left -= layer.payloadBytes;
      at += length;
      summed.push(...bytes.subarray(at - TRAILER_BYTES, at));
    }
    must(at === end, '9.8', 'cut-short');
    must(view.getBigUint64(end, true) === xxh64(Uint8Array.from(summed)), '9.10', 'damaged');
    this.layers = layers;
    this.size = layers.reduce((sum, { size }) => sum + size, 0);
    this.hashOf = (layers[0] as SavedFilter).hashOf;
  }

  countOfHash(hash: bigint): number {
    return this.layers.reduce((sum, layer) => sum + layer.countOfHash(hash), 0);
  }
}

/** Rules 9.6 and 9.11 to 9.14, for layer `k`, whose first layer began with `began` doublings. */
function checkLayer(
  layer: SavedFilter,
  first: SavedFilter,
  last: SavedFilter | undefined,
  k: number,
  began: number,
): void {
  const grownOf = ({ bucketCount, doublings }: SavedFilter): number => bucketCount * 2 ** doublings;
  const width = Math.ceil(first.fingerprintBits);
  const grown = grownOf(first);
  if (k === 0) must(began >= layer.doublings && began <= 32 - width && 2 ** began <= grown, '9.6');
  must(layer.addressing === 'xor', '9.11');
  for (const same of ['bucketSize', 'fingerprintBits', 'semiSorted', 'seed', 'isKeyed'] as const)
    must(layer[same] === first[same], '9.11');
  const wanted = Math.min(2 ** 32, grown * 2 ** (k * (Math.max(began, 1) + 1)));
  must(grownOf(layer) === wanted && k <= 32 - width, '9.12');
  must(last === undefined || wanted >= 4 * grownOf(last), '9.12');
  must(layer.doublings <= Math.min(began + k, 32 - width), '9.13');
  must(layer.capacity === Math.min((first.capacity * wanted) / grown, 2 ** 34), '9.14');
  must(layer.size <= Math.floor(layer.capacity / 2 ** k), '9.14');
}
