// The class ScalableCuckooFilter: a filter of layers, for any number of keys that its hashes can tell apart.
// Invariant: its methods are those of CuckooFilter. This file has only what differs because there are layers.
import { ruleError } from '../errors.js';
import { audit } from '../observe/audit.js';
import { runAfter } from '../observe/growth.js';
import { methodsWith } from '../observe/methods.js';
import { countedStats, type CuckooFilterStats, type GrowEvent } from '../observe/stats.js';
import { optionsOf, type CuckooFilterOptions } from '../options.js';
import { describedSizes, plan } from '../planning.js';
import { SCALABLE } from '../wasm/layers.js';
import type { Keys } from '../wasm/keys.js';
import type { Address } from '../wasm/bindings.js';
import type { Handle } from '../wasm/owned.js';
import { build, checkedForm, giveSecret, loaded, loadError, type LoadLimits } from '../wasm/saved.js';
import { BaseFilter } from './base.js';
import type { AsyncKeys } from './chunks.js';
import { filled, filledAsync } from './filled.js';
import { Handover } from './handover.js';
import { explainedPlan, type CuckooFilterPlan } from './plan.js';
import { adopt, handleOf } from './sized.js';

const CANNOT_MERGE =
  'a ScalableCuckooFilter cannot be merged: add the keys, or use a CuckooFilter with maxCapacity';

/** The options of a scalable filter: those of a CuckooFilter, except that the addressing is always `xor`. */
export interface ScalableCuckooFilterOptions extends Omit<CuckooFilterOptions, 'addressing' | 'onGrow'> {
  /**
   * Number of entries that must fit in the first table; a key added twice takes two. The table may have room for up to twice
   * as many.
   */
  readonly capacity: number;
  /**
   * For the first layer only: the number of keys up to which it doubles in place. The filter's property of the same name is
   * about all layers. Each further layer takes `maxCapacity / capacity`
   * times as many keys as the layer before. If it is the same as `capacity`, no table ever doubles. That keeps every call
   * short, but each layer takes only twice as many keys as the one before, so there are many layers. Default: 16 times
   * `capacity`, or less if fingerprints are longer than 28 bits.
   */
  readonly maxCapacity?: number | undefined;
  /** The probability, at any size, that an absent key is reported present: > 0 and < 1. Default 0.001. */
  readonly falsePositiveRate?: number | undefined;
  /** Number of buckets of the first table: a power of two. Default: planned from the capacity. */
  readonly bucketCount?: number | undefined;
  /** Called after a call that doubled a table or added a layer, once for each. */
  readonly onGrow?: ((event: LayerGrowEvent) => void) | undefined;
}

/** A table that doubled, or a layer that was added. For a new layer, `oldBucketCount`, `size` and `pause` are 0. */
export interface LayerGrowEvent extends GrowEvent {
  /** Number of the layer, from 0. */
  readonly layer: number;
}

/** Counts of one layer, its sizes, and its false positive rate. */
export interface LayerStats extends CuckooFilterStats {
  /** Number of buckets of the layer. */
  readonly bucketCount: number;
  /** Bytes of its table. */
  readonly byteLength: number;
  /** The probability that this layer reports an absent key present, as expected at its size. */
  readonly falsePositiveRate: number;
}

/** Counts of all current layers. When a layer is merged into an older one, its counts are lost. */
export interface ScalableCuckooFilterStats extends CuckooFilterStats {
  readonly growths: readonly LayerGrowEvent[];
  /** The counts of each layer, oldest first. */
  readonly layers: readonly LayerStats[];
}

