// What CuckooValues and CuckooCounter have in common: filters whose entries hold a number of some bits.
// Invariant: numbers are checked before a key is written, and those of a batch before anything is changed.
import { argumentError, check, counted, FIELDS, requiredError, ruleError } from '../errors.js';
import { readOptions } from '../options/read.js';
import type { Kind } from '../class-names.js';
import type { CuckooFilterOptions, FilterPlan } from '../options/options.js';
import { checkOption, GROWING_OPTIONS, integer, type Rule } from '../options/rules.js';
import {
  withNamedBits,
  planFor,
  sizesOfPlan,
  canPlan,
  type Planner,
  type PlanOptions,
} from '../options/planning.js';
import type { BindingsOf, ValuedCalls } from '../engine/bindings.js';
import type { Instance } from '../engine/instance.js';
import type { Key } from '../keys/key.js';
import { checkKeys, hasLength, isPacked, type Keys } from '../keys/keys.js';
import { hashMany } from '../keys/hashing.js';
import type { Handle } from '../engine/handle.js';
import type { Thrown } from '../keys/thrown.js';
import { bitsOf } from '../engine/parts/valued.js';
import { putNumbers } from '../engine/scratch.js';
import { endInserts } from './full-error.js';
import { Filter, handleOf } from './filter.js';
import { gathered } from './from-keys.js';
import { build, reportGrowth } from './make.js';
import { mergeInto } from './merge.js';

/** Numbers for the keys of a batch: an array with one for each key, or one number for all. */
export type NumberPerKey = number | ArrayLike<number>;

/** The options that CuckooValues and CuckooCounter share. */
type ValuedOptions = Omit<CuckooFilterOptions, 'maxPause'>;

/** Only its type is exported, so make a CuckooValues or a CuckooCounter. */
export abstract class ValuedFilter<Self = unknown, K extends Key = Key> extends Filter<Self, K> {
  /**
   * Adds every entry of `other`; values or copies add up, and keys are not needed. Make both with the same options, and
   * a capacity for all keys together. All or nothing. Throws FilterFullError if an entry does not fit, RangeError if
   * the filters differ in sizes, addressing, seed or hash, and OutOfMemoryError.
   */
  merge(other: Self): this {
    return mergeInto<this, ValuedCalls>(
      this,
      other,
      (handle, from) => handle.invokeBoth(handle.calls.merge, from),
      (handle) => ({ [bitsName(handle.instance.kind)]: bitsOf(handle) }),
    );
  }
}

function bitsName(kind: Kind): 'valueBits' | 'counterBits' {
  return kind === 'CuckooCounter' ? 'counterBits' : 'valueBits';
}

/** The option of a class that others do not have: the bits of its numbers. */
export interface ValuedRules {
  readonly valueBits?: Rule;
  readonly counterBits?: Rule;
}

/** `given` as read and checked, with its bits; `usual` is their default. */
function valuedOptionsOf(instance: Planner, given: unknown, rules: ValuedRules, usual?: number): PlanOptions {
  const name = bitsName(instance.kind);
  const { [name]: bits = usual, ...rest } = readOptions<ValuedOptions & { [Name in typeof name]?: unknown }>(
    given,
    { ...GROWING_OPTIONS, ...rules },
    'options',
    `{ capacity: 1000, ${name}: 8 }`,
  );
  if (bits === undefined) throw requiredError(name, (rules[name] as Rule).rule);
  const valueBits = bits as number;
  const read = { ...rest, valueBits };
  const planned = canPlan(instance, read) ? sizesOfPlan(instance) : undefined;
  if (rest.fingerprintBits === undefined && rest.falsePositiveRate === undefined) {
    // If the default rate needs a nearly empty table, or is impossible, take the lowest rate of a full table.
    const longest = { bucketSize: 4, ...read, fingerprintBits: 32 - valueBits };
    const isFrugal =
      planned !== undefined &&
      !(canPlan(instance, longest) && planned.maxByteLength > 2 * sizesOfPlan(instance).maxByteLength);
    return isFrugal ? read : longest;
  }
  if (planned !== undefined) return read;
  const { fingerprintBits = 0, falsePositiveRate } = rest;
  const field = FIELDS[instance.bindings.failure.field()];
  if (field === 'falsePositiveRate')
    throw argumentError(
      `falsePositiveRate ${falsePositiveRate} is too low for ${name} ${valueBits}. Raise it, or lower ${name}`,
      RangeError,
    );
  if (field === 'fingerprintBits' && fingerprintBits > 32 - valueBits)
    throw ruleError(
      field,
      `at most ${32 - valueBits}, because a fingerprint and its ${valueBits} ${name} share 32 bits`,
      fingerprintBits,
      RangeError,
    );
  return read;
}

/** A new filter in the memory of `instance`, of options as a caller gave them. */
export function beginValued<Calls extends ValuedCalls>(
  instance: Instance<BindingsOf<Calls>>,
  given: unknown,
  rules: ValuedRules,
  usual?: number,
): Handle<Calls> {
  const options = valuedOptionsOf(instance, given, rules, usual);
  return reportGrowth(build(instance, options), options);
}

/** The sizes that the constructor would choose. Throws as that does. */
export function planValued<Options extends ValuedOptions>(
  instance: Planner,
  given: unknown,
  rules: ValuedRules,
  usual?: number,
): FilterPlan<Options> {
  return withNamedBits(
    planFor(instance, valuedOptionsOf(instance, given, rules, usual)),
    bitsName(instance.kind),
  );
}

