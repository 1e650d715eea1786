// The class ScalableCuckooFilter: a filter of layers, for as many keys as its hashes can tell apart.
// This file has only what differs from other filters because there are layers.
import type { FilterCalls } from '../engine/bindings.js';
import type { Growth, Handle } from '../engine/handle.js';
import { loaded, loadError } from '../engine/saved.js';
import { SCALABLE } from '../engine/parts/scalable.js';
import { putSecret, resultsOf } from '../engine/scratch.js';
import type { LoadRequest } from '../engine/format-errors.js';
import { ruleError } from '../errors.js';
import type { AsyncKeys } from '../keys/chunks.js';
import { SIGNAL, type AsyncOptions } from '../keys/signals.js';
import type { Key, KeyKind } from '../keys/key.js';
import type { Keys } from '../keys/keys.js';
import { loadRequestOf } from '../options/loading.js';
import {
  filterOptionsOf,
  type CuckooFilterOptions,
  type FilterPlan,
  type FromOptions,
  type GrowEvent,
  type LoadOptions,
} from '../options/options.js';
import { planFor, readSizes } from '../options/planning.js';
import type { Rules } from '../options/rules.js';
import { withJson } from '../options/with-json.js';
import { handleIn, make } from './filter.js';
import { filled, filledAsync } from './from-keys.js';
import { reportEach } from './growth.js';
import { build } from './make.js';
import { countedStats, type CuckooFilterStats } from './stats.js';
import { TableFilter } from './table-filter.js';

/** The options of a scalable filter: those of a CuckooFilter, except that the addressing is always `xor`. */
export interface ScalableCuckooFilterOptions extends Omit<CuckooFilterOptions, 'addressing' | 'onGrow'> {
  /**
   * Number of different keys that must fit into the first table; each further copy takes a slot, too. The table may
   * have room for up to twice as many.
   */
  readonly capacity: number;
  /**
   * The number of keys up to which the first layer doubles in place. Each further layer takes `maxCapacity / capacity`
   * times as many keys as the one before. If it equals `capacity`, no table doubles, so no call has to move a table,
   * but there are many layers. Default: 16 times `capacity`, or less with fingerprints of more than 28 bits.
   */
  readonly maxCapacity?: number | undefined;
  /** The probability, at any size, that an absent key is reported present: > 0 and < 1. Default 0.001. */
  readonly falsePositiveRate?: number | undefined;
  /** Number of buckets of the first table: a power of two. Default: planned from the capacity. */
  readonly bucketCount?: number | undefined;
  /** Called once for each doubling of a table and for each new layer, at the end of the call that began it. */
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
  /** The expected probability, at its size, that this layer reports an absent key present. */
  readonly expectedFalsePositiveRate: number;
}

/** Counts of all current layers. When a layer is merged into an older one, its counts are lost. */
export interface ScalableCuckooFilterStats extends CuckooFilterStats {
  readonly growths: readonly LayerGrowEvent[];
  /** The counts of each layer, oldest first. */
  readonly layers: readonly LayerStats[];
}

/**
 * A cuckoo filter for an unknown number of keys. Its table doubles in place up to `maxCapacity` keys; then the filter
 * adds a layer, another such table. A lookup reads two buckets per layer, and the rate asked for holds at every size.
 * It cannot be merged.
 *
 * `totalCapacity` is the number of keys that fit: about 10^9 by default.
 *
 * @example
 * const seen = new ScalableCuckooFilter({ capacity: 1000 });
 * for (let i = 0; i < 1_000_000; ++i) seen.add(i);
 * seen.layers; // 3
 * seen.expectedFalsePositiveRate; // below 0.001
 */
export class ScalableCuckooFilter<K extends Key = Key> extends TableFilter<ScalableCuckooFilter<K>, K> {
  /** @internal */
  static override readonly name: string = 'ScalableCuckooFilter';

  /**
   * An empty filter. Throws TypeError if `options` are not a plain object, or if an option is unknown or has the wrong type;
   * RangeError if an option is out of range; and OutOfMemoryError.
   */
  constructor(options: ScalableCuckooFilterOptions) {
    super(beginLayers(layerOptionsOf(options)), ScalableCuckooFilter);
  }

  /** A filter that holds `keys`. `capacity` defaults to the number of keys. Throws as `CuckooFilter.from` does. */
  static from<K extends Key>(
    keys: Keys<K>,
    options: FromOptions<ScalableCuckooFilterOptions> = {},
  ): ScalableCuckooFilter<KeyKind<K>> {
    return filled(keys, layerOptionsOf(options), ScalableCuckooFilter);
  }

  /** A filter that holds keys that arrive over time: see `CuckooFilter.fromAsync`. */
  static async fromAsync<K extends Key>(
    keys: AsyncKeys<K>,
    options: FromOptions<ScalableCuckooFilterOptions> & AsyncOptions = {},
  ): Promise<ScalableCuckooFilter<KeyKind<K>>> {
    return filledAsync(keys, layerOptionsOf(options, SIGNAL), ScalableCuckooFilter);
  }

  /**
   * The sizes that the constructor would choose for the first layer, as `CuckooFilter.plan` gives them, and `totalCapacity`.
   * Throws as the constructor does.
   */
  static plan(options: ScalableCuckooFilterOptions): ScalableCuckooFilterPlan {
    const read = layerOptionsOf(options) as Options;
    const plan = planFor(SCALABLE, read);
    const { maxCapacity = plan.maxCapacity } = read;
    return withJson({ ...plan, maxCapacity, totalCapacity: SCALABLE.bindings.layers.plannedCapacity() });
  }

