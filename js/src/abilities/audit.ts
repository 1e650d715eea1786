// Watches a filter with an exact multiset of its keys' hashes, to find keys that misuse or a bug would lose silently.
// Invariant: a call that the audit refuses changes nothing, and all others do what they do without it. Programs that do
// not import it carry none of this code.
import { atKey } from '../basic-errors.js';
import { isAnyFilter, AUDITED } from '../class-names.js';
import { argumentError, FilterFullError, ruleError, shown } from '../errors.js';
import type { CuckooFilter } from '../filters/cuckoo-filter.js';
import { handleOf, isOwn } from '../filters/filter.js';
import { showContent } from '../filters/protocols.js';
import type { FILTER_ROLES, MERGE_ROLES, NamesWithout, TABLE_ROLES } from './roles.js';
import type { CuckooFilter as TracedFilter } from './traced.js';
import type { ScalableCuckooFilter } from '../filters/scalable-filter.js';
import { TableFilter } from '../filters/table-filter.js';
import { countOnes, giveAnswers, keptFor, Mask, Numbers } from '../keys/answers.js';
import { inChunks, type AsyncKeys } from '../keys/chunks.js';
import { type AsyncOptions } from '../keys/signals.js';
import { isBigintKey, type Key } from '../keys/key.js';
import { hashOf } from '../keys/write-key.js';
import { checkKeys, isPacked, type Keys } from '../keys/keys.js';
import { endPart, keeping, noteOwn, type Thrown } from '../keys/thrown.js';

/**
 * What an audit found. `false-delete`: `delete` of a key that was never added, or was already deleted as often as it
 * was added. `mixed-use`: `delete` from a filter that was filled with `addIfAbsent` or `mergeIfAbsent`.
 * `false-negative`: an added key is not found. `other-type`: a lookup of `'5'` where `5` was added, or the reverse.
 */
export type AuditErrorCode = 'false-delete' | 'mixed-use' | 'false-negative' | 'other-type';

/** An audited filter has lost a key, or was used in a way that loses keys or gives wrong answers. */
export class AuditError extends Error {
  /** @internal */
  static override readonly name: string = 'AuditError';
  override readonly name = 'AuditError';
  readonly code: AuditErrorCode;
  /** The key that the call was about. */
  readonly key: Key;

  constructor(message: string, code: AuditErrorCode, key: Key) {
    super(`${shown(key)}: ${message}`);
    this.code = code;
    this.key = key;
  }
}

const MESSAGES: Record<AuditErrorCode, string> = {
  'false-delete':
    "deleting a key that was not added, or already deleted, may remove another's entry: delete only what you added",
  'mixed-use':
    'do not delete from a filter filled by addIfAbsent or mergeIfAbsent: keys may share an entry, and would be lost together',
  'false-negative': 'a key that was added is not found, which is a bug: please report it',
  'other-type':
    'a number and its string are two keys, and the other one was added: convert ids to one form, such as String(id)',
};

/** What the audit must know of: every method that changes the entries or asks about keys. */
type Checked = NamesWithout<'neither', typeof FILTER_ROLES & typeof TABLE_ROLES & typeof MERGE_ROLES>;

type Auditable = CuckooFilter | TracedFilter | ScalableCuckooFilter;

/** What the audit knows of a filter. */
interface Account {
  /** Copies of each key that was added and not deleted. */
  readonly copies: Map<string, number>;
  /** Whether keys may share entries. */
  isMixed: boolean;
}

const accounts = new WeakMap<object, Account>();

/**
 * Takes an empty filter and returns one that checks each call: it throws AuditError at the first call that loses keys
 * or looks up the wrong ones. From then on, use only the returned filter. For development and tests: it is slow, and
 * keeps a 64-bit hash of each key.
 *
 * @example
 * const seen = audited(new CuckooFilter({ capacity: 1000 }));
 * seen.add(5);
 * seen.has('5'); // throws AuditError, code 'other-type'
 */
export function audited<Audited extends CuckooFilter | TracedFilter | ScalableCuckooFilter>(
  filter: Audited,
): Audited {
  if (!isAnyFilter(filter) || !isOwn(filter))
    throw ruleError(
      'filter',
      'a CuckooFilter or a ScalableCuckooFilter, from the same copy of the package (import both, or require both)',
      filter,
    );
  if (Object.getPrototypeOf(Object.getPrototypeOf(filter)) !== TableFilter.prototype)
    throw argumentError(
      'filter must not be an instance of a subclass: the audit cannot know what a subclass adds',
    );
  if (filter.size !== 0)
    throw argumentError(
      'filter must be empty: the audit has to see every key. Call audited before adding keys',
    );
  return watch(filter, { copies: new Map(), isMixed: false });
}