/** `number`, checked to be whole and from `least` to `most`; `name` is what errors call it. */
export function checkNumber(name: string, number: unknown, least: number, most: number): number {
  const isRight = Number.isInteger(number) && (number as number) >= least && (number as number) <= most;
  if (!isRight)
    checkOption(name, number, {
      ...integer(least, most),
      ...(most === Infinity && { rule: 'a positive integer' }),
    });
  return number as number;
}

/**
 * The numbers for the keys of a batch, checked and copied before any key is used, because the user's code may run in
 * between. If there is one number for each key, the keys are copied too, because their count must be right before
 * anything changes.
 */
export class BatchNumbers {
  readonly keys: Keys;
  /** What the user's code threw after it had given `keys`, or their numbers. */
  readonly thrown: Thrown[] = [];
  readonly #numbers: Uint32Array | number;
  readonly #name: string;
  #used = 0;

  constructor(name: string, given: unknown, keys: Keys, least: number, most: number) {
    refuseMap(keys, `pass map.keys(), and [...map.values()] as ${name}`);
    this.keys = keys;
    this.#name = name;
    if (typeof given === 'number') {
      this.#numbers = clamped(checkNumber(name, given, least, most));
      return;
    }
    const isList =
      typeof given === 'object' &&
      given !== null &&
      typeof (given as { length?: unknown }).length === 'number';
    check(name, 'a number, or an array with one number per key', given, isList);
    checkKeys(keys);
    this.#numbers = this.#read(given as ArrayLike<unknown>, least, most);
    if (this.thrown.length > 0) {
      this.keys = gathered(keys, this.thrown, this.#numbers.length);
      return;
    }
    const tooMany = hasLength(keys) ? Infinity : this.#numbers.length + 1;
    const all = isPacked(keys) ? keys : gathered(keys, this.thrown, tooMany);
    this.keys = all;
    if (this.thrown.length > 0) return; // How many there are is unknown.
    this.#checkLength(all.length, all.length === tooMany ? ' or more' : '');
  }

  /** The numbers, or, if a getter throws, those before it. */
  #read(given: ArrayLike<unknown>, least: number, most: number): Uint32Array {
    const numbers: number[] = [];
    for (let i = 0, { length } = given; i < length; ++i) {
      let number: unknown;
      try {
        number = given[i];
      } catch (error) {
        this.thrown.push({ error });
        break;
      }
      numbers.push(clamped(checkNumber(`${this.#name}[${i}]`, number, least, most)));
    }
    return Uint32Array.from(numbers);
  }

  /** Puts the numbers of the next `count` keys into the scratch buffer. Throws RangeError if there are fewer. */
  write(handle: Handle<ValuedCalls>, count: number): void {
    const numbers = this.#numbers;
    const next = this.#used + count;
    // The `length` of PackedKeys may be anybody's.
    if (typeof numbers !== 'number' && next > numbers.length) this.#checkLength(next);
    const { scratch } = handle.instance;
    putNumbers(scratch, typeof numbers === 'number' ? numbers : numbers.subarray(this.#used, next), count);
    this.#used = next;
  }

  /** Throws RangeError if some were not used. */
  end(): void {
    this.#checkLength(this.#used);
  }

  #checkLength(keyCount: number, orMore = ''): void {
    if (typeof this.#numbers === 'number' || this.#numbers.length === keyCount) return;
    throw argumentError(
      `${this.#name} must have one number per key, got ${this.#numbers.length} for ${counted(keyCount, 'key')}${orMore}`,
      RangeError,
    );
  }
}

/** Throws TypeError, with this `advice`, if `keys` are a Map: a batch would take its entries for keys. */
export function refuseMap(keys: unknown, advice: string): void {
  if (Object.prototype.toString.call(keys) === '[object Map]')
    throw argumentError(`keys must not be a Map: ${advice}`);
}

/** The number, limited to 32 bits: that many copies fill every counter. */
export function clamped(number: number): number {
  return Math.min(number, 0xffffffff);
}

/** Where the numbers of keys come from. */
export interface NumberSource
  extends Pick<BatchNumbers, 'write'>, Partial<Pick<BatchNumbers, 'end' | 'thrown'>> {}

/** Inserts every key with its number and returns how many. Throws as `CuckooFilter.addMany` does. */
export function insertMany(filter: ValuedFilter<unknown>, keys: Keys, numbers: NumberSource): number {
  let done = 0;
  const handle = handleOf<ValuedCalls>(filter);
  const insertRun = (count: number): void => {
    numbers.write(handle, count);
    const now = handle.call('insertMany', count);
    done += now;
    endInserts(handle, now, count, done);
  };
  hashMany(handle, keys, insertRun, numbers);
  numbers.end?.();
  return done;
}

/** Erases every key with its number, or without `numbers` any, and returns how many there were. */
export function eraseMany(
  filter: ValuedFilter<unknown>,
  keys: Keys,
  numbers: BatchNumbers | undefined,
): number {
  let erased = 0;
  const handle = handleOf<ValuedCalls>(filter);
  const eraseRun = (count: number): void => {
    numbers?.write(handle, count);
    erased += handle.call('eraseMany', count, numbers === undefined);
  };
  hashMany(handle, numbers?.keys ?? keys, eraseRun, numbers);
  numbers?.end();
  return erased;
}
