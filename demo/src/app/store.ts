// The page's state in signals, and the ways to change it.
// Invariant: the session changes by `send` and what is seen of it by `show`, nothing by any other way. `send` leads to
// `next` (model/trace/session.ts); this file only brings it what the filter did and how much time went by.
import { batch, computed, effect, signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Engine } from '../core/engine';
import { opened } from '../core/filling';
import type { Cell } from '../model/picture/layout';
import { motionMs, shownFor } from '../model/picture/timing';
import { sampleKey } from '../model/samples';
import type { Operation, OperationName } from '../model/trace/state';
import { later } from '../browser/later';
import { next, type Input, type Session } from '../model/trace/session';
import { isSameSettings, type Settings } from '../model/settings';
import type { OperationRecord } from '../model/trace/timeline';

/** Before the first step of an operation that plays. */
const LEAD_IN_MS = 350;

/** What a locked store does all the same: nothing that moves through the steps. */
const UNLOCKED: ReadonlySet<Input['type']> = new Set(['ran', 'sampled', 'stand']);

/** What is seen of the session, and what may be done with it: what `show` sets. */
type ViewName = Exclude<
  { [Name in keyof Store]: Store[Name] extends ReadonlySignal ? Name : never }[keyof Store],
  'session' | 'told' | 'elapsed' | 'hidesHomes' | 'isMoving'
>;

type View = { readonly [Name in ViewName]?: Store[Name]['value'] };

export class Store {
  readonly session: ReadonlySignal<Session>;
  /** The same for the lists beside the stage, a task later: drawn at once, both would hold a slow device up. */
  readonly told: ReadonlySignal<Session>;
  /** Milliseconds since the step shown began. */
  readonly elapsed: ReadonlySignal<number>;
  readonly speed: ReadonlySignal<number> = signal(1);
  readonly isStill: ReadonlySignal<boolean> = signal(false);
  /** True while a question waits for its answer: nothing moves. */
  readonly isLocked: ReadonlySignal<boolean> = signal(false);
  /** Whether the question is about where a fingerprint may lie: until it is answered, no chip tells its other home. */
  readonly asksHome: ReadonlySignal<boolean> = signal(false);
  readonly hidesHomes = computed(() => this.isLocked.value && this.asksHome.value);
  /** Whether chips carry the names that our notebook has for them. */
  readonly showsNames: ReadonlySignal<boolean> = signal(false);
  /** Whether the table fills the window, before an audience. */
  readonly presents: ReadonlySignal<boolean> = signal(false);
  /** Whether the audience sees nothing, until the next key. */
  readonly isDark: ReadonlySignal<boolean> = signal(false);
  /** Whether steps are told without bits and sums, as in the first minute. */
  readonly isPlain: ReadonlySignal<boolean> = signal(false);
  /** True while the stage is scrolled out of sight: what plays waits. */
  readonly isAway: ReadonlySignal<boolean> = signal(false);
  /** The slot pressed last; null: none yet. */
  readonly pressed: ReadonlySignal<Cell | null> = signal(null);
  /** The slot that a question is about while it waits for its answer; null: none. */
  readonly asked: ReadonlySignal<Cell | null> = signal(null);
  /** The key that a filter would lose, once the answer names it; empty: none. */
  readonly lost: ReadonlySignal<string> = signal('');
  /** The bucket that the visitor guessed, or null. */
  readonly guessed: ReadonlySignal<number | null> = signal(null);
  readonly width: ReadonlySignal<number> = signal(0);
  /** The slot that the tab key reaches. */
  readonly cell: ReadonlySignal<Cell> = signal({ bucket: 0, slot: 0 });
  /** The slot pointed at, by focus or pointer. */
  readonly pointed: ReadonlySignal<Cell | null> = signal(null);
  /** The kick that lights up wherever it is told, by its number; null: none. */
  readonly lit: ReadonlySignal<number | null> = signal(null);
  /** True while chips are between two places. */
  readonly isMoving: ReadonlySignal<boolean> = computed(() => {
    const { motion } = this.session.value;
    return !this.isStill.value && motion !== null && this.elapsed.value < motionMs(motion.step);
  });
  #engine: Engine;
  readonly #session: Signal<Session>;
  readonly #elapsed = signal(0);

  constructor(settings: Settings) {
    const { engine, session } = opened(settings);
    this.#engine = engine;
    this.session = this.#session = signal(session);
    this.elapsed = this.#elapsed;
    const told = (this.told = signal(session));
    effect(() => {
      const now = this.session.value;
      return later(() => (told.value = now));
    });
  }

  send(input: Input): void {
    if (this.isLocked.value && !UNLOCKED.has(input.type)) return;
    const { motion } = this.session.value;
    this.#session.value = next(this.session.value, input);
    const isNew = this.session.value.motion !== motion || input.type === 'watch';
    if (isNew) this.#elapsed.value = 0;
  }

  show(view: View): void {
    batch(() => {
      for (const name of Object.keys(view) as ViewName[]) (this[name] as Signal<unknown>).value = view[name];
    });
  }

  /** Runs an operation on the filter, and shows it from its start. */
  operate(name: OperationName, key: string): void {
    this.watch(() => this.#run({ name, key }));
  }

  /** The filter behind the page, for questions, of which nothing is told in the history. */
  get filter(): Omit<Engine, 'run' | 'dispose'> {
    return this.#engine;
  }

  /** What the core said at the end of inserting the next sample key. */
  insertSample(): OperationRecord['end'] | undefined {
    const { settings, sampleCount } = this.session.value;
    this.send({ type: 'sampled' });
    this.#run({ name: 'insert', key: sampleKey(settings.seed, sampleCount) });
    return this.session.value.timeline.operations.at(-1)?.end;
  }

  /**
   * Calls `run`, then shows what it did from the first step, or from its first kick. Both happen in one batch, so that the
   * picture is computed only once.
   */
  watch(run: () => void, fromKick = false): void {
    batch(() => {
      run();
      this.send({ type: 'watch', fromKick });
    });
  }

  /**
   * A new filter and a new history, which holds `operations`; shown at `cursor`. Throws RangeError, and nothing has
   * changed, if the core refuses the settings.
   */
  rebuild(settings: Settings, operations: readonly Operation[] = [], cursor = 0): void {
    const { settings: before, timeline } = this.session.value;
    // A table that nothing was done to is as good as a new one.
    if (timeline.operations.length > 0 || !isSameSettings(settings, before)) {
      const { engine, session } = opened(settings);
      this.#engine.dispose();
      this.#engine = engine;
      this.#session.value = session;
    }
    this.show({ cell: { bucket: 0, slot: 0 }, pointed: null, pressed: null });
    for (const operation of operations) this.#run(operation);
    if (operations.length > 0) this.send({ type: 'stand', cursor });
  }

  pass(ms: number): void {
    const { isPlaying, motion } = this.session.value;
    this.#elapsed.value += ms * this.speed.value;
    const due = motion === null ? LEAD_IN_MS : shownFor(motion.step, this.isStill.value, this.isPlain.value);
    if (isPlaying && this.elapsed.value >= due) this.send({ type: 'advance' });
  }

  #run({ name, key, until }: Operation): void {
    this.send({ type: 'ran', key, events: this.#engine.run(name, key), ...(until && { until }) });
  }
}
