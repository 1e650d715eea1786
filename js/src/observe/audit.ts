// A filter that is watched: an exact multiset of its keys' hashes beside it finds what misuse or a bug would lose silently.
// Invariant: an operation that the audit refuses changes nothing; all others do what they do without it. The methods are
// laid over the one filter that asked for it, so that a filter without audit costs nothing more.
import { FilterFullError, shown } from '../errors.js';
import type { MergeableFilter } from '../api/mergeable.js';
import { isAnyFilter } from '../kind.js';
import { hashOne, type Key } from '../wasm/key.js';
import { atKey, checkKeys, type Keys } from '../wasm/keys.js';
import { carrying } from '../wasm/mask.js';
import type { Handle } from '../wasm/owned.js';
import type { MethodsWith } from './methods.js';

/**
 * What an audit found. `false-delete`: a key was deleted that was never added, or that was deleted as often as it was added.
 * `false-negative`: a key that was added is not found. `mixed-use`: `addIfAbsent` (or maybe `mergeIfAbsent`) took the key for
 * present because it shares an entry with another key. Now it is deleted, or it is lost because the other key was.
 */
export type AuditKind = 'false-delete' | 'false-negative' | 'mixed-use';

/** A filter with `audit: true` was used in a way that loses keys, or has lost one. */
export class AuditError extends Error {
  /** @internal */
  static override readonly name: string = 'AuditError';
  override readonly name = 'AuditError';
  readonly kind: AuditKind;
  /** The key of the call that found it. */
  readonly key: Key;

  constructor(message: string, kind: AuditKind, key: Key) {
    super(`${message}: ${shown(key)}`);
    this.kind = kind;
    this.key = key;
  }
}

/** Copies of each key that was added and not deleted; 0 of one that may have no fingerprint of its own. */
type Shadow = Map<string, number>;

const MESSAGES: Record<AuditKind, string> = {
  'false-delete': 'deleting a key that is not in the filter may remove the entry of another key',
  'false-negative': 'a key that was added is not found',
  'mixed-use':
    'this key may share an entry with another one since addIfAbsent or mergeIfAbsent; delete loses both',
};

/** `error` of the key behind those of `results`, as the batch reports it. */
function ofBatch(error: unknown, results: readonly number[]): unknown {
  if (!(error instanceof FilterFullError)) return atKey(results.length, error);
  const added = results.filter((result) => result !== 0).length;
  return new FilterFullError(error.message, error.reason, added);
}

/** What each audited filter holds. */
const shadows = new WeakMap<MergeableFilter, Shadow>();

/** Lays the audit over `filter`, which holds what `shadow` does. */
export function audit(
  filter: MergeableFilter,
  handleOf: (filter: MergeableFilter) => Handle,
  shadow: Shadow = new Map<string, number>(),
): void {
  const plain = Object.getPrototypeOf(filter) as MergeableFilter;
  shadows.set(filter, shadow);

  /** The hash of a valid key: the same in every form of the key, also where it is hashed already. */
  const textOf = (key: Key): string => {
    const handle = handleOf(filter);
    hashOne(handle, key);
    return handle.instance.scratch.words.slice(0, 2).join();
  };
  const note = (key: Key, by: 1 | -1): void => {
    const text = textOf(key);
    const copies = (shadow.get(text) ?? 0) + by;
    if (copies === 0) shadow.delete(text);
    else shadow.set(text, copies);
  };
  const fail = (kind: AuditKind, key: Key): never => {
    throw new AuditError(MESSAGES[kind], kind, key);
  };
  /** What the shadow says of the key. Throws if `copies`, of which the filter knows, are too few for that. */
  const check = (key: Key, copies: number): number | undefined => {
    const added = shadow.get(textOf(key));
    if (added !== undefined && copies < Math.max(1, added))
      fail(added === 0 ? 'mixed-use' : 'false-negative', key);
    return added;
  };
  /** Merges, and then counts for each key that `other` holds the copies that `copies` gives for those in both. */
  const merge = (
    name: 'merge' | 'mergeIfAbsent',
    other: MergeableFilter,
    copies: (own: number | undefined, others: number) => number,
  ): typeof filter => {
    const others = shadows.get(other);
    if (others === undefined && isAnyFilter(other))
      throw new TypeError('other must have audit: true, too, and come from the same entry point');
    plain[name].call(filter, other);
    for (const [text, count] of others ?? []) shadow.set(text, copies(shadow.get(text), count));
    return filter;
  };
  /** Does one key after the other, with the errors that a batch has. */
  const each = (keys: Keys, operate: (key: Key) => boolean | object): Uint8Array => {
    checkKeys(keys);
    void filter.size; // throws DisposedError
    const results: number[] = [];
    try {
      for (const key of keys as Iterable<Key>) {
        try {
          results.push(Number(operate(key) !== false));
        } catch (error) {
          throw ofBatch(error, results);
        }
      }
    } catch (error) {
      throw carrying(error, 'answers', Uint8Array.from(results));
    }
    return Uint8Array.from(results);
  };

  const audited: Pick<MergeableFilter, MethodsWith<'audit'>> = {
    add(key) {
      plain.add.call(filter, key);
      note(key, 1);
      return filter;
    },
    tryAdd(key) {
      const outcome = plain.tryAdd.call(filter, key);
      if (outcome === 'added') note(key, 1);
      return outcome;
    },
    addIfAbsent(key) {
      const added = check(key, plain.count.call(filter, key));
      const isNew = plain.addIfAbsent.call(filter, key);
      if (isNew) note(key, 1);
      else if (added === undefined) shadow.set(textOf(key), 0);
      return isNew;
    },
    contains(key) {
      const isFound = plain.contains.call(filter, key);
      if (!isFound) check(key, 0);
      return isFound;
    },
    count(key) {
      const copies = plain.count.call(filter, key);
      check(key, copies);
      return copies;
    },
    delete(key) {
      const added = check(key, plain.count.call(filter, key));
      if (!added) fail(added === 0 ? 'mixed-use' : 'false-delete', key);
      note(key, -1);
      return plain.delete.call(filter, key);
    },
    addMany: (keys) => each(keys, (key) => audited.add(key)).length,
    addManyIfAbsent: (keys) => each(keys, (key) => audited.addIfAbsent(key)),
    containsMany: (keys) => each(keys, (key) => audited.contains(key)),
    deleteMany: (keys) => each(keys, (key) => audited.delete(key)).length,
    clear() {
      plain.clear.call(filter);
      shadow.clear();
    },
    clone() {
      const copy = plain.clone.call(filter);
      audit(copy, handleOf, new Map(shadow));
      return copy;
    },
    merge: (other) => merge('merge', other, (own = 0, others) => own + others),
    // Which of the keys share a fingerprint is not known, so those that came by this are not to be deleted.
    mergeIfAbsent: (other) => merge('mergeIfAbsent', other, (own = 0) => own),
  };
  for (const [name, value] of Object.entries(audited))
    Object.defineProperty(filter, name, { value, configurable: true, writable: true });
}
