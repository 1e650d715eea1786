// Answers that are wrong by nature, and a way to hurt a filter.
import { endOf, hasTwoHomes, ofKind, storedAt } from '../trace/state';
import type { Operation, PageEvent, TableState } from '../trace/state';
import { seededFor, tried, type Trial } from '../../core/filling';
import { DEFAULTS, type Settings } from '../settings';
import { strangerKey, strangerKeys } from '../samples';
import { percentOf, rounded } from '../statistics';
import { eventsOf, ownerName, type Session } from '../trace/session';
import { homesOf, type Pair, type TaskMaker } from './task';

/** So many that chance moves their count by a few per cent only. */
export const ABSENT = 10_000;

/** A stranger; plain names first. */
function absentKey({ session }: Trial, index: number): string {
  return strangerKey(session.settings.seed, index);
}

function isFound(trial: Trial, key: string): boolean {
  return endOf(trial.engine.lookUp(key)).result === true;
}

/** How many absent keys are taken for present by the table shown; told beside it: by one of `longer` fingerprints. */
function falsePositives(fingerprintBits: number, longer?: number): TaskMaker {
  const settings = (bits: number, round: number): Settings => ({
    ...DEFAULTS,
    fingerprintBits: bits,
    seed: DEFAULTS.seed + round,
  });
  return {
    settings: (round) => settings(fingerprintBits, round),
    make: (trial, round) => {
      const keys = strangerKeys(trial.session.settings.seed, ABSENT);
      const found = trial.engine.found(keys);
      const count = found.filter(Boolean).length;
      const key = keys[found.indexOf(true)] ?? '';
      const slots = 2 * trial.session.settings.bucketSize;
      const values = 2 ** fingerprintBits;
      const { size, slots: all } = trial.session.place.state;
      const load = percentOf(size / all.length);
      const before = longer === undefined ? 0 : countIn(settings(longer, round), keys);
      const near =
        longer === undefined ? [3, 30, 300, 3000] : [0.5, 1, 2, 4].map((by) => Math.round(by * before));
      return {
        run: [{ name: 'contains', key }],
        facts: {
          absent: ABSENT,
          bits: fingerprintBits,
          ...{ slots, values, load, rate: rounded((slots / values) * load) },
          ...(longer !== undefined && { longer, before }),
        },
        question: { kind: 'number', least: 0, most: 2000, step: 1, near },
        answer: () => count,
        found: (session) => ({ key, owner: ownerMet(session, session.timeline.start, eventsOf(session, 0)) }),
        // Three standard deviations of such a count.
        tolerance: Math.ceil(3 * Math.sqrt(count)),
      };
    },
  };
}

function countIn(settings: Settings, keys: readonly string[]): number {
  return tried(settings, ({ engine }) => engine.found(keys).filter(Boolean).length);
}

function ownerMet(session: Session, state: TableState, events: readonly PageEvent[]): string {
  const match = ofKind(events, 'probe').find((event) => event.isMatch);
  return ownerName(session, match && storedAt(state, match.bucket, match.slot)?.owner);
}

function ownerFor(trial: Trial, key: string): string {
  return ownerMet(trial.session, trial.session.place.state, trial.engine.lookUp(key));
}

const deletable = (round: number): Settings => ({
  ...DEFAULTS,
  fingerprintBits: 6,
  samplePercent: 70,
  seed: DEFAULTS.seed + round,
});

/** Afterwards, `owner` is looked up, unless it is null. */
function deletion(key: string, owner: string | null): Operation[] {
  return [
    { name: 'contains', key },
    { name: 'erase', key },
    ...(owner === null ? [] : [{ name: 'contains', key: owner } as const]),
  ];
}

/** An absent key whose deletion makes the filter forget another key. */
function harmfulKey(trial: Trial): string {
  for (let i = 0; i < 2 * ABSENT; ++i) {
    const key = absentKey(trial, i);
    if (!isFound(trial, key)) continue;
    const last = trial.engine.tryAll(deletion(key, ownerFor(trial, key)))[2];
    if (last !== undefined && endOf(last).result === false) return key;
  }
  throw new RangeError('no absent key harms this table');
}

/** Who is harmed by the deletion of a key that was never there. */
const harmed: TaskMaker = {
  settings: deletable,
  make: (trial) => {
    const key = harmfulKey(trial);
    return harmTask(trial, key, ownerFor(trial, key));
  },
};

/** The same of a name that was put in and of its double, which was not. */
export function harmedBy({ one, other }: Pair): TaskMaker {
  return {
    settings: (round) => seededFor({ ...DEFAULTS, samplePercent: 40, seed: DEFAULTS.seed + round }, one),
    make: (trial) => {
      const before = [{ name: 'insert', key: one }] as const;
      const task = harmTask(trial, other, one, before);
      const [, isFound, , isLost] = trial.engine.tryAll(task.run).map((events) => endOf(events).result);
      if (isFound !== true || isLost !== false) throw new RangeError('the other name harms nobody');
      return task;
    },
  };
}

const unharmed: TaskMaker = {
  settings: (round) => deletable(round + 500),
  make: (trial) => {
    const isPlain = (key: string): boolean => !isFound(trial, key) && hasTwoHomes(trial.engine.lookUp(key));
    let i = 0;
    while (!isPlain(absentKey(trial, i))) ++i;
    return harmTask(trial, absentKey(trial, i), null);
  },
};

/** `owner` is the key that is lost; null: none. The operations `before` are done before the question is asked. */
function harmTask(
  trial: Trial,
  key: string,
  owner: string | null,
  before: readonly Operation[] = [],
): ReturnType<TaskMaker['make']> {
  const at = before.length;
  const { fingerprintBits: bits } = trial.session.settings;
  const names = [...trial.session.notebook.values()].filter((name) => name !== owner);
  const options = owner === null ? names.slice(0, 3) : [owner, ...names.slice(0, 2)];
  return {
    run: [...before, ...deletion(key, owner)],
    begun: at,
    facts: { key, bits, ...homesOf(trial.engine.lookUp(key), bits) },
    question: { kind: 'choice', options: ['nobody', ...options.sort()] },
    answer: (session) =>
      owner !== null && endOf(eventsOf(session, at + 2)).result === false ? owner : 'nobody',
    found: () => ({ owner: owner ?? '' }),
  };
}

export const hunt = [falsePositives(8), falsePositives(7, 8)] as const;
export const deadly = [harmed, unharmed] as const;
