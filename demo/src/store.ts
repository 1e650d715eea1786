// The page's state in signals, and the ways to change it.
// Invariant: the session changes by `next` (model/session.ts) alone; this file only brings it what the filter did and
// how much time went by.
import { computed, signal, type Signal } from '@preact/signals';
import { createEngine, type Engine, type OperationName } from './engine';
import { MOTION_MS, shownFor } from './model/motion';
import { sampleKey } from './model/samples';
import { newSession, next, type Input, type Session } from './model/session';
import type { Settings } from './model/settings';
import { emptyTable } from './model/state';
import { play, type OperationRecord } from './model/timeline';

/** Before the first step of an operation that plays. */
const LEAD_IN_MS = 350;
/** Sample keys inserted at most to see a kick: more than the largest table has slots. */
const MOST_SAMPLES = 300;

/** The slot that the keyboard or the pointer is on. */
export interface Cell {
  readonly bucket: number;
  readonly slot: number;
}

export class Store {
  readonly session: Signal<Session>;
  /** Milliseconds since the step shown began, at the speed chosen. */
  readonly elapsed = signal(MOTION_MS);
  /** True where the reader asked for less motion. */
  readonly isStill = signal(false);
  /** Whether an operation plays by itself. */
  readonly autoplays = signal(true);
  /** Whether chips carry the names that our notebook has for them. */
  readonly showsNames = signal(false);
  /** The stage's width in pixels. */
  readonly width = signal(0);
  /** The slot that the tab key reaches. */
  readonly cell = signal<Cell>({ bucket: 0, slot: 0 });
  /** The slot pointed at, by focus or pointer. */
  readonly pointed = signal<Cell | null>(null);
  /** True while chips are between two places. */
  readonly isMoving = computed(() => this.session.value.motion !== null && this.elapsed.value < MOTION_MS);
  #engine: Engine;

  constructor(settings: Settings) {
    const { engine, session } = opened(settings);
    this.#engine = engine;
    this.session = signal(session);
  }

  send(input: Input): void {
    const { motion } = this.session.value;
    this.session.value = next(this.session.value, input);
    const isNew = this.session.value.motion !== motion || input.type === 'watch';
    if (isNew) this.elapsed.value = this.isStill.value ? MOTION_MS : 0;
  }

  /** Runs an operation on the filter, and shows it from its start. */
  operate(name: OperationName, key: string): void {
    this.#run(name, key);
    this.#watch();
  }

  sample(): void {
    this.#insertSample();
    this.#watch();
  }

  /** Inserts sample keys until the trace of one tells of a kick, or of no room. */
  kick(): void {
    for (let i = 0; i < MOST_SAMPLES; ++i) {
      const end = this.#insertSample();
      if (end === undefined || end.kicks > 0 || end.result !== 'added') break;
    }
    this.#watch();
  }

  /** A new filter and a new history. Throws RangeError, and nothing has changed, if the core refuses the settings. */
  rebuild(settings: Settings): void {
    const { engine, session } = opened(settings);
    this.#engine.dispose();
    this.#engine = engine;
    this.session.value = { ...session, speed: this.session.value.speed };
    this.cell.value = { bucket: 0, slot: 0 };
    this.pointed.value = null;
  }

  /** Lets `ms` of time go by. */
  pass(ms: number): void {
    const { isPlaying, motion, speed } = this.session.value;
    this.elapsed.value += ms * speed;
    const due = motion === null ? LEAD_IN_MS : shownFor(motion.step);
    if (isPlaying && this.elapsed.value >= due) this.send({ type: 'advance' });
  }

  #run(name: OperationName, key: string): void {
    this.send({ type: 'ran', key, events: this.#engine.run(name, key) });
  }

  #watch(): void {
    this.send({ type: 'watch', isPlaying: this.autoplays.value });
  }

  /** What the core said at the end of inserting the next sample key. */
  #insertSample(): OperationRecord['end'] | undefined {
    const { settings, sampleCount } = this.session.value;
    this.send({ type: 'sampled' });
    this.#run('insert', sampleKey(settings.seed, sampleCount));
    return this.session.value.timeline.operations.at(-1)?.end;
  }
}

/** A filter of these settings, filled with sample keys as far as they ask. */
function opened(settings: Settings): { engine: Engine; session: Session } {
  const engine = createEngine(settings);
  const notebook = new Map<number, string>();
  let state = emptyTable(settings);
  let sampleCount = 0;
  const wanted = Math.floor((state.slots.length * settings.samplePercent) / 100);
  while (state.size < wanted && sampleCount < MOST_SAMPLES) {
    const key = sampleKey(settings.seed, sampleCount++);
    const events = engine.run('insert', key);
    notebook.set(events[0]?.operation ?? 0, key);
    state = play(state, events);
  }
  return { engine, session: newSession(settings, state, notebook, sampleCount) };
}
