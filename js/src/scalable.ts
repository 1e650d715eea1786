// cuckoofilter-wasm/scalable: the class ScalableCuckooFilter, which has no largest size, over a core of its own.
// Invariant: as of CuckooFilter, whose methods it has; what differs is what a chain of layers has and one table has not.
/// <reference lib="esnext.disposable" preserve="true" />
import { formatError, ruleMessage } from './errors.js';
import { CuckooFilter, addressOf, adopt } from './filter.js';
import { checkedForm, giveSecret, type LoadLimits } from './handle.js';
import type { Keys } from './keys.js';
import { core, exchange, memoryAt, type Address, type Core } from './module.js';
import { describedSizes, type CuckooFilterOptions } from './options.js';
import { readStats, runAfter, type CuckooFilterStats, type GrowEvent } from './stats.js';

export { AuditError } from './audit.js';
export { DisposedError, FilterFullError, FormatError } from './errors.js';
export type { FormatErrorCode, FullReason } from './errors.js';
export type { LoadLimits } from './handle.js';
export type { Key, Keys } from './keys.js';
export { preload } from './module.js';
export type { HashAlgorithm, HashOption } from './options.js';
export { PackedKeys } from './packed.js';

interface ScalableCore extends Core {
  readonly chainHeaderBytes: number;
  layerCount(filter: Address): number;
  /** Another number than before where a table has doubled, or a layer begun or ended. */
  changes(filter: Address): number;
  /** Puts a layer's sizes into the exchange, and behind them its size, load factor and false positive rate. */
  describeLayer(filter: Address, layer: number): void;
  /** 0 if there is none left to load. */
  hasMoreLayers(): number;
  /** 0; or 1 and the bytes of the layer's table. */
  beginLayer(headBytes: number): number;
  tableOfLayer(): Address;
  finish_layer(): number;
}

/** What a scalable filter is made for: the options of a CuckooFilter, but that keys are addressed by XOR. */
export interface ScalableCuckooFilterOptions extends Omit<CuckooFilterOptions, 'addressing' | 'onGrow'> {
  /** Distinct keys that the first table must hold; it may hold up to twice as many. */
  readonly capacity: number;
  /**
   * Distinct keys up to which the first layer doubles in place, so that a lookup reads two buckets. Every further layer
   * takes as many times the keys of the one before as this is of `capacity`. The same as `capacity`: no table ever doubles,
   * which keeps every call short, but layers take twice as many keys each, so there are many. Default: 16 times `capacity`,
   * less where fingerprints are longer than 28 bits.
   */
  readonly maxCapacity?: number | undefined;
  /** The probability, at any size, that an absent key is reported present: > 0 and < 1. Default 0.001. */
  readonly falsePositiveRate?: number | undefined;
  /** Buckets of the first table: a power of two. Default: planned from the capacity. */
  readonly bucketCount?: number | undefined;
  /** Called after a call that doubled a table or began a layer, once for each. */
  readonly onGrow?: ((event: LayerGrowEvent) => void) | undefined;
}

/** A table that doubled; or a layer that began, with `oldBucketCount`, `size` and `pause` 0. */
export interface LayerGrowEvent extends GrowEvent {
  /** Which layer, from 0. */
  readonly layer: number;
}

/** One layer's work, and what it errs for. */
export interface LayerStats extends CuckooFilterStats {
  readonly bucketCount: number;
  readonly byteLength: number;
  /** Of absent keys, the share that this layer reports present, as expected at its size. */
  readonly falsePositiveRate: number;
}

/** The work of all layers there are: what a layer did that was merged back is gone with it. */
export interface ScalableCuckooFilterStats extends CuckooFilterStats {
  readonly growths: readonly LayerGrowEvent[];
  /** Each layer's own, the oldest first. */
  readonly layers: readonly LayerStats[];
}