/**
 * A cuckoo filter for an unknown number of keys. It has all methods of CuckooFilter except `merge` and `mergeIfAbsent`.
 * Its table doubles in place up to `maxCapacity`. Then it adds a layer, another table that doubles in place, and so on.
 * The rate asked for holds at every size, every key is found until it is deleted, and deletes give memory back: layers that
 * they have emptied are merged into older ones, and the table of the newest layer is halved.
 *
 * A lookup reads two buckets per layer. There is one layer up to `maxCapacity`, and one more each time the number of keys
 * has grown 16-fold, or by the ratio of `maxCapacity` to `capacity`. The filter takes keys until memory or the bits of the
 * hashes are used up. The property `maxCapacity` of a filter tells the latter: about 10^9 keys by default, and far less if
 * fingerprints are long or the option `maxCapacity` is not much larger than `capacity`.
 *
 * Sizes (`capacity`, `bucketCount`, `byteLength`, `loadFactor`) are totals over all layers.
 *
 * @example
 * const seen = new ScalableCuckooFilter({ capacity: 1000 });
 * for (let i = 0; i < 1_000_000; ++i) seen.add(i);
 * seen.layers; // 3
 * seen.falsePositiveRate; // below 0.001
 */
export class ScalableCuckooFilter extends BaseFilter {
  /** @internal */
  static override readonly name: string = 'ScalableCuckooFilter';

  /**
   * An empty filter. Throws TypeError if `options` are not a plain object, or if an option is unknown or has the wrong type;
   * RangeError if an option is out of range or memory is refused. To subclass, see CuckooFilter.
   */
  constructor(options: ScalableCuckooFilterOptions) {
    super(options, beginLayers);
  }

  /** A filter that holds `keys`. `capacity` defaults to the number of keys. Throws as `CuckooFilter.from` does. */
  static from(keys: Keys, options: Partial<ScalableCuckooFilterOptions> = {}): ScalableCuckooFilter {
    return filled(this, beginLayers, keys, options);
  }

  /** A filter that holds keys that arrive over time: see `CuckooFilter.fromAsync`. */
  static fromAsync(
    keys: AsyncKeys,
    options: Partial<ScalableCuckooFilterOptions> = {},
  ): Promise<ScalableCuckooFilter> {
    return filledAsync(this, beginLayers, keys, options);
  }

  /**
   * The sizes that the constructor would choose for the first layer, as `CuckooFilter.plan` gives them, except that
   * `maxCapacity` is that of all layers. Throws as the constructor does.
   */
  static plan(options: ScalableCuckooFilterOptions): CuckooFilterPlan {
    const read = layerOptionsOf(options);
    const explained = explainedPlan(SCALABLE, read);
    plan(SCALABLE, read);
    return Object.freeze({ ...explained, maxCapacity: SCALABLE.bindings.layers.plannedCapacity() });
  }

  /**
   * The filter that `serialize` saved. Throws as `CuckooFilter.deserialize` does; `limits.maxBytes` bounds the tables of all
   * layers together.
   */
  static deserialize(bytes: Uint8Array | ArrayBuffer, limits: LoadLimits = {}): ScalableCuckooFilter {
    return adopt(this, new Handover(loadLayers(...checkedForm(bytes, limits))));
  }

  /** Number of layers. */
  get layers(): number {
    return SCALABLE.bindings.layers.count(handleOf(this).address);
  }

  /** Counts since the filter was made, loaded or cloned: totals, and layer by layer. */
  override stats(): ScalableCuckooFilterStats {
    const { address } = handleOf(this);
    const { size, capacity, loadFactor } = this;
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
      growthCount: sum(({ growthCount }) => growthCount),
      growths: Object.freeze(
        layers.flatMap(({ growths }, layer) => growths.map((event) => Object.freeze({ ...event, layer }))),
      ),
      layers: Object.freeze(layers),
    });
  }

  /** Throws TypeError, for programs without types: scalable filters cannot be merged. @internal */
  merge(): never {
    handleOf(this);
    throw new TypeError(CANNOT_MERGE);
  }

  /** @internal */
  mergeIfAbsent(): never {
    handleOf(this);
    throw new TypeError(CANNOT_MERGE);
  }
}

