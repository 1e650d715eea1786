// Filters filled with sample keys: the one on the page, and others to find out what would happen.
// Invariant: equal settings give equal tables, slot for slot, so what a trial finds holds for the page's filter too.
import { createEngine, type Engine } from './engine';
import { sampleKey } from '../model/samples';
import { newSession, type Session } from '../model/trace/session';
import { CHINESE_DEFAULTS, DEFAULTS, RANGES, type Settings } from '../model/settings';
import { emptyTable, hasTwoHomes, ofKind } from '../model/trace/state';
import { play } from '../model/trace/timeline';

/** Sample keys inserted at most: more than the largest table has slots. */
export const MOST_SAMPLES = 300;

/** A filled filter, and the session over it. */
export interface Trial {
  readonly engine: Engine;
  readonly session: Session;
}

/** A filter of these settings, filled with sample keys as far as they ask. */
export function opened(settings: Settings): Trial {
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

/** What `ask` finds out with a filled filter of these settings, which is gone afterwards. */
export function tried<Answer>(settings: Settings, ask: (trial: Trial) => Answer): Answer {
  const trial = opened(settings);
  try {
    return ask(trial);
  } finally {
    trial.engine.dispose();
  }
}

/** What `ask` gives on the first of these tables on which it does not throw RangeError: it throws that where a table lacks what it looks for. */
export function triedInTurn<Answer>(
  settingsAt: (i: number) => Settings,
  ask: (trial: Trial, i: number) => Answer,
  most = Infinity,
): Answer {
  for (let i = 0; i < most; ++i) {
    try {
      return tried(settingsAt(i), (trial) => ask(trial, i));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  throw new RangeError(`none of ${most} tables has what is looked for`);
}

/** A sample key that is not in the table and for which `holds` is true. Throws RangeError after many tries. */
export function sampleFor(
  { session: { settings, sampleCount } }: Trial,
  holds: (key: string) => boolean,
  tries = MOST_TRIES,
): string {
  for (let i = 0; i < tries; ++i) {
    const key = sampleKey(settings.seed, sampleCount + i);
    if (holds(key)) return key;
  }
  throw new RangeError('no sample key does what is looked for');
}

const MOST_TRIES = 2000;

/** Whether a key would be stored without a kick. */
export function hasRoom(engine: Pick<Engine, 'lookUp'>, key: string): boolean {
  return ofKind(engine.lookUp(key), 'probe').some(({ isEmpty }) => isEmpty);
}

/**
 * `settings` with the first seed of the hash that gives a name two homes, and room in the first tables of both languages; or with
 * the last seed there is. So what a visitor inserts first, the name or its double, needs no kick.
 */
export function seededFor(settings: Settings, name: string): Settings {
  const suits = (hashSeed: number): boolean =>
    tried({ ...settings, hashSeed, samplePercent: 0 }, ({ engine }) => hasTwoHomes(engine.lookUp(name))) &&
    [DEFAULTS, CHINESE_DEFAULTS].every((first) =>
      tried({ ...first, hashSeed }, ({ engine }) => hasRoom(engine, name)),
    );
  let hashSeed = 0;
  while (hashSeed < RANGES.hashSeed[1] && !suits(hashSeed)) ++hashSeed;
  return { ...settings, hashSeed };
}
