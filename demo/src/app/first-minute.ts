// Five things to try on a table, each with a key that is sure to show it, and what came of those that were tried.
// Invariant: every key is found by asking the filter as it is now, so that it does what its row says, in two homes; while
// it does, the row keeps it, so that no label changes under a hand.
import { computed, type ReadonlySignal, type Signal } from '@preact/signals';
import { hasRoom, seededFor } from '../core/filling';
import { words } from '../i18n';
import { PLAIN_SAMPLES, sampleKey, strangerKeys } from '../model/samples';
import { copiesOf, truthOf } from '../model/trace/ledger';
import { hasTwoHomes, type OperationName } from '../model/trace/state';
import { canStepForward, next } from '../model/trace/session';
import { outcomeOf } from '../model/trace/story';
import { kickIn } from './kick';
import { nameOf } from './name';
import type { Page } from './page';

const TRIES = ['insert', 'known', 'stranger', 'falsePositive', 'kick'] as const;

export type Try = (typeof TRIES)[number];

/** A key for each but the kick, whose key `kickIn` finds; null: no key does that on this table. */
type Keys = Readonly<Record<Exclude<Try, 'kick'>, string | null>>;

const OPERATIONS: Readonly<Record<keyof Keys, OperationName>> = {
  insert: 'insert',
  known: 'contains',
  stranger: 'contains',
  falsePositive: 'contains',
};

export interface Done {
  readonly key: string;
  /** In a word; empty while it plays. */
  readonly answer: string;
}

export interface Row {
  readonly what: Try;
  /** The key that it will take, or took; empty: none. */
  readonly key: string;
  /** null: not tried yet, or gone from the table. */
  readonly done: Done | null;
}

const MOST = 600;
/** As many have plain names. */
const PLAIN = 18;

export class FirstMinute {
  readonly rows: ReadonlySignal<readonly Row[]>;
  /** The row to try next; undefined: all were tried. */
  readonly upcoming: ReadonlySignal<Try | undefined>;
  readonly #page: Page;
  /** Of each row, the number of its latest operation, counted from 1, or 0 if it has none yet. */
  readonly #tries: Signal<readonly number[]>;
  readonly #keys: ReadonlySignal<Keys>;

  constructor(page: Page) {
    this.#page = page;
    const { session } = page.store;
    this.#tries = page.kept.value.numbers(
      'tries',
      TRIES.map(() => 0),
    );
    // Steps that are played change neither.
    const table = computed(() => session.value.timeline);
    const name = computed(() => nameOf(page));
    let keys: Partial<Keys> = {};
    this.#keys = computed(() => (void table.value, (keys = keysNow(page, name.value, keys))));
    const playing = computed(() =>
      canStepForward(session.value) ? session.value.timeline.operations.length : 0,
    );
    this.rows = computed(() => {
      void table.value;
      return TRIES.map((what, i) => {
        const number = this.#tries.value[i] ?? 0;
        const done = this.#done(what, number, number > 0 && number === playing.value);
        return { what, done, key: done?.key ?? (what === 'kick' ? '' : (this.#keys.value[what] ?? '')) };
      });
    });
    this.upcoming = computed(() => TRIES.find((_, i) => this.#tries.value[i] === 0));
  }

  /** Unless the table was used, builds it anew with a hash by which the name has two homes, and room in one of them. */
  receive(name: string): void {
    const { store } = this.#page;
    const { settings, timeline } = store.session.peek();
    if (timeline.operations.length === 0) store.rebuild(seededFor(settings, name));
  }

  attempt(what: Try): void {
    const { store } = this.#page;
    if (what === 'kick') kickIn(this.#page);
    else {
      // A table on which no key does it makes way for a fresh one.
      if (this.#keys.value[what] === null) this.#page.rebuild(store.session.value.settings);
      const key = this.#keys.value[what];
      if (key === null) return;
      store.operate(OPERATIONS[what], key);
    }
    const { length } = store.session.value.timeline.operations;
    this.#tries.value = this.#tries.value.map((each, i) => (TRIES[i] === what ? length : each));
  }

  /** What a row did and its outcome in a word, such as that a lookup was wrong. */
  #done(what: Try, number: number, isPlaying: boolean): Done | null {
    const session = this.#page.store.session.peek();
    const operation = session.timeline.operations[number - 1];
    if (operation === undefined) return null;
    const { end, key, last, name } = operation;
    const { kicks } = end;
    if (what === 'kick' ? kicks === 0 : name !== OPERATIONS[what]) return null;
    if (isPlaying) return { key, answer: '' };
    const t = words.value;
    const isWrong = truthOf(next(session, { type: 'stand', cursor: last })) === 'falsePositive';
    const { falsePositive } = t.answer.truths;
    const verdict = falsePositive.charAt(0).toUpperCase() + falsePositive.slice(1);
    const answer = kicks > 0 ? t.guide.kicks(kicks) : isWrong ? verdict : outcomeOf(end, t);
    return { key, answer };
  }
}

/** Those of before that still do it; `name` is the key of the first row where the table has room for it and does not hold it. */
function keysNow({ store }: Page, name: string, before: Partial<Keys>): Keys {
  const session = store.session.peek();
  const { settings, timeline, notebook, sampleCount } = session;
  const now = { ...session, focus: timeline.operations.length };
  const held = new Set([...new Set(notebook.values())].filter((key) => copiesOf(now, key) > 0));
  const strangers = strangerKeys(settings.seed, MOST);
  // Further plain names, which the table does not hold yet, the last one first.
  const later = Array.from({ length: PLAIN_SAMPLES - sampleCount }, (_, i) =>
    sampleKey(settings.seed, PLAIN_SAMPLES - 1 - i),
  );
  const absent = [name, ...strangers.slice(0, PLAIN), ...later, ...strangers.slice(PLAIN)].filter(
    (key) => key !== '' && !held.has(key),
  );
  const found = store.filter.found(absent);
  const fresh = absent.filter((_, i) => found[i] === false);
  const taken = absent.filter((_, i) => found[i] === true);
  const isPlain = (key: string): boolean => hasTwoHomes(store.filter.lookUp(key));
  const among = (keys: readonly string[], key: string | null | undefined): string | null =>
    keys.find((each) => each === key && isPlain(each)) ?? null;
  const insert = fresh.find((key) => isPlain(key) && hasRoom(store.filter, key));
  const free = strangers.slice(0, PLAIN).filter((key) => key !== insert && fresh.includes(key));
  return {
    insert: insert ?? null,
    known: among([...held], before.known) ?? [...held].find(isPlain) ?? null,
    // Inserts take names from the front, so the last of these stays free.
    stranger: among(free, before.stranger) ?? free.findLast(isPlain) ?? null,
    falsePositive: among(taken, before.falsePositive) ?? taken.find(isPlain) ?? null,
  };
}