/**
 * A CuckooFilter without a largest size. Its table doubles in place up to `maxCapacity`; then a layer is added, which does
 * so in turn, and so on. The rate asked for holds at every size, every key is found until it is deleted, and layers that
 * deletes have emptied are merged into older ones.
 *
 * A lookup reads two buckets of each layer, of which there are `layers`: 1 up to `maxCapacity`, then one more for every
 * 16-fold growth, or as `maxCapacity` is of `capacity`. It takes keys until memory ends, or the bits of their hashes:
 * `maxCapacity` of a filter says when, at some 10^9 keys where the rate is 10^-6 or more and layers grow 16-fold.
 *
 * Sizes (`capacity`, `bucketCount`, `byteLength`, `loadFactor`) are those of all layers together. Filters of this class
 * cannot be merged.
 *
 * @example
 * const seen = new ScalableCuckooFilter({ capacity: 1000 });
 * for (let i = 0; i < 1_000_000; ++i) seen.add(i);
 * seen.layers; // 3
 * seen.falsePositiveRate; // below 0.001
 */
export class ScalableCuckooFilter extends CuckooFilter {
  /** @internal */
  static override readonly name: string = 'ScalableCuckooFilter';

  /**
   * An empty filter. Throws TypeError for an option of the wrong type, RangeError for one out of its range, and RangeError
   * if the first table cannot be allocated.
   */
  constructor(options: ScalableCuckooFilterOptions) {
    super(optionsOfFirst(options));
    if (options.onGrow !== undefined) tellLayers(this, options.onGrow);
  }

  /** A filter that holds `keys`. `capacity` defaults to their number. Throws as `CuckooFilter.from` does. */
  static override from(keys: Keys, options: Partial<ScalableCuckooFilterOptions> = {}): ScalableCuckooFilter {
    return super.from(keys, options as Partial<CuckooFilterOptions>) as ScalableCuckooFilter;
  }

  /**
   * The filter that `serialize` saved. Throws as `CuckooFilter.deserialize` does; `limits.maxBytes` bounds the tables of all
   * layers together.
   */
  static override deserialize(
    bytes: Uint8Array | ArrayBuffer,
    limits: LoadLimits = {},
  ): ScalableCuckooFilter {
    const address = loadLayers(...checkedForm(bytes, limits));
    return adopt(this as unknown as typeof CuckooFilter, address) as ScalableCuckooFilter;
  }

  /** Layers there are now. */
  get layers(): number {
    return scalableCore().layerCount(addressOf(this));
  }

  /** What the filter did since it was made, loaded or cloned, altogether and layer by layer. */
  override stats(): ScalableCuckooFilterStats {
    const { size, capacity, loadFactor } = this;
    const address = addressOf(this);
    const layers = Array.from({ length: this.layers }, (_, layer) => statsOfLayer(address, layer));
    const sum = (of: (stats: LayerStats) => number): number =>
      layers.reduce((all, stats) => all + of(stats), 0);
    return Object.freeze({
      size,
      capacity,
      loadFactor,
      full: sum(({ full }) => full),
      tooManyCopies: sum(({ tooManyCopies }) => tooManyCopies),
      kicks: Object.freeze((layers[0]?.kicks ?? []).map((_, i) => sum(({ kicks }) => kicks[i] ?? 0))),
      growths: Object.freeze(
        layers.flatMap(({ growths }, layer) => growths.map((event) => Object.freeze({ ...event, layer }))),
      ),
      layers: Object.freeze(layers),
    });
  }

  /** A filter with the same layers and a memory of its own. Throws RangeError if there is none. */
  override clone(): ScalableCuckooFilter {
    return super.clone() as ScalableCuckooFilter;
  }

  /** Throws TypeError: filters of layers cannot be merged. */
  override merge(): never {
    throw new TypeError('a ScalableCuckooFilter cannot be merged: add the keys, or use a CuckooFilter');
  }

