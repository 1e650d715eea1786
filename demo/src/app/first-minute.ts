// Five things to try on a table, each with a key that is sure to show it.
// Invariant: every key is found by asking the filter as it is now, so that it does what its row says.
import { copiesOf } from '../model/trace/ledger';
import { strangerKey } from '../model/samples';
import type { Store } from './store';

/** In this order. */
export const TRIES = ['insert', 'known', 'stranger', 'falsePositive', 'kick'] as const;

export type Try = (typeof TRIES)[number];

/** A key for each but the kick, whose key `Store.kick` finds; null: no key does that on this table. */
export type Keys = Readonly<Record<Exclude<Try, 'kick'>, string | null>>;

/** Strangers asked. */
const MOST = 600;

/** `name`: what the opening shows. It is the key of the first row where the table can take it and does not hold it. */
export function keysNow(store: Store, name: string): Keys {
  const session = store.session.value;
  const { settings, timeline, notebook } = session;
  const now = { ...session, focus: timeline.operations.length };
  const isIn = (key: string): boolean => copiesOf(now, key) > 0;
  const strangers = Array.from({ length: MOST }, (_, i) => strangerKey(settings.seed, i));
  const absent = [name, ...strangers].filter((key) => key !== '' && !isIn(key));
  const found = store.found(absent);
  const fresh = absent.filter((_, i) => found[i] === false);
  const insert = fresh.find((key) => (key === name ? store.takes(key) : store.hasRoom(key))) ?? null;
  return {
    insert,
    known: [...notebook.values()].find(isIn) ?? null,
    // The first twelve are plain names. Inserts take names from the front, so the last of these stays free.
    stranger: fresh.slice(0, 12).findLast((key) => key !== insert) ?? null,
    falsePositive: absent[found.indexOf(true)] ?? null,
  };
}
