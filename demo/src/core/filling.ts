// Filters filled with sample keys: the one on the page, and others to find out what would happen.
// Invariant: equal settings give equal tables, slot for slot, so what a trial finds holds for the page's filter too.
import type { TraceEvent } from 'cuckoofilter-wasm/trace';
import { createEngine, type Engine } from './engine';
import { sampleKey } from '../model/samples';
import { hasTwoHomes } from '../model/scenes/read';
import { newSession, type Session } from '../model/trace/session';
import { RANGES, type Settings } from '../model/settings';
import type { Operation } from '../model/trace/operation';
import { emptyTable } from '../model/trace/state';
import { play } from '../model/trace/timeline';

/** Sample keys inserted at most: more than the largest table has slots. */
export const MOST_SAMPLES = 300;

/** A filter of these settings, filled with sample keys as far as they ask. */
export function opened(settings: Settings): { engine: Engine; session: Session } {
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

/** A filled filter that is asked what operations would do. */
export class Trial {
  readonly session: Session;
  readonly #engine: Engine;

  constructor(settings: Settings) {
    const { engine, session } = opened(settings);
    this.#engine = engine;
    this.session = session;
  }

  /** The events of these operations, one after the other, on a copy of the table: each call begins anew. */
  events(operations: readonly Operation[]): (readonly TraceEvent[])[] {
    const copy = this.#engine.clone();
    try {
      return operations.map(({ name, key }) => copy.run(name, key));
    } finally {
      copy.dispose();
    }
  }

  /** The events of inserting a key after these operations, on one table: by the paper's walk, and by the library's search. */
  bothWays(before: readonly Operation[], key: string): (readonly TraceEvent[])[] {
    const copy = this.#engine.clone();
    try {
      for (const { name, key: each } of before) copy.run(name, each);
      return (['random-walk', 'breadth-first'] as const).map((search) => {
        const own = copy.clone(search);
        try {
          return own.run('insert', key);
        } finally {
          own.dispose();
        }
      });
    } finally {
      copy.dispose();
    }
  }

  /** The events of inserting a key now. */
  insert(key: string): readonly TraceEvent[] {
    return this.events([{ name: 'insert', key }])[0] ?? [];
  }

  /** The events of looking a key up now, which changes nothing. */
  lookUp(key: string): readonly TraceEvent[] {
    return this.#engine.run('contains', key);
  }

  /** Which of many keys a lookup would find; no events are read. */
  found(keys: readonly string[]): boolean[] {
    return this.#engine.found(keys);
  }

  /** A sample key not in the table for which `holds` is true. Throws RangeError after many tries. */
  find(holds: (key: string) => boolean, tries = MOST_TRIES): string {
    const { settings, sampleCount } = this.session;
    for (let i = 0; i < tries; ++i) {
      const key = sampleKey(settings.seed, sampleCount + i);
      if (holds(key)) return key;
    }
    throw new RangeError('no sample key does what is looked for');
  }

  dispose(): void {
    this.#engine.dispose();
  }
}

const MOST_TRIES = 2000;

/** `settings` with the first seed of the hash, up to the last there is, by which a key has two homes: most keys have. */
export function withTwoHomes(settings: Settings, key: string): Settings {
  for (let hashSeed = 0; ; ++hashSeed) {
    const tried = { ...settings, hashSeed };
    const engine = createEngine(tried);
    try {
      if (hashSeed === RANGES.hashSeed[1] || hasTwoHomes(engine.run('contains', key))) return tried;
    } finally {
      engine.dispose();
    }
  }
}