/**
 * An object that stands for `filter`. Not a Proxy, because nothing clones a Proxy, not even to the empty object that
 * every filter becomes.
 */
function watch<Audited extends Auditable>(filter: Audited, account: Account): Audited {
  const view = Object.create(prototypeFor(Object.getPrototypeOf(filter) as object)) as Audited;
  showContent(view);
  accounts.set(view, account);
  insides.set(view, { filter, calls: callsOf(filter, account) });
  return view;
}

/** Of each audited filter, the filter inside, and the calls that the audit checks. */
const insides = new WeakMap<object, { readonly filter: object; readonly calls: object }>();

/** What audited filters have in place of the prototype of their class. */
const prototypes = new WeakMap<object, object>();

/** The prototype of audited filters whose class has `original`: each of its members asks the filter inside. */
function prototypeFor(original: object): object {
  const known = prototypes.get(original);
  if (known !== undefined) return known;
  const made = Object.create(original) as object;
  Object.defineProperty(made, AUDITED, {
    get(this: object) {
      return insides.get(this)?.filter;
    },
  });
  for (let from = original; from !== Object.prototype; from = Object.getPrototypeOf(from) as object)
    for (const name of Reflect.ownKeys(from))
      if (name !== 'constructor' && !Object.hasOwn(made, name))
        Object.defineProperty(made, name, {
          get(this: object) {
            return memberOf(this, original, name);
          },
          // A test may replace a method on the object.
          set(this: object, value: unknown) {
            Object.defineProperty(this, name, { value, writable: true, configurable: true });
          },
          configurable: true,
        });
  prototypes.set(original, made);
  return made;
}

/** The property or method `name` of the audited filter `view`; of anything else, that of `original`. */
function memberOf(view: object, original: object, name: string | symbol): unknown {
  const { filter, calls } = insides.get(view) ?? { filter: original, calls: {} };
  if (Object.hasOwn(calls, name)) return calls[name as never];
  const value: unknown = Reflect.get(filter, name);
  if (typeof value !== 'function') return value;
  return (...given: unknown[]): unknown => {
    const result: unknown = Reflect.apply(value, filter, given);
    return result === filter ? view : result;
  };
}

/** `error` of the key after those of `results`, as the batch reports it. */
function ofBatch(error: unknown, results: Uint8Array): unknown {
  if (!(error instanceof FilterFullError)) return atKey(results.length, error);
  return new FilterFullError(error.message, error.reason, countOnes(results));
}