  /**
   * Loads a filter that `serialize` saved. Throws as `CuckooFilter.deserialize` does. `options.maxBytes` limits the
   * tables of all layers together.
   */
  static deserialize<K extends Key = Key>(
    bytes: ArrayBufferView | ArrayBufferLike,
    options: LoadOptions = {},
  ): ScalableCuckooFilter<K> {
    return make<ScalableCuckooFilter<K>>(ScalableCuckooFilter, loadLayers(loadRequestOf(bytes, options)));
  }

  /**
   * Number of entries up to which the first layer grows (the option `maxCapacity`). Without that option, and after
   * loading, it is the number that the grown layer has room for.
   */
  override get maxCapacity(): number {
    const handle = handleIn(SCALABLE, this);
    if (handle.maxCapacity !== undefined) return handle.maxCapacity;
    handle.invoke(SCALABLE.bindings.layers.describe, 0);
    return readSizes(SCALABLE).maxCapacity;
  }
  /** Number of entries that fit once every possible layer is added. */
  get totalCapacity(): number {
    return super.maxCapacity;
  }
  /** Number of layers. */
  get layers(): number {
    return handleIn(SCALABLE, this).invoke(SCALABLE.bindings.layers.count);
  }

  /** Counts since the filter was made, loaded or cloned: totals, and layer by layer. */
  override stats(): ScalableCuckooFilterStats {
    const layers = statsOfLayers(handleIn(SCALABLE, this));
    const { size, currentCapacity, loadFactor } = this;
    const sum = (of: (stats: LayerStats) => number): number =>
      layers.reduce((all, stats) => all + of(stats), 0);
    return Object.freeze({
      size,
      currentCapacity,
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
}

/** The sizes of the first layer. */
export interface ScalableCuckooFilterPlan extends FilterPlan<ScalableCuckooFilterOptions> {
  /** Number of entries that fit once every possible layer is added. */
  readonly totalCapacity: number;
}

/** The same options, as the type that planning takes. */
type Options = CuckooFilterOptions & { readonly addressing?: 'xor'; readonly onGrow?: never };

/** The options as they were given, each read once, and `more`. */
function layerOptionsOf(given: unknown, more?: Rules): ScalableCuckooFilterOptions {
  const options = filterOptionsOf(given, more);
  if (options.addressing === 'reflect')
    throw ruleError('addressing', "'xor' or left out", options.addressing, RangeError);
  return options;
}

function beginLayers(options: ScalableCuckooFilterOptions): Handle<FilterCalls> {
  const handle = build(SCALABLE, options as Options);
  if (options.onGrow !== undefined) handle.growth = new LayerGrowth(handle, options.onGrow);
  return handle;
}

function statsOfLayers(handle: Handle): LayerStats[] {
  const { layers, layer: layout } = SCALABLE.bindings;
  return Array.from({ length: handle.invoke(layers.count) }, (_, layer) => {
    handle.invoke(layers.describe, layer);
    const { bucketCount, byteLength, currentCapacity } = readSizes(SCALABLE);
    const { size, loadFactor, falsePositiveRate } = resultsOf(SCALABLE.scratch, layout);
    handle.invoke(layers.readCounts, layer);
    const stats = countedStats(SCALABLE, { currentCapacity, size, loadFactor });
    return Object.freeze({
      ...stats,
      bucketCount,
      byteLength,
      expectedFalsePositiveRate: falsePositiveRate,
    });
  });
}

/** The filter saved in `bytes`, layer by layer. Throws as `ScalableCuckooFilter.deserialize` does. */
function loadLayers(saved: LoadRequest): Handle {
  const { format, layers } = SCALABLE.bindings;
  const { headerBytes, trailerBytes } = format;
  const { bytes, maxBytes, secret } = saved;
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
    if (!result) throw loadError(SCALABLE, saved);
    return result;
  };
  must(layers.beginLoad(give(layers.headerBytes), length, maxBytes, putSecret(SCALABLE.scratch, secret)));
  while (layers.hasMore() !== 0) {
    const tableBytes = must(layers.begin(give(headerBytes))) - 1;
    SCALABLE.memoryAt(layers.table(), tableBytes).set(bytes.subarray(at, at + tableBytes));
    at += tableBytes;
    give(trailerBytes);
    must(layers.finish());
  }
  at = length - trailerBytes;
  give(trailerBytes);
  return loaded(SCALABLE, saved);
}

/** Reports the doublings of every layer, and each new layer. */
class LayerGrowth implements Growth {
  #known: number;
  /** Doublings of each layer that were reported. */
  readonly #reported = [0];
  readonly #pending: LayerGrowEvent[] = [];

  constructor(
    readonly handle: Handle<FilterCalls>,
    readonly onGrow: (event: LayerGrowEvent) => void,
  ) {
    this.#known = handle.invoke(SCALABLE.bindings.layers.changes);
  }

  report(): void {
    if (this.handle.isDisposed) return;
    const now = this.handle.invoke(SCALABLE.bindings.layers.changes);
    if (now === this.#known && this.#pending.length === 0) return;
    this.#known = now;
    const layers = statsOfLayers(this.handle);
    const reported = this.#reported;
    reported.length = Math.min(reported.length, layers.length);
    for (const [layer, { growths, growthCount, bucketCount }] of layers.entries()) {
      if (layer === reported.length) {
        reported.push(0);
        const newBucketCount = growths[0]?.oldBucketCount ?? bucketCount;
        this.#pending.push(Object.freeze({ layer, oldBucketCount: 0, newBucketCount, size: 0, pause: 0 }));
      }
      for (const event of growths.slice(growths.length - growthCount + (reported[layer] ?? 0)))
        this.#pending.push(Object.freeze({ ...event, layer }));
      reported[layer] = growthCount;
    }
    reportEach(() => this.#pending.shift(), this.onGrow);
  }
}
