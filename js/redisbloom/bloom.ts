// The class RedisBloomFilter: the cuckoo filter of RedisBloom and Redis 8, outside the server.
// Invariant: the same calls give the same answers and the same dump as on the server; where the server would lose a
// key, this class throws.
import { argumentError, check, FilterFullError, OutOfMemoryError, requiredError } from '../src/errors.js';
import { readOptions } from '../src/options/read.js';
import { integer } from '../src/options/rules.js';
import { viewOf } from '../src/reader/arguments.js';
import { bytesOf, hashKey } from '../src/reader/key.js';
import { readDump, writeDump, type Dumped, type DumpChunk } from './dump.js';
import { BloomTables, emptyTable, printOf, type Print } from './tables.js';
import { murmur64a } from './murmur64a.js';

/** What `CF.INFO` returns, under the server's names. */
export interface RedisBloomInfo {
  /** Of the first sub-filter. */
  readonly 'Number of buckets': number;
  readonly 'Number of filters': number;
  /** Stored now. */
  readonly 'Number of items inserted': number;
  /** Since the last compaction. */
  readonly 'Number of items deleted': number;
  readonly 'Bucket size': number;
  readonly 'Expansion rate': number;
  readonly 'Max iterations': number;
}

/** The sizes of a new filter, as for `CF.RESERVE`. */
export interface RedisBloomOptions {
  /**
   * Slots of the first sub-filter: an integer, at least twice `bucketSize`. The number of buckets is rounded up to a
   * power of two.
   */
  readonly capacity: number;
  /** Fingerprints per bucket, 1 to 255. Default 2. */
  readonly bucketSize?: number | undefined;
  /** The maximum number of kicks per insert, 1 to 65,535. Default 20. */
  readonly maxIterations?: number | undefined;
  /**
   * How many times as large each further sub-filter is: a power of two up to 32,768, or 0 for no further ones. Default
   * 1.
   */
  readonly expansion?: number | undefined;
}

const OPTIONS = {
  capacity: /* @__PURE__ */ integer(1, 2 ** 32),
  bucketSize: /* @__PURE__ */ integer(1, 255),
  maxIterations: /* @__PURE__ */ integer(1, 65_535),
  expansion: {
    rule: '0 or a power of two up to 32768',
    types: ['number'],
    allows: (factor: number) =>
      factor === 0 || (factor >= 1 && factor <= 32_768 && Number.isInteger(Math.log2(factor))),
  },
};

/**
 * A cuckoo filter of RedisBloom or Redis 8, as `CF.SCANDUMP` returns it and `CF.LOADCHUNK` accepts it. It is plain
 * JavaScript and loads no WebAssembly. Its false positive rate is that of the server's filters: with buckets of two, up
 * to 1.6 % per sub-filter.
 *
 * @example
 * const filter = RedisBloomFilter.load(chunks); // pairs [iterator, data] from CF.SCANDUMP
 * filter.exists('alice');
 * filter.add('bob');
 * for (const [iterator, data] of filter.dump()) await send(['CF.LOADCHUNK', 'copy', `${iterator}`, data]);
 */
export class RedisBloomFilter {
  /** @internal */
  static readonly name: string = 'RedisBloomFilter';
  /** @internal */
  get [Symbol.toStringTag](): string {
    return 'RedisBloomFilter';
  }

  readonly #tables: BloomTables;
  #items: number;
  #deletes: number;

  private constructor(dumped: Dumped) {
    if (!((dumped as Partial<Dumped> | undefined)?.tables instanceof BloomTables))
      throw argumentError(
        'create a filter with RedisBloomFilter.reserve(options) or RedisBloomFilter.load(chunks)',
      );
    const { tables, items, deletes } = dumped;
    this.#tables = tables;
    this.#items = items;
    this.#deletes = deletes;
  }

  /**
   * The filter that `CF.SCANDUMP` returned as `chunks`, each with its iterator. The header must come first; the others
   * may come in any order. Throws FormatError if a chunk is damaged or missing, if the header counts more items than
   * there are, or if the expansion is not a power of two. Takes time linear in their length.
   */
  static load(chunks: Iterable<readonly [iterator: number | bigint, data: Uint8Array]>): RedisBloomFilter {
    return new RedisBloomFilter(readDump(chunks));
  }