function callsOf(filter: Auditable, account: Account): object {
  const { copies } = account;
  /** The hash of a valid key: the same for every form of the key, including hashed keys. */
  const textOf = (key: Key): string => hashOf(handleOf(filter), key).join();
  const addedOf = (key: Key): number => copies.get(textOf(key)) ?? 0;
  const note = (text: string, by: 1 | -1): void => {
    const count = (copies.get(text) ?? 0) + by;
    if (count === 0) copies.delete(text);
    else copies.set(text, count);
  };
  /**
   * Returns what `change` returns. If `change` added something, calls `noteIt` before `onGrow` and the trace callback
   * run, because these may throw or change the filter again.
   */
  const noting = <Result>(noteIt: () => void, change: () => Result): Result => {
    const handle = handleOf(filter);
    const { growth } = handle;
    const before = handle.size();
    const report = (): void => {
      handle.growth = growth;
      if (handle.size() > before) noteIt();
      growth?.report();
    };
    handle.growth = { report };
    try {
      return change();
    } finally {
      handle.growth = growth;
    }
  };
  const adding = <Result>(key: Key, change: () => Result, isMixed = false): Result => {
    const text = textOf(key); // first, because it throws for an invalid key
    return noting(() => {
      note(text, 1);
      account.isMixed ||= isMixed;
    }, change);
  };
  const fail = (code: AuditErrorCode, key: Key): never => {
    throw new AuditError(MESSAGES[code], code, key);
  };
  /** The filter's answer for `key`, checked against the account before it: a trace callback may change the filter. */
  const checked = <Answer extends number | boolean>(key: Key, look: () => Answer): Answer => {
    const added = addedOf(key);
    const other = added === 0 ? otherForm(key) : undefined;
    const isOther = other !== undefined && addedOf(other) > 0;
    const found = look();
    if ((found === true ? Infinity : Number(found)) < added) fail('false-negative', key);
    if (isOther) fail('other-type', key);
    return found;
  };
  /** Handles one key after the other, with the errors of a batch. `hasAnswers`: the batch returns answers. */
  const each = (
    keys: Keys,
    operate: (key: Key) => boolean | object,
    hasAnswers = false,
    into?: Uint8Array,
  ): Uint8Array => {
    checkKeys(keys);
    const handle = handleOf(filter); // throws DisposedError
    const results = new Mask(keys, 1, keptFor(keys, into, Uint8Array, handle));
    const thrown: Thrown[] = [];
    let own: Thrown | undefined;
    try {
      for (const key of keys as Iterable<Key>)
        try {
          results.reserve(1);
          results.add(keeping(thrown, () => operate(key)) !== false);
        } catch (error) {
          own = { error: ofBatch(error, results.pushed) };
          break; // It does not hide what the iterator throws as it is closed.
        }
    } catch (error) {
      // What packed keys throw when they are asked is the package's own.
      if (isPacked(keys)) own = { error: ofBatch(error, results.pushed) };
      else thrown.push({ error });
    }
    if (own !== undefined) {
      noteOwn(own.error, keys);
      if (hasAnswers) giveAnswers(own.error, results.pushed);
    }
    endPart(thrown, own);
    return into ?? results.take();
  };
  /** Merges, and counts the copies of both. */
  const merge = (name: 'merge' | 'mergeIfAbsent', other: object): void => {
    const others = accounts.get(other);
    if (others === undefined && isAnyFilter(other)) throw argumentError('other must be audited, too');
    let isNoted = false;
    const noteIt = (): void => {
      if (!isNoted) adopt(name, others);
      isNoted = true;
    };
    noting(noteIt, () => (filter as CuckooFilter)[name](other as CuckooFilter));
    noteIt(); // if it has added nothing
  };
  const adopt = (name: 'merge' | 'mergeIfAbsent', others: Account | undefined): void => {
    account.isMixed ||= name === 'mergeIfAbsent' || others?.isMixed === true;
    for (const [text, count] of [...(others?.copies ?? [])])
      copies.set(text, name === 'merge' ? (copies.get(text) ?? 0) + count : (copies.get(text) ?? 1));
  };

  const calls = {
    add(key: Key) {
      adding(key, () => filter.add(key));
      return this;
    },
    tryAdd: (key: Key) => adding(key, () => filter.tryAdd(key)),
    addIfAbsent(key: Key) {
      const isKnown = calls.count(key) > 0;
      account.isMixed ||= isKnown;
      return adding(key, () => filter.addIfAbsent(key), true);
    },
    contains: (key: Key) => checked(key, () => filter.contains(key)),
    has: (key: Key) => calls.contains(key),
    count: (key: Key) => checked(key, () => filter.count(key)),
    countMany(keys: Keys, into?: Uint32Array) {
      const counts = new Numbers(keys, 1, keptFor(keys, into, Uint32Array, handleOf(filter)));
      each(keys, (key) => {
        counts.push(Uint32Array.of(calls.count(key)));
        return true;
      });
      return into ?? counts.take();
    },
    delete(key: Key) {
      calls.count(key);
      if (account.isMixed) fail('mixed-use', key);
      if (addedOf(key) === 0) fail('false-delete', key);
      note(textOf(key), -1);
      return filter.delete(key);
    },
    addMany: (keys: Keys) => each(keys, (key) => calls.add(key)).length,
    async addManyAsync(keys: AsyncKeys, options?: AsyncOptions) {
      handleOf(filter); // throws DisposedError
      return inChunks(keys, (chunk) => calls.addMany(chunk), options);
    },
    addManyIfAbsent: (keys: Keys, into?: Uint8Array) =>
      each(keys, (key) => calls.addIfAbsent(key), true, into),
    containsMany: (keys: Keys, into?: Uint8Array) => each(keys, (key) => calls.contains(key), true, into),
    hasMany: (keys: Keys, into?: Uint8Array) => calls.containsMany(keys, into),
    deleteMany: (keys: Keys) => each(keys, (key) => calls.delete(key)).length,
    clear() {
      handleOf(filter); // throws DisposedError
      copies.clear();
      account.isMixed = false;
      filter.clear();
    },
    shrink: () => filter.shrink(),
    merge(other: object) {
      merge('merge', other);
      return this;
    },
    mergeIfAbsent(other: object) {
      merge('mergeIfAbsent', other);
      return this;
    },
    clone() {
      return watch(filter.clone(), { copies: new Map(copies), isMixed: account.isMixed });
    },
  } satisfies Record<Checked | 'clone', (...given: never) => unknown>;
  return calls;
}

/** The number that a string spells, or the string of a number. */
function otherForm(key: Key): Key | undefined {
  if (typeof key === 'number' || typeof key === 'bigint') return String(key);
  if (typeof key !== 'string' || !/^-?\d{1,20}$/.test(key)) return undefined;
  const number = BigInt(key);
  return String(number) === key && isBigintKey(number) ? number : undefined;
}