  /** Throws TypeError as `merge` does. */
  override mergeIfAbsent(): never {
    return this.merge();
  }
}

function scalableCore(): ScalableCore {
  return core() as unknown as ScalableCore;
}

/** What the constructor of CuckooFilter takes; `onGrow`, if it is a function, is told by another way. */
function optionsOfFirst(options: ScalableCuckooFilterOptions): CuckooFilterOptions {
  const { addressing, onGrow } = (options ?? {}) as Partial<CuckooFilterOptions>;
  if (addressing === 'reflect')
    throw new RangeError(ruleMessage('addressing', "'xor' or left out", addressing));
  return typeof onGrow === 'function' ? { ...options, onGrow: undefined } : (options as CuckooFilterOptions);
}

function statsOfLayer(address: Address, layer: number): LayerStats {
  scalableCore().describeLayer(address, layer);
  const sizes = describedSizes();
  const [size = 0, loadFactor = 0, falsePositiveRate = 0] = exchange().numbers.subarray(15);
  const { bucketCount, byteLength } = sizes;
  const stats = readStats(address, sizes, { size, loadFactor }, layer);
  return Object.freeze({ ...stats, bucketCount, byteLength, falsePositiveRate });
}

/** The filter saved in `bytes`, layer by layer. Throws as `ScalableCuckooFilter.deserialize` does. */
function loadLayers(bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null): Address {
  const { chainHeaderBytes, headerBytes, trailerBytes } = scalableCore();
  const { length } = bytes; // Once: another thread may grow a shared buffer meanwhile.
  let at = 0;
  /** Puts the next bytes into the exchange, but none of the last ones; returns how many. */
  const give = (count: number): number => {
    const part = bytes.subarray(at, Math.min(at + count, length));
    exchange().bytes.set(part);
    at += part.length;
    return part.length;
  };
  const must = <T>(result: T): T => {
    if (!result) throw formatError(core().lastError(), length);
    return result;
  };
  must(scalableCore().beginLoad(give(chainHeaderBytes), length, maxBytes, giveSecret(secret)));
  while (scalableCore().hasMoreLayers() !== 0) {
    const tableBytes = must(scalableCore().beginLayer(give(headerBytes))) - 1;
    memoryAt(scalableCore().tableOfLayer(), tableBytes).set(bytes.subarray(at, at + tableBytes));
    at += tableBytes;
    give(trailerBytes);
    must(scalableCore().finish_layer());
  }
  at = length - trailerBytes;
  give(trailerBytes);
  return must(scalableCore().finish_load());
}

/** The methods that may double a table, or begin or end a layer. */
const CHANGING = [
  'add',
  'tryAdd',
  'addIfAbsent',
  'addMany',
  'addManyIfAbsent',
  'delete',
  'deleteMany',
  'clear',
] as const;

/** Lays over `filter` that `onGrow` is called after each call that doubled a table or began a layer. */
function tellLayers(filter: ScalableCuckooFilter, onGrow: (event: LayerGrowEvent) => void): void {
  const changes = (): number => scalableCore().changes(addressOf(filter));
  let known = changes();
  /** Doublings of each layer that were told. */
  const told = [0];
  const tell = (): void => {
    const now = changes();
    if (now === known) return;
    const { layers } = filter.stats();
    told.length = Math.min(told.length, layers.length);
    for (const [layer, { growths, bucketCount }] of layers.entries()) {
      if (layer === told.length) {
        told.push(0);
        const newBucketCount = growths[0]?.oldBucketCount ?? bucketCount;
        onGrow(Object.freeze({ layer, oldBucketCount: 0, newBucketCount, size: 0, pause: 0 }));
      }
      for (const event of growths.slice(told[layer])) {
        told[layer] = (told[layer] ?? 0) + 1;
        onGrow(Object.freeze({ ...event, layer }));
      }
    }
    known = now;
  };
  runAfter(filter, CHANGING, tell);
}
