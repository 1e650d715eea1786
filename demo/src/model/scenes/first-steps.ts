// Scenes 1 to 3: what is stored of a key, where it may live, and how it is found.
import { bitsApart, openSum } from '../picture/bits';
import { hex } from '../picture/chip';
import { DEFAULTS, type Settings } from '../settings';
import type { Session } from '../trace/session';
import { endOf, eventsOf, first, ofKind } from './read';
import type { TaskMaker } from './task';

const SMALL: Settings = { ...DEFAULTS, samplePercent: 30 };

/** A key of 40 letters, another one each round. */
function longKey(round: number): string {
  return `the quick brown fox and the lazy dog ${String(round % 1000).padStart(3, '0')}`;
}

/** The bits of a slot, of which a key takes one, whatever its length. */
const stored: TaskMaker = {
  settings: (round) => ({ ...SMALL, seed: DEFAULTS.seed + round }),
  make: (trial, round) => {
    const key = longKey(round);
    const { fingerprintBits } = trial.session.settings;
    return {
      run: [{ name: 'insert', key }],
      facts: { key, letters: key.length },
      question: { kind: 'choice', options: [8 * key.length, 64, fingerprintBits, 0].map(String) },
      answer: (session) => String(bitsTaken(session)),
    };
  },
};

/** Bits of the slots that are full after the insert and were not before. */
function bitsTaken(session: Session): number {
  const places = ofKind(eventsOf(session, 0), 'place').length;
  return places * session.settings.fingerprintBits;
}

/** Bits of the hash that differ between two keys that differ in one letter. */
const avalanche: TaskMaker = {
  settings: stored.settings,
  make: (_, round) => {
    const keys = [longKey(round), longKey(round + 1)] as const;
    return {
      run: keys.map((key) => ({ name: 'contains', key })),
      facts: { key: keys[0], other: keys[1] },
      question: { kind: 'number', least: 0, most: 64, step: 1 },
      answer: (session) => bitsApart(hashOf(session, 0), hashOf(session, 1)),
      tolerance: 8,
    };
  },
};

export function hashOf(session: Session, index: number): bigint {
  return first(eventsOf(session, index), 'begin').hash;
}

/** The alternate bucket of a key. */
export function otherHomeOf(bucketCount: number, addressing: Settings['addressing']): TaskMaker {
  return {
    settings: (round) => ({
      ...SMALL,
      bucketCount,
      bucketSize: 2,
      addressing,
      samplePercent: 0,
      seed: DEFAULTS.seed + round,
    }),
    make: (trial) => {
      const isPlain = (key: string): boolean => !first(trial.lookUp(key), 'locate').homesCoincide;
      const key = trial.find(isPlain);
      const { fingerprint, primary, offset } = first(trial.lookUp(key), 'locate');
      return {
        run: [{ name: 'contains', key }],
        facts: {
          key,
          fingerprint: hex(fingerprint, SMALL.fingerprintBits),
          primary,
          offset,
          count: bucketCount,
          sum: openSum(primary, offset, bucketCount),
        },
        question: { kind: 'bucket', count: bucketCount },
        answer: (session) => first(eventsOf(session, 0), 'locate').alternate,
      };
    },
  };
}

/** Slots read by a lookup. */
function slotsRead(isPresent: boolean): TaskMaker {
  return {
    settings: (round) => ({ ...SMALL, samplePercent: 60, seed: DEFAULTS.seed + round }),
    make: (trial) => {
      const { state, notebook } = { state: trial.session.place.state, notebook: trial.session.notebook };
      const inSecondHome = state.slots.find(
        (slot, i) =>
          slot !== null &&
          Math.floor(i / state.shape.bucketSize) === slot.homes[1] &&
          slot.homes[0] !== slot.homes[1],
      );
      const present = notebook.get(inSecondHome?.owner ?? 1) ?? '';
      const isAbsent = (key: string): boolean => endOf(trial.lookUp(key)).result === false;
      const key = isPresent ? present : trial.find(isAbsent);
      return {
        run: [{ name: 'contains', key }],
        facts: { key, slots: state.shape.bucketSize },
        question: { kind: 'number', least: 0, most: 4 * state.shape.bucketSize, step: 1 },
        answer: (session) => ofKind(eventsOf(session, 0), 'probe').length,
        found: (session) => ({ result: String(endOf(eventsOf(session, 0)).result) }),
      };
    },
  };
}

export const print = [stored, avalanche] as const;
export const homes = [otherHomeOf(16, 'xor'), otherHomeOf(32, 'xor')] as const;
export const lookup = [slotsRead(false), slotsRead(true)] as const;