/** The options as they were given, each read once. */
function layerOptionsOf(given: unknown): CuckooFilterOptions {
  const options = optionsOf(given);
  if (options.addressing === 'reflect')
    throw ruleError('addressing', "'xor' or left out", options.addressing, RangeError);
  return options;
}

/** A new filter, of options as a caller gave them. */
function beginLayers(given: unknown): Handover {
  const options = layerOptionsOf(given);
  return new Handover(build(SCALABLE, options), (filter: ScalableCuckooFilter) => {
    if (options.audit === true) audit(filter, handleOf);
    if (options.onGrow !== undefined) tellLayers(filter, options.onGrow as (event: LayerGrowEvent) => void);
  });
}

function statsOfLayer(address: Address, layer: number): LayerStats {
  const { layers, layer: layout } = SCALABLE.bindings;
  layers.describe(address, layer);
  const { bucketCount, byteLength, capacity } = describedSizes(SCALABLE);
  const { size, loadFactor, falsePositiveRate } = SCALABLE.results(layout);
  layers.readCounts(address, layer);
  const stats = countedStats(SCALABLE, { capacity, size, loadFactor });
  return Object.freeze({ ...stats, bucketCount, byteLength, falsePositiveRate });
}

/** The filter saved in `bytes`, layer by layer. Throws as `ScalableCuckooFilter.deserialize` does. */
function loadLayers(bytes: Uint8Array, maxBytes: number, secret: Uint8Array | null): Handle {
  const { filter, format, layers } = SCALABLE.bindings;
  const { headerBytes, trailerBytes } = format;
  const { length } = bytes; // Once: another thread may grow a shared buffer meanwhile.
  let at = 0;
  /** Puts the next bytes into the scratch buffer, but none of the last ones; returns how many. */
  const give = (count: number): number => {
    const part = bytes.subarray(at, Math.min(at + count, length));
    SCALABLE.scratch.bytes.set(part);
    at += part.length;
    return part.length;
  };
  const must = <T>(result: T): T => {
    if (!result) throw loadError(SCALABLE, bytes, maxBytes, secret);
    return result;
  };
  must(layers.beginLoad(give(layers.headerBytes), length, maxBytes, giveSecret(SCALABLE, secret)));
  while (layers.hasMore() !== 0) {
    const tableBytes = must(layers.begin(give(headerBytes))) - 1;
    SCALABLE.memoryAt(layers.table(), tableBytes).set(bytes.subarray(at, at + tableBytes));
    at += tableBytes;
    give(trailerBytes);
    must(layers.finish());
  }
  at = length - trailerBytes;
  give(trailerBytes);
  return loaded(SCALABLE, filter.finishLoad(), bytes, maxBytes, secret);
}

/** Lays over `filter` that `onGrow` is called after each call that doubled a table or began a layer. */
function tellLayers(filter: ScalableCuckooFilter, onGrow: (event: LayerGrowEvent) => void): void {
  const changes = (): number => SCALABLE.bindings.layers.changes(handleOf(filter).address);
  let known = changes();
  /** Doublings of each layer that were told. */
  const told = [0];
  const tell = (): void => {
    const now = changes();
    if (now === known) return;
    const { layers } = filter.stats();
    told.length = Math.min(told.length, layers.length);
    for (const [layer, { growths, growthCount, bucketCount }] of layers.entries()) {
      if (layer === told.length) {
        told.push(0);
        const newBucketCount = growths[0]?.oldBucketCount ?? bucketCount;
        onGrow(Object.freeze({ layer, oldBucketCount: 0, newBucketCount, size: 0, pause: 0 }));
      }
      for (const event of growths.slice(growths.length - growthCount + (told[layer] ?? 0))) {
        told[layer] = (told[layer] ?? 0) + 1;
        onGrow(Object.freeze({ ...event, layer }));
      }
    }
    known = now;
  };
  runAfter(filter, methodsWith('layer'), tell);
}