  /** An empty filter. Throws TypeError and RangeError for options, OutOfMemoryError if there is not enough memory. */
  static reserve(options: RedisBloomOptions): RedisBloomFilter {
    const given = readOptions<RedisBloomOptions>(options, OPTIONS);
    const { capacity, bucketSize = 2, maxIterations = 20, expansion = 1 } = given;
    if ((capacity as unknown) === undefined) throw requiredError('capacity', OPTIONS.capacity.rule);
    const least = 2 * bucketSize;
    check('capacity', `at least twice bucketSize (${least})`, capacity, true, capacity >= least);
    const bucketCount = 2 ** Math.ceil(Math.log2(Math.floor(capacity / bucketSize)));
    const bytes = bucketCount * bucketSize;
    const table = emptyTable(bytes);
    if (table === undefined)
      throw new OutOfMemoryError(
        `the filter is too large for memory (${bytes} bytes): reserve a smaller capacity`,
      );
    const parameters = { bucketCount, bucketSize, maxIterations, expansion };
    return new RedisBloomFilter({ tables: new BloomTables(parameters, [table]), items: 0, deletes: 0 });
  }

  /** `CF.EXISTS`. `false` is certain; `true` means maybe. */
  exists(key: string | Uint8Array): boolean {
    return this.#tables.has(print(key));
  }

  /** `CF.COUNT`: copies of the key. As on the server, a copy counts twice if both of its buckets are the same. */
  count(key: string | Uint8Array): number {
    return this.#tables.count(print(key));
  }

  /**
   * `CF.ADD`: stores a copy, and returns true. Throws FilterFullError, with nothing changed, whenever the server would
   * answer that the filter is full: if there is no room and no sub-filter can be added (expansion 0, or no memory), or
   * if there are 32 sub-filters, even with room.
   */
  add(key: string | Uint8Array): boolean {
    return this.#add(print(key), key);
  }

  /** `CF.ADDNX`: adds the key unless it already seems present; then it returns false. */
  addNX(key: string | Uint8Array): boolean {
    const printed = print(key);
    return !this.#tables.has(printed) && this.#add(printed, key);
  }

  /**
   * `CF.DEL`: removes one copy; false if there is none. Delete only what was added: otherwise another key may be lost.
   * If there are several sub-filters, and more than a tenth of the entries have been deleted, it moves entries to older
   * sub-filters, which takes time linear in the size of the filter.
   */
  delete(key: string | Uint8Array): boolean {
    if (!this.#tables.remove(print(key))) return false;
    this.#items = Math.max(0, this.#items - 1); // A dump taken while others added keys counts too few.
    ++this.#deletes;
    if (this.#tables.tables.length > 1 && this.#deletes > this.#items / 10) {
      this.#tables.compact();
      this.#deletes = 0;
    }
    return true;
  }

  /**
   * The chunks for `CF.LOADCHUNK`, in order, as the server's `CF.SCANDUMP` returns them. For an empty filter, the
   * server returns none, and so loses its sizes; here the sizes are dumped as well.
   */
  dump(): DumpChunk[] {
    return writeDump({ tables: this.#tables, items: this.#items, deletes: this.#deletes });
  }

  /** What `CF.INFO` returns, without `Size`, which is the server's memory. */
  info(): RedisBloomInfo {
    const { parameters, tables } = this.#tables;
    return {
      'Number of buckets': parameters.bucketCount,
      'Number of filters': tables.length,
      'Number of items inserted': this.#items,
      'Number of items deleted': this.#deletes,
      'Bucket size': parameters.bucketSize,
      'Expansion rate': parameters.expansion,
      'Max iterations': parameters.maxIterations,
    };
  }

  #add(printed: Print, key: string | Uint8Array): boolean {
    if (!this.#tables.insert(printed)) {
      const shown =
        typeof key === 'string' ? JSON.stringify(key.slice(0, 40)) : `a key of ${key.length} bytes`;
      const advice = 'reserve a larger capacity, or an expansion of at least 1';
      throw new FilterFullError(`the filter is full; ${shown} does not fit: ${advice}`, 'full', 0);
    }
    ++this.#items;
    return true;
  }
}

function print(key: unknown): Print {
  const isKey = typeof key === 'string' || viewOf(key) !== undefined;
  check('a key', 'a string or bytes (Redis has no numbers: pass String(number))', key, isKey);
  return printOf(hashKey(murmur64a, key as string | Uint8Array, bytesOf));
}
